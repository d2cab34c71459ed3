"use client";
/** Dialog of the file trash: deleted and undone files of this project, to restore or delete permanently. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { File, Folder } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TrashEntry } from "@/lib/changes";
import type { AgentError } from "@/lib/error";
import type { ProjectId } from "@/lib/id";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { Skeleton } from "../ui/skeleton";
import { Time } from "../ui/time";
import { useFullWords } from "../words/full-words";
import { PathText } from "../ui/path-text";

export interface TrashDialogProps {
  readonly projectId: ProjectId;
  readonly onClose: () => void;
}

export function TrashDialog({ projectId, onClose }: TrashDialogProps) {
  const words = useFullWords();
  return (
    <Dialog wide title={words.changes.trashTitle} closeName={words.common.close} onClose={onClose}>
      <p className="mb-3 text-ink-muted">{words.changes.trashNote}</p>
      <Entries projectId={projectId} />
    </Dialog>
  );
}

function Entries({ projectId }: { readonly projectId: ProjectId }): ReactNode {
  const words = useFullWords();
  const { call } = useClient();
  const trash = useInfiniteQuery(queries.trash(call, projectId));
  if (trash.isPending) return <Skeleton label={words.common.loading} className="h-20" />;
  if (trash.isError)
    return (
      <div className="flex items-center gap-3 py-4 text-ink-muted">
        {words.changes.trashFailed}
        <Button onClick={() => void trash.refetch()}>{words.common.retry}</Button>
      </div>
    );
  const entries = trash.data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) return <p className="py-6 text-center text-ink-muted">{words.changes.trashEmpty}</p>;
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line">
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </ul>
      {trash.hasNextPage && (
        <Button className="mt-3" busy={trash.isFetchingNextPage} onClick={() => void trash.fetchNextPage()}>
          {words.changes.older}
        </Button>
      )}
    </>
  );
}

function Row({ entry }: { readonly entry: TrashEntry }) {
  const words = useFullWords();
  const { call, toasts } = useClient();
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState<"put_back" | "remove" | null>(null);
  const [error, setError] = useState<AgentError | null>(null);
  const putBack = async (): Promise<void> => {
    setBusy("put_back");
    const answer = await call("trash.restore", { trashId: entry.id });
    setError(answer.ok ? null : answer.error);
    if (answer.ok) toasts.show({ text: words.shell.restored(answer.value.path) });
    setBusy(null);
  };
  const remove = async (): Promise<void> => {
    setBusy("remove");
    const answer = await call("trash.remove", { trashId: entry.id });
    setError(answer.ok ? null : answer.error);
    if (!answer.ok) setAsking(false);
    setBusy(null);
  };
  return (
    <li data-trash={entry.id} className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon of={entry.folder ? Folder : File} size={14} className="shrink-0 text-ink-muted" />
        <span className="min-w-40 flex-1">
          <PathText path={entry.path} names={words.common.hidden} className="font-mono text-small" />
          <span className="text-small text-ink-muted">
            {entry.folder ? `${words.changes.folder(entry.files)} · ` : ""}
            {words.figures.bytes(entry.bytes)} · <Time at={entry.at} figures={words.figures} />
          </span>
        </span>
        <Button size="small" busy={busy === "put_back"} onClick={() => void putBack()}>
          {words.changes.putBack}
        </Button>
        <Button size="small" look="quiet" onClick={() => setAsking(true)}>
          {words.changes.removeForGood}
        </Button>
      </div>
      {error !== null && (
        <p role="alert" className="mt-1 text-small text-danger [overflow-wrap:anywhere]">
          <code>{nameOf(entry.path)}</code>: {words.errors.sentences[error.code]}
        </p>
      )}
      {isAsking && (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-2 rounded-control bg-danger-soft px-3 py-2">
          <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">{words.changes.removeAsk(entry.path)}</span>
          <Button size="small" onClick={() => setAsking(false)}>
            {words.common.cancel}
          </Button>
          <Button size="small" look="danger" busy={busy === "remove"} onClick={() => void remove()}>
            {words.changes.removeForGood}
          </Button>
        </div>
      )}
    </li>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
