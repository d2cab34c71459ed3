/** Arrow keys go from row to row of a list, from the field above it into it, and back. Used by the lists of sessions and hits. */
import type { KeyboardEvent } from "react";

const rowSelector = "a[data-session]";

/** For the element that holds the rows; `field` = what stands above the first row and takes the focus from there. */
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
