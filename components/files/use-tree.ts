"use client";
/** State of the file tree: rows, selection, menu, the edited name, and the operations on them. */
import { type RefObject, useState, useCallback, useEffect, useRef } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../messages/full-messages";
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
  type TreeSelection,
} from "./tree-selection";
import { useFileCommands } from "./operations/use-file-commands";
import { undoFileOperation } from "./operations/file-undo";
import { useFileOperations } from "./operations/use-file-operations";
import { useTreeKeys } from "./use-tree-keys";
import { useTreeRows } from "./use-tree-rows";

/** Selection of the file tree, with scrolling to the row that has the focus. */
function useTreeSelection(rows: readonly FileTreeRow[], list: RefObject<ListHandle | null>) {
  const [selection, setSelection] = useState<TreeSelection>(emptySelection);
  const select = useCallback((path: string) => setSelection(selectOnly(path)), []);
  /** Path of a row that is not there yet. */
  const awaited = useRef<string | null>(null);
  const scrollTo = (path: string | null): boolean => {
    const at = rows.findIndex((row) => row.path === path);
    if (at >= 0) list.current?.scrollToIndex(at);
    return at >= 0;
  };
  useEffect(() => {
    if (awaited.current === null) return;
    const at = rows.findIndex((row) => row.path === awaited.current);
    if (at < 0) return;
    awaited.current = null;
    list.current?.scrollToIndex(at);
  }, [rows, list]);
  useEffect(() => {
    const at = rows.findIndex((row) => row.kind === "new");
    if (at >= 0) list.current?.scrollToIndex(at);
  }, [rows, list]);
  return {
    selection,
    /** Index of the row with the focus. */
    focusedIndex: Math.max(
      0,
      rows.findIndex((row) => row.path === selection.focused),
    ),
    setSelection,
    select,
    /** Sets the selection and scrolls to its focused row, now or when the row appears. */
    show: (next: TreeSelection): void => {
      setSelection(next);
      awaited.current = scrollTo(next.focused) ? null : next.focused;
    },
  };
}

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
  const messages = useFullMessages();
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
