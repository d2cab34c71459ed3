/** Arrow-key navigation between the rows of a list and a field above it. */
import type { KeyboardEvent } from "react";

const rowSelector = "a[data-session]";

/**
 * Handles a key event of the element that contains the rows. `field` = field above the first row that takes part in the
 * navigation.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, field: HTMLElement | null = null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement)) return;
  const isField = event.target === field;
  if (!isField && !event.target.matches(rowSelector)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(rowSelector)];
  const at = isField ? -1 : rows.indexOf(event.target);
  const next = at + step < 0 ? (isField ? null : field) : (rows[at + step] ?? null);
  if (next === null) return;
  event.preventDefault();
  next.focus();
}
