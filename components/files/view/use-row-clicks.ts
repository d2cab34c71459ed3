"use client";
/** Clicks on rows of the file tree: select, open, keep the tab. */
import { type MouseEvent, type RefObject, useRef } from "react";
import { isMacPlatform } from "../../actions/keys";
import { useClient } from "../../state/client";
import { keepTab } from "../../state/workbench/layout";
import type { FileTreeRow } from "../file-tree-rows";
import { emptySelection, selectOnly, selectRange, toggleSelected } from "../tree-selection";
import type { Tree } from "../use-tree";

interface RowClickOptions {
  readonly tree: Tree;
  readonly box: RefObject<HTMLElement | null>;
  readonly rowOf: (target: EventTarget) => FileTreeRow | undefined;
}

export function useRowClicks({ tree, box, rowOf }: RowClickOptions) {
  const { workbench } = useClient();
  const { order, naming, selection, setSelection, activate } = tree;
  /** Row that was pressed while a name was edited: the end of that moves the rows before the click is complete. */
  const pressed = useRef<FileTreeRow>(undefined);
  return {
    onMouseDown: ({ target }: MouseEvent): void => {
      pressed.current = naming === null ? undefined : rowOf(target);
    },
    onClick: (event: MouseEvent): void => {
      const row = pressed.current ?? rowOf(event.target);
      pressed.current = undefined;
      // Rows are removed while they have the focus: it stays at the tree.
      box.current?.focus({ preventScroll: true });
      if (row === undefined) setSelection(emptySelection);
      else if (isMacPlatform() ? event.metaKey : event.ctrlKey) setSelection(toggleSelected(selection, row.path));
      else if (event.shiftKey) setSelection(selectRange(selection, order, row.path));
      else {
        setSelection(selectOnly(row.path));
        activate(row);
      }
    },
    onDoubleClick: ({ target }: MouseEvent): void => {
      const path = rowOf(target)?.path;
      if (path !== undefined) workbench.changeLayout((layout) => keepTab(layout, path));
    },
  };
}
