"use client";
/** The dialog that opens a folder as a project. */
import { OpenFolderDialog } from "./open-folder-dialog";
import type { OverlayContext } from "./overlay-registry";

export const OpenFolderOverlay = ({ close }: Pick<OverlayContext, "close">) => <OpenFolderDialog onClose={close} />;
