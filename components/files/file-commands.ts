"use client";
/** Creates and renames files and folders from the tree; open tabs are updated. */
import { useMemo } from "react";
import type { AgentError } from "@/lib/error";
import type { ProjectId } from "@/lib/id";
import { type Client, useClient } from "../state/client";
import { withExpanded, withRenamed, withTab } from "../state/layout";
import { copyText } from "../ui/copy-button";
import { startTypeAhead } from "../ui/type-ahead";
import { useWords, type Words } from "../words/words";
import { joined, nameOf, parentOf } from "./tree-rows";

export interface FileCommands {
  readonly open: (path: string) => void;
  readonly expand: (path: string, open: boolean) => void;
  readonly create: (folder: string, name: string, kind: "file" | "folder") => void;
  readonly rename: (path: string, name: string) => void;
  readonly copyPath: (path: string) => void;
}

/** `onOpened` is called when a file is shown, so that the phone layout switches to it. */
export function useFileCommands(projectId: ProjectId, onOpened?: () => void): FileCommands {
  const client = useClient();
  const words = useWords();
  return useMemo(() => {
    const { workbench } = client;
    const open = (path: string): void => {
      workbench.changeLayout((layout) => withTab(layout, path));
      onOpened?.();
    };
    return {
      open,
      expand: (path, isOpen) => workbench.changeLayout((layout) => withExpanded(layout, path, isOpen)),
      create: (folder, name, kind) => {
        const path = joined(folder, name.trim());
        if (kind === "folder") void create(client, words, { projectId, path }, kind);
        else void createAndType(client, words, { projectId, path }).then((isDone) => isDone && onOpened?.());
      },
      rename: (path, name) => void rename(client, words, projectId, path, name.trim()),
      copyPath: (path) => void copyText(path),
    };
  }, [client, words, projectId, onOpened]);
}

const showError = (client: Client, words: Words, error: AgentError): void =>
  client.toasts.show({ text: words.errors.sentences[error.code], look: "danger" });

const refresh = (client: Client, projectId: ProjectId, folder: string): Promise<void> =>
  client.cache.invalidateQueries({ queryKey: ["folder", projectId, folder], exact: true });

interface FileAt {
  readonly projectId: ProjectId;
  readonly path: string;
}

async function create(client: Client, words: Words, at: FileAt, kind: "file" | "folder"): Promise<boolean> {
  const answer =
    kind === "file"
      ? await client.call("files.write", { ...at, text: "", expect: null })
      : await client.call("files.make_folder", at);
  if (!answer.ok) showError(client, words, answer.error);
  await refresh(client, at.projectId, parentOf(at.path));
  return answer.ok;
}

/** Creates a file and opens it; text typed before the editor is ready is inserted. */
async function createAndType(client: Client, words: Words, at: FileAt): Promise<boolean> {
  client.handles.typeAhead?.take();
  const typeAhead = startTypeAhead(words.editor.textOf(at.path));
  client.handles.typeAhead = typeAhead;
  const isDone = await create(client, words, at, "file");
  if (isDone) client.workbench.openFile(at.path, 1);
  else typeAhead.take();
  return isDone;
}

async function rename(client: Client, words: Words, projectId: ProjectId, path: string, name: string): Promise<void> {
  const to = joined(parentOf(path), name);
  if (name === nameOf(path)) return;
  const answer = await client.call("files.rename", { projectId, path, to });
  if (answer.ok) {
    client.handles.editor?.renamed(path, to);
    client.workbench.changeLayout((layout) => withRenamed(layout, path, to));
  } else showError(client, words, answer.error);
  await refresh(client, projectId, parentOf(path));
}
