"use client";
/** Scrolls a file of the tree into view: on request, and when another one becomes active in the editor. */
import { type RefObject, useEffect, useRef } from "react";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { expandParents } from "../../state/workbench/layout";
import type { ListHandle } from "../../ui/layout/virtual-list";
import type { FileTreeRow } from "../file-tree-rows";

/**
 * `box`: the element of the tree that takes the focus on request. `onRequested`: the row of the file that the user asked for
 * exists; it must not change between renders.
 */
export function useReveal(
  rows: readonly FileTreeRow[],
  list: RefObject<ListHandle | null>,
  box: RefObject<HTMLElement | null>,
  onRequested: (path: string) => void,
): void {
  const { workbench } = useClient();
  const requested = useStore(workbench, (state) => state.fileToReveal);
  const active = useStore(workbench, (state) => state.layout.activeTab);
  const follows = useStore(workbench, (state) => state.layout.tree.followsEditor);
  const followed = useRef(active);
  /** Its row may not exist before its folders are read. */
  const target = useRef<{ readonly path: string; readonly isRequested: boolean } | null>(null);
  useEffect(() => {
    if (requested !== null) {
      target.current = { path: requested, isRequested: true };
      workbench.clearFileToReveal();
      box.current?.focus({ preventScroll: true });
    } else if (follows && active !== null && active !== followed.current) {
      target.current = { path: active, isRequested: false };
      workbench.changeLayout((layout) => expandParents(layout, active));
    }
    followed.current = active;
  }, [workbench, requested, active, follows, box]);
  useEffect(() => {
    const found = target.current;
    const index = found === null ? -1 : rows.findIndex(({ path }) => path === found.path);
    if (found === null || index < 0) return;
    target.current = null;
    list.current?.scrollToIndex(index);
    if (found.isRequested) onRequested(found.path);
  }, [rows, list, requested, active, onRequested]);
}
