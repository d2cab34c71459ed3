/** Open model or connection of a settings tab, stored in the URL's hash so that the browser's Back closes it. */
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
const notifyListeners = (): void => {
  for (const listener of [...listeners]) listener();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener("popstate", notifyListeners);
    addEventListener("hashchange", notifyListeners);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removeEventListener("popstate", notifyListeners);
    removeEventListener("hashchange", notifyListeners);
  };
}

/** Returns the item named in the hash; null = none. A hash that cannot be decoded is returned verbatim. */
function readOpenItem(): string | null {
  const text = location.hash.slice(1);
  if (text === "") return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const useOpenItem = (): string | null => useSyncExternalStore(subscribe, readOpenItem, () => null);

/** Opens an item by name, or closes it with null. `replace` adds no history entry. */
export function openItem(name: string | null, how: "push" | "replace" = "push"): void {
  if (name === readOpenItem()) return;
  const address = name === null ? location.pathname : `${location.pathname}#${encodeURIComponent(name)}`;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  notifyListeners();
}
