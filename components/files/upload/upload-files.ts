/** Uploads files into a folder of the tree: asks about existing ones, sends one after the other, offers Undo. */
import { limits } from "@/lib/settings/settings";
import type { ExistingPath } from "@/lib/workspace/project-files";
import { baseName, isWithin, joinPath, parentFolder } from "@/lib/workspace/project-path";
import type { UploadAnswer, UploadConflict } from "@/lib/workspace/upload";
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
import { findUploadProblem, type PlannedUpload, planUploads, uploadedEntries, type UploadReply } from "./upload-plan";
import type { UploadFile, UploadSource } from "./upload-source";
import type { AppClient } from "../../state/client";
import { randomText } from "../../state/new-id";
import type { RunningUpload, UploadQuestion } from "../../state/uploads";
import type { ProjectId } from "@/lib/events/id";
import type { Result } from "@/lib/events/error";
import { pageSecretHeader } from "@/lib/protocol/socket";
import { parsePostedAnswer, toHttpFailure } from "../../state/connection/post-call";
import { pageSecret } from "../../state/connection/sign-in";
import { withBasePath } from "../../state/base-path";

interface UploadRequest {
  readonly projectId: ProjectId;
  readonly folder: string;
  readonly name: string;
  readonly conflict: UploadConflict;
  /** Version of the file to replace. */
  readonly version: string | null;
  readonly file: File;
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Sends one file as the body of a request, with progress, which `fetch` does not report. "cut" = the connection ended
 * without an answer, "cancelled" = by the signal.
 */
function sendUpload(
  { projectId, folder, name, conflict, version, file, onProgress }: UploadRequest,
  signal: AbortSignal,
): Promise<Result<UploadAnswer> | "cut" | "cancelled"> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    const end = (answer: Result<UploadAnswer> | "cut" | "cancelled") => (): void => {
      signal.removeEventListener("abort", abort);
      resolve(answer);
    };
    const query = new URLSearchParams({ project: projectId, folder, name, conflict });
    if (version !== null) query.set("version", version);
    request.open("POST", withBasePath(`/api/file?${query.toString()}`));
    request.setRequestHeader("content-type", "application/octet-stream");
    const page = pageSecret();
    if (page !== null) request.setRequestHeader(pageSecretHeader, page);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () =>
      end(parsePostedAnswer<Result<UploadAnswer>>(request.responseText) ?? toHttpFailure(request.status))();
    request.onerror = end("cut");
    request.onabort = end("cancelled");
    signal.addEventListener("abort", abort);
    if (signal.aborted) end("cancelled")();
    else request.send(file);
  });
}

type UploadProgress = Pick<RunningUpload, "path" | "number" | "files" | "sentBytes" | "bytes">;

interface StartedUpload {
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  readonly show: (progress: UploadProgress) => void;
  /** Null = the upload was cancelled instead. */
  readonly ask: (question: Omit<UploadQuestion, "answer">) => Promise<UploadReply | null>;
  /** Removes it from the list. */
  readonly end: () => void;
}

/** Adds an upload to those of the tab, with its progress, its question and its cancellation. */
function startUpload({ uploads }: Pick<AppClient, "uploads">): StartedUpload {
  const id = randomText();
  const controller = new AbortController();
  const { signal } = controller;
  const change = (fields: Partial<RunningUpload>): void =>
    uploads.update((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  const none: UploadProgress = { path: "", number: 0, files: 0, sentBytes: 0, bytes: 0 };
  uploads.update((all) => [...all, { id, ...none, question: null, cancel: () => controller.abort() }]);
  return {
    signal,
    show: change,
    ask: (question) =>
      new Promise((resolve) => {
        const cancel = (): void => resolve(null);
        signal.addEventListener("abort", cancel, { once: true });
        const answer: UploadQuestion["answer"] = (choice, isForAll) => {
          signal.removeEventListener("abort", cancel);
          change({ question: null });
          resolve({ choice, isForAll });
        };
        change({ question: { ...question, answer } });
      }),
    end: () => uploads.update((all) => all.filter((one) => one.id !== id)),
  };
}

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
