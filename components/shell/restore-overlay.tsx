"use client";
/** Restore dialog with the state of the current session. Loaded when it opens. */
import { activityOf, pathBack, type SessionView } from "@/lib/view";
import { RestoreDialog } from "../changes/restore-dialog";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import type { Place } from "./use-place";

export function RestoreOverlay({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const { workbench } = useClient();
  const restoring = useStore(workbench, (state) => state.restoring);
  if (restoring === null) return null;
  const { view } = place.session;
  const isHere = view?.sessionId === restoring.sessionId;
  return (
    <RestoreDialog
      {...restoring}
      isBusy={isHere && activityOf(view) !== "idle"}
      canRewind={isHere && startsRun(view, restoring.toSeq)}
      onClose={onClose}
    />
  );
}

/** Whether a run of the path starts at this border, so that the conversation can be rewound to before it. */
function startsRun(view: SessionView, seq: number): boolean {
  for (const entry of pathBack(view)) if (entry.kind === "run_start" && entry.from === seq) return true;
  return false;
}
