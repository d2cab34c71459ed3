/**
 * The secret of a share link: it comes in the fragment, leaves the address bar at once, and stays with this one entry of the
 * tab's history, so that loading again works (phones drop pages they do not show). Used by the viewer's page.
 */

const key = "gopiShare";

/** The token in the fragment of an address; null when there is none. */
export function shareTokenIn(fragment: string): string | null {
  const text = fragment.replace(/^#/, "");
  return /^[A-Za-z0-9_-]{16,200}$/.test(text) ? text : null;
}

/** "over" = the link of this page has ended before it was loaded again; null = there was none. */
export type KeptToken = { readonly token: string } | "over" | null;

/** Takes the token out of the address; without one there, what this entry of the history kept. */
export function takeShareToken(): KeptToken {
  const given = shareTokenIn(location.hash);
  if (given === null) return keptIn(history.state);
  history.replaceState({ [key]: given }, "", location.pathname);
  return { token: given };
}

/** The link is over: nothing of it stays. */
export function forgetShareToken(): void {
  history.replaceState({ [key]: "over" }, "", location.pathname);
}

/** What an entry of the browser's history holds of a link. */
export function keptIn(state: unknown): KeptToken {
  const kept = typeof state === "object" && state !== null && key in state ? state[key] : null;
  if (kept === "over") return "over";
  const token = typeof kept === "string" ? shareTokenIn(kept) : null;
  return token === null ? null : { token };
}
