"use client";
/** Moves the focus: to the oldest card on request, to the next card after an answer, then to the previous element. */

/** Cards that wait for an answer: approvals, and questions of servers. */
const cardSelector = ":is([data-approval], [data-question])";
/** A card whose answer is being sent stays in the DOM until the reply. */
const unanswered = `${cardSelector}:not([data-state=sending])`;
const previousFocus: { element: HTMLElement | null } = { element: null };

const unansweredCards = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>(unanswered)];

/** Stores the element that had the focus before the first card. */
export function storeFocus(from: EventTarget | null): void {
  if (from instanceof HTMLElement && from.closest(cardSelector) === null)
    previousFocus.element = from === document.body ? null : from;
}

/** Focuses the oldest card; false = no card waits. */
export function focusOldestApproval(): boolean {
  const [oldest] = unansweredCards();
  storeFocus(document.activeElement);
  oldest?.focus();
  oldest?.scrollIntoView({ block: "nearest" });
  return oldest !== undefined;
}

/** Moves the focus on after an answer, or before a card is removed. No effect if the focus is not in that card. */
export function focusNextApproval(card: HTMLElement): void {
  if (!card.contains(document.activeElement)) return;
  // Document order: the first other card is the oldest one waiting.
  const next = unansweredCards().find((other) => other !== card);
  if (next !== undefined) next.focus();
  else if (previousFocus.element?.isConnected === true) previousFocus.element.focus();
  else document.querySelector<HTMLElement>("[data-composer] textarea")?.focus();
}
