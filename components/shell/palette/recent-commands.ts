/** The commands that were performed last in this browser, by the palette. */

const storageKey = "gopi-web.recent-commands";
const maxRecent = 5;

/** Returns their ids, the newest first. */
export function readRecentCommands(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string").slice(0, maxRecent) : [];
  } catch {
    return [];
  }
}

export function addRecentCommand(id: string): void {
  try {
    const ids = [id, ...readRecentCommands().filter((other) => other !== id)];
    localStorage.setItem(storageKey, JSON.stringify(ids.slice(0, maxRecent)));
  } catch {
    // Without storage the commands have their usual order.
  }
}
