"use client";
/** Changes view for the current session, with a button that opens the trust dialog. Loaded when it is first shown. */
import type { ProjectId } from "@/lib/events/id";
import { ChangesPane } from "../../changes/changes-pane";
import { useClient } from "../../state/client";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { useSourceLinks } from "../panes/use-source-links";

export function ReviewPane({ place, projectId }: { readonly place: WorkbenchLocation; readonly projectId: ProjectId }) {
  const { workbench } = useClient();
  const { view } = place.session;
  return (
    <ChangesPane
      key={`${projectId} ${view?.sessionId ?? ""}`}
      projectId={projectId}
      view={view?.projectId === projectId ? view : null}
      onTrust={() => workbench.showOverlay("trust")}
      links={useSourceLinks()}
    />
  );
}
