/** Browser storage that may be disabled: reading `localStorage` itself can throw. */
import { languages, type Settings } from "@/lib/settings";
import type { KeyValue, WorkbenchStorage } from "../state/workbench-store";

const nowhere: KeyValue = { getItem: () => null, setItem: () => undefined };

function storageOr(get: () => KeyValue): KeyValue {
  try {
    return get();
  } catch {
    return nowhere;
  }
}

export const browserStorage = (): WorkbenchStorage => ({
  local: storageOr(() => localStorage),
  tab: storageOr(() => sessionStorage),
});

const languageKey = "gopi-web.language";

/** Returns the language stored on the last visit; the settings arrive too late for the first paint. */
export function rememberedLanguage(): Settings["language"] {
  const stored = attempt(() => browserStorage().local.getItem(languageKey));
  return languages.find((language) => language === stored) ?? "system";
}

export function rememberLanguage(language: Settings["language"]): void {
  attempt(() => browserStorage().local.setItem(languageKey, language));
}

/** Stores which key sends, for the early field that accepts input before the settings load (first-field.ts). */
export function rememberSendKey(sendKey: Settings["sendKey"]): void {
  attempt(() => browserStorage().local.setItem("gopi-web.send-key", sendKey));
}

function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}

const laterKey = (projectId: string): string => `gopi-web.trust-later.${projectId}`;

/** Whether the user postponed the trust decision for this folder in this tab. */
export const wasPutOff = (projectId: string): boolean =>
  attempt(() => browserStorage().tab.getItem(laterKey(projectId))) === "1";

export function putOff(projectId: string): void {
  attempt(() => browserStorage().tab.setItem(laterKey(projectId), "1"));
}
