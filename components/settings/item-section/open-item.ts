/**
 * Open model or connection of a settings tab, stored in the URL's hash so that the browser's Back closes it. The hash
 * may name a setting instead, by its key of `config.yaml`.
 */
import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";
import { settingOfKey } from "@/lib/settings/config-keys";

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  addEventListener("hashchange", listener);
  return () => {
    removeEventListener("popstate", listener);
    removeEventListener("hashchange", listener);
  };
}

/** Returns the hash without its sign; null = there is none. A hash that cannot be decoded is returned verbatim. */
function readHash(): string | null {
  const text = location.hash.slice(1);
  if (text === "") return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const useSettingsHash = (): string | null => useSyncExternalStore(subscribe, readHash, () => null);

export function useOpenItem(): string | null {
  const hash = useSettingsHash();
  return hash === null || settingOfKey(hash) !== undefined ? null : hash;
}

/** Items whose addresses in a tab name their kind. */
export type ItemKind = "api" | "extension" | "mcp" | "skill" | "workflow";

/** Ids contain no slash, and no setting has such a key. */
export const formatItemAddress = (kind: ItemKind, ...parts: readonly string[]): string => [kind, ...parts].join("/");

/** Returns what follows the kind in the address of an item; null = the address of something else. */
export const parseItemAddress = (kind: ItemKind, address: string | null): string | null =>
  address?.startsWith(`${kind}/`) === true ? address.slice(kind.length + 1) : null;

/** Opens an item by name, or closes it with null. `replace` adds no history entry. */
export function openItem(name: string | null, method: "push" | "replace" = "push"): void {
  if (name === readHash()) return;
  const address = name === null ? location.pathname : `${location.pathname}#${encodeURIComponent(name)}`;
  if (method === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/**
 * Shows the beginning of the page of an item that is opened from the list, and focuses its row in the list when the page is closed
 * while the focus is in it.
 */
export function useReturnToRow(content: RefObject<Element | null>): void {
  const item = useOpenItem();
  const last = useRef<string | null>(null);
  useEffect(() => {
    const closed = last.current;
    last.current = item;
    if (item !== null && item !== closed) content.current?.closest("main")?.scrollTo(0, 0);
    if (item !== null || closed === null || document.activeElement !== document.body) return;
    const rows = content.current?.querySelectorAll<HTMLElement>("[data-item]") ?? [];
    [...rows].find((row) => row.dataset.item === closed)?.focus();
  }, [content, item]);
}
