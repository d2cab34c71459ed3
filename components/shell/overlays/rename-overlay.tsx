"use client";
/** The dialog that renames the open session. */
import type { OverlayContext } from "./overlay-registry";
import { RenameDialog } from "./rename-dialog";

export const RenameOverlay = ({ place: { session }, close }: Pick<OverlayContext, "place" | "close">) =>
  session.view !== null && (
    <RenameDialog sessionId={session.view.sessionId} title={session.view.title} onClose={close} />
  );
