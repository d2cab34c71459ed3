/** The dot on the icon of a tab in the background. */
import type { RunNotification } from "./run-notification";

/** Amber = the user has to act. A run the user stopped has no badge. */
const badgeColours = {
  waiting: "#c8871c",
  done: "#12805c",
  aborted: null,
  error: "#c8871c",
  limit: "#c8871c",
  interrupted: "#c8871c",
} as const satisfies Record<RunNotification, string | null>;

/** Adds a coloured dot to the favicon; the returned function restores the original. undefined = no badge. */
export function showFaviconBadge(news: RunNotification): (() => void) | undefined {
  const link = document.querySelector<HTMLLinkElement>("link[rel~=icon]");
  const colour = badgeColours[news];
  if (link === null || colour === null) return undefined;
  const plain = link.href;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#1c1f24"/><path d="M21 11.5v11.2c0 3-2 4.8-5 4.8-2.3 0-4-.9-4.8-2.6M21 15.8c0 2.9-2.1 5-4.9 5s-4.9-2.1-4.9-5 2.1-5 4.9-5 4.9 2.1 4.9 5z" fill="none" stroke="#fafaf8" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" transform="translate(0 -2.6)"/><circle cx="25" cy="7" r="7" fill="${colour}"/></svg>`;
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return () => {
    link.href = plain;
  };
}
