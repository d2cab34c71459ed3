/** Arrangement of a project's terminals: tabs, each with one terminal or several side by side. Pure. */
import type { TerminalId } from "@/lib/events/id";

/** Ids in the order of the screen; no group is empty. */
export type TerminalGroups = readonly (readonly TerminalId[])[];

/** Removes terminals that no longer exist, and adds new ones as tabs of their own at the end. */
export function reconcileGroups(groups: TerminalGroups, existing: readonly TerminalId[]): TerminalGroups {
  const missing = new Set(existing);
  // `delete` returns whether it was missing, so that each terminal is taken once.
  const remaining = groups.map((group) => group.filter((id) => missing.delete(id))).filter(({ length }) => length > 0);
  return [...remaining, ...[...missing].map((id) => [id])];
}

/** Shows `added` beside `beside`; as a tab of its own if that is not shown. */
export function addBeside(groups: TerminalGroups, beside: TerminalId, added: TerminalId): TerminalGroups {
  const without = groups.map((group) => group.filter((id) => id !== added)).filter((group) => group.length > 0);
  if (!without.some((group) => group.includes(beside))) return [...without, [added]];
  return without.map((group) => group.flatMap((id) => (id === beside ? [id, added] : [id])));
}

/** Returns the terminal to show after one was closed: its neighbour in the tab, else the next tab, else the last. */
export function neighbourOf(groups: TerminalGroups, closed: TerminalId): TerminalId | null {
  const at = groups.findIndex((group) => group.includes(closed));
  const group = groups[at]?.filter((id) => id !== closed) ?? [];
  return group[0] ?? groups[at + 1]?.[0] ?? groups[at - 1]?.[0] ?? null;
}
