/** Opens and saves a document in an encoding that the user chose. */
import type { AgentError } from "@/lib/events/error";
import type { TextEncoding } from "@/lib/workspace/project-files";
import { saveDocument } from "./document-sync";
import { findDocument, markSynced, type OpenDocuments, setDocumentText, updateDocument } from "./open-documents";

/** Reads the file again in the encoding; unsaved text is discarded. Returns why it was not possible, else null. */
export async function reopenDocument(
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
export async function saveDocumentAs(
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
