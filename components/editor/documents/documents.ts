/**
 * The open files of one project: their version on disk, their editor text, conflicts between the two. Independent of
 * CodeMirror; a buffer supplies the text.
 */
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { TextEncoding } from "@/lib/workspace/project-files";
import type { ServerConnection } from "../../state/connection/server-connection";
import type { ReadableStore } from "../../state/store";
import {
  type TextBuffer,
  updateDocument,
  createOpenDocuments,
  type OpenDocuments,
  type EditorDocument,
  type SaveCause,
  fetchStyle,
  findDocument,
  resolveConflict,
  createDocument,
  setDocumentText,
  updateDirty,
  markSynced,
  readDocumentText,
} from "./open-documents";
import { formatDocument } from "./document-format";
import { compareWithDisk, loadDocument, saveDocument } from "./document-sync";
import type { Drafts } from "./drafts";

/**
 * Opens and saves a document in an encoding that the user chose. Reads the file again in the encoding; unsaved text is
 * discarded. Returns why it was not possible, else null.
 */
async function reopenDocument(
  openDocuments: OpenDocuments,
  path: string,
  encoding: TextEncoding,
): Promise<AgentError | null> {
  await openDocuments.saves.get(path);
  const { call, projectId } = openDocuments;
  const answer = await call("files.read", { projectId, path, encoding });
  if (!answer.ok) return answer.error;
  updateDocument(openDocuments, path, { chosenEncoding: encoding, isMisread: false });
  setDocumentText(openDocuments, path, answer.value.text);
  // Undo would bring back the text as it was misread.
  openDocuments.buffers.get(path)?.dropHistory();
  markSynced(openDocuments, path, answer.value);
  return null;
}

/**
 * Saves the text in the encoding, in which it stays. Returns why it was not possible, else null; a conflict with the
 * disk is in the document.
 */
async function saveDocumentAs(
  openDocuments: OpenDocuments,
  path: string,
  encoding: TextEncoding,
): Promise<AgentError | null> {
  const before = findDocument(openDocuments, path)?.saveError ?? null;
  const isSaved = await saveDocument(openDocuments, path, "user", encoding);
  if (isSaved) return null;
  const error = findDocument(openDocuments, path)?.saveError ?? null;
  // The file keeps its encoding.
  updateDocument(openDocuments, path, { saveError: before });
  return error;
}

export interface Documents extends ReadableStore<ReadonlyMap<string, EditorDocument>> {
  /** Opens a file and reads it; no effect if it is open. */
  readonly open: (path: string) => void;
  /** Opens the files among `paths` that have a draft from before a reload: otherwise closing one would discard it. */
  readonly openDrafts: (paths: readonly string[]) => void;
  readonly close: (path: string) => void;
  /** Returns the current text from the buffer, or the initial text for a new buffer. */
  readonly textOf: (path: string) => string;
  readonly attach: (path: string, buffer: TextBuffer) => void;
  /** Notifies that the text in the buffer changed. */
  readonly typed: (path: string) => void;
  /** Saves; true = on disk. Fails while a conflict is unresolved. */
  readonly save: (path: string, cause?: SaveCause) => Promise<boolean>;
  /** Formats the text with the formatter of the project. Returns why it was not possible, else null. */
  readonly format: (path: string) => Promise<AgentError | null>;
  /** Reads the file again in an encoding; unsaved text is discarded. Returns why it was not possible, else null. */
  readonly reopenAs: (path: string, encoding: TextEncoding) => Promise<AgentError | null>;
  /** Saves in an encoding, in which the file stays. Returns why it was not possible, else null; a conflict is in the document. */
  readonly saveAs: (path: string, encoding: TextEncoding) => Promise<AgentError | null>;
  /** Compares every open file among `paths` with the disk. */
  readonly changedOnDisk: (paths: readonly string[] | "all") => void;
  /** Reads what `.editorconfig` files demand of every open file again. */
  readonly stylesChanged: () => void;
  /** Resolves a conflict: the next save overwrites the version on disk. */
  readonly keepMine: (path: string) => void;
  readonly takeTheirs: (path: string) => void;
  /** Resolves a conflict with a merged text in the editor; the next save writes it over the version on disk. */
  readonly merge: (path: string, text: string) => void;
  /** Notes that the user has read that changes on disk were merged. */
  readonly confirmMerge: (path: string) => void;
  readonly hasUnsaved: () => boolean;
  /** Moves unsaved text when a file or folder is renamed. */
  readonly renamed: (from: string, to: string) => void;
  /** Writes the drafts immediately. */
  readonly writeDrafts: () => void;
}

