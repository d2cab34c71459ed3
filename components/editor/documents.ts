/**
 * The open files of one project: their version on disk, their editor text, conflicts between the two. Independent of
 * CodeMirror; a buffer supplies the text.
 */
import type { ProjectId } from "@/lib/id";
import type { Connection } from "../state/connection";
import type { Readable } from "../state/store";
import {
  type Buffer,
  change,
  createDesk,
  type Desk,
  type Document,
  documentAt,
  freshDocument,
  put,
  refreshDirty,
  settle,
  textOf,
} from "./desk";
import { compare, load, save } from "./disk";
import type { Drafts } from "./drafts";

export interface Documents extends Readable<ReadonlyMap<string, Document>> {
  /** Opens a file and reads it; no effect if it is open. */
  readonly open: (path: string) => void;
  readonly close: (path: string) => void;
  /** Returns the current text from the buffer, or the initial text for a new buffer. */
  readonly textOf: (path: string) => string;
  readonly attach: (path: string, buffer: Buffer) => void;
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
  readonly anyDirty: () => boolean;
  /** Moves unsaved text when a file or folder is renamed. */
  readonly renamed: (from: string, to: string) => void;
  /** Writes the drafts immediately. */
  readonly keepDrafts: () => void;
}

const draftDelayMs = 400;

export function createDocuments(call: Connection["call"], projectId: ProjectId, drafts: Drafts): Documents {
  const desk = createDesk(call, projectId, drafts);
  const { documents } = desk;
  let draftTimer: ReturnType<typeof setTimeout> | undefined;
  const keepDrafts = (): void => {
    clearTimeout(draftTimer);
    draftTimer = undefined;
    keepAll(desk);
  };
  const close = (path: string): void => closeAt(desk, path);
  return {
    get: documents.get,
    subscribe: documents.subscribe,
    open: (path) => {
      if (documentAt(desk, path) !== undefined) return;
      documents.set(new Map(documents.get()).set(path, freshDocument(path)));
      void load(desk, path);
    },
    close,
    textOf: (path) => textOf(desk, path),
    attach: (path, buffer) => void desk.buffers.set(path, buffer),
    typed: (path) => {
      refreshDirty(desk, path);
      draftTimer ??= setTimeout(keepDrafts, draftDelayMs);
    },
    save: (path) => save(desk, path),
    changedOnDisk: (paths) => compareAll(desk, paths),
    keepMine: (path) => {
      const theirs = documentAt(desk, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      change(desk, path, { file: theirs, theirs: null });
      refreshDirty(desk, path);
    },
    takeTheirs: (path) => {
      const theirs = documentAt(desk, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      put(desk, path, theirs.text);
      settle(desk, path, theirs);
    },
    merge: (path, text) => {
      const theirs = documentAt(desk, path)?.theirs;
      if (theirs === null || theirs === undefined) return;
      put(desk, path, text);
      change(desk, path, { file: theirs, theirs: null });
      refreshDirty(desk, path);
    },
    anyDirty: () => [...documents.get().values()].some((document) => document.isDirty),
    renamed: (from, to) => {
      for (const { path, isDirty, file } of [...documents.get().values()]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue;
        const moved = to + path.slice(from.length);
        if (isDirty) drafts.keep(moved, { hash: file?.hash ?? null, text: textOf(desk, path) });
        close(path);
      }
    },
    keepDrafts,
  };
}

function compareAll(desk: Desk, paths: readonly string[] | "all"): void {
  for (const path of desk.documents.get().keys()) if (paths === "all" || paths.includes(path)) void compare(desk, path);
}

function closeAt(desk: Desk, path: string): void {
  desk.documents.set(new Map([...desk.documents.get()].filter(([other]) => other !== path)));
  desk.buffers.delete(path);
  desk.startTexts.delete(path);
  desk.drafts.drop(path);
}

function keepAll(desk: Desk): void {
  for (const [path, { isDirty, file }] of desk.documents.get())
    if (isDirty) desk.drafts.keep(path, { hash: file?.hash ?? null, text: textOf(desk, path) });
    else desk.drafts.drop(path);
}
