"use client";
/** Draws the open overlay of the registry; each is loaded on first use. */
import type { ActionContext } from "../../actions/actions";
import { useStore } from "../../state/store";
import { createLazyComponents } from "../../ui/lazy-components";
import { LazyDialog } from "../../ui/overlays/lazy-dialog";
import { useMessages } from "../../messages/messages";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { type OverlayContext, overlayRegistry } from "./overlay-registry";

const lazyOverlay = createLazyComponents<OverlayContext>();

export function Overlays({ context, place }: { readonly context: ActionContext; readonly place: WorkbenchLocation }) {
  const { workbench } = context.client;
  const overlay = useStore(workbench, (state) => state.overlay);
  const close = (): void => workbench.showOverlay(null);
  const messages = useMessages();
  if (overlay === null) return null;
  const entry = overlayRegistry[overlay];
  const Component = "component" in entry ? entry.component : lazyOverlay(entry.load);
  return (
    <LazyDialog label={messages.common.loading} onClose={close}>
      <Component context={context} place={place} close={close} />
    </LazyDialog>
  );
}
