"use client";
/** Shows the histories and commits that menus of a pane ask for. */
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { getHistoryRequest, type HistoryRequest } from "../../state/history-request";
import { useStore } from "../../state/store";
import { Dialog } from "../../ui/overlays/dialog";
import { CommitDialog } from "./commit-dialog";
import { GitLog } from "./git-log";

interface HistoryHostProps {
  readonly projectId: ProjectId;
  readonly pane: HistoryRequest["pane"];
}

export function HistoryHost({ projectId, pane }: HistoryHostProps) {
  const { sourceHistory, common } = useFullMessages();
  const requests = getHistoryRequest(useClient());
  const request = useStore(requests, (now) => now);
  if (request === null || request.pane !== pane) return null;
  const close = (): void => requests.set(null);
  const { shown } = request;
  if ("commit" in shown)
    return (
      <CommitDialog
        projectId={projectId}
        shown={shown}
        onShow={({ commit }) => requests.set({ pane, shown: { commit } })}
        onClose={close}
      />
    );
  return (
    <Dialog wide title={sourceHistory.ofFile(shown.file)} closeName={common.close} onClose={close}>
      <div className="-mx-4 flex h-[min(34rem,70dvh)] flex-col">
        <GitLog projectId={projectId} file={shown.file} />
      </div>
    </Dialog>
  );
}
