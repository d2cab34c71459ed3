"use client";
/** Draws the open overlay of the registry; each is loaded on first use. */
import { type ComponentType, lazy } from "react";
import type { ActionContext } from "../../actions/actions";
import { useStore } from "../../state/store";
import type { OverlayId } from "../../state/workbench/workbench-store";
import { LazyDialog } from "../../ui/overlays/lazy-dialog";
import { useMessages } from "../../messages/messages";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { type OverlayContext, overlayRegistry } from "./overlay-registry";

/** Components of the overlays opened so far. */
const components = new Map<OverlayId, ComponentType<OverlayContext>>();

function overlayComponent(id: OverlayId): ComponentType<OverlayContext> {
  const known = components.get(id);
  if (known !== undefined) return known;
  const overlay = overlayRegistry[id];
  const component = "component" in overlay ? overlay.component : lazy(async () => ({ default: await overlay.load() }));
  components.set(id, component);
  return component;
}

export function Overlays({ context, place }: { readonly context: ActionContext; readonly place: WorkbenchLocation }) {
  const { workbench } = context.client;
  const overlay = useStore(workbench, (state) => state.overlay);
  const close = (): void => workbench.showOverlay(null);
  const messages = useMessages();
  if (overlay === null) return null;
  const Component = overlayComponent(overlay);
  return (
    <LazyDialog label={messages.common.loading} onClose={close}>
      <Component context={context} place={place} close={close} />
    </LazyDialog>
  );
}
