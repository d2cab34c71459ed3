/** What a rewind has set aside, told from a view. Read by the banner above the composer. */
import { at, lastUpTo } from "./chunks";
import { pathBack, rangesOf, type SessionView } from "./view";

/**
 * How many of the user's messages a redo would bring back; null = there is nothing to redo, or what is hidden is not held here:
 * a client that was opened after the rewind.
 */
export function setAside(view: SessionView): number | null {
  const { left, newest, segments } = view;
  if (left === null || !holds(view, left)) return null;
  const here = rangesOf(segments, newest);
  let count = 0;
  for (const entry of pathBack(view, left)) {
    if (here.some(([from, to]) => entry.seq >= from && entry.seq <= to)) break;
    if (entry.kind === "message" && entry.role === "user") count += 1;
  }
  return count;
}

/** The entry that ends at this border, or the compaction that does, is here. */
function holds(view: SessionView, border: number): boolean {
  if (!view.windowed) return true;
  const entry = at(view.entries, lastUpTo(view.entries, border));
  return entry !== undefined && (entry.seq === border || (entry.kind === "compaction" && entry.seq > view.newest));
}
