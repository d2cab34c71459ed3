"use client";
/** Button that switches a file between its text and its preview. */
import { BookOpen, Code } from "lucide-react";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import type { EditorDocument } from "../documents/open-documents";
import type { OpenFiles } from "../open-files";
import { canPreview, previewShortcut, togglePreview, usePreviewKind } from "./use-preview";

interface PreviewButtonProps {
  readonly files: OpenFiles;
  readonly group: number;
  readonly document: EditorDocument;
  readonly className: string;
}

export function PreviewButton({ files, group, document, className }: PreviewButtonProps) {
  const { editor } = useFullMessages();
  const isPreviewed = usePreviewKind(files, group, document.path) !== null;
  if (!canPreview(document)) return null;
  return (
    <IconButton
      icon={isPreviewed ? Code : BookOpen}
      name={isPreviewed ? editor.showText : editor.showPreview}
      shortcut={previewShortcut()}
      size="small"
      side="below"
      className={className}
      onClick={() => togglePreview(files, group, document.path)}
    />
  );
}
