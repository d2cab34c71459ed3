/**
 * The open files of one project: what is on disk, what stands in the editor, what is between them. Knows nothing of
 * CodeMirror; a buffer lends its text. Made by documents-of.ts, drawn by editor-pane.tsx.
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
  /** Reads it when it is not open yet. */
  readonly open: (path: string) => void;
  readonly close: (path: string) => void;
  /** The text as it stands: in its buffer, or to begin a buffer with. */
  readonly textOf: (path: string) => string;
  readonly attach: (path: string, buffer: Buffer) => void;
  /** The text in the buffer has changed. */
  readonly typed: (path: string) => void;
  /** True when it is on disk now. While both versions differ nothing is saved: the user decides first. */
  readonly save: (path: string) => Promise<boolean>;
  /** Something changed on disk: every open file among them is compared. */
  readonly changedOnDisk: (paths: readonly string[] | "all") => void;
  /** The version on disk may be overwritten by the next save. */
  readonly keepMine: (path: string) => void;
  readonly takeTheirs: (path: string) => void;
  /** This text, made of both versions, stands in the editor; the next save writes it over the one on disk. */
  readonly merge: (path: string, text: string) => void;
  readonly anyDirty: () => boolean;
  /** A file or folder was renamed: what is typed goes along. */
  readonly renamed: (from: string, to: string) => void;
  /** Writes what is typed to the drafts now. */
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
    changedOnDisk: (paths) => {
      for (const path of documents.get().keys()) if (paths === "all" || paths.includes(path)) void compare(desk, path);
    },
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
