"use client";
/**
 * Dialog for a folder path on the server's machine: opens it as a project, or relinks a project whose folder has moved.
 */
import { type FormEvent, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { Project } from "@/lib/workspace/project";
import { useClient } from "../../state/client";
import { commandQuery } from "../../state/command-query";
import { refreshQueries } from "../../state/topic-queries";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import { useFullMessages } from "../../messages/full-messages";
import { FolderField } from "./folder-field";
import { openNewSession } from "../navigation/open-new-session";

const pathExample = "/path/to/project";

interface OpenFolderDialogProps {
  /** The project whose folder is missing; absent = open a folder. */
  readonly moved?: Project;
  readonly onClose: () => void;
}

export function OpenFolderDialog({ moved, onClose }: OpenFolderDialogProps) {
  const messages = useFullMessages();
  const client = useClient();
  const { call, cache, workbench } = client;
  const [path, setPath] = useState(moved?.path ?? "");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<AgentError | null>(null);
  const relink = async (project: Project, folder: string): Promise<void> => {
    const answer = await call("project.relink", { projectId: project.id, path: folder });
    setBusy(false);
    if (!answer.ok) return setError(answer.error);
    // Files, branch and permissions of the project may have changed.
    refreshQueries(cache);
    client.toasts.show({ text: messages.projectList.relinked(answer.value.project.path) });
    onClose();
  };
  const change = (folder: string): void => {
    setPath(folder);
    setError(null);
  };
  const submit = async (folder: string): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    if (moved !== undefined) return relink(moved, folder);
    const answer = await call("project.open", { path: folder });
    setBusy(false);
    if (!answer.ok) return setError(answer.error);
    const { project } = answer.value;
    cache.setQueryData(commandQuery("project.open", { projectId: project.id }).queryKey, answer.value);
    workbench.showProject(project.id);
    openNewSession(workbench);
    onClose();
  };
  return (
    <Dialog
      title={moved === undefined ? messages.shell.openFolder : messages.projectList.relinkTitle(moved.name)}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {messages.common.cancel}
          </Button>
          <Button type="submit" form="open-folder" look="primary" busy={isBusy} disabled={path.trim() === ""}>
            {moved === undefined ? messages.shell.open : messages.projectList.relinkSubmit}
          </Button>
        </>
      }
    >
      <form
        id="open-folder"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void submit(path.trim());
        }}
      >
        <label htmlFor="folder-path" className="mb-1 block text-ink-muted">
          {moved === undefined ? messages.projectList.openFolderNote : messages.projectList.relinkNote}
        </label>
        <FolderField
          id="folder-path"
          path={path}
          placeholder={pathExample}
          invalid={error !== null}
          onPath={change}
          onEnter={(folder) => {
            change(folder);
            void submit(folder);
          }}
        />
        {error !== null && (
          <p role="alert" className="mt-2 text-danger">
            {moved !== undefined && error.code === "exists"
              ? messages.projectList.relinkTaken
              : messages.errors.sentences[error.code]}
          </p>
        )}
      </form>
    </Dialog>
  );
}
