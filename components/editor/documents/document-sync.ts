/** Reads open files from disk, compares them after changes, and saves them. */
import type { ErrorCode } from "@/lib/events/error";
import type { OpenFile, TextEncoding } from "@/lib/workspace/project-files";
import {
  conflictBase,
  resolveConflict,
  updateDocument,
  type OpenDocuments,
  type EditorDocument,
  findDocument,
  isError,
  setDocumentText,
  fetchFile,
  updateDirty,
  markSynced,
  readDocumentText,
  type SaveCause,
} from "./open-documents";
import { joinMergeParts, mergeTexts } from "@/lib/text/merge-texts";
import { formatOnSave } from "./document-format";
import { reconcile } from "./reconcile";

/** Reads a file for the first time and restores its draft; a draft of an older version becomes a conflict. */
export function loadDocument(openDocuments: OpenDocuments, path: string): Promise<void> {
  const running = readDocument(openDocuments, path);
  openDocuments.loads.set(path, running);
  return running;
}

async function readDocument(openDocuments: OpenDocuments, path: string): Promise<void> {
  const draft = await openDocuments.drafts.read(path);
  if (draft !== null) updateDocument(openDocuments, path, { chosenEncoding: draft.encoding });
  const file = await fetchFile(openDocuments, path);
  if (findDocument(openDocuments, path) === undefined) return;
  if (isError(file)) {
    if (draft === null || file.code !== "not_found")
      return updateDocument(openDocuments, path, { status: "failed", error: file });
    openDocuments.initialTexts.set(path, draft.text);
    return updateDocument(openDocuments, path, { status: "ready", isDirty: true, isDeleted: true });
  }
  const isDraft = draft !== null && draft.text !== file.text && file.readOnly === null;
  setDocumentText(openDocuments, path, isDraft ? draft.text : file.text);
  if (!isDraft) return markSynced(openDocuments, path, file);
  const isCurrent = draft.hash === file.hash;
  updateDocument(openDocuments, path, {
    status: "ready",
    error: null,
    file,
    isDirty: true,
    theirs: isCurrent ? null : file,
    isBaseUnknown: !isCurrent,
  });
}

/** The file on disk is there, but can't be shown as a text. */
const noTextCodes: ReadonlySet<ErrorCode> = new Set(["too_large", "binary", "bad_encoding"]);

/** Compares an open file with the disk and updates, reloads or marks a conflict. */
export async function compareWithDisk(openDocuments: OpenDocuments, path: string): Promise<void> {
  // The first read may have the text before the change; the answer of a pending save of this tab has the new version.
  await Promise.all([openDocuments.loads.get(path), openDocuments.saves.get(path)]);
  const disk = await fetchFile(openDocuments, path);
  const now = findDocument(openDocuments, path);
  if (now === undefined || now.status === "loading") return;
  if (now.status === "failed")
    return isError(disk) ? updateDocument(openDocuments, path, { error: disk }) : loadDocument(openDocuments, path);
  if (isError(disk)) {
    if (disk.code === "not_found")
      updateDocument(openDocuments, path, { isDeleted: true, isDirty: true, theirs: null });
    if (noTextCodes.has(disk.code) && !now.isDirty)
      updateDocument(openDocuments, path, { status: "failed", error: disk });
    return;
  }
  const hash = now.isDeleted ? null : (now.file?.hash ?? null);
  const decision = reconcile({ hash, base: now.file?.text ?? "", text: readDocumentText(openDocuments, path) }, disk);
  if (decision.kind === "adopt") markSynced(openDocuments, path, disk);
  if (decision.kind === "reload") {
    setDocumentText(openDocuments, path, disk.text);
    markSynced(openDocuments, path, disk);
  }
  if (decision.kind === "same" && now.theirs !== null && !now.isBaseUnknown)
    updateDocument(openDocuments, path, { theirs: null });
  if (decision.kind === "conflict") mergeOrAsk(openDocuments, path, disk);
}

