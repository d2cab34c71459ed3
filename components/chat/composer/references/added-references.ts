/** Makes references from a paste or a drop: a long text, files of the project, text files of the system. */
import type { NewReference } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";
import { readDraggedFiles } from "../../../state/dragged-files";

/** A longer pasted text is added as a reference. */
const longTextChars = 2_000;
const longTextLines = 40;

/** Returns the reference of a long text; null = it is inserted as it is, or exceeds what a message may have. */
export function longTextReference(
  text: string,
  label: (lines: number) => string,
): Extract<NewReference, { kind: "text" }> | null {
  if (text.length > limits.promptMaxChars) return null;
  const lines = text.trimEnd().split("\n").length;
  return text.length > longTextChars || lines > longTextLines ? { kind: "text", label: label(lines), text } : null;
}

/** References to the entries that were dragged from the file tree; whether one is a folder is found when it is read. */
export const draggedReferences = (data: DataTransfer): readonly NewReference[] =>
  readDraggedFiles(data).map((path) => ({ kind: "file", path }));

/** Reads a file of the system as text; null = it is empty, too long, not text, or cannot be read, as a folder. */
export async function textFileReference(file: File): Promise<NewReference | null> {
  if (file.size === 0 || file.size > limits.promptMaxChars) return null;
  const text = await file.text().catch(() => "\0");
  return text.includes("\0") || text.includes("\ufffd") ? null : { kind: "text", label: file.name, text };
}
