"use client";
/** The dialog that starts a workflow in the open project, and where it leads. */
import { WorkflowDialog } from "../../chat/workflows/workflow-dialog";
import { navigate } from "../navigation/router";
import type { OverlayContext } from "./overlay-registry";

export function WorkflowOverlay({ place: { projectId }, close }: Pick<OverlayContext, "place" | "close">) {
  if (projectId === null) return null;
  const go = (path: string): void => {
    close();
    navigate(path);
  };
  return (
    <WorkflowDialog
      projectId={projectId}
      onStarted={(id) => go(`/s/${id}`)}
      onSettings={() => go("/settings/workflows")}
      onClose={close}
    />
  );
}
