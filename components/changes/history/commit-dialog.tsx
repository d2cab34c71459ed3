"use client";
/** A commit, or the comparison of two, as a dialog. */
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import { CommitFiles, CommitView } from "./commit-view";
import { useCommitted } from "./history-queries";

/** A commit, and the one it is compared with; absent = its parent. */
export interface CommitPair {
  readonly commit: string;
  readonly base?: string;
}

const shortChars = 8;
export const shortId = (id: string): string => id.slice(0, shortChars);

interface CommitDialogProps {
  readonly projectId: ProjectId;
  readonly shown: CommitPair;
  /** Shows another commit in its place. */
  readonly onShow: (shown: CommitPair) => void;
  readonly onClose: () => void;
  /** Lets the user choose a commit to compare with; absent = there is no list of them. */
  readonly onCompare?: (commit: string) => void;
}

export function CommitDialog({ projectId, shown: { commit, base }, onShow, onClose, onCompare }: CommitDialogProps) {
  const { sourceHistory: text, common } = useFullMessages();
  return (
    <Dialog
      wide
      title={base === undefined ? text.commit(shortId(commit)) : text.compared(shortId(base), shortId(commit))}
      closeName={common.close}
      onClose={onClose}
      footer={
        onCompare === undefined || base !== undefined ? undefined : (
          <Button onClick={() => onCompare(commit)}>{text.compare}</Button>
        )
      }
    >
      {base === undefined ? (
        <CommitView key={commit} projectId={projectId} commit={commit} onCommit={(id) => onShow({ commit: id })} />
      ) : (
        <Comparison projectId={projectId} from={base} to={commit} />
      )}
    </Dialog>
  );
}

interface ComparisonProps {
  readonly projectId: ProjectId;
  readonly from: string;
  readonly to: string;
}

function Comparison({ projectId, from, to }: ComparisonProps) {
  const compared = useCommitted("source.compare", { projectId, from, to });
  return <CommitFiles {...{ projectId, from, to }} changes={compared} />;
}