const draftDelayMs = 400;

export function createDocuments(
  call: ServerConnection["call"],
  projectId: ProjectId,
  drafts: Drafts,
  formatsOnSave: () => boolean = () => false,
): Documents {
  const openDocuments = createOpenDocuments(call, projectId, drafts, formatsOnSave);
  const { documents } = openDocuments;
  let draftTimer: ReturnType<typeof setTimeout> | undefined;
  const keepDrafts = (): void => {
    clearTimeout(draftTimer);
    draftTimer = undefined;
    writeAllDrafts(openDocuments);
  };
  const close = (path: string): void => closeDocument(openDocuments, path);
  const open = (path: string): void => {
    if (findDocument(openDocuments, path) !== undefined) return;
    documents.set(new Map(documents.get()).set(path, createDocument(path)));
    void loadDocument(openDocuments, path);
    void fetchStyle(openDocuments, path);
  };
  return {
    get: documents.get,
    subscribe: documents.subscribe,
    open,
    openDrafts: (paths) => paths.filter(drafts.has).forEach(open),
    close,
    textOf: (path) => readDocumentText(openDocuments, path),
    attach: (path, buffer) => void openDocuments.buffers.set(path, buffer),
    typed: (path) => {
      updateDirty(openDocuments, path);
      draftTimer ??= setTimeout(keepDrafts, draftDelayMs);
    },
    save: (path, cause = "user") => saveDocument(openDocuments, path, cause),
    format: (path) => formatDocument(openDocuments, path),
    reopenAs: (path, encoding) => reopenDocument(openDocuments, path, encoding),
    saveAs: (path, encoding) => saveDocumentAs(openDocuments, path, encoding),
    changedOnDisk: (paths) => compareAll(openDocuments, paths),
    stylesChanged: () => {
      for (const path of documents.get().keys()) void fetchStyle(openDocuments, path);
    },
    keepMine: (path) => {
      const theirs = findDocument(openDocuments, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      resolveConflict(openDocuments, path, theirs);
    },
    takeTheirs: (path) => {
      const theirs = findDocument(openDocuments, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      setDocumentText(openDocuments, path, theirs.text);
      markSynced(openDocuments, path, theirs);
    },
    merge: (path, text) => {
      const theirs = findDocument(openDocuments, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      setDocumentText(openDocuments, path, text);
      resolveConflict(openDocuments, path, theirs);
    },
    confirmMerge: (path) => updateDocument(openDocuments, path, { isMerged: false }),
    hasUnsaved: () => [...documents.get().values()].some((document) => document.isDirty),
    renamed: (from, to) => {
      for (const { path, isDirty } of [...documents.get().values()]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        const moved = to + path.slice(from.length);
        if (isDirty) writeDraft(openDocuments, path, moved);
        close(path);
        if (isDirty) open(moved);
      }
    },
    writeDrafts: keepDrafts,
  };
}

function compareAll(openDocuments: OpenDocuments, paths: readonly string[] | "all"): void {
  for (const path of openDocuments.documents.get().keys())
    if (paths === "all" || paths.includes(path)) void compareWithDisk(openDocuments, path);
}

function closeDocument(openDocuments: OpenDocuments, path: string): void {
  openDocuments.documents.set(new Map([...openDocuments.documents.get()].filter(([other]) => other !== path)));
  openDocuments.buffers.delete(path);
  openDocuments.initialTexts.delete(path);
  openDocuments.drafts.drop(path);
}

function writeAllDrafts(openDocuments: OpenDocuments): void {
  for (const [path, { status, isDirty }] of openDocuments.documents.get())
    if (isDirty) writeDraft(openDocuments, path, path);
    // The draft of a file that is not read yet, or cannot be read now, is needed when it is.
    else if (status === "ready") openDocuments.drafts.drop(path);
}

/** Stores the text of a document as the draft of a path. */
function writeDraft(openDocuments: OpenDocuments, path: string, storedPath: string): void {
  const { file = null, chosenEncoding = null } = findDocument(openDocuments, path) ?? {};
  const text = readDocumentText(openDocuments, path);
  openDocuments.drafts.write(storedPath, { hash: file?.hash ?? null, text, encoding: chosenEncoding });
}
