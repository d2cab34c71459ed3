"use client";
/** The results of a code search as a tree of files and lines, with the usual tree keys. */
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { isMacPlatform, matchesKeys } from "../actions/keys";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { keepTab } from "../state/workbench/layout";
import { ignoreSecondClicks } from "../ui/browser/second-click";
import { FixedRowList, type FixedRowListHandle } from "../ui/layout/fixed-row-list";
import { moveInTree } from "../ui/layout/tree-keys";
import { phoneQuery, useMedia } from "../ui/layout/use-media";
import type { CodeSearch, CodeSearchState } from "./code-search";
import { replaceKeys } from "./replace-field";
import { canReplace, previewReplacement } from "./replacer";
import { SearchRowView } from "./search-row-view";
import {
  buildSearchRows,
  type SearchContextRow,
  type SearchLineRow,
  type SearchRow,
  shapeOfResult,
} from "./search-rows";
import { isForInputMethod } from "../ui/browser/is-for-input-method";

interface CodeSearchTreeProps {
  readonly search: CodeSearch;
  readonly state: CodeSearchState;
  readonly list: RefObject<HTMLDivElement | null>;
  /** Called when the focus leaves the list upwards. */
  readonly onLeave: () => void;
  readonly onOpened?: () => void;
}

/** Height of a row; larger where it is touched. */
const rowPx = { pointer: 24, touch: 44 };

export function CodeSearchTree({ search, state, list, onLeave, onOpened }: CodeSearchTreeProps) {
  const { files, collapsed } = state;
  const { codeSearch } = useFullMessages();
  const { workbench } = useClient();
  useEffect(ignoreSecondClicks, []);
  const treeId = useId();
  const handle = useRef<FixedRowListHandle | null>(null);
  const isPhone = useMedia(phoneQuery);
  const [focused, setFocused] = useState<string | null>(null);
  const around = state.foundWith.context;
  const rows = useMemo(() => buildSearchRows(files, collapsed, around), [files, collapsed, around]);
  const focusedIndex = Math.max(
    0,
    rows.findIndex(({ key }) => key === focused),
  );

  const open = (row: SearchLineRow | SearchContextRow, keepsFocus: boolean): void => {
    const { path, line } = row;
    const span = row.kind === "line" ? { ...columnsOf(row), keepsFocus } : { keepsFocus };
    onOpened?.();
    // Last: on a phone it shows the file.
    workbench.openFile(path, line.line, span);
  };
  const select = (row: SearchRow, keepsFocus = false): void => {
    if (row.kind !== "context") setFocused(row.key);
    if (row.kind === "file") search.setCollapsed([row.path], row.isOpen);
    else open(row, keepsFocus);
  };
  const goTo = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    setFocused(row.key);
    handle.current?.scrollToIndex(index);
  };
  const focusNext = (row: SearchRow): void => {
    const at = rows.indexOf(row);
    const isNext = ({ kind, path }: SearchRow): boolean =>
      kind !== "context" && (row.kind === "line" || path !== row.path);
    const next = rows.slice(at + 1).find(isNext) ?? rows.slice(0, at).findLast(({ kind }) => kind !== "context");
    setFocused(next?.key ?? null);
  };
  const lineOf = (row: SearchRow): number | undefined => (row.kind === "line" ? row.line.line : undefined);
  const dismiss = (row: SearchRow): void => {
    focusNext(row);
    search.dismiss(row.path, lineOf(row));
  };
  const preview = useMemo(
    () => previewReplacement({ foundWith: state.foundWith, replacement: state.replacement }),
    [state.foundWith, state.replacement],
  );
  const isReplaceable = canReplace(state);
  const replace = (row: SearchRow): void => {
    focusNext(row);
    void search.replacer.replace(row.path, lineOf(row));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[focusedIndex];
    if (row !== undefined && isReplaceable && matchesKeys(replaceKeys, event.nativeEvent, isMacPlatform())) {
      event.preventDefault();
      event.stopPropagation();
      return replace(row);
    }
    if (row === undefined || event.altKey || event.shiftKey || isForInputMethod(event.nativeEvent)) return;
    const isMod = event.ctrlKey || event.metaKey;
    const move = isMod ? null : moveInTree(rows, focusedIndex, event.key, shapeOfResult);
    if (move?.kind === "focus") goTo(move.index);
    else if (move !== null) search.setCollapsed([row.path], move.kind === "close");
    else if (event.key === "Enter") select(row, isMod);
    else if (!isMod && event.key === " ") select(row, true);
    else if (!isMod && event.key === "Delete") dismiss(row);
    else if (!isMod && event.key === "ArrowUp" && focusedIndex === 0) onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <FixedRowList
      role="tree"
      tabIndex={0}
      aria-label={codeSearch.results}
      aria-activedescendant={rows.length === 0 ? undefined : `${treeId}${focusedIndex}`}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-y-auto pb-2 outline-none"
      count={rows.length}
      keyOf={(index) => rows[index]?.key ?? String(index)}
      rowPx={isPhone ? rowPx.touch : rowPx.pointer}
      handle={handle}
      scroller={list}
      row={(index) => {
        const row = rows[index];
        return (
          row !== undefined && (
            <SearchRowView
              id={`${treeId}${index}`}
              row={row}
              isFocused={index === focusedIndex}
              onSelect={() => select(row)}
              onKeep={() => {
                if (row.kind !== "file") workbench.changeLayout((layout) => keepTab(layout, row.path));
              }}
              onDismiss={() => dismiss(row)}
              preview={preview}
              onReplace={isReplaceable ? () => replace(row) : null}
            />
          )
        );
      }}
    />
  );
}

/** Columns of the first match, from 1. */
function columnsOf({ line: { marks, offset } }: SearchLineRow) {
  const [start, end] = marks[0] ?? [0, 0];
  return { column: offset + start + 1, endColumn: offset + end + 1 };
}
