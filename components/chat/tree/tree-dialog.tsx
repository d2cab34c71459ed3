"use client";
/** Dialog with the tree of a session's branches: go to an entry, fork from it, label it. */
import { keepPreviousData } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import type { SessionId } from "@/lib/events/id";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import { Segmented } from "../../ui/controls/segmented";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import type { BranchControls } from "../actions";
import { EntryLabelField } from "../message/entry-label";
import { TreeRowLine } from "./tree-row-line";
import { type SessionTreeRow, buildTreeRows } from "./build-tree-rows";
import { useCommandQuery } from "../../state/use-command-query";

interface TreeDialogProps {
  readonly sessionId: SessionId;
  /** seq of the current view: the tree is fetched again when it grows. */
  readonly seq: number;
  readonly isIdle: boolean;
  readonly branchControls: BranchControls;
  readonly onOpen: (id: SessionId) => void;
  readonly onClose: () => void;
}

type TreeFilter = "all" | "named";

export function TreeDialog({ sessionId, seq, isIdle, branchControls, onOpen, onClose }: TreeDialogProps) {
  const messages = useFullMessages();
  const { sessionTree } = messages;
  const tree = useCommandQuery(
    "session.tree",
    { sessionId },
    { retry: false, stamp: seq, placeholderData: keepPreviousData },
  );
  const [filter, setFilter] = useState<TreeFilter>("all");
  const [picked, setPicked] = useState<number | null>(null);
  const [isNaming, setNaming] = useState(false);
  const all = tree.data === undefined ? [] : buildTreeRows(tree.data);
  const rows = filter === "all" ? all : all.filter(({ node }) => node?.label !== undefined);
  const chosen = rows.find((row) => treeRowKey(row) === picked) ?? rows.find((row) => row.isCurrent) ?? rows.at(-1);
  const named = chosen?.node ?? null;
  const canGo = isIdle && chosen !== undefined && chosen.to !== null && chosen.to !== tree.data?.newest;
  const go = (): void => {
    if (!canGo || chosen.to === null) return;
    branchControls.rewind(chosen.to);
    onClose();
  };
  return (
    <Dialog
      wide
      title={sessionTree.title}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        chosen !== undefined && (
          <TreeActions
            row={chosen}
            canGo={canGo}
            onGo={go}
            onName={() => setNaming(true)}
            branchControls={branchControls}
            onClose={onClose}
          />
        )
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-3">
        <p className="min-w-60 flex-1 text-base text-ink-muted">{sessionTree.note}</p>
        <Segmented
          name={sessionTree.filter}
          value={filter}
          options={[
            { value: "all", label: sessionTree.all },
            { value: "named", label: sessionTree.named },
          ]}
          onChange={setFilter}
        />
      </div>
      {tree.isPending && <Skeleton label={messages.common.loading} className="h-40" />}
      {tree.isError && (
        <p className="flex items-center gap-3 py-4 text-ink-muted">
          {sessionTree.failed}
          <Button onClick={() => void tree.refetch()}>{messages.common.retry}</Button>
        </p>
      )}
      {isNaming && named !== null && (
        <EntryLabelField
          name={named.label ?? ""}
          onDone={(name) => {
            setNaming(false);
            if (name !== null) branchControls.setLabel(named.place, name);
          }}
        />
      )}
      {tree.data !== undefined && rows.length === 0 && (
        <p className="py-6 text-center text-ink-muted">{sessionTree.noneNamed}</p>
      )}
      {chosen !== undefined && (
        <TreeRowList
          rows={rows}
          isFlat={filter === "named"}
          chosen={treeRowKey(chosen)}
          onPick={setPicked}
          onGo={go}
          onOpen={onOpen}
        />
      )}
    </Dialog>
  );
}

const treeRowKey = ({ node }: SessionTreeRow): number => node?.seq ?? 0;

interface TreeRowListProps {
  readonly rows: readonly SessionTreeRow[];
  /** Without rails, because the rows in between are filtered out. */
  readonly isFlat: boolean;
  readonly chosen: number;
  readonly onPick: (key: number) => void;
  readonly onGo: () => void;
  readonly onOpen: (id: SessionId) => void;
}

/** Tree with roving focus: the focused row is the chosen one; the arrow keys move both. */
function TreeRowList({ rows, isFlat, chosen, onPick, onGo, onOpen }: TreeRowListProps) {
  const { sessionTree } = useFullMessages();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const now = rows.findIndex((row) => treeRowKey(row) === chosen);
    const next = { ArrowUp: now - 1, ArrowDown: now + 1, Home: 0, End: rows.length - 1 }[event.key];
    const row = next === undefined ? undefined : rows[next];
    if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.role === "treeitem") onGo();
    else if (next === undefined) return;
    event.preventDefault();
    if (row === undefined) return;
    onPick(treeRowKey(row));
    list.current?.querySelector<HTMLElement>(`[data-key="${treeRowKey(row)}"]`)?.focus();
  };
  return (
    <div ref={list} role="tree" aria-label={sessionTree.title} onKeyDown={onKeyDown} className="-mx-2">
      {rows.map((row) => (
        <TreeRowLine
          key={treeRowKey(row)}
          row={row}
          isFlat={isFlat}
          isChosen={treeRowKey(row) === chosen}
          onPick={() => onPick(treeRowKey(row))}
          onGo={onGo}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

interface TreeActionsProps {
  readonly branchControls: BranchControls;
  readonly onClose: () => void;
  readonly row: SessionTreeRow;
  readonly canGo: boolean;
  readonly onGo: () => void;
  readonly onName: () => void;
}

function TreeActions({ row, canGo, onGo, onName, branchControls, onClose }: TreeActionsProps) {
  const { branches, sessionTree } = useFullMessages();
  const { to, node } = row;
  return (
    <>
      <p className="flex-1 self-center text-small text-ink-faint max-tablet:hidden">{sessionTree.keys}</p>
      <Button look="quiet" disabled={node === null} onClick={onName}>
        {node?.label === undefined ? branches.name : branches.rename}
      </Button>
      <Button
        look="quiet"
        disabled={to === null}
        onClick={() => {
          if (to !== null) branchControls.fork(to);
          onClose();
        }}
      >
        {branches.fork}
      </Button>
      <Button look="primary" disabled={!canGo} onClick={onGo}>
        {sessionTree.goHere}
      </Button>
    </>
  );
}
