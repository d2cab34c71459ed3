"use client";
/** Moves the focus: to the oldest card on request, to the next card after an answer, then to the previous element. */

const selector = "[data-approval]";
/** A card whose answer is being sent stays in the DOM until the reply. */
const unanswered = `${selector}:not([data-state=sending])`;
const returnTo: { element: HTMLElement | null } = { element: null };

const cards = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>(unanswered)];

/** Stores the element that had the focus before the first card. */
export function rememberFocus(from: EventTarget | null): void {
  if (from instanceof HTMLElement && from.closest(selector) === null)
    returnTo.element = from === document.body ? null : from;
}

/** Focuses the oldest card; false = no card waits. */
export function focusOldestApproval(): boolean {
  const [oldest] = cards();
  rememberFocus(document.activeElement);
  oldest?.focus();
  oldest?.scrollIntoView({ block: "nearest" });
  return oldest !== undefined;
}

/** Moves the focus on after an answer. No effect if the focus is not in that card. */
export function focusAfter(card: HTMLElement): void {
  if (!card.contains(document.activeElement)) return;
  // Document order: the first other card is the oldest one waiting.
  const next = cards().find((other) => other !== card);
  if (next !== undefined) next.focus();
  else if (returnTo.element?.isConnected === true) returnTo.element.focus();
  else document.querySelector<HTMLElement>("[data-composer] textarea")?.focus();
}
