/** Finds what the command to undo undoes: the file changes of the newest run that made some which are still there. Pure. */
import type { Entry } from "@/lib/view/view";
import { createItemBuilder, newestChangeIndex, newestItemIndex } from "../conversation/conversation-items";

interface UndoTarget {
  readonly toSeq: number;
  /** run = the last run of the conversation. */
  readonly before: "run" | "earlier";
}

/** Returns null if no run changed files, or all of them are undone. `entries` are in log order. */
export function findUndoTarget(entries: readonly Entry[]): UndoTarget | null {
  const items = createItemBuilder()(entries);
  const index = newestChangeIndex(items);
  const content = items[index]?.content;
  if (content?.kind !== "run_end" || content.from === undefined) return null;
  return { toSeq: content.from, before: index === newestItemIndex(items) ? "run" : "earlier" };
}
