"use client";
/** A commit: its message, who wrote it, and the files that it changed with their diffs. */
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { CommitChanges, CommitFile, CommitPerson, CommitView as Commit } from "@/lib/workspace/source-history";
import { useFullMessages } from "../../messages/full-messages";
import { CopyButton } from "../../ui/controls/copy-button";
import { LazyDiffView } from "../../ui/code/lazy-diff-view";
import { Chip } from "../../ui/indicators/chip";
import { fileIconOf } from "../../ui/indicators/file-icon";
import { Skeleton } from "../../ui/indicators/skeleton";
import { PlusMinus } from "../../ui/text/plus-minus";
import { Time } from "../../ui/text/time";
import { VisibleText } from "../../ui/text/visible-text";
import { useDiffLayout } from "../diff-layout";
import { SectionFrame } from "../section-frame";
import { CommitRefs } from "./commit-refs";
import { useCommitted } from "./history-queries";

interface CommitViewProps {
  readonly projectId: ProjectId;
  readonly commit: string;
  /** Shows another commit. */
  readonly onCommit: (id: string) => void;
}

/** Files whose diffs are open at first; more are listed only. */
const openUpTo = 5;
const shortChars = 8;

export function CommitView({ projectId, commit, onCommit }: CommitViewProps) {
  const found = useCommitted("source.commit_view", { projectId, commit });
  const parent = found.data?.parents[0] ?? null;
  return (
    <>
      {found.data !== undefined && <CommitHead commit={found.data} onCommit={onCommit} />}
      <CommitFiles projectId={projectId} from={parent} to={commit} changes={found} />
    </>
  );
}

function CommitHead({ commit, onCommit }: { readonly commit: Commit } & Pick<CommitViewProps, "onCommit">) {
  const { sourceHistory: text, common } = useFullMessages();
  const { id, parents, author, committer, refs, message } = commit;
  const [subject = "", ...rest] = message.split("\n");
  const body = rest.join("\n").trim();
  const isOther = committer.name !== author.name || committer.mail !== author.mail;
  return (
    <div className="grid gap-2 pb-3">
      <h3 className="font-semibold [overflow-wrap:anywhere]">
        <VisibleText text={subject} names={common.hidden} />
      </h3>
      {body !== "" && (
        <p className="whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]">
          <VisibleText text={body} names={common.hidden} />
        </p>
      )}
      {refs.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          <CommitRefs refs={refs} />
        </p>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-small">
        <Person name={text.author} person={author} />
        {isOther && <Person name={text.committer} person={committer} />}
        {parents.length > 0 && (
          <>
            <dt className="text-ink-muted">{text.parents}</dt>
            <dd className="flex flex-wrap gap-2">
              {parents.map((parent) => (
                <button
                  key={parent}
                  type="button"
                  aria-label={text.commit(parent.slice(0, shortChars))}
                  onClick={() => onCommit(parent)}
                  className="rounded-mark font-mono text-accent hover:underline max-tablet:min-h-11 max-tablet:min-w-11"
                >
                  {parent.slice(0, shortChars)}
                </button>
              ))}
            </dd>
          </>
        )}
      </dl>
      <p className="flex items-center gap-1 font-mono text-small text-ink-muted">
        <span className="min-w-0 cut">{id}</span>
        <CopyButton name={text.copyId} doneName={common.copied} size="small" text={() => id} />
      </p>
    </div>
  );
}

function Person({ name, person }: { readonly name: string; readonly person: CommitPerson }) {
  const { common, figures } = useFullMessages();
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">
        <VisibleText text={`${person.name} <${person.mail}>`} names={common.hidden} />{" "}
        <Time at={person.time} figures={figures} className="text-ink-muted" />
      </dd>
    </>
  );
}

interface CommitFilesProps {
  readonly projectId: ProjectId;
  /** null = the files are new. */
  readonly from: string | null;
  readonly to: string;
  readonly changes: { readonly data?: CommitChanges; readonly isError: boolean };
}

/** The files that differ between two commits; the diff of one is read when it is opened. */
export function CommitFiles({ projectId, from, to, changes: { data, isError } }: CommitFilesProps): ReactNode {
  const { sourceHistory: text, changes } = useFullMessages();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  if (isError) return <p className="py-2 text-ink-muted">{text.failed}</p>;
  if (data === undefined) return <Skeleton label={text.loading} className="h-24" />;
  const { files, more } = data;
  if (files.length === 0) return <p className="py-2 text-ink-muted">{text.sameFiles}</p>;
  const isOpen = (path: string): boolean => toggled.has(path) !== files.length <= openUpTo;
  return (
    <div className="-mx-4 border-t border-line">
      <h3 className="px-4 py-2 text-small font-medium text-ink-muted">{text.files(files.length + more)}</h3>
      {files.map((file) => (
        <FileOfCommit
          key={file.path}
          {...{ projectId, from, to, file }}
          open={isOpen(file.path)}
          onToggle={() => {
            const next = new Set(toggled);
            if (!next.delete(file.path)) next.add(file.path);
            setToggled(next);
          }}
        />
      ))}
      {more > 0 && <p className="px-9 py-3 text-small text-ink-muted">{changes.more(more)}</p>}
    </div>
  );
}

interface FileOfCommitProps extends Pick<CommitFilesProps, "projectId" | "from" | "to"> {
  readonly file: CommitFile;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function FileOfCommit({ projectId, from, to, file, open, onToggle }: FileOfCommitProps) {
  const { sourceHistory: text, source, changes } = useFullMessages();
  const { path, change, added, removed } = file;
  return (
    <SectionFrame
      path={path}
      icon={fileIconOf(path)}
      chips={
        <>
          {change !== "modified" && <Chip>{source.changes[change]}</Chip>}
          {file.from !== undefined && (
            <span className="min-w-0 text-small text-ink-faint cut">{text.renamedFrom(file.from)}</span>
          )}
        </>
      }
      amount={
        added === null || removed === null ? (
          <Chip>{changes.state.binary}</Chip>
        ) : (
          added + removed > 0 && <PlusMinus added={added} removed={removed} />
        )
      }
      open={open}
      onToggle={onToggle}
    >
      <FileDiff {...{ projectId, from, to, file }} />
    </SectionFrame>
  );
}

function FileDiff({ projectId, from, to, file }: Omit<FileOfCommitProps, "open" | "onToggle">): ReactNode {
  const { sourceHistory: text, source, changes, common } = useFullMessages();
  const [layout] = useDiffLayout();
  const { path, from: renamedFrom } = file;
  const isSubmodule = file.isSubmodule === true;
  const { data, isError } = useCommitted(
    "source.commit_diff",
    isSubmodule ? null : { projectId, from, to, path, renamedFrom },
  );
  const note = (sentence: string): ReactNode => <p className="px-9 py-2.5 text-ink-muted">{sentence}</p>;
  if (isSubmodule) return note(source.submodule);
  if (isError) return note(changes.failed);
  if (data === undefined) return <Skeleton label={changes.loading} className="mx-9 my-2 h-16" />;
  if (data.hunks === undefined) return note(changes.why[data.why === "binary" ? "binary" : "too_large"]);
  return (
    <>
      {data.mode !== undefined && note(source.mode(data.mode.old, data.mode.new))}
      {data.hunks.length === 0 ? (
        data.mode === undefined && note(renamedFrom === undefined ? text.noLines : source.sameContent)
      ) : (
        <LazyDiffView {...layout} hunks={data.hunks} path={path} names={common.hidden} label={path} />
      )}
    </>
  );
}
