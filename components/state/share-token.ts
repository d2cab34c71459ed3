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

/** Takes the token out of the address; without one there, what this entry of the history kept. */
export function takeShareToken(): string | null {
  const given = shareTokenIn(location.hash);
  if (given === null) return keptIn(history.state);
  history.replaceState({ [key]: given }, "", location.pathname);
  return given;
}

/** The link is over: nothing of it stays. */
export function forgetShareToken(): void {
  history.replaceState({ [key]: null }, "", location.pathname);
}

function keptIn(state: unknown): string | null {
  const kept = typeof state === "object" && state !== null && key in state ? state[key] : null;
  return typeof kept === "string" ? shareTokenIn(kept) : null;
}
