/**
 * The secret of a share link: it arrives in the fragment, is removed from the address bar at once, and is stored in
 * this entry of the tab's history, so that reloading works (phones unload hidden pages).
 */

const historyKey = "gopiShare";

/** Parses the token in the fragment of an address; null = none. */
export function parseShareToken(fragment: string): string | null {
  const text = fragment.replace(/^#/, "");
  return /^[A-Za-z0-9_-]{16,200}$/.test(text) ? text : null;
}

/** "over" = the link of this page ended before the page was reloaded; null = no token. */
type StoredShareToken = { readonly token: string } | "over" | null;

/** Removes the token from the address and returns it; without one, returns the token stored in this history entry. */
export function takeShareToken(): StoredShareToken {
  const fromAddress = parseShareToken(location.hash);
  if (fromAddress === null) return parseHistoryState(history.state);
  history.replaceState({ [historyKey]: fromAddress }, "", location.pathname);
  return { token: fromAddress };
}

/** Replaces the stored token with the mark that the link is over. */
export function forgetShareToken(): void {
  history.replaceState({ [historyKey]: "over" }, "", location.pathname);
}

/** Parses the state of a history entry. */
export function parseHistoryState(state: unknown): StoredShareToken {
  const stored = typeof state === "object" && state !== null && historyKey in state ? state[historyKey] : null;
  if (stored === "over") return "over";
  const token = typeof stored === "string" ? parseShareToken(stored) : null;
  return token === null ? null : { token };
}
