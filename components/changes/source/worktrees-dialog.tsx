"use client";
/** Work trees of the project: a new one for a session, and those that exist. */
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { Worktree, WorktreeList } from "@/lib/workspace/worktrees";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Dialog } from "../../ui/overlays/dialog";
import { Time } from "../../ui/text/time";
import { useSourceChange } from "./use-source-change";

interface WorktreesDialogProps {
  readonly projectId: ProjectId;
  /** Shows a new session in the project of a work tree; `command` = a command for its message field, "" = none. */
  readonly onOpen: (projectId: ProjectId, command: string) => void;
  readonly onClose: () => void;
}

export function WorktreesDialog({ projectId, onOpen, onClose }: WorktreesDialogProps) {
  const { worktrees: text, common, errors } = useFullMessages();
  const { data, error } = useCommandQuery("worktree.list", { projectId }, { retry: false });
  const open: WorktreesDialogProps["onOpen"] = (id, command) => {
    onOpen(id, command);
    onClose();
  };
  return (
    <Dialog wide title={text.title} closeName={common.close} onClose={onClose}>
      <p className="mb-4 text-pretty text-ink-muted">{text.note}</p>
      {error !== null && (
        <p role="alert" className="text-danger">
          {errors.sentences.tool_failed}
        </p>
      )}
      {data === undefined && error === null && <Skeleton label={common.loading} className="h-24" />}
      {data !== undefined && (
        <>
          <NewWorktree {...{ projectId }} ignored={data.ignored} onOpen={open} />
          <WorktreeRows {...{ projectId }} worktrees={data.worktrees} onOpen={open} />
        </>
      )}
    </Dialog>
  );
}

interface NewWorktreeProps extends Pick<WorktreesDialogProps, "projectId" | "onOpen"> {
  readonly ignored: WorktreeList["ignored"];
}

const storageKeyPrefix = "gopi-web.worktree-command.";

function readCommand(projectId: ProjectId): string {
  try {
    return localStorage.getItem(storageKeyPrefix + projectId) ?? "";
  } catch {
    return "";
  }
}

function writeCommand(projectId: ProjectId, command: string): void {
  try {
    localStorage.setItem(storageKeyPrefix + projectId, command);
  } catch {
    // Without storage the command is typed again next time.
  }
}

function NewWorktree({ projectId, ignored, onOpen }: NewWorktreeProps) {
  const { worktrees: text } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, perform } = useSourceChange(projectId);
  const [name, setName] = useState("");
  const [command, setCommand] = useState(() => readCommand(projectId));
  const [files, setFiles] = useState<ReadonlySet<string>>(
    () => new Set(ignored.filter(({ isProtected }) => !isProtected).map(({ path }) => path)),
  );
  const create = async (): Promise<void> => {
    writeCommand(projectId, command);
    const created = await perform("worktree.create", { projectId, name, files: [...files] });
    if (created === undefined) return;
    const { view, uncopied } = created;
    if (uncopied.length > 0)
      toasts.show({ text: text.uncopied(uncopied.map(({ path }) => path).join(", ")), look: "danger" });
    onOpen(view.project.id, command.trim());
  };
  const toggle = (path: string): void => {
    const next = new Set(files);
    if (!next.delete(path)) next.add(path);
    setFiles(next);
  };
  return (
    <form
      className="grid gap-3 rounded-card border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") void create();
      }}
    >
      <label className="grid gap-1">
        <span className="text-small">{text.name}</span>
        <TextField value={name} placeholder={text.namePlaceholder} onChange={({ target }) => setName(target.value)} />
      </label>
      <label className="grid gap-1">
        <span className="text-small">{text.command}</span>
        <TextField
          mono
          value={command}
          placeholder={text.commandPlaceholder}
          onChange={({ target }) => setCommand(target.value)}
        />
      </label>
      {ignored.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-small">{text.files}</legend>
          {ignored.map(({ path, isProtected }) => (
            <label key={path} className="flex min-h-6 items-center gap-2 max-tablet:min-h-11">
              <input
                type="checkbox"
                checked={files.has(path)}
                onChange={() => toggle(path)}
                className="size-4 shrink-0 accent-accent"
              />
              <code className="min-w-0 cut text-code">{path}</code>
              {isProtected && <span className="shrink-0 text-small text-ask">{text.secret}</span>}
            </label>
          ))}
        </fieldset>
      )}
      <Button type="submit" look="primary" busy={isBusy} disabled={name.trim() === ""} className="justify-self-start">
        {text.create}
      </Button>
    </form>
  );
}

interface WorktreeRowsProps extends Pick<WorktreesDialogProps, "projectId" | "onOpen"> {
  readonly worktrees: readonly Worktree[];
}

function WorktreeRows({ worktrees, ...rest }: WorktreeRowsProps): ReactNode {
  if (worktrees.length === 0) return null;
  return (
    <ul className="mt-4 divide-y divide-line rounded-card border border-line">
      {worktrees.map((worktree) => (
        <WorktreeRow key={worktree.path} {...rest} worktree={worktree} />
      ))}
    </ul>
  );
}

interface WorktreeRowProps extends Pick<WorktreesDialogProps, "projectId" | "onOpen"> {
  readonly worktree: Worktree;
}

function WorktreeRow({ projectId, worktree, onOpen }: WorktreeRowProps) {
  const { worktrees: text, common, figures } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, attempt, perform, showError } = useSourceChange(projectId);
  const { name, changes, commits, sessions, createdAt } = worktree;
  /** Text of the field that asks for the name; null = it is not asked for. */
  const [typed, setTyped] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    const confirmed = typed === null || typed === "" ? {} : { confirmed: typed };
    const answer = await attempt("worktree.remove", { projectId, name, ...confirmed });
    if (!answer.ok && answer.error.code === "not_merged" && typed === null) return setTyped("");
    if (!answer.ok) showError(answer.error);
    else if (answer.value.isStashed) toasts.show({ text: text.stashed });
  };
  const open = async (): Promise<void> => {
    const opened = await perform("project.open", { path: worktree.path });
    if (opened !== undefined) onOpen(opened.project.id, "");
  };
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-40 flex-1">
          <span className="block cut font-mono text-small">{worktree.branch ?? name}</span>
          <span className="text-small text-ink-muted">
            {changes === null ? text.missing : text.state(changes, commits, sessions)}
            {createdAt !== null && (
              <>
                {" · "}
                <Time at={createdAt} figures={figures} />
              </>
            )}
          </span>
        </span>
        {changes !== null && worktree.projectId !== projectId && (
          <Button size="small" onClick={() => void open()}>
            {text.open}
          </Button>
        )}
        {worktree.projectId !== projectId && (
          <Button size="small" look="quiet" busy={isBusy && typed === null} onClick={() => void remove()}>
            {text.remove}
          </Button>
        )}
      </div>
      {typed !== null && (
        <div role="alert" className="mt-2 grid gap-2 rounded-control bg-danger-soft px-3 py-2">
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
    </li>
  );
}
