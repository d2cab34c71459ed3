/** Uploads files into a folder of the tree: asks about existing ones, sends one after the other, offers Undo. */
import { limits } from "@/lib/settings/settings";
import type { ExistingPath } from "@/lib/workspace/project-files";
import { baseName, isWithin, joinPath, parentFolder } from "@/lib/workspace/project-path";
import type { UploadAnswer } from "@/lib/workspace/upload";
import { type LateMessages, loadLateMessages } from "../../messages/full-messages";
import {
  deleteFiles,
  type OperationContext,
  refreshFolder,
  restoreDeleted,
  sendInParts,
  showFileError,
} from "../operations/file-operations";
import { offerUndo } from "../operations/file-undo";
import { sendUpload } from "./send-upload";
import { type StartedUpload, startUpload } from "./start-upload";
import { findUploadProblem, type PlannedUpload, planUploads, uploadedEntries } from "./upload-plan";
import type { UploadFile, UploadSource } from "./upload-source";

interface UploadContext extends OperationContext {
  readonly text: LateMessages["upload"];
  /** The target, "" = the project. */
  readonly folder: string;
}

interface UploadResult {
  readonly uploaded: UploadAnswer[];
  readonly failed: { readonly name: string; readonly reason: string }[];
}

/** Returns the files and folders that the upload added to the folder or replaced in it. */
export async function uploadFiles(
  operation: OperationContext,
  folder: string,
  { files, emptyFolders }: UploadSource,
): Promise<readonly string[]> {
  const { upload: text } = await loadLateMessages(operation.messages.figures.locale);
  const context = { ...operation, text, folder };
  const result: UploadResult = { uploaded: [], failed: [] };
  const accepted = files.filter((file) => isAccepted(context, file, result));
  const folders = emptyFolders.map((name) => joinPath(folder, name));
  const paths = accepted.map(({ name }) => joinPath(folder, name));
  const existing = await findExisting(operation, [...uploadedEntries(folder, [...paths, ...folders]), ...paths]);
  if (existing === null) return [];
  const upload = startUpload(operation.client);
  try {
    const planned = await planUploads(accepted, folder, existing, upload.ask);
    if (planned === null) return [];
    for (const path of folders)
      await operation.client.call("files.make_folder", { projectId: operation.projectId, path });
    await sendAll(context, planned, upload, result);
  } finally {
    upload.end();
  }
  const entries = uploadedEntries(folder, [...result.uploaded.map(({ path }) => path), ...folders]);
  const existed = new Set(existing.map(({ path }) => path));
  const created = entries.filter((path) => !existed.has(path));
  for (const changed of new Set([folder, ...result.uploaded.map(({ path }) => parentFolder(path))]))
    void refreshFolder(operation.client, operation.projectId, changed);
  showResult(context, result, created, upload.signal.aborted);
  return entries;
}

function isAccepted({ text, messages }: UploadContext, file: UploadFile, { failed }: UploadResult): boolean {
  const problem = findUploadProblem(file);
  if (problem === null) return true;
  const reason = problem === "bad_path" ? text.badName : text.tooLarge(messages.figures.bytes(limits.uploadBytes));
  failed.push({ name: baseName(file.name), reason });
  return false;
}

async function findExisting(
  { client, messages, projectId }: OperationContext,
  paths: readonly string[],
): Promise<readonly ExistingPath[] | null> {
  const existing: ExistingPath[] = [];
  const error = await sendInParts([...new Set(paths)], async (part) => {
    const answer = await client.call("files.existing", { projectId, paths: part });
    if (answer.ok) existing.push(...answer.value.existing);
    return answer.ok ? null : answer.error;
  });
  if (error !== null) showFileError(client, messages, error);
  return error === null ? existing : null;
}

async function sendAll(
  { projectId, folder, text, messages }: UploadContext,
  planned: readonly PlannedUpload[],
  { signal, show }: StartedUpload,
  { uploaded, failed }: UploadResult,
): Promise<void> {
  const bytes = planned.reduce((sum, { file }) => sum + file.size, 0);
  let before = 0;
  for (const [index, { name, file, conflict, version }] of planned.entries()) {
    const showSent = (sentBytes: number): void =>
      show({ path: joinPath(folder, name), number: index + 1, files: planned.length, bytes, sentBytes });
    showSent(before);
    // The request counts the bytes of the file only.
    const onProgress = (sent: number): void => showSent(before + sent);
    const request = { projectId, folder, name, file, onProgress };
    const sent = await sendUpload({ ...request, conflict, version }, signal);
    const hasChanged = typeof sent === "object" && !sent.ok && sent.error.code === "changed_meanwhile";
    // The user agreed to replace another version: both are kept.
    const answer = hasChanged ? await sendUpload({ ...request, conflict: "keep", version: null }, signal) : sent;
    if (answer === "cancelled") return;
    before += file.size;
    if (answer === "cut") failed.push({ name: baseName(name), reason: text.cut });
    else if (answer.ok) uploaded.push(answer.value);
    else failed.push({ name: baseName(name), reason: messages.errors.sentences[answer.error.code] });
  }
}

function showResult(
  context: UploadContext,
  { uploaded, failed }: UploadResult,
  created: readonly string[],
  isCancelled: boolean,
): void {
  const { client, messages, text, folder } = context;
  const [first] = failed;
  if (first !== undefined) {
    const subject = failed.length === 1 ? first.name : messages.files.andMore(first.name, failed.length - 1);
    client.toasts.show({ text: messages.files.notDone(subject, first.reason), look: "danger" });
  }
  const target = folder === "" ? messages.files.projectFolder : folder;
  const [one] = uploaded;
  const subject =
    uploaded.length === 1 && one !== undefined ? baseName(one.path) : messages.files.count(uploaded.length);
  if (uploaded.length > 0 || created.length > 0) {
    const done = isCancelled ? text.cancelledAfter(subject) : text.done(subject, target);
    offerUndo(context, done, () => void undoUpload(context, uploaded, created));
  } else if (isCancelled) client.toasts.show({ text: text.cancelled });
}

/** Moves what is new to the trash, and the replaced files from there to their paths. */
async function undoUpload(
  context: OperationContext,
  uploaded: readonly UploadAnswer[],
  created: readonly string[],
): Promise<void> {
  const { client, projectId } = context;
  const added = uploaded.flatMap(({ path, replaced }) =>
    replaced === null && !created.some((top) => isWithin(top, path)) ? [path] : [],
  );
  const isDone = await deleteFiles(context, [...created, ...added], true);
  const replaced = uploaded.flatMap(({ path, replaced: trashId }) => (trashId === null ? [] : [{ path, trashId }]));
  if (!isDone || replaced.length === 0) return;
  await sendInParts(
    replaced.map(({ path }) => path),
    async (part) => {
      const answer = await client.call("files.delete", { projectId, paths: part });
      return answer.ok ? null : answer.error;
    },
  );
  await restoreDeleted(context, replaced);
}
