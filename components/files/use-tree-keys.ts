"use client";
/** Key handler of the file tree: moves, ranges, typing a name, operations. */
import { type KeyboardEvent, useRef } from "react";
import { isMacPlatform } from "../actions/keys";
import { type FileTreeRow, findRowByPrefix, shapeOfFileRow } from "./file-tree-rows";
import { findOperation, type TreeOperation } from "./tree-keys";
import { selectOnly, selectRange, type TreeSelection } from "./tree-selection";
import { isForInputMethod } from "../ui/browser/is-for-input-method";
import { moveInTree } from "../ui/layout/tree-keys";

interface TreeKeysOptions {
  readonly rows: readonly FileTreeRow[];
  readonly order: readonly string[];
  readonly selection: TreeSelection;
  readonly focusedIndex: number;
  readonly show: (selection: TreeSelection) => void;
  readonly expand: (path: string, isOpen: boolean) => void;
  readonly activate: (row: FileTreeRow) => void;
  /** Returns false if the operation does nothing now: the key then has its effect elsewhere. */
  readonly operate: (operation: TreeOperation, row: FileTreeRow | undefined) => boolean;
}

const typeAheadMs = 700;

export function useTreeKeys(options: TreeKeysOptions): (event: KeyboardEvent) => void {
  const { rows, order, selection, focusedIndex, show, expand, activate, operate } = options;
  const typed = useRef({ text: "", at: 0 });
  const goTo = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) show(selectOnly(row.path));
  };
  const extend = (step: number, path: string): boolean => {
    const next = order[order.indexOf(path) + step];
    if (next !== undefined) show(selectRange(selection, order, next));
    return true;
  };
  /** Returns whether the key has an effect on the row. */
  const pressAt = (row: FileTreeRow, event: KeyboardEvent): boolean => {
    const { key, shiftKey } = event;
    const before = typed.current;
    typed.current = { text: "", at: 0 };
    if (shiftKey && (key === "ArrowDown" || key === "ArrowUp")) return extend(key === "ArrowDown" ? 1 : -1, row.path);
    const move = moveInTree(rows, focusedIndex, key, shapeOfFileRow);
    if (move?.kind === "focus") goTo(move.index);
    else if (move !== null) expand(row.path, move.kind === "open");
    else if (key === "Enter" || key === " ") activate(row);
    else if (key.length === 1) {
      const isFresh = event.timeStamp - before.at > typeAheadMs;
      typed.current = { text: (isFresh ? "" : before.text) + key, at: event.timeStamp };
      goTo(findRowByPrefix(rows, focusedIndex, typed.current.text));
    } else return false;
    return true;
  };
  return (event) => {
    if (isForInputMethod(event.nativeEvent)) return;
    const row = rows[focusedIndex];
    const operation = findOperation(event.nativeEvent, isMacPlatform());
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    const isDone =
      operation !== null ? operate(operation, row) : row !== undefined && !hasModifier && pressAt(row, event);
    if (isDone) event.preventDefault();
  };
}
