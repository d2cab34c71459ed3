"use client";
/** Where a session branched, to go anywhere in it, to fork and to name. Loaded when it opens, by the shell. */
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import type { SessionId } from "@/lib/id";
import { useClient } from "../../state/client";
import { valueOf } from "../../state/queries";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Segmented } from "../../ui/segmented";
import { Skeleton } from "../../ui/skeleton";
import { useWords } from "../../words/words";
import type { Branching } from "../actions";
import { PlaceNameField } from "../place-name";
import { TreeRowLine } from "./tree-row";
import { type TreeRow, treeRows } from "./tree-rows";

export interface TreeDialogProps {
  readonly sessionId: SessionId;
  /** Of the view in sight: the tree is read again when it grows. */
  readonly seq: number;
  readonly isIdle: boolean;
  readonly branch: Pick<Branching, "rewind" | "fork" | "name">;
  readonly onOpen: (id: SessionId) => void;
  readonly onClose: () => void;
}

type Filter = "all" | "named";

export function TreeDialog({ sessionId, seq, isIdle, branch, onOpen, onClose }: TreeDialogProps) {
  const words = useWords();
  const { branches: told } = words;
  const { call } = useClient();
  const tree = useQuery({
    queryKey: ["tree", sessionId, seq],
    queryFn: () => valueOf(call, "session.tree", { sessionId }),
    placeholderData: (before) => before,
    retry: false,
  });
  const [filter, setFilter] = useState<Filter>("all");
  const [picked, setPicked] = useState<number | null>(null);
  const [isNaming, setNaming] = useState(false);
  const all = tree.data === undefined ? [] : treeRows(tree.data);
  const rows = filter === "all" ? all : all.filter(({ node }) => node?.label !== undefined);
  const chosen = rows.find((row) => keyOf(row) === picked) ?? rows.find((row) => row.isHere) ?? rows.at(-1);
  const named = chosen?.node ?? null;
  const canGo = isIdle && chosen !== undefined && chosen.to !== null && chosen.to !== tree.data?.newest;
  const go = (): void => {
    if (!canGo || chosen.to === null) return;
    branch.rewind(chosen.to);
    onClose();
  };
  return (
    <Dialog
      wide
      title={told.tree}
      closeName={words.common.close}
      onClose={onClose}
      footer={
        chosen !== undefined && (
          <Actions row={chosen} canGo={canGo} onGo={go} onName={() => setNaming(true)} {...{ branch, onClose }} />
        )
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-3">
        <p className="min-w-60 flex-1 text-base text-ink-muted">{told.treeNote}</p>
        <Segmented
          name={told.filter}
          value={filter}
          options={[
            { value: "all", label: told.all },
            { value: "named", label: told.named },
          ]}
          onChange={setFilter}
        />
      </div>
      {tree.isPending && <Skeleton label={words.common.loading} className="h-40" />}
      {tree.isError && (
        <p className="flex items-center gap-3 py-4 text-ink-muted">
          {told.treeFailed}
          <Button onClick={() => void tree.refetch()}>{words.common.retry}</Button>
        </p>
      )}
      {isNaming && named !== null && (
        <PlaceNameField
          name={named.label ?? ""}
          onDone={(name) => {
            setNaming(false);
            if (name !== null) branch.name(named.place, name);
          }}
        />
      )}
      {tree.data !== undefined && rows.length === 0 && (
        <p className="py-6 text-center text-ink-muted">{told.noneNamed}</p>
      )}
      {chosen !== undefined && (
        <Rows
          rows={rows}
          isFlat={filter === "named"}
          chosen={keyOf(chosen)}
          onPick={setPicked}
          onGo={go}
          onOpen={onOpen}
        />
      )}
    </Dialog>
  );
}

const keyOf = ({ node }: TreeRow): number => node?.seq ?? 0;

interface RowsProps {
  readonly rows: readonly TreeRow[];
  /** Without rails: the rows between are not here. */
  readonly isFlat: boolean;
  readonly chosen: number;
  readonly onPick: (key: number) => void;
  readonly onGo: () => void;
  readonly onOpen: (id: SessionId) => void;
}

/** One of its rows has the focus and is chosen; the arrow keys move both. */
function Rows({ rows, isFlat, chosen, onPick, onGo, onOpen }: RowsProps) {
  const { branches } = useWords();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const now = rows.findIndex((row) => keyOf(row) === chosen);
    const next = { ArrowUp: now - 1, ArrowDown: now + 1, Home: 0, End: rows.length - 1 }[event.key];
    const row = next === undefined ? undefined : rows[next];
    if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.role === "treeitem") onGo();
    else if (next === undefined) return;
    event.preventDefault();
    if (row === undefined) return;
    onPick(keyOf(row));
    list.current?.querySelector<HTMLElement>(`[data-key="${keyOf(row)}"]`)?.focus();
  };
  return (
    <div ref={list} role="tree" aria-label={branches.tree} onKeyDown={onKeyDown} className="-mx-2">
      {rows.map((row) => (
        <TreeRowLine
          key={keyOf(row)}
          row={row}
          isFlat={isFlat}
          isChosen={keyOf(row) === chosen}
          onPick={() => onPick(keyOf(row))}
          onGo={onGo}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

interface ActionsProps extends Pick<TreeDialogProps, "branch" | "onClose"> {
  readonly row: TreeRow;
  readonly canGo: boolean;
  readonly onGo: () => void;
  readonly onName: () => void;
}

function Actions({ row, canGo, onGo, onName, branch, onClose }: ActionsProps) {
  const { branches } = useWords();
  const { to, node } = row;
  return (
    <>
      <p className="flex-1 self-center text-small text-ink-faint max-tablet:hidden">{branches.treeKeys}</p>
      <Button look="quiet" disabled={node === null} onClick={onName}>
        {node?.label === undefined ? branches.name : branches.rename}
      </Button>
      <Button
        look="quiet"
        disabled={to === null}
        onClick={() => {
          if (to !== null) branch.fork(to);
          onClose();
        }}
      >
        {branches.fork}
      </Button>
      <Button look="primary" disabled={!canGo} onClick={onGo}>
        {branches.goHere}
      </Button>
    </>
  );
}
