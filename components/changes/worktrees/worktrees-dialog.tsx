"use client";
/** Work trees of the project: a new one for a session, and those that exist. */
import { skipToken } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { WorktreeList } from "@/lib/workspace/worktrees";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { setPreset } from "../../state/workbench/layout";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Dialog } from "../../ui/overlays/dialog";
import { useSourceChange } from "../source/use-source-change";
import type { SourceLinks } from "./source-links";
import { WorktreeRow } from "./worktree-row";

interface WorktreesDialogProps {
  readonly projectId: ProjectId;
  readonly links: SourceLinks;
  readonly onClose: () => void;
}

export function WorktreesDialog({ projectId, links, onClose }: WorktreesDialogProps) {
  const { worktrees: text, common, errors } = useFullMessages();
  const { data, error } = useCommandQuery("worktree.list", { projectId }, { retry: false });
  const closing: SourceLinks = {
    onProject: (id, command) => {
      links.onProject(id, command);
      onClose();
    },
    onSession: (id) => {
      links.onSession(id);
      onClose();
    },
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
          <NewWorktree {...{ projectId }} ignored={data.ignored} onOpen={closing.onProject} />
          <WorktreeRows {...{ projectId, onClose }} list={data} links={closing} />
          <Orphans orphans={data.orphans} />
        </>
      )}
    </Dialog>
  );
}

interface NewWorktreeProps extends Pick<WorktreesDialogProps, "projectId"> {
  readonly onOpen: SourceLinks["onProject"];
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

interface WorktreeRowsProps extends Pick<WorktreesDialogProps, "projectId" | "links"> {
  readonly list: WorktreeList;
  readonly onClose: () => void;
}

function WorktreeRows({ projectId, list: { worktrees, into }, links, onClose }: WorktreeRowsProps): ReactNode {
  const { workbench } = useClient();
  const sizes = useCommandQuery("worktree.sizes", worktrees.length === 0 ? skipToken : { projectId }, { retry: false });
  if (worktrees.length === 0) return null;
  const showChanges = (id: ProjectId): void => {
    if (id !== projectId) links.onProject(id, "");
    workbench.showScope("tree");
    workbench.changeLayout((layout) => setPreset(layout, "review"));
    workbench.showPhoneTab("review");
    onClose();
  };
  return (
    <ul className="mt-4 divide-y divide-line rounded-card border border-line">
      {worktrees.map((worktree) => (
        <WorktreeRow
          key={worktree.path}
          {...{ projectId, worktree, into, links }}
          size={sizes.data?.sizes.find(({ name }) => name === worktree.name)}
          onConflicts={showChanges}
        />
      ))}
    </ul>
  );
}

/** Folders that no repository has any more, which are left alone. */
function Orphans({ orphans }: Pick<WorktreeList, "orphans">): ReactNode {
  const { worktrees: text } = useFullMessages();
  if (orphans.length === 0) return null;
  return (
    <section className="mt-4 grid gap-1">
      <h3 className="text-small font-medium">{text.orphans}</h3>
      <p className="text-pretty text-small text-ink-muted">{text.orphansNote}</p>
      <ul className="grid gap-1">
        {orphans.map(({ path }) => (
          <li key={path} className="font-mono text-code [overflow-wrap:anywhere]">
            {path}
          </li>
        ))}
      </ul>
    </section>
  );
}
