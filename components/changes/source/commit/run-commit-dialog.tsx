"use client";
/** Form that commits the files of a run, with a message that the model writes and the user edits. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { createKeptDrafts } from "../../../state/kept-drafts";
import { useCommandQuery } from "../../../state/use-command-query";
import type { RestoreTarget } from "../../../state/workbench/workbench-store";
import { Button } from "../../../ui/controls/button";
import { Skeleton } from "../../../ui/indicators/skeleton";
import { Dialog } from "../../../ui/overlays/dialog";
import { PathText } from "../../../ui/text/path-text";
import { PlusMinus } from "../../../ui/text/plus-minus";
import { CommitFailure } from "./commit-failure";
import { CommitMessageField } from "./commit-message-field";
import { CommitNotes } from "./commit-notes";
import { CommitOutput } from "./commit-output";
import { HookQuestion } from "./hook-question";
import { WriteButton, WriterNotes } from "./message-writer";
import { findRunFiles, type RunFile } from "./run-files";
import { useCommit } from "./use-commit";
import { useMessageWriter } from "./use-message-writer";

interface RunCommitDialogProps {
  readonly projectId: ProjectId;
  readonly run: Pick<RestoreTarget, "sessionId"> & { readonly from: number; readonly to: number };
  /** The model of the session; it may be named in the message. */
  readonly model: string | undefined;
  readonly onClose: () => void;
}

export function RunCommitDialog(props: RunCommitDialogProps) {
  const { commit: text, changes: words, common } = useFullMessages();
  const { projectId, run, onClose } = props;
  const changes = useCommandQuery("session.changes", run, { retry: false });
  const status = useCommandQuery("source.status", { projectId }, { retry: false });
  const isFailed = changes.isError || status.isError || (status.data !== undefined && status.data.kind !== "status");
  const files =
    changes.data === undefined || status.data?.kind !== "status" ? null : findRunFiles(changes.data.files, status.data);
  if (files !== null && files.length > 0 && status.data?.kind === "status")
    return <RunCommitForm {...props} files={files} hasConflicts={status.data.conflicts.length > 0} />;
  return (
    <Dialog
      wide
      title={text.run.title}
      closeName={common.close}
      onClose={onClose}
      footer={<Button onClick={onClose}>{common.close}</Button>}
    >
      {isFailed ? (
        <p className="py-4 text-ink-muted">{words.failed}</p>
      ) : files === null ? (
        <Skeleton label={words.loading} className="h-20" />
      ) : (
        <p className="py-4 text-ink-muted">{text.run.none}</p>
      )}
    </Dialog>
  );
}

interface RunCommitFormProps extends RunCommitDialogProps {
  readonly files: readonly RunFile[];
  readonly hasConflicts: boolean;
}

/** Messages of forms that were closed. */
const useMessageDraft = createKeptDrafts<string>();

function RunCommitForm({ projectId, run, model, files, hasConflicts, onClose }: RunCommitFormProps) {
  const { commit: text, common } = useFullMessages();
  const draft = useMessageDraft(`${run.sessionId} ${run.from}`);
  const [message, showMessage] = useState(draft.initial ?? "");
  const setMessage = (next: string): void => {
    showMessage(next);
    draft.keep(next === "" ? null : next);
  };
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const facts = useCommandQuery("source.commit_facts", { projectId }, { retry: false }).data;
  const paths = files.map(({ path }) => path).filter((path) => !left.has(path));
  const { phase, error, hooks, begin, answerHooks, stop } = useCommit({
    projectId,
    order: { message, amend: false, signOff: false, paths, ...(model === undefined ? {} : { model }) },
    onDone() {
      draft.keep(null);
      onClose();
    },
  });
  const writer = useMessageWriter({ projectId, target: { scope: "all", paths }, message, onMessage: setMessage });
  useWritingWhileOpen(writer, draft.initial === null);
  const isWriting = writer.phase === "writing";
  const canCommit = message.trim() !== "" && paths.length > 0 && !hasConflicts && !isWriting;
  const submit = (): void => {
    if (canCommit && phase === "idle") void begin();
  };
  return (
    <Dialog
      wide
      title={text.run.title}
      closeName={common.close}
      onClose={onClose}
      footer={
        <>
          {phase === "running" ? (
            <Button onClick={stop}>{text.stop}</Button>
          ) : (
            <Button onClick={onClose}>{common.cancel}</Button>
          )}
          <Button look="primary" busy={phase === "running"} disabled={!canCommit} onClick={submit}>
            {text.run.submit(paths.length)}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <CommitMessageField message={message} minRows={5} onMessage={setMessage} onSubmit={submit} />
        <div className="flex flex-wrap items-center gap-2 empty:hidden">
          <WriteButton writer={writer} isDisabled={paths.length === 0} hasLabel />
          <WriterNotes writer={writer} />
        </div>
        <RunFileList
          files={files}
          left={left}
          onLeft={(path, isLeft) =>
            setLeft(new Set(isLeft ? [...left, path] : [...left].filter((other) => other !== path)))
          }
        />
        <p className="text-small text-ink-muted">{text.run.othersStay}</p>
        <CommitNotes {...{ facts, hasConflicts }} isAmend={false} isSigned={false} />
        {phase === "asking" && <HookQuestion hooks={hooks} onAnswer={answerHooks} />}
        <CommitOutput projectId={projectId} isShown={phase === "running" || error?.code === "hook_failed"} />
        {error !== null && <CommitFailure projectId={projectId} error={error} />}
      </div>
    </Dialog>
  );
}

/** The user opened the form for a message by the model: it is written at once, and stops with the form. */
function useWritingWhileOpen(writer: ReturnType<typeof useMessageWriter>, isFirst: boolean): void {
  const newest = useRef(writer);
  useEffect(() => {
    newest.current = writer;
  });
  useEffect(() => {
    if (isFirst && newest.current.isAvailable) void newest.current.write();
    return () => {
      if (newest.current.phase === "writing") newest.current.stop();
    };
  }, [isFirst]);
}

interface RunFileListProps {
  readonly files: readonly RunFile[];
  /** Paths that stay out of the commit. */
  readonly left: ReadonlySet<string>;
  readonly onLeft: (path: string, isLeft: boolean) => void;
}

function RunFileList({ files, left, onLeft }: RunFileListProps): ReactNode {
  const { commit: text, common } = useFullMessages();
  return (
    <ul aria-label={text.run.files} className="overflow-hidden rounded-card border border-line">
      {files.map(({ path, change, isStagedOtherwise }) => (
        <li key={path} className="border-b border-line px-3 last:border-b-0">
          <label className="flex min-h-9 min-w-0 items-center gap-2 max-tablet:min-h-11">
            <input
              type="checkbox"
              checked={!left.has(path)}
              onChange={({ target }) => onLeft(path, !target.checked)}
              className="size-4 shrink-0 accent-accent"
            />
            <PathText path={path} names={common.hidden} className="font-mono text-small" />
            <span className="ml-auto shrink-0 pl-2 text-small">
              <PlusMinus added={change.added} removed={change.removed} />
            </span>
          </label>
          {isStagedOtherwise && <p className="pb-2 pl-6 text-small text-ask">{text.run.alsoStaged}</p>}
        </li>
      ))}
    </ul>
  );
}
