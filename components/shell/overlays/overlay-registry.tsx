"use client";
/** Registry of the overlays (dialogs and palette). */
import type { ActionContext } from "../../actions/action";
import type { OverlayId } from "../../state/workbench/workbench-store";
import type { RegisteredComponent } from "../../ui/lazy-components";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { Palette } from "../palette/palette";
import type { PaletteStart } from "../palette/palette-query";

/** Data and functions available to an overlay. */
export interface OverlayContext {
  readonly context: ActionContext;
  readonly place: WorkbenchLocation;
  /** Closes the overlay. */
  readonly close: () => void;
}

/** The palette; `prefix` = the text it starts with. */
const palette = (start: PaletteStart, prefix?: string): RegisteredComponent<OverlayContext> => ({
  component: ({ context, close }) => <Palette {...{ start, prefix, context }} onClose={close} />,
});

/** The overlays by id. Each entry draws nothing while its subject (project, session) is absent. */
export const overlayRegistry: Readonly<Record<OverlayId, RegisteredComponent<OverlayContext>>> = {
  palette: palette("all"),
  commands: palette("all", ">"),
  quick_open: palette("files"),
  go_to_line: palette("files", ":"),
  go_to_symbol: palette("files", "@"),
  sessions: palette("sessions"),
  help: { load: async () => (await import("./help-dialog")).HelpDialog },
  open_folder: { load: async () => (await import("./open-folder-overlay")).OpenFolderOverlay },
  projects: { load: async () => (await import("./projects-overlay")).ProjectsOverlay },
  compare: { load: async () => (await import("./compare-overlay")).CompareFilesOverlay },
  timeline: { load: async () => (await import("./timeline-overlay")).TimelineOverlay },
  restore: { load: async () => (await import("./restore-overlay")).RestoreOverlay },
  commit_run: { load: async () => (await import("./commit-run-overlay")).CommitRunOverlay },
  trash: { load: async () => (await import("./trash-overlay")).TrashOverlay },
  trust: { load: async () => (await import("./trust-overlay")).TrustOverlay },
  share: { load: async () => (await import("./share-overlay")).ShareOverlay },
  tree: { load: async () => (await import("./tree-overlay")).TreeOverlay },
  run_workflow: { load: async () => (await import("./workflow-overlay")).WorkflowOverlay },
  rename_session: { load: async () => (await import("./rename-overlay")).RenameOverlay },
};
