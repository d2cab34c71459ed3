"use client";
/** Changes view for the current session, with a button that opens the trust dialog. Loaded when it is first shown. */
import type { ProjectId } from "@/lib/id";
import { ChangesPane } from "../changes/changes-pane";
import { useClient } from "../state/client";
import type { Place } from "./use-place";

export function Review({ place, projectId }: { readonly place: Place; readonly projectId: ProjectId }) {
  const { workbench } = useClient();
  const { view } = place.session;
  return (
    <ChangesPane
      key={`${projectId} ${view?.sessionId ?? ""}`}
      projectId={projectId}
      view={view?.projectId === projectId ? view : null}
      onTrust={() => workbench.showOverlay("trust")}
    />
  );
}
