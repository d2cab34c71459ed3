"use client";
/** Where the focus goes around approvals: to the oldest card on request, to the next after an answer, then back to where it was. */

const selector = "[data-approval]";
/** One that was answered just now stays until its answer has come back. */
const unanswered = `${selector}:not([data-state=sending])`;
const returnTo: { element: HTMLElement | null } = { element: null };

const cards = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>(unanswered)];

/** Remembers what had the focus before the first card got it. */
export function rememberFocus(from: EventTarget | null): void {
  if (from instanceof HTMLElement && from.closest(selector) === null)
    returnTo.element = from === document.body ? null : from;
}

/** For the shortcut: true when there was a card to go to. */
export function focusOldestApproval(): boolean {
  const [oldest] = cards();
  rememberFocus(document.activeElement);
  oldest?.focus();
  oldest?.scrollIntoView({ block: "nearest" });
  return oldest !== undefined;
}

/** After an answer. Does nothing when the focus was not in that card. */
export function focusAfter(card: HTMLElement): void {
  if (!card.contains(document.activeElement)) return;
  // In document order: the oldest that still waits.
  const next = cards().find((other) => other !== card);
  if (next !== undefined) next.focus();
  else if (returnTo.element?.isConnected === true) returnTo.element.focus();
  else document.querySelector<HTMLElement>("[data-composer] textarea")?.focus();
}
