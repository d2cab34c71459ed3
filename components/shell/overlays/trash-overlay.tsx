"use client";
/** The deleted files of the open project. */
import { TrashDialog } from "../../changes/trash-dialog";
import type { OverlayContext } from "./overlay-registry";

export const TrashOverlay = ({ place: { projectId }, close }: Pick<OverlayContext, "place" | "close">) =>
  projectId !== null && <TrashDialog projectId={projectId} onClose={close} />;
