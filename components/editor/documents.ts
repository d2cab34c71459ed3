/**
 * The open files of one project: their version on disk, their editor text, conflicts between the two. Independent of
 * CodeMirror; a buffer supplies the text.
 */
import type { ProjectId } from "@/lib/events/id";
import type { ServerConnection } from "../state/connection/server-connection";
import type { ReadableStore } from "../state/store";
import {
  type TextBuffer,
  updateDocument,
  createOpenDocuments,
  type OpenDocuments,
  type EditorDocument,
  findDocument,
  createDocument,
  setDocumentText,
  updateDirty,
  markSynced,
  readDocumentText,
} from "./open-documents";
import { compareWithDisk, loadDocument, saveDocument } from "./document-sync";
import type { Drafts } from "./drafts";

export interface Documents extends ReadableStore<ReadonlyMap<string, EditorDocument>> {
  /** Opens a file and reads it; no effect if it is open. */
  readonly open: (path: string) => void;
  readonly close: (path: string) => void;
  /** Returns the current text from the buffer, or the initial text for a new buffer. */
  readonly textOf: (path: string) => string;
  readonly attach: (path: string, buffer: TextBuffer) => void;
  /** Notifies that the text in the buffer changed. */
  readonly typed: (path: string) => void;
  /** Saves; true = on disk. Fails while a conflict is unresolved. */
  readonly save: (path: string) => Promise<boolean>;
  /** Compares every open file among `paths` with the disk. */
  readonly changedOnDisk: (paths: readonly string[] | "all") => void;
  /** Resolves a conflict: the next save overwrites the version on disk. */
  readonly keepMine: (path: string) => void;
  readonly takeTheirs: (path: string) => void;
  /** Resolves a conflict with a merged text in the editor; the next save writes it over the version on disk. */
  readonly merge: (path: string, text: string) => void;
  readonly hasUnsaved: () => boolean;
  /** Moves unsaved text when a file or folder is renamed. */
  readonly renamed: (from: string, to: string) => void;
  /** Writes the drafts immediately. */
  readonly writeDrafts: () => void;
}

const draftDelayMs = 400;

export function createDocuments(call: ServerConnection["call"], projectId: ProjectId, drafts: Drafts): Documents {
  const desk = createOpenDocuments(call, projectId, drafts);
  const { documents } = desk;
  let draftTimer: ReturnType<typeof setTimeout> | undefined;
  const keepDrafts = (): void => {
    clearTimeout(draftTimer);
    draftTimer = undefined;
    writeAllDrafts(desk);
  };
  const close = (path: string): void => closeDocument(desk, path);
  return {
    get: documents.get,
    subscribe: documents.subscribe,
    open: (path) => {
      if (findDocument(desk, path) !== undefined) return;
      documents.set(new Map(documents.get()).set(path, createDocument(path)));
      void loadDocument(desk, path);
    },
    close,
    textOf: (path) => readDocumentText(desk, path),
    attach: (path, buffer) => void desk.buffers.set(path, buffer),
    typed: (path) => {
      updateDirty(desk, path);
      draftTimer ??= setTimeout(keepDrafts, draftDelayMs);
    },
    save: (path) => saveDocument(desk, path),
    changedOnDisk: (paths) => compareAll(desk, paths),
    keepMine: (path) => {
      const theirs = findDocument(desk, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      updateDocument(desk, path, { file: theirs, theirs: null });
      updateDirty(desk, path);
    },
    takeTheirs: (path) => {
      const theirs = findDocument(desk, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      setDocumentText(desk, path, theirs.text);
      markSynced(desk, path, theirs);
    },
    merge: (path, text) => {
      const theirs = findDocument(desk, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      setDocumentText(desk, path, text);
      updateDocument(desk, path, { file: theirs, theirs: null });
      updateDirty(desk, path);
    },
    hasUnsaved: () => [...documents.get().values()].some((document) => document.isDirty),
    renamed: (from, to) => {
      for (const { path, isDirty, file } of [...documents.get().values()]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        const moved = to + path.slice(from.length);
        if (isDirty) drafts.write(moved, { hash: file?.hash ?? null, text: readDocumentText(desk, path) });
        close(path);
      }
    },
    writeDrafts: keepDrafts,
  };
}

function compareAll(desk: OpenDocuments, paths: readonly string[] | "all"): void {
  for (const path of desk.documents.get().keys())
    if (paths === "all" || paths.includes(path)) void compareWithDisk(desk, path);
}

function closeDocument(desk: OpenDocuments, path: string): void {
  desk.documents.set(new Map([...desk.documents.get()].filter(([other]) => other !== path)));
  desk.buffers.delete(path);
  desk.initialTexts.delete(path);
  desk.drafts.drop(path);
}

function writeAllDrafts(desk: OpenDocuments): void {
  for (const [path, { isDirty, file }] of desk.documents.get())
    if (isDirty) desk.drafts.write(path, { hash: file?.hash ?? null, text: readDocumentText(desk, path) });
    else desk.drafts.drop(path);
}
