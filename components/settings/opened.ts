/** Open model or connection of a settings tab, stored in the URL's hash so that the browser's Back closes it. */
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
const tellAll = (): void => {
  for (const listener of [...listeners]) listener();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener("popstate", tellAll);
    addEventListener("hashchange", tellAll);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removeEventListener("popstate", tellAll);
    removeEventListener("hashchange", tellAll);
  };
}

/** Returns the item named in the hash; null = none. A hash that cannot be decoded is returned verbatim. */
function opened(): string | null {
  const text = location.hash.slice(1);
  if (text === "") return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const useOpened = (): string | null => useSyncExternalStore(subscribe, opened, () => null);

/** Opens an item by name, or closes it with null. `replace` adds no history entry. */
export function openItem(name: string | null, how: "push" | "replace" = "push"): void {
  if (name === opened()) return;
  const address = name === null ? location.pathname : `${location.pathname}#${encodeURIComponent(name)}`;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  tellAll();
}
