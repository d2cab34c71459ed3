/** Reads open files from disk, compares them after changes, and saves them. */
import type { OpenFile } from "@/lib/workspace/project-files";
import {
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
} from "./open-documents";
import { reconcile } from "./reconcile";

/** Reads a file for the first time and restores its draft; a draft of an older version becomes a conflict. */
export async function loadDocument(desk: OpenDocuments, path: string): Promise<void> {
  const file = await fetchFile(desk, path);
  if (findDocument(desk, path) === undefined) return;
  const draft = desk.drafts.read(path);
  if (isError(file)) {
    if (draft === null || file.code !== "not_found")
      return updateDocument(desk, path, { status: "failed", error: file });
    desk.initialTexts.set(path, draft.text);
    return updateDocument(desk, path, { status: "ready", isDirty: true, isDeleted: true });
  }
  const isDraft = draft !== null && draft.text !== file.text && file.readOnly === null;
  setDocumentText(desk, path, isDraft ? draft.text : file.text);
  if (!isDraft) return markSynced(desk, path, file);
  const isCurrent = draft.hash === file.hash;
  updateDocument(desk, path, { status: "ready", error: null, file, isDirty: true, theirs: isCurrent ? null : file });
}

/** Compares an open file with the disk and updates, reloads or marks a conflict. */
export async function compareWithDisk(desk: OpenDocuments, path: string): Promise<void> {
  // A save of this tab may be pending: its answer has the new version.
  await desk.saves.get(path);
  const disk = await fetchFile(desk, path);
  const now = findDocument(desk, path);
  if (now === undefined || now.status === "loading") return;
  if (now.status === "failed") return isError(disk) ? undefined : loadDocument(desk, path);
  if (isError(disk)) {
    if (disk.code === "not_found") updateDocument(desk, path, { isDeleted: true, isDirty: true, theirs: null });
    return;
  }
  const hash = now.isDeleted ? null : (now.file?.hash ?? null);
  const decision = reconcile({ hash, base: now.file?.text ?? "", text: readDocumentText(desk, path) }, disk);
  if (decision.kind === "adopt") markSynced(desk, path, disk);
  if (decision.kind === "reload") {
    setDocumentText(desk, path, disk.text);
    markSynced(desk, path, disk);
  }
  if (decision.kind === "conflict") updateDocument(desk, path, { theirs: disk, isDeleted: false, isDirty: true });
}

/** Saves a document after its pending saves. Resolves to true when the text is on disk. */
export function saveDocument(desk: OpenDocuments, path: string): Promise<boolean> {
  const running = (desk.saves.get(path) ?? Promise.resolve(true)).then(() => writeDocument(desk, path));
  desk.saves.set(path, running);
  return running;
}

async function writeDocument(desk: OpenDocuments, path: string): Promise<boolean> {
  const now = findDocument(desk, path);
  if (now === undefined || !isWritable(now)) return false;
  const text = readDocumentText(desk, path);
  const expect = now.isDeleted ? null : (now.file?.hash ?? null);
  updateDocument(desk, path, { isSaving: true, saveError: null });
  const answer = await desk.call("files.write", { projectId: desk.projectId, path, text, expect });
  updateDocument(desk, path, { isSaving: false });
  if (answer.ok) {
    markSynced(desk, path, toSavedFile(path, text, answer.value.hash, now.file));
    updateDirty(desk, path);
    return true;
  }
  const { code } = answer.error;
  if (code === "changed_meanwhile" || code === "exists" || code === "not_found")
    return resolveRejectedSave(desk, path, text);
  updateDocument(desk, path, { saveError: answer.error });
  return false;
}

const isWritable = ({ status, file, theirs }: EditorDocument): boolean =>
  status === "ready" && theirs === null && (file === null || file.readOnly === null);

/** Handles a save rejected for another version. If only an earlier answer was lost, the disk already has this text. */
async function resolveRejectedSave(desk: OpenDocuments, path: string, text: string): Promise<boolean> {
  const disk = await fetchFile(desk, path);
  if (isError(disk)) {
    updateDocument(desk, path, disk.code === "not_found" ? { isDeleted: true, isDirty: true } : { saveError: disk });
    return false;
  }
  if (disk.text === text) {
    markSynced(desk, path, disk);
    updateDirty(desk, path);
    return true;
  }
  updateDocument(desk, path, { theirs: disk, isDeleted: false });
  return false;
}

const toSavedFile = (path: string, text: string, hash: OpenFile["hash"], before: OpenFile | null): OpenFile => ({
  path,
  text,
  hash,
  size: before?.size ?? text.length,
  eol: before?.eol ?? "\n",
  encoding: before?.encoding ?? "utf8",
  readOnly: null,
});
