"use client";
/** Creates and renames files and folders from the tree; open tabs are updated. */
import { useMemo } from "react";
import type { ProjectId } from "@/lib/events/id";
import { type AppClient, useClient } from "../../state/client";
import { expandParents, keepTab, setExpanded, renamePaths, openTab } from "../../state/workbench/layout";
import { startTypeAhead } from "../../ui/browser/type-ahead";
import { useFullMessages, type FullMessages } from "../../messages/full-messages";
import { deleteFiles, refreshFolder, showFileError } from "./file-operations";
import { offerUndo } from "./file-undo";
import { joinPath, baseName, foldersAbove, isWithin, parentFolder } from "@/lib/workspace/project-path";

interface FileCommands {
  readonly open: (path: string) => void;
  readonly expand: (path: string, open: boolean) => void;
  /** Both return the new path; null = failed. */
  readonly create: (folder: string, name: string, kind: "file" | "folder") => Promise<string | null>;
  readonly rename: (path: string, name: string) => Promise<string | null>;
}

/** `onOpened` is called when a file is shown, so that the phone layout switches to it. */
export function useFileCommands(projectId: ProjectId, onOpened?: () => void): FileCommands {
  const client = useClient();
  const messages = useFullMessages();
  return useMemo(() => {
    const { workbench } = client;
    const open = (path: string): void => {
      workbench.changeLayout((layout) => openTab(layout, path));
      onOpened?.();
    };
    return {
      open,
      expand: (path, isOpen) => workbench.changeLayout((layout) => setExpanded(layout, path, isOpen)),
      create: async (folder, name, kind) => {
        const path = joinPath(folder, name.trim());
        const top = await topOfNew(client, projectId, folder, path);
        const isDone =
          kind === "folder"
            ? await createEntry(client, messages, { projectId, path }, kind)
            : await createAndType(client, messages, { projectId, path });
        if (isDone && kind === "file") onOpened?.();
        // Undo moves it to the trash, with the folders that were created for it.
        const context = { client, messages, projectId };
        const text = messages.files.created(baseName(path));
        if (isDone) offerUndo(context, text, () => void deleteFiles(context, [top], true));
        return isDone ? path : null;
      },
      rename: (path, name) => renameEntry(client, messages, projectId, path, name.trim()),
    };
  }, [client, messages, projectId, onOpened]);
}

interface FileLocation {
  readonly projectId: ProjectId;
  readonly path: string;
}

/** Returns the first part of `path` below `folder` that does not exist yet. */
async function topOfNew(client: AppClient, projectId: ProjectId, folder: string, path: string): Promise<string> {
  const parts = [path, ...foldersAbove(path).filter((above) => above !== folder && isWithin(folder, above))].reverse();
  if (parts.length === 1) return path;
  const answer = await client.call("files.existing", { projectId, paths: parts });
  const existing = answer.ok ? answer.value.existing.map((entry) => entry.path) : parts;
  return parts.find((part) => !existing.includes(part)) ?? path;
}

async function createEntry(
  client: AppClient,
  messages: FullMessages,
  location: FileLocation,
  kind: "file" | "folder",
): Promise<boolean> {
  const answer =
    kind === "file"
      ? await client.call("files.write", { ...location, text: "", expect: null })
      : await client.call("files.make_folder", location);
  if (answer.ok) client.workbench.changeLayout((layout) => expandParents(layout, location.path));
  else showFileError(client, messages, answer.error);
  // Folders before the name may be new in theirs.
  await Promise.all(foldersAbove(location.path).map((folder) => refreshFolder(client, location.projectId, folder)));
  return answer.ok;
}

/** Creates a file and opens it; text typed before the editor is ready is inserted. */
async function createAndType(client: AppClient, messages: FullMessages, location: FileLocation): Promise<boolean> {
  client.handles.typeAhead?.take();
  const typeAhead = startTypeAhead(messages.files.textOf(location.path));
  client.handles.typeAhead = typeAhead;
  const isDone = await createEntry(client, messages, location, "file");
  if (isDone) {
    client.workbench.openFile(location.path, 1);
    client.workbench.changeLayout((layout) => keepTab(layout, location.path));
  } else typeAhead.take();
  return isDone;
}

/** `isUndo`: the toast with Undo is not shown. */
async function renameEntry(
  client: AppClient,
  messages: FullMessages,
  projectId: ProjectId,
  path: string,
  name: string,
  isUndo = false,
): Promise<string | null> {
  const to = joinPath(parentFolder(path), name);
  if (name === baseName(path)) return path;
  const answer = await client.call("files.rename", { projectId, path, to });
  if (answer.ok) {
    client.handles.unsavedFiles?.renamed(projectId, path, to);
    client.workbench.changeLayout((layout) => renamePaths(layout, path, to));
  } else showFileError(client, messages, answer.error);
  await refreshFolder(client, projectId, parentFolder(path));
  if (answer.ok && !isUndo) {
    const text = messages.files.renamed(baseName(path), name);
    const undo = (): void => void renameEntry(client, messages, projectId, to, baseName(path), true);
    offerUndo({ client, messages, projectId }, text, undo);
  }
  return answer.ok ? to : null;
}
