"use client";
/** Form that commits the changes of a run of the current session. Loaded when it opens. */
import { RunCommitDialog } from "../../changes/source/commit/run-commit-dialog";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { getCommitTarget } from "../../state/workbench/commit-target";
import type { OverlayContext } from "./overlay-registry";

export function CommitRunOverlay({ place, close }: Pick<OverlayContext, "place" | "close">) {
  const target = useStore(getCommitTarget(useClient()), (now) => now);
  if (target === null || place.projectId === null) return null;
  return (
    <RunCommitDialog
      projectId={place.projectId}
      run={target}
      model={place.session.view?.model?.model}
      onClose={close}
    />
  );
}
