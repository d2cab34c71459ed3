/** Deletes, copies and moves files of the tree: calls the server, updates tabs and folders, offers Undo. */
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { DeletedPath, FailedPath, MovedPath } from "@/lib/workspace/project-files";
import { baseName, isWithin, parentFolder } from "@/lib/workspace/project-path";
import type { FullMessages } from "../../messages/full-messages";
import type { AppClient } from "../../state/client";
import { closePaths } from "../../state/workbench/editor-groups";
import { renamePaths } from "../../state/workbench/layout";
import { offerUndo } from "./file-undo";

export interface OperationContext {
  readonly client: AppClient;
  readonly messages: FullMessages;
  readonly projectId: ProjectId;
}

export const showFileError = (client: AppClient, messages: FullMessages, error: AgentError): void =>
  client.toasts.show({ text: messages.errors.sentences[error.code], look: "danger" });

export const refreshFolder = (client: AppClient, projectId: ProjectId, folder: string): Promise<void> =>
  client.cache.invalidateQueries({ queryKey: ["files.list", { projectId, path: folder }] });

function refreshParents({ client, projectId }: OperationContext, paths: readonly string[]): void {
  for (const folder of new Set(paths.map(parentFolder))) void refreshFolder(client, projectId, folder);
}

/** Calls `send` with as many paths at a time as a command takes; ends with the first error. */
export async function sendInParts(
  paths: readonly string[],
  send: (part: string[]) => Promise<AgentError | null>,
): Promise<AgentError | null> {
  for (let at = 0; at < paths.length; at += limits.folderEntries) {
    const error = await send(paths.slice(at, at + limits.folderEntries));
    if (error !== null) return error;
  }
  return null;
}

const nameOrCount = ({ files }: FullMessages, entries: readonly { readonly path: string }[]): string =>
  entries.length === 1 ? entries.map(({ path }) => baseName(path)).join("") : files.count(entries.length);

function showFailures(
  { client, messages }: OperationContext,
  failed: readonly FailedPath[],
  error: AgentError | null,
): void {
  if (error !== null) showFileError(client, messages, error);
  const [first] = failed;
  if (first === undefined) return;
  const sentence = messages.errors.sentences[first.code];
  const name = baseName(first.path);
  const subject = failed.length === 1 ? name : messages.files.andMore(name, failed.length - 1);
  const text = messages.files.notDone(subject, sentence);
  client.toasts.show({ text, look: "danger" });
}

/**
 * Moves the paths to the trash and closes their tabs; text that was not saved is discarded. `isUndo`: tabs with such
 * text stay, since the user was not asked, and the toast with Undo is not shown. Returns whether all were moved.
 */
export async function deleteFiles(
  context: OperationContext,
  paths: readonly string[],
  isUndo = false,
): Promise<boolean> {
  const { client, messages, projectId } = context;
  const deleted: DeletedPath[] = [];
  const failed: FailedPath[] = [];
  const error = await sendInParts(paths, async (part) => {
    const answer = await client.call("files.delete", { projectId, paths: part });
    if (!answer.ok) return answer.error;
    deleted.push(...answer.value.deleted);
    failed.push(...answer.value.failed);
    return null;
  });
  const unsaved = isUndo ? (client.handles.unsavedFiles?.list(projectId) ?? []) : [];
  for (const { path } of deleted) {
    if (unsaved.some((file) => isWithin(path, file))) continue;
    client.handles.unsavedFiles?.discard(projectId, path);
    client.workbench.changeLayout((layout) =>
      closePaths({ ...layout, expanded: layout.expanded.filter((folder) => !isWithin(path, folder)) }, (tab) =>
        isWithin(path, tab),
      ),
    );
  }
  refreshParents(context, paths);
  showFailures(context, failed, error);
  if (deleted.length > 0 && !isUndo) {
    const text = messages.files.deleted(nameOrCount(messages, deleted));
    offerUndo(context, text, () => void restoreDeleted(context, deleted));
  }
  return error === null && failed.length === 0;
}

/** Moves entries of the trash back to their paths. */
export async function restoreDeleted(context: OperationContext, deleted: readonly DeletedPath[]): Promise<void> {
  const failed: FailedPath[] = [];
  for (const { path, trashId } of deleted) {
    const answer = await context.client.call("trash.restore", { trashId });
    if (!answer.ok) failed.push({ path, code: answer.error.code });
  }
  refreshParents(
    context,
    deleted.map(({ path }) => path),
  );
  showFailures(context, failed, null);
}

/** Moves the paths into a folder and returns the new paths. `isUndo`: the toast with Undo is not shown. */
export async function moveFiles(
  context: OperationContext,
  paths: readonly string[],
  folder: string,
  isUndo = false,
): Promise<readonly string[]> {
  const { client, messages, projectId } = context;
  const moved: MovedPath[] = [];
  const failed: FailedPath[] = [];
  const error = await sendInParts(paths, async (part) => {
    const answer = await client.call("files.move", { projectId, paths: part, folder });
    if (!answer.ok) return answer.error;
    moved.push(...answer.value.moved);
    failed.push(...answer.value.failed);
    return null;
  });
  for (const { path, to } of moved) {
    client.handles.unsavedFiles?.renamed(projectId, path, to);
    client.workbench.changeLayout((layout) => renamePaths(layout, path, to));
  }
  refreshParents(context, [...moved.map(({ to }) => to), ...paths]);
  showFailures(context, failed, error);
  if (moved.length > 0 && !isUndo) {
    const text = messages.files.moved(
      nameOrCount(messages, moved),
      folder === "" ? messages.files.projectFolder : folder,
    );
    offerUndo(context, text, () => void moveBack(context, moved));
  }
  return moved.map(({ to }) => to);
}

async function moveBack(context: OperationContext, moved: readonly MovedPath[]): Promise<void> {
  const folders = new Set(moved.map(({ path }) => parentFolder(path)));
  for (const folder of folders) {
    const paths = moved.filter(({ path }) => parentFolder(path) === folder).map(({ to }) => to);
    await moveFiles(context, paths, folder, true);
  }
}

/** Copies the paths, each into its own folder unless one is given, and returns the paths of the copies. */
export async function copyFiles(
  context: OperationContext,
  paths: readonly string[],
  folder?: string,
): Promise<readonly string[]> {
  const { client, projectId } = context;
  const copies: string[] = [];
  const failed: FailedPath[] = [];
  for (const path of paths) {
    const answer = await client.call("files.duplicate", { projectId, path, folder });
    if (answer.ok) copies.push(answer.value.path);
    else failed.push({ path, code: answer.error.code });
  }
  refreshParents(context, copies);
  showFailures(context, failed, null);
  return copies;
}
