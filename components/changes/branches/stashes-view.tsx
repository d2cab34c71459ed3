"use client";
/** Stashes of the repository, to make, show, apply, pop and drop them. */
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SourceStash } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import { Time } from "../../ui/text/time";
import { CommitFiles } from "../history/commit-view";
import { useCommitted } from "../history/history-queries";
import { useSourceChange } from "../source/use-source-change";

export function StashesView({ projectId }: { readonly projectId: ProjectId }) {
  const { gitRefs: text } = useFullMessages();
  const { toasts } = useClient();
  const { data } = useCommandQuery("source.stashes", { projectId }, { retry: false });
  const { isBusy, perform } = useSourceChange(projectId);
  const [shown, setShown] = useState<SourceStash | null>(null);
  const stash = async (): Promise<void> => {
    const order = { projectId, message: "", stagedOnly: false, includeUntracked: true };
    if ((await perform("source.stash", order)) !== undefined) toasts.show({ text: text.stashed });
  };
  return (
    <>
      <Button className="mb-3" busy={isBusy} onClick={() => void stash()}>
        {text.stash}
      </Button>
      <ul className="divide-y divide-line rounded-card border border-line empty:hidden">
        {data?.stashes.map((one) => (
          <StashRow key={one.id} projectId={projectId} stash={one} onShow={() => setShown(one)} />
        ))}
      </ul>
      {shown !== null && <StashDialog projectId={projectId} stash={shown} onClose={() => setShown(null)} />}
    </>
  );
}

interface StashRowProps {
  readonly projectId: ProjectId;
  readonly stash: SourceStash;
  readonly onShow: () => void;
}

function StashRow({ projectId, stash: { id, message, at }, onShow }: StashRowProps) {
  const { gitRefs: text, figures } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, perform } = useSourceChange(projectId);
  const restore = async (command: "source.stash_pop" | "source.stash_apply"): Promise<void> => {
    const restored = await perform(command, { projectId, id });
    if (restored === undefined) return;
    toasts.show({ text: restored.conflicts === 0 ? text.popped : text.conflicts(restored.conflicts) });
  };
  const drop = async (): Promise<void> => {
    const dropped = await perform("source.stash_drop", { projectId, id });
    if (dropped === undefined) return;
    const undo = (): void => void perform("source.stash_store", { projectId, ...dropped });
    toasts.show({ text: text.dropped, action: { label: text.undo, onSelect: undo } });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
      <span className="min-w-40 flex-1">
        <span className="block cut text-small">{message}</span>
        <span className="text-small text-ink-muted">
          <Time at={at} figures={figures} />
        </span>
      </span>
      <Button size="small" look="quiet" onClick={onShow}>
        {text.show}
      </Button>
      <Button size="small" disabled={isBusy} onClick={() => void restore("source.stash_apply")}>
        {text.apply}
      </Button>
      <Button size="small" disabled={isBusy} onClick={() => void restore("source.stash_pop")}>
        {text.pop}
      </Button>
      <Button size="small" look="quiet" disabled={isBusy} onClick={() => void drop()}>
        {text.drop}
      </Button>
    </li>
  );
}

interface StashDialogProps extends Pick<StashRowProps, "projectId" | "stash"> {
  readonly onClose: () => void;
}

/** The changes in a stash, and its untracked files, which are a commit of their own. */
function StashDialog({ projectId, stash: { id, parent, untracked, message }, onClose }: StashDialogProps) {
  const { common } = useFullMessages();
  const changed = useCommitted("source.compare", { projectId, from: parent, to: id });
  const added = useCommitted("source.commit_view", untracked === undefined ? null : { projectId, commit: untracked });
  const isAll = untracked === undefined || changed.data?.files.length !== 0;
  return (
    <Dialog wide title={message} closeName={common.close} onClose={onClose}>
      {isAll && <CommitFiles projectId={projectId} from={parent} to={id} changes={changed} />}
      {untracked !== undefined && <CommitFiles projectId={projectId} from={null} to={untracked} changes={added} />}
    </Dialog>
  );
}
