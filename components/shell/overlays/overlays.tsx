"use client";
/** Draws the open overlay of the registry; each is loaded on first use. An error in it leaves the workbench usable. */
import { useState } from "react";
import type { ActionContext } from "../../actions/action";
import type { OverlayId } from "../../state/workbench/workbench-store";
import { useStore } from "../../state/store";
import { createLazyComponents, type RegisteredComponent } from "../../ui/lazy-components";
import { LazyDialog } from "../../ui/overlays/lazy-dialog";
import { useModal } from "../../ui/overlays/use-modal";
import { useMessages } from "../../messages/messages";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { Crashed, ErrorBoundary } from "../notices/error-boundary";
import { type OverlayContext, overlayRegistry } from "./overlay-registry";

const overlayComponent = createLazyComponents<OverlayContext>();

interface OverlaysProps {
  readonly context: ActionContext;
  readonly place: WorkbenchLocation;
  readonly overlays?: Readonly<Record<OverlayId, RegisteredComponent<OverlayContext>>>;
}

export function Overlays({ context, place, overlays = overlayRegistry }: OverlaysProps) {
  const { workbench } = context.client;
  const overlay = useStore(workbench, (state) => state.overlay);
  const [attempt, setAttempt] = useState(0);
  const close = (): void => workbench.showOverlay(null);
  const messages = useMessages();
  if (overlay === null) return null;
  const Component = overlayComponent(overlays[overlay]);
  return (
    <ErrorBoundary
      key={`${overlay} ${attempt}`}
      fallback={(error) => <CrashedOverlay error={error} onRetry={() => setAttempt(attempt + 1)} onClose={close} />}
    >
      <LazyDialog label={messages.common.loading} onClose={close}>
        <Component context={context} place={place} close={close} />
      </LazyDialog>
    </ErrorBoundary>
  );
}

interface CrashedOverlayProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

function CrashedOverlay({ error, onRetry, onClose }: CrashedOverlayProps) {
  const messages = useMessages();
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      aria-label={messages.shell.crashed}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      className="m-auto rounded-dialog border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-scrim"
    >
      <Crashed error={error} onRetry={onRetry} />
    </dialog>
  );
}
