/** State shared by all operations on open files: documents, buffers, drafts, pending saves. */
import type { AgentError } from "@/lib/events/error";
import type { OpenFile } from "@/lib/workspace/project-files";
import type { ProjectId } from "@/lib/events/id";
import type { ServerConnection } from "../state/connection/server-connection";
import { createStore, type WritableStore } from "../state/store";
import type { Drafts } from "./drafts";

export interface EditorDocument {
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
export interface TextBuffer {
  readonly text: () => string;
  /** Equivalent to text() === other, without building the text of a large file on every key. */
  readonly equals: (other: string) => boolean;
  /** Replaces the text; cursor and scroll position are preserved. */
  readonly replace: (text: string) => void;
}

export interface OpenDocuments {
  readonly call: ServerConnection["call"];
  readonly projectId: ProjectId;
  readonly drafts: Drafts;
  readonly documents: WritableStore<ReadonlyMap<string, EditorDocument>>;
  readonly buffers: Map<string, TextBuffer>;
  /** Initial text of documents that have no buffer yet. */
  readonly initialTexts: Map<string, string>;
  /** The last save per path; the next save waits for it. */
  readonly saves: Map<string, Promise<boolean>>;
}

export const createOpenDocuments = (
  call: ServerConnection["call"],
  projectId: ProjectId,
  drafts: Drafts,
): OpenDocuments => ({
  call,
  projectId,
  drafts,
  documents: createStore<ReadonlyMap<string, EditorDocument>>(new Map()),
  buffers: new Map(),
  initialTexts: new Map(),
  saves: new Map(),
});

export const createDocument = (path: string): EditorDocument => ({
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

export const findDocument = (desk: OpenDocuments, path: string): EditorDocument | undefined =>
  desk.documents.get().get(path);

/** Updates a document; no effect if it was closed. */
export function updateDocument(desk: OpenDocuments, path: string, part: Partial<EditorDocument>): void {
  const now = findDocument(desk, path);
  if (now !== undefined) desk.documents.set(new Map(desk.documents.get()).set(path, { ...now, ...part }));
}

export const readDocumentText = (desk: OpenDocuments, path: string): string =>
  desk.buffers.get(path)?.text() ?? desk.initialTexts.get(path) ?? "";

export function setDocumentText(desk: OpenDocuments, path: string, text: string): void {
  desk.initialTexts.set(path, text);
  desk.buffers.get(path)?.replace(text);
}

/** Marks the document as identical to this version on disk. */
export function markSynced(desk: OpenDocuments, path: string, file: OpenFile): void {
  desk.drafts.drop(path);
  updateDocument(desk, path, {
    file,
    isDirty: false,
    isDeleted: false,
    theirs: null,
    saveError: null,
    status: "ready",
    error: null,
  });
}

export async function fetchFile(desk: OpenDocuments, path: string): Promise<OpenFile | AgentError> {
  const answer = await desk.call("files.read", { projectId: desk.projectId, path });
  return answer.ok ? answer.value : answer.error;
}

export const isError = (value: OpenFile | AgentError): value is AgentError => "code" in value;

/** Recomputes `isDirty` by comparing the buffer with its base version. */
export function updateDirty(desk: OpenDocuments, path: string): void {
  const now = findDocument(desk, path);
  if (now?.status !== "ready") return;
  const base = now.file?.text ?? "";
  const buffer = desk.buffers.get(path);
  const isDirty =
    now.isDeleted || !(buffer === undefined ? readDocumentText(desk, path) === base : buffer.equals(base));
  if (isDirty !== now.isDirty) updateDocument(desk, path, { isDirty });
}
