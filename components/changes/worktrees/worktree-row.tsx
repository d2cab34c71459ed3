"use client";
/** A work tree of the project: opened, compared, merged back, removed. */
import { lazy, Suspense, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { Worktree, WorktreeSize } from "@/lib/workspace/worktrees";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { Chip } from "../../ui/indicators/chip";
import { Time } from "../../ui/text/time";
import { useSourceChange } from "../source/use-source-change";
import type { SourceLinks } from "./source-links";

const CommitDialog = lazy(async () => ({ default: (await import("../history/commit-dialog")).CommitDialog }));

interface WorktreeRowProps {
  readonly projectId: ProjectId;
  readonly worktree: Worktree;
  /** Absent = not counted yet. */
  readonly size?: WorktreeSize;
  /** The branch into which it is merged; null = none is checked out. */
  readonly into: string | null;
  readonly links: SourceLinks;
  /** Shows the changes of a project, after a merge stopped at conflicts. */
  readonly onConflicts: (projectId: ProjectId) => void;
}

export function WorktreeRow({ projectId, worktree, size, into, links, onConflicts }: WorktreeRowProps) {
  const { worktrees: text, gitRefs } = useFullMessages();
  const { cache, toasts } = useClient();
  const { isBusy, attempt, perform, showError } = useSourceChange(projectId);
  const { name, changes, commits, head, fork, session } = worktree;
  const [isComparing, setComparing] = useState(false);
  const isOther = worktree.projectId !== projectId;
  const open = async (): Promise<void> => {
    if (session !== undefined) return links.onSession(session.id);
    const opened = await perform("project.open", { path: worktree.path });
    if (opened !== undefined) links.onProject(opened.project.id, "");
  };
  const merge = async (): Promise<void> => {
    const answer = await attempt("worktree.merge", { projectId, name });
    if (!answer.ok && answer.error.code === "not_found") toasts.show({ text: text.noMain, look: "danger" });
    else if (!answer.ok) showError(answer.error);
    else {
      const { conflicts, projectId: changed } = answer.value;
      await invalidateCommands(cache, ["source.", "project.marks"], { projectId: changed });
      toasts.show({ text: conflicts === 0 ? text.merged(into ?? "HEAD") : gitRefs.conflicts(conflicts) });
      if (conflicts > 0) onConflicts(changed);
    }
  };
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Facts worktree={worktree} size={size} isCurrent={!isOther} />
        {changes !== null && isOther && (
          <Button size="small" onClick={() => void open()}>
            {text.open}
          </Button>
        )}
        {commits > 0 && fork !== null && (
          <Button size="small" look="quiet" onClick={() => setComparing(true)}>
            {text.compare}
          </Button>
        )}
        {commits > 0 && changes !== null && (
          <Button size="small" look="quiet" busy={isBusy} disabled={changes > 0} onClick={() => void merge()}>
            {text.merge(into ?? "HEAD")}
          </Button>
        )}
        {isOther && <RemoveWorktree projectId={projectId} name={name} />}
      </div>
      {commits > 0 && changes !== null && changes > 0 && (
        <p className="mt-1 text-small text-ink-muted">{text.commitFirst}</p>
      )}
      {isComparing && fork !== null && (
        <Suspense>
          <CommitDialog
            projectId={projectId}
            shown={{ commit: head, base: fork }}
            onShow={() => undefined}
            onClose={() => setComparing(false)}
          />
        </Suspense>
      )}
    </li>
  );
}

interface FactsProps extends Pick<WorktreeRowProps, "worktree" | "size"> {
  readonly isCurrent: boolean;
}

function Facts({ worktree, size, isCurrent }: FactsProps) {
  const { worktrees: text, figures, gitRefs } = useFullMessages();
  const { branch, name, changes, commits, sessions, session, createdAt } = worktree;
  return (
    <span className="min-w-60 flex-1">
      <span className="flex min-w-0 items-center gap-2">
        <span className="cut font-mono text-small">{branch ?? name}</span>
        {isCurrent && <Chip tone="plain">{gitRefs.current}</Chip>}
      </span>
      {session !== undefined && session.title !== "" && <span className="block cut text-small">{session.title}</span>}
      <span className="text-small text-ink-muted tabular-nums">
        {changes === null ? text.missing : text.state(changes, commits, sessions)}
        {size !== undefined && ` · ${(size.isPartial ? text.atLeast : String)(figures.bytes(size.bytes))}`}
        {createdAt !== null && (
          <>
            {" · "}
            <Time at={createdAt} figures={figures} />
          </>
        )}
      </span>
    </span>
  );
}

/** Removes a work tree; one with changes or commits of its own only after its name was typed. */
function RemoveWorktree({ projectId, name }: { readonly projectId: ProjectId; readonly name: string }) {
  const { worktrees: text, common } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, attempt, showError } = useSourceChange(projectId);
  /** Text of the field that asks for the name; null = it is not asked for. */
  const [typed, setTyped] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    const confirmed = typed === null || typed === "" ? {} : { confirmed: typed };
    const answer = await attempt("worktree.remove", { projectId, name, ...confirmed });
    if (!answer.ok && answer.error.code === "not_merged" && typed === null) return setTyped("");
    if (!answer.ok) showError(answer.error);
    else if (answer.value.isStashed) toasts.show({ text: text.stashed });
  };
  return (
    <>
      <Button size="small" look="quiet" busy={isBusy && typed === null} onClick={() => void remove()}>
        {text.remove}
      </Button>
      {typed !== null && (
        <div role="alert" className="mt-1 grid w-full gap-2 rounded-control bg-danger-soft px-3 py-2">
          <p className="text-pretty">{text.ask(name)}</p>
          <div className="flex flex-wrap gap-2">
            <TextField
              mono
              autoFocus
              value={typed}
              aria-label={text.typeName}
              onChange={({ target }) => setTyped(target.value)}
              className="max-w-60"
            />
            <Button onClick={() => setTyped(null)}>{common.cancel}</Button>
            <Button look="danger" busy={isBusy} disabled={typed !== name} onClick={() => void remove()}>
              {text.remove}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
