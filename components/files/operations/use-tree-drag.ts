"use client";
/**
 * Drag and drop in the file tree: entries move into the folder below the pointer, which opens after a while, and files
 * from outside the page are uploaded into it.
 */
import { type DragEvent, useEffect, useRef, useState } from "react";
import { writeDraggedFiles } from "../../state/dragged-files";
import { folderOfRow, movablePaths } from "./drop-targets";
import type { FileTreeRow } from "../file-tree-rows";
import { hasDroppedFiles, takeDroppedEntries } from "../upload/upload-source";

const expandMs = 600;

interface TreeDragOptions {
  readonly rowOf: (target: EventTarget) => FileTreeRow | undefined;
  /** Returns the dragged paths when a drag starts at the row. */
  readonly pathsAt: (row: FileTreeRow) => readonly string[];
  readonly countLabel: (count: number) => string;
  readonly expand: (folder: string) => void;
  readonly onDrop: (paths: readonly string[], folder: string) => void;
  readonly onDropFiles: (folder: string, entries: readonly FileSystemEntry[]) => void;
}

/** Returns the folder into which the drag would move now (null = none), and the handlers of the tree's element. */
export function useTreeDrag({ rowOf, pathsAt, countLabel, expand, onDrop, onDropFiles }: TreeDragOptions) {
  const [dropFolder, setDropFolder] = useState<string | null>(null);
  const dragged = useRef<readonly string[]>([]);
  const hovered = useRef<{ readonly path: string; readonly timer: ReturnType<typeof setTimeout> } | null>(null);
  const hover = (row: FileTreeRow | undefined): void => {
    const path = row?.kind === "folder" && !row.isOpen ? row.path : null;
    if (path === (hovered.current?.path ?? null)) return;
    clearTimeout(hovered.current?.timer);
    hovered.current = path === null ? null : { path, timer: setTimeout(() => expand(path), expandMs) };
  };
  const end = (): void => {
    hover(undefined);
    dragged.current = [];
    setDropFolder(null);
  };
  useEffect(() => () => clearTimeout(hovered.current?.timer), []);
  const handlers = {
    onDragStart: (event: DragEvent) => {
      const row = rowOf(event.target);
      if (row === undefined) return;
      dragged.current = pathsAt(row);
      event.dataTransfer.effectAllowed = "move";
      writeDraggedFiles(event.dataTransfer, dragged.current);
      if (dragged.current.length > 1) showCount(event, countLabel(dragged.current.length));
    },
    onDragOver: (event: DragEvent) => {
      const isUpload = dragged.current.length === 0;
      if (isUpload && !hasDroppedFiles(event.dataTransfer)) return;
      const row = rowOf(event.target);
      hover(row);
      const folder = folderOfRow(row);
      const canDrop = isUpload || movablePaths(dragged.current, folder).length > 0;
      setDropFolder(canDrop ? folder : null);
      if (!canDrop) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = isUpload ? "copy" : "move";
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
      hover(undefined);
      setDropFolder(null);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const folder = folderOfRow(rowOf(event.target));
      const isUpload = dragged.current.length === 0 && hasDroppedFiles(event.dataTransfer);
      const paths = movablePaths(dragged.current, folder);
      end();
      if (isUpload) onDropFiles(folder, takeDroppedEntries(event.dataTransfer));
      else if (paths.length > 0) onDrop(paths, folder);
    },
    onDragEnd: end,
  };
  return { dropFolder, handlers };
}

/** Draws the number of dragged entries at the pointer instead of the row. */
function showCount(event: DragEvent, label: string): void {
  const image = document.createElement("div");
  image.textContent = label;
  image.className = "fixed -top-20 left-0 rounded-control bg-accent px-2 py-1 text-small text-accent-ink";
  document.body.append(image);
  event.dataTransfer.setDragImage(image, -12, 0);
  // The browser draws it after this event.
  setTimeout(() => image.remove());
}
