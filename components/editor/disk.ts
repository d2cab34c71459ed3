/** Reads open files from disk, compares them after changes, and saves them. */
import type { OpenFile } from "@/lib/files";
import {
  change,
  type Desk,
  type Document,
  documentAt,
  isError,
  put,
  readFile,
  refreshDirty,
  settle,
  textOf,
} from "./desk";
import { reconcile } from "./reconcile";

/** Reads a file for the first time and restores its draft; a draft of an older version becomes a conflict. */
export async function load(desk: Desk, path: string): Promise<void> {
  const file = await readFile(desk, path);
  if (documentAt(desk, path) === undefined) return;
  const draft = desk.drafts.read(path);
  if (isError(file)) {
    if (draft === null || file.code !== "not_found") return change(desk, path, { status: "failed", error: file });
    desk.startTexts.set(path, draft.text);
    return change(desk, path, { status: "ready", isDirty: true, isDeleted: true });
  }
  const isDraft = draft !== null && draft.text !== file.text && file.readOnly === null;
  put(desk, path, isDraft ? draft.text : file.text);
  if (!isDraft) return settle(desk, path, file);
  const isCurrent = draft.hash === file.hash;
  change(desk, path, { status: "ready", error: null, file, isDirty: true, theirs: isCurrent ? null : file });
}

/** Compares an open file with the disk and updates, reloads or marks a conflict. */
export async function compare(desk: Desk, path: string): Promise<void> {
  // A save of this tab may be pending: its answer has the new version.
  await desk.saves.get(path);
  const disk = await readFile(desk, path);
  const now = documentAt(desk, path);
  if (now === undefined || now.status === "loading") return;
  if (now.status === "failed") return isError(disk) ? undefined : load(desk, path);
  if (isError(disk)) {
    if (disk.code === "not_found") change(desk, path, { isDeleted: true, isDirty: true, theirs: null });
    return;
  }
  const hash = now.isDeleted ? null : (now.file?.hash ?? null);
  const decision = reconcile({ hash, base: now.file?.text ?? "", text: textOf(desk, path) }, disk);
  if (decision.kind === "adopt") settle(desk, path, disk);
  if (decision.kind === "reload") {
    put(desk, path, disk.text);
    settle(desk, path, disk);
  }
  if (decision.kind === "conflict") change(desk, path, { theirs: disk, isDeleted: false, isDirty: true });
}

/** Saves a document after its pending saves. Resolves to true when the text is on disk. */
export function save(desk: Desk, path: string): Promise<boolean> {
  const running = (desk.saves.get(path) ?? Promise.resolve(true)).then(() => write(desk, path));
  desk.saves.set(path, running);
  return running;
}

async function write(desk: Desk, path: string): Promise<boolean> {
  const now = documentAt(desk, path);
  if (now === undefined || !isWritable(now)) return false;
  const text = textOf(desk, path);
  const expect = now.isDeleted ? null : (now.file?.hash ?? null);
  change(desk, path, { isSaving: true, saveError: null });
  const answer = await desk.call("files.write", { projectId: desk.projectId, path, text, expect });
  change(desk, path, { isSaving: false });
  if (answer.ok) {
    settle(desk, path, savedFile(path, text, answer.value.hash, now.file));
    refreshDirty(desk, path);
    return true;
  }
  const { code } = answer.error;
  if (code === "changed_meanwhile" || code === "exists" || code === "not_found") return recheck(desk, path, text);
  change(desk, path, { saveError: answer.error });
  return false;
}

const isWritable = ({ status, file, theirs }: Document): boolean =>
  status === "ready" && theirs === null && (file === null || file.readOnly === null);

/** Handles a save rejected for another version. If only an earlier answer was lost, the disk already has this text. */
async function recheck(desk: Desk, path: string, text: string): Promise<boolean> {
  const disk = await readFile(desk, path);
  if (isError(disk)) {
    change(desk, path, disk.code === "not_found" ? { isDeleted: true, isDirty: true } : { saveError: disk });
    return false;
  }
  if (disk.text === text) {
    settle(desk, path, disk);
    refreshDirty(desk, path);
    return true;
  }
  change(desk, path, { theirs: disk, isDeleted: false });
  return false;
}

const savedFile = (path: string, text: string, hash: OpenFile["hash"], before: OpenFile | null): OpenFile => ({
  path,
  text,
  hash,
  size: before?.size ?? text.length,
  eol: before?.eol ?? "\n",
  encoding: before?.encoding ?? "utf8",
  readOnly: null,
});