/** Merges a version on disk into the text if no lines were changed by both; otherwise the user decides. */
function mergeOrAsk(openDocuments: OpenDocuments, path: string, disk: OpenFile): "merged" | "asked" {
  const now = findDocument(openDocuments, path);
  const base = now === undefined || now.isDeleted ? null : conflictBase(now);
  const merged =
    base === null ? null : joinMergeParts(mergeTexts(base, readDocumentText(openDocuments, path), disk.text));
  if (merged === null) {
    updateDocument(openDocuments, path, { theirs: disk, isDeleted: false, isDirty: true });
    return "asked";
  }
  setDocumentText(openDocuments, path, merged);
  updateDocument(openDocuments, path, { isMerged: true });
  resolveConflict(openDocuments, path, disk);
  return "merged";
}

/**
 * Saves a document after its pending saves, in the encoding of the file or in the given one. Resolves to true when the
 * text is on disk.
 */
export function saveDocument(
  openDocuments: OpenDocuments,
  path: string,
  cause: SaveCause,
  encoding?: TextEncoding,
): Promise<boolean> {
  const running = (openDocuments.saves.get(path) ?? Promise.resolve(true)).then(() =>
    writeDocument(openDocuments, path, cause, encoding),
  );
  openDocuments.saves.set(path, running);
  return running;
}

async function writeDocument(
  openDocuments: OpenDocuments,
  path: string,
  cause: SaveCause,
  chosen: TextEncoding | undefined,
): Promise<boolean> {
  const now = await prepareWrite(openDocuments, path, cause);
  if (now === null) return false;
  openDocuments.buffers.get(path)?.clean(cause);
  const text = readDocumentText(openDocuments, path);
  const expect = now.isDeleted ? null : (now.file?.hash ?? null);
  const encoding = chosen ?? now.file?.encoding;
  updateDocument(openDocuments, path, { isSaving: true, saveError: null });
  const { call, projectId } = openDocuments;
  const answer = await call("files.write", { projectId, path, text, expect, encoding });
  updateDocument(openDocuments, path, { isSaving: false });
  if (answer.ok) {
    const { hash, isMisread = false } = answer.value;
    markSynced(openDocuments, path, toSavedFile({ path, text, hash, encoding: encoding ?? "utf8" }, now.file));
    updateDocument(openDocuments, path, { isMisread, chosenEncoding: chosen ?? now.chosenEncoding });
    updateDirty(openDocuments, path);
    return true;
  }
  const { code } = answer.error;
  if (code === "changed_meanwhile" || code === "exists" || code === "not_found")
    return resolveRejectedSave(openDocuments, path, text, () => writeDocument(openDocuments, path, cause, chosen));
  updateDocument(openDocuments, path, { saveError: answer.error });
  return false;
}

/** Formats the text, if that is the setting. Returns the document, null = it cannot be written, or was closed meanwhile. */
async function prepareWrite(
  openDocuments: OpenDocuments,
  path: string,
  cause: SaveCause,
): Promise<EditorDocument | null> {
  const findWritable = (): EditorDocument | null => {
    const now = findDocument(openDocuments, path);
    return now !== undefined && isWritable(now) ? now : null;
  };
  const before = findWritable();
  if (before === null || cause !== "user" || !openDocuments.formatsOnSave()) return before;
  await formatOnSave(openDocuments, path);
  const now = findWritable();
  if (now === null) updateDocument(openDocuments, path, { isSaving: false });
  return now;
}

const isWritable = ({ status, file, theirs }: EditorDocument): boolean =>
  status === "ready" && theirs === null && (file === null || file.readOnly === null);

/**
 * Handles a save rejected for another version. If only an earlier answer was lost, the disk already has this text; a text
 * that could be merged is saved with `again`.
 */
async function resolveRejectedSave(
  openDocuments: OpenDocuments,
  path: string,
  text: string,
  again: () => Promise<boolean>,
): Promise<boolean> {
  const disk = await fetchFile(openDocuments, path);
  if (isError(disk)) {
    updateDocument(
      openDocuments,
      path,
      disk.code === "not_found" ? { isDeleted: true, isDirty: true } : { saveError: disk },
    );
    return false;
  }
  if (disk.text === text) {
    markSynced(openDocuments, path, disk);
    updateDirty(openDocuments, path);
    return true;
  }
  return mergeOrAsk(openDocuments, path, disk) === "merged" ? again() : false;
}

const toSavedFile = (
  saved: Pick<OpenFile, "path" | "text" | "hash" | "encoding">,
  before: OpenFile | null,
): OpenFile => ({
  ...saved,
  size: before?.size ?? saved.text.length,
  eol: before?.eol ?? "\n",
  readOnly: null,
});
