/** Browser storage that may be disabled: reading `localStorage` itself can throw. */
import { languages, type Settings } from "@/lib/settings/settings";
import type { KeyValue, WorkbenchStorage } from "../../state/workbench/workbench-store";

const noStorage: KeyValue = { getItem: () => null, setItem: () => undefined };

function storageOrNone(get: () => KeyValue): KeyValue {
  try {
    return get();
  } catch {
    return noStorage;
  }
}

export const browserStorage = (): WorkbenchStorage => ({
  local: storageOrNone(() => localStorage),
  tab: storageOrNone(() => sessionStorage),
});

const languageKey = "gopi-web.language";

/** Returns the language stored on the last visit; the settings arrive too late for the first paint. */
export function rememberedLanguage(): Settings["language"] {
  const stored = tryOrNull(() => browserStorage().local.getItem(languageKey));
  return languages.find((language) => language === stored) ?? "system";
}

export function rememberLanguage(language: Settings["language"]): void {
  tryOrNull(() => browserStorage().local.setItem(languageKey, language));
}

/** Stores which key sends, for the early field that accepts input before the settings load (first-field.ts). */
export function rememberSendKey(sendKey: Settings["sendKey"]): void {
  tryOrNull(() => browserStorage().local.setItem("gopi-web.send-key", sendKey));
}

function tryOrNull<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}

const trustPostponedKey = (projectId: string): string => `gopi-web.trust-later.${projectId}`;

/** Whether the user postponed the trust decision for this folder in this tab. */
export const isTrustPostponed = (projectId: string): boolean =>
  tryOrNull(() => browserStorage().tab.getItem(trustPostponedKey(projectId))) === "1";

export function postponeTrust(projectId: string): void {
  tryOrNull(() => browserStorage().tab.setItem(trustPostponedKey(projectId), "1"));
}
