"use client";
/** The timeline of a file of the open project. */
import { TimelineDialog } from "../../changes/timeline-dialog";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import type { OverlayContext } from "./overlay-registry";

export function TimelineOverlay({ place: { projectId }, close }: Pick<OverlayContext, "place" | "close">) {
  const { workbench } = useClient();
  const path = useStore(workbench, (state) => state.comparedPath);
  return projectId !== null && path !== null && <TimelineDialog projectId={projectId} path={path} onClose={close} />;
}
