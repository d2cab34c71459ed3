"use client";
/** Shows the histories and commits that menus of a pane ask for. The dialogs are loaded with the first request. */
import { lazy, Suspense } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import { getHistoryRequest, type HistoryRequest } from "../../state/history-request";
import { useStore } from "../../state/store";

const HistoryDialog = lazy(async () => ({ default: (await import("./history-dialog")).HistoryDialog }));

interface HistoryHostProps {
  readonly projectId: ProjectId;
  readonly pane: HistoryRequest["pane"];
}

export function HistoryHost({ projectId, pane }: HistoryHostProps) {
  const requests = getHistoryRequest(useClient());
  const request = useStore(requests, (now) => now);
  return (
    request?.pane === pane && (
      <Suspense>
        <HistoryDialog
          projectId={projectId}
          shown={request.shown}
          onShow={(shown) => requests.set(shown === null ? null : { pane, shown })}
        />
      </Suspense>
    )
  );
}
