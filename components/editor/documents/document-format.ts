/** Formats open files with the formatter of their project, on request and when they are saved. */
import type { AgentError } from "@/lib/events/error";
import { findDocument, type OpenDocuments, readDocumentText, updateDirty, updateDocument } from "./open-documents";

/** Why a save does not report that a file was not formatted: nothing can format it here. */
const expectedOnSave: readonly string[] = ["no_formatter", "untrusted"];

/** Formats the text. What is typed meanwhile is kept as it is. Returns why it was not possible, else null. */
export async function formatDocument(openDocuments: OpenDocuments, path: string): Promise<AgentError | null> {
  const { call, projectId } = openDocuments;
  const readOnly = findDocument(openDocuments, path)?.file?.readOnly ?? null;
  if (readOnly !== null) return { code: readOnly };
  const text = readDocumentText(openDocuments, path);
  const answer = await call("files.format", { projectId, path, text });
  if (!answer.ok) return answer.error;
  const buffer = openDocuments.buffers.get(path);
  if (buffer?.equals(text) !== true) return null;
  buffer.replace(answer.value.text);
  updateDirty(openDocuments, path);
  return null;
}

/** Formats the text before it is saved, and stores an error that the user should read. */
export async function formatOnSave(openDocuments: OpenDocuments, path: string): Promise<void> {
  updateDocument(openDocuments, path, { isSaving: true });
  const error = await formatDocument(openDocuments, path);
  const formatError = error !== null && expectedOnSave.includes(error.code) ? null : error;
  if (findDocument(openDocuments, path) !== undefined) updateDocument(openDocuments, path, { formatError });
}
