/** Icons of references by their kind. */
import { ClipboardList, File, FileDiff, Folder, MessageSquare } from "lucide-react";

export const referenceIcons = {
  file: File,
  folder: Folder,
  text: ClipboardList,
  changes: FileDiff,
  session: MessageSquare,
} as const;
