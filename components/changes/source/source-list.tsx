"use client";
/** The changed paths in their groups: one column of rows with the keys of a tree. */
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SourceGroup } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";
import { FixedRowList, type FixedRowListHandle } from "../../ui/layout/fixed-row-list";
import { moveInTree } from "../../ui/layout/tree-keys";
import { phoneQuery, useMedia } from "../../ui/layout/use-media";
import { SourceRowView } from "./source-row-view";
import {
  buildSourceRows,
  type RepositoryStatus,
  shapeOfSourceRow,
  type SourceListShape,
  type SourceRow,
} from "./source-rows";
import { getSourceSelection } from "./source-selection";
import { useSourceActions } from "./use-source-actions";

interface SourceListProps {
  readonly projectId: ProjectId;
  readonly status: RepositoryStatus;
  readonly shape: SourceListShape;
  /** Shows the diff of a path. */
  readonly onShow: (group: SourceGroup, path: string) => void;
}

/** Height of a row; larger where it is touched. */
const rowPx = { pointer: 28, touch: 44 };

export function SourceList({ projectId, status, shape, onShow }: SourceListProps) {
  const { source } = useFullMessages();
  const client = useClient();
  const actions = useSourceActions(projectId);
  const selection = useStore(getSourceSelection(client), (now) => now);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const isPhone = useMedia(phoneQuery);
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<FixedRowListHandle | null>(null);
  const listId = useId();
  const rows = useMemo(() => buildSourceRows(status, closed, shape), [status, closed, shape]);
  const focusedIndex = Math.max(
    0,
    rows.findIndex(({ key }) => key === focused),
  );
  const toggle = (key: string): void => {
    const next = new Set(closed);
    if (!next.delete(key)) next.add(key);
    setClosed(next);
  };
  const select = (row: SourceRow): void => {
    setFocused(row.key);
    if (row.kind === "entry") onShow(row.group, row.entry.path);
    else toggle(row.key);
  };
  const entriesOf = (row: SourceRow) => (row.kind === "entry" ? [row.entry] : row.entries);
  /** Stages what is not staged, and the reverse. */
  const move = (row: SourceRow): void =>
    void (row.group === "staged" ? actions.unstage(entriesOf(row)) : actions.stage(entriesOf(row)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[focusedIndex];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey || isForInputMethod(event.nativeEvent))
      return;
    const next = moveInTree(rows, focusedIndex, event.key, shapeOfSourceRow);
    if (next?.kind === "focus") {
      setFocused(rows[next.index]?.key ?? null);
      handle.current?.scrollToIndex(next.index);
    } else if (next !== null) toggle(row.key);
    else if (event.key === "Enter") select(row);
    else if (event.key === " ") move(row);
    else if (event.key === "Delete" && canDiscard(row)) void actions.discard(entriesOf(row));
    else return;
    event.preventDefault();
  };
  return (
    <FixedRowList
      role="tree"
      tabIndex={0}
      aria-label={source.files}
      aria-activedescendant={`${listId}${focusedIndex}`}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-y-auto pb-2 outline-none"
      count={rows.length}
      keyOf={(index) => rows[index]?.key ?? String(index)}
      rowPx={isPhone ? rowPx.touch : rowPx.pointer}
      handle={handle}
      scroller={scroller}
      row={(index) => {
        const row = rows[index];
        if (row === undefined) return null;
        const isShown = row.kind === "entry" && selection?.group === row.group && selection.path === row.entry.path;
        return (
          <SourceRowView
            id={`${listId}${index}`}
            row={row}
            isFocused={index === focusedIndex}
            isShown={isShown}
            onSelect={() => select(row)}
            onMove={() => move(row)}
            onDiscard={canDiscard(row) ? () => void actions.discard(entriesOf(row)) : null}
            onOpen={() => row.kind === "entry" && client.workbench.openFile(row.entry.path)}
          />
        );
      }}
    />
  );
}

/** A conflict is resolved, not discarded; a submodule is not entered. */
const canDiscard = (row: SourceRow): boolean =>
  (row.group === "changed" || row.group === "untracked") && (row.kind !== "entry" || row.entry.isSubmodule !== true);
