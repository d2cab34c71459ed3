"use client";
/** The commits of a log with their graph: one list with the keys of a list. */
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { GraphRow } from "@/lib/workspace/commit-graph";
import type { LogCommit } from "@/lib/workspace/source-history";
import { useFullMessages } from "../../messages/full-messages";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";
import { FixedRowList, type FixedRowListHandle } from "../../ui/layout/fixed-row-list";
import { phoneQuery, useMedia } from "../../ui/layout/use-media";
import { Time } from "../../ui/text/time";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";
import { CommitRefs } from "./commit-refs";
import { GraphCell } from "./graph-cell";

interface LogListProps {
  readonly commits: readonly LogCommit[];
  /** null = the commits are not connected: a search found them. */
  readonly graph: readonly GraphRow[] | null;
  readonly onChoose: (commit: LogCommit) => void;
}

/** Height of a row; larger where it is touched. */
const rowPx = { pointer: 42, touch: 52 };
const pageRows = 10;

export function LogList({ commits, graph, onChoose }: LogListProps) {
  const { sourceHistory } = useFullMessages();
  const [focused, setFocused] = useState(0);
  const isPhone = useMedia(phoneQuery);
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<FixedRowListHandle | null>(null);
  const listId = useId();
  const height = isPhone ? rowPx.touch : rowPx.pointer;
  const index = Math.min(focused, commits.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const commit = commits[index];
    if (commit === undefined || event.altKey || event.ctrlKey || event.metaKey || isForInputMethod(event.nativeEvent))
      return;
    const next = moveInList(commits.length, index, event.key);
    if (next !== null) {
      setFocused(next);
      handle.current?.scrollToIndex(next);
    } else if (event.key === "Enter" || event.key === " ") onChoose(commit);
    else return;
    event.preventDefault();
  };
  return (
    <FixedRowList
      role="listbox"
      tabIndex={0}
      aria-label={sourceHistory.list}
      aria-activedescendant={`${listId}${index}`}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-y-auto outline-none"
      count={commits.length}
      keyOf={(at) => commits[at]?.id ?? String(at)}
      rowPx={height}
      handle={handle}
      scroller={scroller}
      row={(at) => {
        const commit = commits[at];
        return (
          commit !== undefined && (
            <div
              id={`${listId}${at}`}
              role="option"
              aria-selected={at === index}
              onClick={() => {
                setFocused(at);
                onChoose(commit);
              }}
              className={classes(
                "mx-1.5 flex h-full cursor-default items-center gap-2 rounded-control px-1.5 select-none hover:bg-hover",
                at === index &&
                  "in-focus-visible:outline-2 in-focus-visible:-outline-offset-2 in-focus-visible:outline-accent",
              )}
            >
              <CommitRow commit={commit} row={graph?.[at] ?? null} height={height} />
            </div>
          )
        );
      }}
    />
  );
}

interface CommitRowProps {
  readonly commit: LogCommit;
  readonly row: GraphRow | null;
  readonly height: number;
}

function CommitRow({ commit, row, height }: CommitRowProps) {
  const { common, figures } = useFullMessages();
  return (
    <>
      {row !== null && <GraphCell row={row} height={height} isMerge={commit.parents.length > 1} />}
      <span className="grid min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="min-w-0 cut" title={commit.subject}>
            <VisibleText text={commit.subject} names={common.hidden} />
          </span>
          <CommitRefs refs={commit.refs} />
        </span>
        <span className="flex min-w-0 items-center gap-1 text-small text-ink-muted">
          <span className="min-w-0 cut">
            <VisibleText text={commit.author} names={common.hidden} />
          </span>
          <span aria-hidden>·</span>
          <Time at={commit.time} figures={figures} className="shrink-0" />
        </span>
      </span>
    </>
  );
}

/** Returns the index that a key moves to; null = the key does not move. */
function moveInList(count: number, index: number, key: string): number | null {
  const steps: { readonly [key: string]: number | undefined } = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: pageRows,
    PageUp: -pageRows,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  return step === undefined ? null : Math.max(0, Math.min(count - 1, index + step));
}
