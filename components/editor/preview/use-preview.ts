"use client";
/** Whether the shown file is drawn as a preview. The choice of each file and group stays while the page is open. */
import { previewKindOf, type PreviewKind } from "@/lib/workspace/preview-kind";
import { formatShortcut, isMacPlatform, type KeyPress, matchesKeys } from "../../actions/keys";
import { useStore } from "../../state/store";
import type { EditorDocument } from "../documents/open-documents";
import type { OpenFiles } from "../open-files";

/** Works while the editor has the focus: elsewhere it pastes text without format. */
const previewKeys = "mod+shift+v";

export function setPreviewed(files: OpenFiles, group: number, path: string, isPreviewed: boolean): void {
  files.extrasOf(group).previewed.update((paths) => {
    const next = new Set(paths);
    if (isPreviewed) next.add(path);
    else next.delete(path);
    return next;
  });
}

/** Switches between text and preview; the focus goes to what is shown if it was in what is hidden. */
export function togglePreview(files: OpenFiles, group: number, path: string): void {
  if (previewKindOf(path) === null) return;
  setPreviewed(files, group, path, !files.extrasOf(group).previewed.get().has(path));
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(`[data-group="${group}"] .cm-content`)?.focus();
  });
}

/** Returns how the file is drawn; null = as text. */
export function usePreviewKind(files: OpenFiles, group: number, path: string): PreviewKind | null {
  const isPreviewed = useStore(files.extrasOf(group).previewed, (paths) => paths.has(path));
  return isPreviewed ? previewKindOf(path) : null;
}

/** Whether the file can be drawn: its text is loaded. */
export const canPreview = ({ path, status, file }: EditorDocument): boolean =>
  status === "ready" && file?.readOnly !== "binary" && previewKindOf(path) !== null;

/** Whether the key press switches the preview of this file. In a field, such as that of the search, it pastes. */
export const isPreviewKey = (
  press: KeyPress & { readonly target?: EventTarget | null },
  document: EditorDocument,
): boolean =>
  canPreview(document) &&
  !(press.target instanceof HTMLInputElement) &&
  matchesKeys(previewKeys, press, isMacPlatform());

/** Returns the shortcut in the notation of this platform. */
export const previewShortcut = (): string => formatShortcut(previewKeys, isMacPlatform());
