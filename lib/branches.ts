/** Counts the messages hidden by a rewind. */
import { at, lastUpTo } from "./chunks";
import { pathBack, rangesOf, type SessionView } from "./view";

/**
 * Number of user messages a redo would bring back; null = nothing to redo, or the hidden branch is not loaded in this
 * client (the session was opened after the rewind).
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

/** True if the entry or compaction that ends at `border` is loaded. */
function holds(view: SessionView, border: number): boolean {
  if (!view.windowed) return true;
  const entry = at(view.entries, lastUpTo(view.entries, border));
  return entry !== undefined && (entry.seq === border || (entry.kind === "compaction" && entry.seq > view.newest));
}
