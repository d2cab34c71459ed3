"use client";
/** Branches of the repository, to switch, create, merge and delete them, and its stashes. */
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SourceBranchRow, SourceStash } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { Chip } from "../../ui/indicators/chip";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Dialog } from "../../ui/overlays/dialog";
import { Time } from "../../ui/text/time";
import { useSourceChange } from "./use-source-change";

interface BranchesDialogProps {
  readonly projectId: ProjectId;
  readonly onClose: () => void;
}

export function BranchesDialog({ projectId, onClose }: BranchesDialogProps) {
  const { gitRefs: text, common, changes } = useFullMessages();
  const { data, error } = useCommandQuery("source.branches", { projectId }, { retry: false });
  const [typed, setTyped] = useState("");
  const { isBusy, perform } = useSourceChange(projectId);
  const wanted = typed.trim();
  const shown = data?.branches.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase())) ?? [];
  const isNew = wanted !== "" && data?.branches.every(({ name }) => name !== wanted) === true;
  const create = async (): Promise<void> => {
    const created = await perform("source.switch", { projectId, branch: wanted, from: "HEAD" });
    if (created !== undefined) onClose();
  };
  return (
    <Dialog wide title={text.title} closeName={common.close} onClose={onClose}>
      <form
        className="mb-3 flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNew) void create();
        }}
      >
        <TextField
          value={typed}
          aria-label={text.field}
          placeholder={text.field}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" busy={isBusy} disabled={!isNew}>
          {text.create}
        </Button>
      </form>
      {error !== null && <p role="alert">{changes.failed}</p>}
      {data === undefined && error === null && <Skeleton label={common.loading} className="h-24" />}
      <ul className="divide-y divide-line rounded-card border border-line empty:hidden">
        {shown.map((branch) => (
          <BranchRow key={`${branch.isRemote} ${branch.name}`} {...{ projectId, branch, onClose }} />
        ))}
      </ul>
      <Stashes projectId={projectId} />
    </Dialog>
  );
}

interface BranchRowProps extends BranchesDialogProps {
  readonly branch: SourceBranchRow;
}

function BranchRow({ projectId, branch, onClose }: BranchRowProps) {
  const { gitRefs: text, figures, common } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, attempt, perform, showError } = useSourceChange(projectId);
  /** The user is asked before commits are only in the branch that is deleted. */
  const [asks, setAsks] = useState<number | null>(null);
  const { name, isRemote, isCurrent, at, subject, worktree } = branch;
  const local = isRemote ? name.slice(name.indexOf("/") + 1) : name;
  const switchTo = async (): Promise<void> => {
    const from = isRemote ? { from: name } : {};
    if ((await perform("source.switch", { projectId, branch: local, ...from })) !== undefined) onClose();
  };
  const merge = async (): Promise<void> => {
    const merged = await perform("source.merge", { projectId, branch: name });
    if (merged === undefined) return;
    toasts.show({ text: merged.conflicts === 0 ? text.merged(name) : text.conflicts(merged.conflicts) });
    onClose();
  };
  const remove = async (force: boolean): Promise<void> => {
    const answer = await attempt("source.delete_branch", { projectId, branch: name, force });
    if (!answer.ok && answer.error.code === "not_merged") return setAsks(answer.error.facts?.commits ?? 0);
    if (!answer.ok) return showError(answer.error);
    const { commit } = answer.value;
    const undo = (): void => void perform("source.create_branch", { projectId, branch: name, from: commit });
    toasts.show({ text: text.deleted(name), action: { label: text.undo, onSelect: undo } });
  };
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-40 flex-1">
          <span className="flex min-w-0 items-center gap-2">
            <span className="cut font-mono text-small">{name}</span>
            {isCurrent && <Chip tone="plain">{text.current}</Chip>}
          </span>
          <span className="block cut text-small text-ink-muted">
            {subject} · <Time at={at} figures={figures} />
          </span>
        </span>
        {!isCurrent && worktree === undefined && (
          <Button size="small" busy={isBusy} onClick={() => void switchTo()}>
            {text.switch}
          </Button>
        )}
        {!isCurrent && (
          <Button size="small" look="quiet" onClick={() => void merge()}>
            {text.merge}
          </Button>
        )}
        {!isCurrent && !isRemote && worktree === undefined && (
          <Button size="small" look="quiet" onClick={() => void remove(false)}>
            {text.delete}
          </Button>
        )}
      </div>
      {asks !== null && (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-2 rounded-control bg-danger-soft px-3 py-2">
          <span className="min-w-40 flex-1">{text.ask(asks)}</span>
          <Button size="small" onClick={() => setAsks(null)}>
            {common.cancel}
          </Button>
          <Button size="small" look="danger" onClick={() => void remove(true)}>
            {text.delete}
          </Button>
        </div>
      )}
    </li>
  );
}

function Stashes({ projectId }: { readonly projectId: ProjectId }) {
  const { gitRefs: text } = useFullMessages();
  const { toasts } = useClient();
  const { data } = useCommandQuery("source.stashes", { projectId }, { retry: false });
  const { isBusy, perform } = useSourceChange(projectId);
  const stash = async (): Promise<void> => {
    const order = { projectId, message: "", stagedOnly: false, includeUntracked: true };
    if ((await perform("source.stash", order)) !== undefined) toasts.show({ text: text.stashed });
  };
  return (
    <section aria-label={text.stashes} className="mt-5">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h3 className="text-small font-medium text-ink-muted">{text.stashes}</h3>
        <Button size="small" busy={isBusy} onClick={() => void stash()}>
          {text.stash}
        </Button>
      </div>
      <ul className="divide-y divide-line rounded-card border border-line empty:hidden">
        {data?.stashes.map((one) => (
          <StashRow key={one.id} projectId={projectId} stash={one} />
        ))}
      </ul>
    </section>
  );
}

function StashRow({ projectId, stash }: { readonly projectId: ProjectId; readonly stash: SourceStash }) {
  const { gitRefs: text, figures } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, perform } = useSourceChange(projectId);
  const { id, message, at } = stash;
  const pop = async (): Promise<void> => {
    const popped = await perform("source.stash_pop", { projectId, id });
    if (popped === undefined) return;
    toasts.show({ text: popped.conflicts === 0 ? text.popped : text.conflicts(popped.conflicts) });
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
      <Button size="small" busy={isBusy} onClick={() => void pop()}>
        {text.pop}
      </Button>
      <Button size="small" look="quiet" onClick={() => void drop()}>
        {text.drop}
      </Button>
    </li>
  );
}
