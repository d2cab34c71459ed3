"use client";
/** Dialog of the file trash: deleted and undone files of this project, to restore or delete permanently. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { File, Folder } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TrashEntry } from "@/lib/workspace/changes";
import { baseName } from "@/lib/workspace/project-path";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { callValue } from "../state/command-query";
import { Button } from "../ui/controls/button";
import { Dialog } from "../ui/overlays/dialog";
import { Icon } from "../ui/indicators/icon";
import { Skeleton } from "../ui/indicators/skeleton";
import { Time } from "../ui/text/time";
import { useFullMessages } from "../messages/full-messages";
import { PathText } from "../ui/text/path-text";

interface TrashDialogProps {
  readonly projectId: ProjectId;
  readonly onClose: () => void;
}

export function TrashDialog({ projectId, onClose }: TrashDialogProps) {
  const messages = useFullMessages();
  return (
    <Dialog wide title={messages.changes.trashTitle} closeName={messages.common.close} onClose={onClose}>
      <p className="mb-3 text-ink-muted">{messages.changes.trashNote}</p>
      <TrashEntries projectId={projectId} />
    </Dialog>
  );
}

function TrashEntries({ projectId }: { readonly projectId: ProjectId }): ReactNode {
  const messages = useFullMessages();
  const trash = useInfiniteQuery({
    queryKey: ["trash.list", { projectId }],
    retry: false,
    initialPageParam: Number.MAX_SAFE_INTEGER,
    queryFn: ({ meta, pageParam }) => callValue({ meta }, "trash.list", { projectId, before: pageParam }),
    getNextPageParam: ({ more, entries: listed }) => (more ? (listed.at(-1)?.at ?? null) : null),
  });
  if (trash.isPending) return <Skeleton label={messages.common.loading} className="h-20" />;
  if (trash.isError)
    return (
      <div className="flex items-center gap-3 py-4 text-ink-muted">
        {messages.changes.trashFailed}
        <Button onClick={() => void trash.refetch()}>{messages.common.retry}</Button>
      </div>
    );
  const entries = trash.data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) return <p className="py-6 text-center text-ink-muted">{messages.changes.trashEmpty}</p>;
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line">
        {entries.map((entry) => (
          <TrashRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {trash.hasNextPage && (
        <Button className="mt-3" busy={trash.isFetchingNextPage} onClick={() => void trash.fetchNextPage()}>
          {messages.changes.older}
        </Button>
      )}
    </>
  );
}

function TrashRow({ entry }: { readonly entry: TrashEntry }) {
  const messages = useFullMessages();
  const { call, toasts } = useClient();
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState<"put_back" | "remove" | null>(null);
  const [error, setError] = useState<AgentError | null>(null);
  const putBack = async (): Promise<void> => {
    setBusy("put_back");
    const answer = await call("trash.restore", { trashId: entry.id });
    setError(answer.ok ? null : answer.error);
    if (answer.ok) toasts.show({ text: messages.shell.restored(answer.value.path) });
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
          <PathText path={entry.path} names={messages.common.hidden} className="font-mono text-small" />
          <span className="text-small text-ink-muted">
            {entry.folder ? `${messages.changes.folder(entry.files)} · ` : ""}
            {messages.figures.bytes(entry.bytes)} · <Time at={entry.at} figures={messages.figures} />
          </span>
        </span>
        <Button size="small" busy={busy === "put_back"} onClick={() => void putBack()}>
          {messages.changes.putBack}
        </Button>
        <Button size="small" look="quiet" onClick={() => setAsking(true)}>
          {messages.changes.removeForGood}
        </Button>
      </div>
      {error !== null && (
        <p role="alert" className="mt-1 text-small text-danger [overflow-wrap:anywhere]">
          <code>{baseName(entry.path)}</code>: {messages.errors.sentences[error.code]}
        </p>
      )}
      {isAsking && (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-2 rounded-control bg-danger-soft px-3 py-2">
          <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">{messages.changes.removeAsk(entry.path)}</span>
          <Button size="small" onClick={() => setAsking(false)}>
            {messages.common.cancel}
          </Button>
          <Button size="small" look="danger" busy={busy === "remove"} onClick={() => void remove()}>
            {messages.changes.removeForGood}
          </Button>
        </div>
      )}
    </li>
  );
}
