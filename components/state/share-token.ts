/**
 * The secret of a share link: it arrives in the fragment, is removed from the address bar at once, and is stored in
 * this entry of the tab's history, so that reloading works (phones unload hidden pages).
 */

const key = "gopiShare";

/** Parses the token in the fragment of an address; null = none. */
export function shareTokenIn(fragment: string): string | null {
  const text = fragment.replace(/^#/, "");
  return /^[A-Za-z0-9_-]{16,200}$/.test(text) ? text : null;
}

/** "over" = the link of this page ended before the page was reloaded; null = no token. */
export type KeptToken = { readonly token: string } | "over" | null;

/** Removes the token from the address and returns it; without one, returns the token stored in this history entry. */
export function takeShareToken(): KeptToken {
  const fromAddress = shareTokenIn(location.hash);
  if (fromAddress === null) return keptIn(history.state);
  history.replaceState({ [key]: fromAddress }, "", location.pathname);
  return { token: fromAddress };
}

/** Replaces the stored token with the mark that the link is over. */
export function forgetShareToken(): void {
  history.replaceState({ [key]: "over" }, "", location.pathname);
}

/** Parses the state of a history entry. */
export function keptIn(state: unknown): KeptToken {
  const stored = typeof state === "object" && state !== null && key in state ? state[key] : null;
  if (stored === "over") return "over";
  const token = typeof stored === "string" ? shareTokenIn(stored) : null;
  return token === null ? null : { token };
}
