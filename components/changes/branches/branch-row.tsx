"use client";
/** A branch in the dialog, with what can be done to it. */
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { isRefName } from "@/lib/workspace/ref-name";
import type { SourceBranchRow } from "@/lib/workspace/source-control";
import type { TerminalWork } from "@/lib/workspace/source-refs";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { Menu } from "../../ui/controls/menu";
import { TextField } from "../../ui/controls/text-field";
import { Chip } from "../../ui/indicators/chip";
import { Icon } from "../../ui/indicators/icon";
import { Time } from "../../ui/text/time";
import { useSourceChange } from "../source/use-source-change";
import { NameNote } from "./name-note";
import { useSwitch } from "./use-switch";

interface BranchRowProps {
  readonly projectId: ProjectId;
  readonly branch: SourceBranchRow;
  /** Compares it with the checked-out branch; null = none is checked out. */
  readonly onCompare: (() => void) | null;
  readonly onTerminal: (work: TerminalWork) => void;
  readonly onClose: () => void;
}

export function BranchRow({ projectId, branch, onCompare, onTerminal, onClose }: BranchRowProps) {
  const { gitRefs: text, figures, common } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, attempt, perform, showError } = useSourceChange(projectId);
  /** The user is asked before commits are only in the branch that is deleted. */
  const [asks, setAsks] = useState<number | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const { name, isRemote, isCurrent, at, subject, worktree } = branch;
  const local = isRemote ? name.slice(name.indexOf("/") + 1) : name;
  const switchBranch = useSwitch(projectId);
  const switchTo = async (): Promise<void> => {
    if (await switchBranch({ branch: local, ...(isRemote ? { from: name } : {}) })) onClose();
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
  const rename = async (to: string): Promise<void> => {
    setRenaming(false);
    if (to !== "" && to !== name) await perform("source.rename_branch", { projectId, branch: name, to });
  };
  const rebase = (): void => {
    onTerminal({ kind: "rebase", onto: name });
    onClose();
  };
  const isFree = !isCurrent && !isRemote && worktree === undefined;
  const items = [
    ...(isCurrent ? [] : [{ id: "merge", label: text.merge, onSelect: () => void merge() }]),
    ...(isCurrent || onCompare === null ? [] : [{ id: "compare", label: text.compare, onSelect: onCompare }]),
    ...(isCurrent ? [] : [{ id: "rebase", label: text.rebase, onSelect: rebase }]),
    ...(isRemote ? [] : [{ id: "rename", label: text.rename, onSelect: () => setRenaming(true) }]),
    ...(isFree
      ? [{ id: "delete", label: text.delete, danger: true, separated: true, onSelect: () => void remove(false) }]
      : []),
  ];
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {isRenaming ? (
          <RenameField name={name} onDone={(to) => void rename(to)} />
        ) : (
          <span className="min-w-40 flex-1">
            <span className="flex min-w-0 items-center gap-2">
              <span className="cut font-mono text-small">{name}</span>
              {isCurrent && <Chip tone="plain">{text.current}</Chip>}
            </span>
            <span className="block cut text-small text-ink-muted">
              {subject} · <Time at={at} figures={figures} />
            </span>
          </span>
        )}
        {!isCurrent && worktree === undefined && !isRenaming && (
          <Button size="small" busy={isBusy} onClick={() => void switchTo()}>
            {text.switch}
          </Button>
        )}
        <Menu
          name={text.more(name)}
          aria-label={text.more(name)}
          align="end"
          className="grid size-7 shrink-0 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink max-tablet:size-11"
          items={items}
        >
          <Icon of={Ellipsis} size={14} />
        </Menu>
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

/** Enter renames, Escape does not. */
function RenameField({ name, onDone }: { readonly name: string; readonly onDone: (to: string) => void }) {
  const { gitRefs: text } = useFullMessages();
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  return (
    <form
      className="flex min-w-40 flex-1 flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRefName(wanted)) onDone(wanted);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onDone(name);
      }}
    >
      <TextField
        mono
        autoFocus
        className="min-w-40 flex-1"
        value={typed}
        aria-label={text.name}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" disabled={!isRefName(wanted)}>
        {text.rename}
      </Button>
      <NameNote name={wanted} />
    </form>
  );
}
