/** State shared by all operations on open files: documents, buffers, drafts, pending saves. */
import type { AgentError } from "@/lib/error";
import type { OpenFile } from "@/lib/files";
import type { ProjectId } from "@/lib/id";
import type { Connection } from "../state/connection";
import { createStore, type Store } from "../state/store";
import type { Drafts } from "./drafts";

export interface Document {
  readonly path: string;
  readonly status: "loading" | "ready" | "failed";
  readonly error: AgentError | null;
  /** The version on disk on which the text is based. */
  readonly file: OpenFile | null;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** The file was deleted on disk while open. */
  readonly isDeleted: boolean;
  /** The version on disk in a conflict; null = no conflict. */
  readonly theirs: OpenFile | null;
  /** Why the last save failed. */
  readonly saveError: AgentError | null;
}

/** The text of a document that is open in an editor. */
export interface Buffer {
  readonly text: () => string;
  /** Equivalent to text() === other, without building the text of a large file on every key. */
  readonly equals: (other: string) => boolean;
  /** Replaces the text; cursor and scroll position are preserved. */
  readonly replace: (text: string) => void;
}

export interface Desk {
  readonly call: Connection["call"];
  readonly projectId: ProjectId;
  readonly drafts: Drafts;
  readonly documents: Store<ReadonlyMap<string, Document>>;
  readonly buffers: Map<string, Buffer>;
  /** Initial text of documents that have no buffer yet. */
  readonly startTexts: Map<string, string>;
  /** The last save per path; the next save waits for it. */
  readonly saves: Map<string, Promise<boolean>>;
}

export const createDesk = (call: Connection["call"], projectId: ProjectId, drafts: Drafts): Desk => ({
  call,
  projectId,
  drafts,
  documents: createStore<ReadonlyMap<string, Document>>(new Map()),
  buffers: new Map(),
  startTexts: new Map(),
  saves: new Map(),
});

export const freshDocument = (path: string): Document => ({
  path,
  status: "loading",
  error: null,
  file: null,
  isDirty: false,
  isSaving: false,
  isDeleted: false,
  theirs: null,
  saveError: null,
});

export const documentAt = (desk: Desk, path: string): Document | undefined => desk.documents.get().get(path);

/** Updates a document; no effect if it was closed. */
export function change(desk: Desk, path: string, part: Partial<Document>): void {
  const now = documentAt(desk, path);
  if (now !== undefined) desk.documents.set(new Map(desk.documents.get()).set(path, { ...now, ...part }));
}

export const textOf = (desk: Desk, path: string): string =>
  desk.buffers.get(path)?.text() ?? desk.startTexts.get(path) ?? "";

export function put(desk: Desk, path: string, text: string): void {
  desk.startTexts.set(path, text);
  desk.buffers.get(path)?.replace(text);
}

/** Marks the document as identical to this version on disk. */
export function settle(desk: Desk, path: string, file: OpenFile): void {
  desk.drafts.drop(path);
  change(desk, path, {
    file,
    isDirty: false,
    isDeleted: false,
    theirs: null,
    saveError: null,
    status: "ready",
    error: null,
  });
}

export async function readFile(desk: Desk, path: string): Promise<OpenFile | AgentError> {
  const answer = await desk.call("files.read", { projectId: desk.projectId, path });
  return answer.ok ? answer.value : answer.error;
}

export const isError = (value: OpenFile | AgentError): value is AgentError => "code" in value;

/** Recomputes `isDirty` by comparing the buffer with its base version. */
export function refreshDirty(desk: Desk, path: string): void {
  const now = documentAt(desk, path);
  if (now?.status !== "ready") return;
  const base = now.file?.text ?? "";
  const buffer = desk.buffers.get(path);
  const isDirty = now.isDeleted || !(buffer === undefined ? textOf(desk, path) === base : buffer.equals(base));
  if (isDirty !== now.isDirty) change(desk, path, { isDirty });
}
