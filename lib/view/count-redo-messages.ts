/** Counts the messages hidden by a rewind. */
import { at, lastIndexUpTo } from "./chunks";
import { pathEntriesBackward, pathRanges, type SessionView } from "./view";

/**
 * Number of user messages a redo would bring back; null = nothing to redo, or the hidden branch is not loaded in this
 * client (the session was opened after the rewind).
 */
export function countRedoMessages(view: SessionView): number | null {
  const { left, newest, segments } = view;
  if (left === null || !isBorderLoaded(view, left)) return null;
  const currentPath = pathRanges(segments, newest);
  let count = 0;
  for (const entry of pathEntriesBackward(view, left)) {
    if (currentPath.some(([from, to]) => entry.seq >= from && entry.seq <= to)) break;
    if (entry.kind === "message" && entry.role === "user") count += 1;
  }
  return count;
}

/** True if the entry or compaction that ends at `border` is loaded. */
function isBorderLoaded(view: SessionView, border: number): boolean {
  if (!view.windowed) return true;
  const entry = at(view.entries, lastIndexUpTo(view.entries, border));
  return entry !== undefined && (entry.seq === border || (entry.kind === "compaction" && entry.seq > view.newest));
}
