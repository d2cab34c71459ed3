"use client";
/** Restore dialog with the state of the current session. Loaded when it opens. */
import { hasLaterChanges } from "@/lib/view/remaining-changes";
import { sessionActivity, pathEntries, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { RestoreDialog } from "../../changes/restore-dialog";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import type { OverlayContext } from "./overlay-registry";

export function RestoreOverlay({ place, close }: Pick<OverlayContext, "place" | "close">) {
  const { workbench } = useClient();
  const restoring = useStore(workbench, (state) => state.restoreTarget);
  if (restoring === null) return null;
  const { view } = place.session;
  const isHere = view?.sessionId === restoring.sessionId;
  return (
    <RestoreDialog
      {...restoring}
      includesLaterRuns={isHere && hasLaterChanges(pathEntries(view), restoring.toSeq)}
      isBusy={isHere && sessionActivity(view) !== "idle"}
      canRewind={isHere && isRunStart(view, restoring.toSeq)}
      onClose={close}
    />
  );
}

/** Whether a run of the path starts at this border, so that the conversation can be rewound to before it. */
function isRunStart(view: SessionView, seq: number): boolean {
  for (const entry of pathEntriesBackward(view)) if (entry.kind === "run_start" && entry.from === seq) return true;
  return false;
}
