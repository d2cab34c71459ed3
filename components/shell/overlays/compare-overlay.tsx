"use client";
/** The comparison of two files of the open project. */
import { CompareOverlay } from "../../editor/compare-overlay";
import type { OverlayContext } from "./overlay-registry";

export const CompareFilesOverlay = ({ place: { projectId }, close }: Pick<OverlayContext, "place" | "close">) =>
  projectId !== null && <CompareOverlay projectId={projectId} onClose={close} />;
