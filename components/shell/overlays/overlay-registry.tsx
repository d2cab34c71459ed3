"use client";
/** Registry of the overlays (dialogs and palette). */
import type { ActionContext } from "../../actions/action";
import type { OverlayId } from "../../state/workbench/workbench-store";
import type { RegisteredComponent } from "../../ui/lazy-components";
import { navigate } from "../navigation/router";
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
  help: {
    load: async () => {
      const { HelpDialog } = await import("./help-dialog");
      return ({ close }) => <HelpDialog onClose={close} />;
    },
  },
  open_folder: {
    load: async () => {
      const { OpenFolderDialog } = await import("./open-folder-dialog");
      return ({ close }) => <OpenFolderDialog onClose={close} />;
    },
  },
  projects: {
    load: async () => {
      const { ProjectsDialog } = await import("./projects-dialog");
      return ({ place, close }) => <ProjectsDialog projects={place.projects} onClose={close} />;
    },
  },
  compare: {
    load: async () => {
      const { CompareOverlay } = await import("../../editor/compare-overlay");
      return ({ place: { projectId }, close }) =>
        projectId !== null && <CompareOverlay projectId={projectId} onClose={close} />;
    },
  },
  restore: {
    load: async () => {
      const { RestoreOverlay } = await import("./restore-overlay");
      return ({ place, close }) => <RestoreOverlay place={place} onClose={close} />;
    },
  },
  trash: {
    load: async () => {
      const { TrashDialog } = await import("../../changes/trash-dialog");
      return ({ place: { projectId }, close }) =>
        projectId !== null && <TrashDialog projectId={projectId} onClose={close} />;
    },
  },
  trust: {
    load: async () => {
      const { TrustOverlay } = await import("./trust-overlay");
      return ({ place: { projectId }, close }) =>
        projectId !== null && <TrustOverlay projectId={projectId} onClose={close} />;
    },
  },
  share: {
    load: async () => {
      const { ShareDialog } = await import("../../share/share-dialog");
      return ({ place, close }) => (
        <ShareDialog
          sessionId={place.session.view?.sessionId ?? null}
          onShow={(id) => {
            close();
            navigate(`/s/${id}`);
          }}
          onClose={close}
        />
      );
    },
  },
  tree: {
    load: async () => {
      const { TreeOverlay } = await import("./tree-overlay");
      return ({ place: { session }, close }) =>
        session.view !== null && <TreeOverlay view={session.view} onClose={close} />;
    },
  },
  run_workflow: {
    load: async () => {
      const { WorkflowOverlay } = await import("./workflow-overlay");
      return ({ place: { projectId }, close }) =>
        projectId !== null && <WorkflowOverlay projectId={projectId} onClose={close} />;
    },
  },
  rename_session: {
    load: async () => {
      const { RenameDialog } = await import("./rename-dialog");
      return ({ place: { session }, close }) =>
        session.view !== null && (
          <RenameDialog sessionId={session.view.sessionId} title={session.view.title} onClose={close} />
        );
    },
  },
};
