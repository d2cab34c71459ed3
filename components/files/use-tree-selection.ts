"use client";
/** Selection of the file tree, with scrolling to the row that has the focus. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { ListHandle } from "../ui/layout/virtual-list";
import type { FileTreeRow } from "./file-tree-rows";
import { emptySelection, selectOnly, type TreeSelection } from "./tree-selection";

export function useTreeSelection(rows: readonly FileTreeRow[], list: RefObject<ListHandle | null>) {
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
