"use client";
/** State of the file tree: rows, selection, menu, the edited name, and the operations on them. */
import { type RefObject, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useMessages } from "../messages/messages";
import { useClient } from "../state/client";
import type { ListHandle } from "../ui/layout/virtual-list";
import { folderOfRow } from "./operations/drop-targets";
import type { FileTreeRow } from "./file-tree-rows";
import type { TreeOperation } from "./tree-keys";
import {
  clearSelected,
  emptySelection,
  focusAfterRemoval,
  operationPaths,
  selectAll,
  selectEntries,
  selectOnly,
} from "./tree-selection";
import { useFileCommands } from "./operations/use-file-commands";
import { undoFileOperation } from "./operations/file-undo";
import { useFileOperations } from "./operations/use-file-operations";
import { useTreeKeys } from "./use-tree-keys";
import { useTreeRows } from "./use-tree-rows";
import { useTreeSelection } from "./use-tree-selection";

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface OpenTreeMenu {
  /** Path of the row; null = the project's folder. */
  readonly path: string | null;
  readonly at: Point;
}

interface TreeOptions {
  readonly projectId: ProjectId;
  readonly onOpened: (() => void) | undefined;
  readonly list: RefObject<ListHandle | null>;
  readonly rowElementId: (index: number) => string;
}

export type Tree = ReturnType<typeof useTree>;

export function useTree({ projectId, onOpened, list, rowElementId }: TreeOptions) {
  const client = useClient();
  const messages = useMessages();
  const commands = useFileCommands(projectId, onOpened);
  const treeRows = useTreeRows(projectId);
  const { rows, order, naming, setNaming } = treeRows;
  const treeSelection = useTreeSelection(rows, list);
  const { selection, setSelection, show, focusedIndex } = treeSelection;
  const operations = useFileOperations(projectId, {
    onCreated: (paths) => show(selectEntries(paths)),
    onRemove: (paths) => show(focusAfterRemoval(order, paths)),
  });
  const [menu, setMenu] = useState<OpenTreeMenu | null>(null);

  const activate = (row: FileTreeRow): void => {
    if (row.kind === "folder") commands.expand(row.path, !row.isOpen);
    else if (row.kind === "file" || row.kind === "link") commands.open(row.path);
  };
  const openMenu = (row: FileTreeRow | undefined, at: Point): void => {
    if (row === undefined) setSelection(emptySelection);
    else if (!selection.selected.has(row.path)) setSelection(selectOnly(row.path));
    setMenu({ path: row?.path ?? null, at });
  };
  const pathsAt = (row: FileTreeRow): readonly string[] => operationPaths(selection, order, row.path);
  const operate = (operation: TreeOperation, row: FileTreeRow | undefined): boolean => {
    if (operation === "selectAll") setSelection(selectAll(selection, order));
    else if (operation === "clear") return clear();
    else if (operation === "undo") return undoFileOperation({ client, messages, projectId });
    else if (operation === "paste" && operations.clipboard !== null)
      operations.paste(folderOfRow(selection.focused === null ? undefined : row));
    else if (row === undefined || !order.includes(row.path)) return false;
    else if (operation === "rename") setNaming({ kind: "rename", path: row.path });
    else if (operation === "delete") operations.remove(pathsAt(row));
    else if (operation === "cut" || operation === "copy")
      operations.setClipboard({ kind: operation, paths: pathsAt(row) });
    else if (operation === "menu") openMenu(row, pointBelow(rowElementId(focusedIndex)));
    else return false;
    return true;
  };
  const clear = (): boolean => {
    const isCut = operations.clipboard?.kind === "cut";
    if (isCut) operations.setClipboard(null);
    else if (selection.selected.size > 1) setSelection(clearSelected(selection));
    return isCut || selection.selected.size > 1;
  };
  const { expand } = commands;
  const onKeyDown = useTreeKeys({ rows, order, selection, focusedIndex, show, expand, activate, operate });

  return {
    ...treeRows,
    ...treeSelection,
    commands,
    operations,
    menu,
    openMenu,
    closeMenu: () => setMenu(null),
    activate,
    operate,
    pathsAt,
    onKeyDown,
    begin: (row: FileTreeRow | undefined, kind: "file" | "folder"): void => {
      const folder = folderOfRow(row);
      if (folder !== "") expand(folder, true);
      setNaming({ kind, folder });
    },
    /** `name` null = cancelled. `isFollowed`: the row of the new path gets the cursor. */
    endNaming: (name: string | null, isFollowed: boolean): void => {
      setNaming(null);
      if (name === null || naming === null) return;
      const work =
        naming.kind === "rename"
          ? commands.rename(naming.path, name)
          : commands.create(naming.folder, name, naming.kind);
      void work.then((path) => {
        if (isFollowed && path !== null) show(selectOnly(path));
      });
    },
  };
}

/** Returns the point for the menu of a row that was opened by a key. */
function pointBelow(elementId: string): Point {
  const box = document.getElementById(elementId)?.getBoundingClientRect();
  return { x: (box?.left ?? 0) + 24, y: box?.bottom ?? 0 };
}
