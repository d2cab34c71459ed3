"use client";
/** Dialog with all projects: open, pin, rename, remove from the list. */
import { Folder, MessageCircle, Pencil, Pin, PinOff, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { Project } from "@/lib/workspace/project";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { TextField } from "../../ui/controls/text-field";
import { Icon } from "../../ui/indicators/icon";
import { Dialog } from "../../ui/overlays/dialog";
import { useFullMessages } from "../../messages/full-messages";
import { openNewSession } from "../navigation/open-new-session";
import { openWorkspace } from "../navigation/open-workspace";
import { pinnedFirst } from "../navigation/pinned-first";
import { toastError } from "../notices/toast-error";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface ProjectsDialogProps {
  readonly projects: readonly Project[];
  readonly onClose: () => void;
}

interface ProjectChange {
  readonly name?: string;
  readonly pinned?: boolean;
  readonly removed?: boolean;
}

export function ProjectsDialog({ projects, onClose }: ProjectsDialogProps) {
  const messages = useFullMessages();
  const client = useClient();
  const { workbench } = client;
  const text = messages.projectList;
  const [renamed, setRenamed] = useState<ProjectId | null>(null);
  /** Removed since the dialog was opened. */
  const [removed, setRemoved] = useState<readonly Project[]>([]);
  const missing = removed.filter(({ id }) => !projects.some((project) => project.id === id));
  const edit = async (project: Project, change: ProjectChange): Promise<void> => {
    const answer = await client.call("project.edit", { projectId: project.id, ...change });
    if (!answer.ok) return toastError(client, messages, answer.error);
    if (change.removed === true) setRemoved((before) => [...before.filter(({ id }) => id !== project.id), project]);
  };
  const open = (project: Project): void => {
    workbench.showProject(project.id);
    openNewSession(workbench);
    onClose();
  };
  return (
    <Dialog wide title={messages.shell.projects} closeName={messages.common.close} onClose={onClose}>
      {projects.length + missing.length === 0 && <p className="text-ink-muted">{text.none}</p>}
      <ul className="divide-y divide-line">
        {pinnedFirst(projects).map((project) => {
          const isPinned = typeof project.pinnedAt === "number";
          const isNameShared = projects.some(({ id, name }) => id !== project.id && name === project.name);
          const name = isNameShared ? `${project.name} (${project.path})` : project.name;
          return (
            <li key={project.id} className="flex items-center gap-1 py-1">
              {renamed === project.id ? (
                <ProjectNameForm
                  project={project}
                  onDone={(name) => {
                    setRenamed(null);
                    if (name !== project.name) void edit(project, { name });
                  }}
                />
              ) : (
                <button
                  type="button"
                  onClick={() => open(project)}
                  className="flex min-w-0 flex-1 items-center gap-2 rounded-control px-2 py-1 text-left hover:bg-hover max-tablet:min-h-11"
                >
                  <Icon of={isPinned ? Pin : Folder} size={14} className="text-ink-muted" />
                  <span className="min-w-0">
                    <span className="block cut font-medium">{project.name}</span>
                    <span className="block cut text-small text-ink-muted">{project.path}</span>
                  </span>
                </button>
              )}
              <IconButton
                icon={isPinned ? PinOff : Pin}
                name={isPinned ? text.unpin(name) : text.pin(name)}
                onClick={() => void edit(project, { pinned: !isPinned })}
              />
              <IconButton icon={Pencil} name={text.rename(name)} onClick={() => setRenamed(project.id)} />
              <IconButton icon={X} name={text.remove(name)} onClick={() => void edit(project, { removed: true })} />
            </li>
          );
        })}
        {missing.map((project) => (
          <li key={project.id} className="flex min-h-11 items-center gap-2 py-1 pl-2 text-ink-muted">
            <span role="status" className="min-w-0 flex-1">
              {text.removed(project.name)}
            </span>
            <Button size="small" autoFocus onClick={() => void edit(project, { removed: false })}>
              {messages.sessions.undo}
            </Button>
          </li>
        ))}
      </ul>
      <div className="border-t border-line pt-1">
        <button
          type="button"
          onClick={() => void openWorkspace(client, messages).then((isOpen) => isOpen && onClose())}
          className="flex w-full items-center gap-2 rounded-control px-2 py-1 text-left hover:bg-hover max-tablet:min-h-11"
        >
          <Icon of={MessageCircle} size={14} className="text-ink-muted" />
          <span className="min-w-0">
            <span className="block cut font-medium">{messages.shell.workspace}</span>
            <span className="block cut text-small text-ink-muted">{text.workspaceNote}</span>
          </span>
        </button>
      </div>
    </Dialog>
  );
}

interface ProjectNameFormProps {
  readonly project: Project;
  /** Called with the old name if the user cancelled or left the field empty. */
  readonly onDone: (name: string) => void;
}

function ProjectNameForm({ project, onDone }: ProjectNameFormProps) {
  const text = useFullMessages().projectList;
  const [name, setName] = useState(project.name);
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    onDone(name.trim() === "" ? project.name : name.trim());
  };
  return (
    <form onSubmit={save} className="min-w-0 flex-1">
      <TextField
        autoFocus
        aria-label={text.name}
        maxLength={limits.titleMaxChars}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onBlur={() => save()}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isForInputMethod(event.nativeEvent)) return;
          event.preventDefault();
          event.stopPropagation();
          onDone(project.name);
        }}
      />
    </form>
  );
}
