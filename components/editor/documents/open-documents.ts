/** State shared by all operations on open files: documents, buffers, drafts, pending saves. */
import type { AgentError } from "@/lib/events/error";
import type { FileStyle } from "@/lib/workspace/file-style";
import type { OpenFile, TextEncoding } from "@/lib/workspace/project-files";
import type { ProjectId } from "@/lib/events/id";
import type { ServerConnection } from "../../state/connection/server-connection";
import { createStore, type WritableStore } from "../../state/store";
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
  /** In a conflict: `file` is not the version on which the text is based. */
  readonly isBaseUnknown: boolean;
  /** Changes on disk were merged into the text, and the user has not confirmed it yet. */
  readonly isMerged: boolean;
  /** Why the last save failed. */
  readonly saveError: AgentError | null;
  /** Why it was last not formatted; null = it was, or nothing formats it. */
  readonly formatError: AgentError | null;
  /** The encoding in which the user opened or saved it; null = the detected one. */
  readonly chosenEncoding: TextEncoding | null;
  /** The detection of the encoding will read another text when the document is opened again. */
  readonly isMisread: boolean;
  /** Style that `.editorconfig` files demand of it. */
  readonly style: FileStyle;
}

/** The text of a document that is open in an editor. */
export interface TextBuffer {
  readonly text: () => string;
  /** Equivalent to text() === other, without building the text of a large file on every key. */
  readonly equals: (other: string) => boolean;
  /** Replaces the text; cursor and scroll position are preserved. */
  readonly replace: (text: string) => void;
  /** Makes undo and redo begin with the present text. */
  readonly dropHistory: () => void;
  /** Prepares the text for saving by the rules of its file; an automatic save leaves the lines with a caret. */
  readonly clean: (cause: SaveCause) => void;
}

export type SaveCause = "user" | "automatic";

export interface OpenDocuments {
  readonly call: ServerConnection["call"];
  readonly projectId: ProjectId;
  readonly drafts: Drafts;
  /** Whether a save by the user formats the text first. */
  readonly formatsOnSave: () => boolean;
  readonly documents: WritableStore<ReadonlyMap<string, EditorDocument>>;
  readonly buffers: Map<string, TextBuffer>;
  /** Initial text of documents that have no buffer yet. */
  readonly initialTexts: Map<string, string>;
  /** The last save per path; the next save waits for it. */
  readonly saves: Map<string, Promise<boolean>>;
  /** The last first read of each path. */
  readonly loads: Map<string, Promise<void>>;
}

export const createOpenDocuments = (
  call: ServerConnection["call"],
  projectId: ProjectId,
  drafts: Drafts,
  formatsOnSave: () => boolean,
): OpenDocuments => ({
  call,
  projectId,
  drafts,
  formatsOnSave,
  documents: createStore<ReadonlyMap<string, EditorDocument>>(new Map()),
  buffers: new Map(),
  initialTexts: new Map(),
  saves: new Map(),
  loads: new Map(),
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
  isBaseUnknown: false,
  isMerged: false,
  saveError: null,
  formatError: null,
  chosenEncoding: null,
  isMisread: false,
  style: {},
});

export const findDocument = (openDocuments: OpenDocuments, path: string): EditorDocument | undefined =>
  openDocuments.documents.get().get(path);

/** Updates a document; no effect if it was closed. */
export function updateDocument(openDocuments: OpenDocuments, path: string, part: Partial<EditorDocument>): void {
  const now = findDocument(openDocuments, path);
  if (now !== undefined)
    openDocuments.documents.set(new Map(openDocuments.documents.get()).set(path, { ...now, ...part }));
}

export const readDocumentText = (openDocuments: OpenDocuments, path: string): string =>
  openDocuments.buffers.get(path)?.text() ?? openDocuments.initialTexts.get(path) ?? "";

export function setDocumentText(openDocuments: OpenDocuments, path: string, text: string): void {
  openDocuments.initialTexts.set(path, text);
  openDocuments.buffers.get(path)?.replace(text);
}

/** Marks the document as identical to this version on disk. */
export function markSynced(openDocuments: OpenDocuments, path: string, file: OpenFile): void {
  openDocuments.drafts.drop(path);
  updateDocument(openDocuments, path, {
    file,
    isDirty: false,
    isDeleted: false,
    theirs: null,
    isBaseUnknown: false,
    saveError: null,
    status: "ready",
    error: null,
  });
}

/** The version on which the text of a document in conflict is based; null = unknown. */
export const conflictBase = ({ file, isBaseUnknown }: EditorDocument): string | null =>
  isBaseUnknown ? null : (file?.text ?? null);

/** Ends a conflict: the text is based on the version on disk from now on. */
export function resolveConflict(openDocuments: OpenDocuments, path: string, theirs: OpenFile): void {
  updateDocument(openDocuments, path, { file: theirs, theirs: null, isBaseUnknown: false, isDeleted: false });
  updateDirty(openDocuments, path);
}

export async function fetchFile(openDocuments: OpenDocuments, path: string): Promise<OpenFile | AgentError> {
  const { call, projectId } = openDocuments;
  const encoding = findDocument(openDocuments, path)?.chosenEncoding ?? undefined;
  const answer = await call("files.read", { projectId, path, encoding });
  if (answer.ok) return answer.value;
  if (encoding === undefined || answer.error.code !== "bad_encoding") return answer.error;
  // Another program wrote it in another encoding.
  const detected = await call("files.read", { projectId, path });
  return detected.ok ? detected.value : detected.error;
}

/** Reads what `.editorconfig` demands of the file. */
export async function fetchStyle(openDocuments: OpenDocuments, path: string): Promise<void> {
  const answer = await openDocuments.call("files.style", { projectId: openDocuments.projectId, path });
  if (answer.ok) updateDocument(openDocuments, path, { style: answer.value });
}

export const isError = (value: OpenFile | AgentError): value is AgentError => "code" in value;

/** Recomputes `isDirty` by comparing the buffer with its base version. */
export function updateDirty(openDocuments: OpenDocuments, path: string): void {
  const now = findDocument(openDocuments, path);
  if (now?.status !== "ready") return;
  const base = now.file?.text ?? "";
  const buffer = openDocuments.buffers.get(path);
  const isDirty =
    now.isDeleted || !(buffer === undefined ? readDocumentText(openDocuments, path) === base : buffer.equals(base));
  if (isDirty !== now.isDirty) updateDocument(openDocuments, path, { isDirty });
}
