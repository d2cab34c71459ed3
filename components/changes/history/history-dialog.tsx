"use client";
/** The history of a file, or a commit, as a dialog. */
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import type { HistoryRequest } from "../../state/history-request";
import { Dialog } from "../../ui/overlays/dialog";
import { CommitDialog } from "./commit-dialog";
import { GitLog } from "./git-log";

interface HistoryDialogProps {
  readonly projectId: ProjectId;
  readonly shown: HistoryRequest["shown"];
  /** Shows something else in its place; null = nothing. */
  readonly onShow: (shown: HistoryRequest["shown"] | null) => void;
}

export function HistoryDialog({ projectId, shown, onShow }: HistoryDialogProps) {
  const { sourceHistory, common } = useFullMessages();
  const close = (): void => onShow(null);
  if ("commit" in shown)
    return (
      <CommitDialog projectId={projectId} shown={shown} onShow={({ commit }) => onShow({ commit })} onClose={close} />
    );
  return (
    <Dialog wide title={sourceHistory.ofFile(shown.file)} closeName={common.close} onClose={close}>
      <div className="-mx-4 flex h-[min(34rem,70dvh)] flex-col">
        <GitLog projectId={projectId} file={shown.file} />
      </div>
    </Dialog>
  );
}
