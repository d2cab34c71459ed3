"use client";
/** Creates and renames files and folders from the tree; open tabs are updated. */
import { useMemo } from "react";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { type AppClient, useClient } from "../state/client";
import { setExpanded, renamePaths, openTab } from "../state/workbench/layout";
import { copyText } from "../ui/controls/copy-button";
import { startTypeAhead } from "../ui/browser/type-ahead";
import { useMessages, type Messages } from "../messages/messages";
import { joinPath, baseName, parentFolder } from "@/lib/workspace/project-path";

interface FileCommands {
  readonly open: (path: string) => void;
  readonly expand: (path: string, open: boolean) => void;
  readonly create: (folder: string, name: string, kind: "file" | "folder") => void;
  readonly rename: (path: string, name: string) => void;
  readonly copyPath: (path: string) => void;
}

/** `onOpened` is called when a file is shown, so that the phone layout switches to it. */
export function useFileCommands(projectId: ProjectId, onOpened?: () => void): FileCommands {
  const client = useClient();
  const messages = useMessages();
  return useMemo(() => {
    const { workbench } = client;
    const open = (path: string): void => {
      workbench.changeLayout((layout) => openTab(layout, path));
      onOpened?.();
    };
    return {
      open,
      expand: (path, isOpen) => workbench.changeLayout((layout) => setExpanded(layout, path, isOpen)),
      create: (folder, name, kind) => {
        const path = joinPath(folder, name.trim());
        if (kind === "folder") void createEntry(client, messages, { projectId, path }, kind);
        else void createAndType(client, messages, { projectId, path }).then((isDone) => isDone && onOpened?.());
      },
      rename: (path, name) => void renameEntry(client, messages, projectId, path, name.trim()),
      copyPath: (path) => void copyText(path),
    };
  }, [client, messages, projectId, onOpened]);
}

const showError = (client: AppClient, messages: Messages, error: AgentError): void =>
  client.toasts.show({ text: messages.errors.sentences[error.code], look: "danger" });

const refreshFolder = (client: AppClient, projectId: ProjectId, folder: string): Promise<void> =>
  client.cache.invalidateQueries({ queryKey: ["folder", projectId, folder], exact: true });

interface FileLocation {
  readonly projectId: ProjectId;
  readonly path: string;
}

async function createEntry(
  client: AppClient,
  messages: Messages,
  at: FileLocation,
  kind: "file" | "folder",
): Promise<boolean> {
  const answer =
    kind === "file"
      ? await client.call("files.write", { ...at, text: "", expect: null })
      : await client.call("files.make_folder", at);
  if (!answer.ok) showError(client, messages, answer.error);
  await refreshFolder(client, at.projectId, parentFolder(at.path));
  return answer.ok;
}

/** Creates a file and opens it; text typed before the editor is ready is inserted. */
async function createAndType(client: AppClient, messages: Messages, at: FileLocation): Promise<boolean> {
  client.handles.typeAhead?.take();
  const typeAhead = startTypeAhead(messages.editor.textOf(at.path));
  client.handles.typeAhead = typeAhead;
  const isDone = await createEntry(client, messages, at, "file");
  if (isDone) client.workbench.openFile(at.path, 1);
  else typeAhead.take();
  return isDone;
}

async function renameEntry(
  client: AppClient,
  messages: Messages,
  projectId: ProjectId,
  path: string,
  name: string,
): Promise<void> {
  const to = joinPath(parentFolder(path), name);
  if (name === baseName(path)) return;
  const answer = await client.call("files.rename", { projectId, path, to });
  if (answer.ok) {
    client.handles.editor?.renameFile(path, to);
    client.workbench.changeLayout((layout) => renamePaths(layout, path, to));
  } else showError(client, messages, answer.error);
  await refreshFolder(client, projectId, parentFolder(path));
}
