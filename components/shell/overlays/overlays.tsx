"use client";
/** Overlays (dialogs and palette): one at a time, each loaded on first use. */
import { lazy } from "react";
import type { ActionContext } from "../../actions/actions";
import { useStore } from "../../state/store";
import { LazyDialog } from "../../ui/overlays/lazy-dialog";
import { useMessages } from "../../messages/messages";
import { Palette } from "../palette/palette";
import { navigate } from "../navigation/router";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const HelpDialog = lazy(async () => ({ default: (await import("./help-dialog")).HelpDialog }));
const OpenFolderDialog = lazy(async () => ({ default: (await import("./open-folder-dialog")).OpenFolderDialog }));
const RestoreOverlay = lazy(async () => ({ default: (await import("./restore-overlay")).RestoreOverlay }));
const TrashDialog = lazy(async () => ({ default: (await import("../../changes/trash-dialog")).TrashDialog }));
const ShareDialog = lazy(async () => ({ default: (await import("../../share/share-dialog")).ShareDialog }));
const TrustOverlay = lazy(async () => ({ default: (await import("./trust-overlay")).TrustOverlay }));
const RenameDialog = lazy(async () => ({ default: (await import("./rename-dialog")).RenameDialog }));

const TreeOverlay = lazy(async () => ({ default: (await import("./tree-overlay")).TreeOverlay }));

export function Overlays({ context, place }: { readonly context: ActionContext; readonly place: WorkbenchLocation }) {
  const { workbench } = context.client;
  const overlay = useStore(workbench, (state) => state.overlay);
  const close = (): void => workbench.showOverlay(null);
  const messages = useMessages();
  const { view } = place.session;
  if (overlay === "palette") return <Palette context={context} onClose={close} />;
  return (
    <LazyDialog label={messages.common.loading} onClose={close}>
      {overlay === "help" && <HelpDialog onClose={close} />}
      {overlay === "open_folder" && <OpenFolderDialog onClose={close} />}
      {overlay === "restore" && <RestoreOverlay place={place} onClose={close} />}
      {overlay === "trash" && place.projectId !== null && <TrashDialog projectId={place.projectId} onClose={close} />}
      {overlay === "trust" && place.projectId !== null && <TrustOverlay projectId={place.projectId} onClose={close} />}
      {overlay === "share" && (
        <ShareDialog
          sessionId={view?.sessionId ?? null}
          onShow={(id) => {
            close();
            navigate(`/s/${id}`);
          }}
          onClose={close}
        />
      )}
      {overlay === "tree" && view !== null && <TreeOverlay view={view} onClose={close} />}
      {overlay === "rename_session" && view !== null && (
        <RenameDialog sessionId={view.sessionId} title={view.title} onClose={close} />
      )}
    </LazyDialog>
  );
}
