"use client";
/** The dialog that starts a workflow, and where it leads. */
import type { ProjectId } from "@/lib/events/id";
import { WorkflowDialog } from "../../chat/workflows/workflow-dialog";
import { navigate } from "../navigation/router";

interface WorkflowOverlayProps {
  readonly projectId: ProjectId;
  readonly onClose: () => void;
}

export function WorkflowOverlay({ projectId, onClose }: WorkflowOverlayProps) {
  const go = (path: string): void => {
    onClose();
    navigate(path);
  };
  return (
    <WorkflowDialog
      projectId={projectId}
      onStarted={(id) => go(`/s/${id}`)}
      onSettings={() => go("/settings/workflows")}
      onClose={onClose}
    />
  );
}
