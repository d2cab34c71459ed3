/** Describes the files that a command changed, as events and facts for the log. */
import type { DurableEvent } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { DetectedFileChanges } from "@/server/workspace/snapshots/found-changes";

/** Number of folders that the card of a command names as not kept. */
const namedFoldersMax = 5;

/** Returns the events with the earlier states of the files, and the facts about what cannot be undone. */
export function describeFileChanges(
  callId: CallId,
  { befores, notKept, gap, skipped }: DetectedFileChanges,
): { readonly files: readonly DurableEvent[]; readonly facts: CallFacts } {
  return {
    files: befores.map((state): DurableEvent => ({ type: "file_change", callId, ...state })),
    facts: {
      ...(notKept > 0 ? { notKept } : {}),
      ...(gap === null ? {} : { undoGap: gap }),
      ...(skipped.length > 0 ? { skippedFolders: skipped.slice(0, namedFoldersMax) } : {}),
    },
  };
}
