"use client";
/** One row of the tree: rails, user message, outcome, and the sessions forked there. */
import { GitFork, Tag } from "lucide-react";
import { useEffect, useRef } from "react";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import type { SessionId } from "@/lib/events/id";
import type { TreeNode } from "@/lib/view/tree";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { PlusMinus } from "../../ui/text/plus-minus";
import { Time } from "../../ui/text/time";
import type { SessionTreeRow } from "./build-tree-rows";

interface TreeRowLineProps {
  readonly row: SessionTreeRow;
  readonly isFlat: boolean;
  readonly isChosen: boolean;
  readonly onPick: () => void;
  readonly onGo: () => void;
  readonly onOpen: (id: SessionId) => void;
}

export function TreeRowLine({ row, isFlat, isChosen, onPick, onGo, onOpen }: TreeRowLineProps) {
  const { sessionTree } = useFullMessages();
  const { node, isCurrent, forks } = row;
  const line = useRef<HTMLDivElement>(null);
  const wasChosen = useRef(isChosen);
  // The row of the session's current position gets the focus and is scrolled into view.
  useEffect(() => {
    if (!wasChosen.current) return;
    // Runs after the dialog has set its own initial focus.
    const frame = requestAnimationFrame(() => {
      line.current?.focus({ preventScroll: true });
      line.current?.scrollIntoView({ block: "nearest" });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const isOn = node === null || node.onPath;
  return (
    <div
      ref={line}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isChosen}
      aria-current={isCurrent ? "location" : undefined}
      tabIndex={isChosen ? 0 : -1}
      data-key={node?.seq ?? 0}
      onFocus={onPick}
      onClick={onPick}
      onDoubleClick={onGo}
      className="flex min-h-8 cursor-default items-stretch rounded-control px-2 outline-none hover:bg-hover aria-selected:bg-pressed focus-visible:outline-2 focus-visible:outline-accent max-tablet:min-h-12"
    >
      {!isFlat && <Rails row={row} isOn={isOn} />}
      <div className="min-w-0 flex-1 py-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className={classes("min-w-30 flex-1 cut", isOn ? "text-ink" : "text-ink-muted")}>
            {node === null ? sessionTree.start : node.text === "" ? sessionTree.continued : node.text}
          </span>
          {isCurrent && <span className="shrink-0 text-small font-medium text-accent">{sessionTree.here}</span>}
          {node !== null && <Outcome node={node} />}
        </div>
        {node !== null && <AnswerLine node={node} />}
        {node?.label !== undefined && (
          <p className="flex items-center gap-1 text-small font-medium text-accent">
            <Icon of={Tag} size={12} />
            <span className="cut">{node.label}</span>
          </p>
        )}
        {forks.map((fork) => (
          <button
            key={fork.sessionId}
            type="button"
            onClick={() => onOpen(fork.sessionId)}
            className="flex max-w-full items-center gap-1 text-small text-ink-muted hover:text-ink max-tablet:min-h-11"
          >
            <Icon of={GitFork} size={12} />
            <span className="cut underline underline-offset-2">{sessionTree.forkOf(fork.title)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

const railClass = "relative w-5 shrink-0";
const railLineClass = "absolute left-2 w-px bg-ink-faint/50";

/** The rails of ancestor branches and the row's own dot. */
function Rails({ row, isOn }: { readonly row: SessionTreeRow; readonly isOn: boolean }) {
  return (
    <span aria-hidden className="flex">
      {row.rails.map((_, index) => (
        <span key={index} className={railClass}>
          <span className={classes(railLineClass, "inset-y-0")} />
          {row.startsBranch && index === row.rails.length - 1 && (
            <span className="absolute top-3.5 left-2 h-px w-5 bg-ink-faint/50" />
          )}
        </span>
      ))}
      <span className={railClass}>
        {!row.startsBranch && row.node !== null && <span className={classes(railLineClass, "top-0 h-3.5")} />}
        {!row.endsBranch && <span className={classes(railLineClass, "top-3.5 bottom-0")} />}
        <span
          className={classes(
            "absolute top-2.25 left-[3px] size-2.5 rounded-full border-2",
            row.isCurrent
              ? "border-accent bg-accent"
              : isOn
                ? "border-ink-muted bg-raised"
                : "border-ink-faint/70 bg-raised",
          )}
        />
      </span>
    </span>
  );
}

/** Model and beginning of the answer. */
function AnswerLine({ node }: { readonly node: TreeNode }) {
  const { model, answer } = node;
  if (model === undefined && answer === undefined) return null;
  return (
    <p className="flex items-baseline gap-2 text-small text-ink-muted">
      {model !== undefined && <span className="max-w-40 shrink-0 cut text-ink-faint">{model}</span>}
      {answer !== undefined && <span className="min-w-0 flex-1 cut">{answer}</span>}
    </p>
  );
}

function Outcome({ node }: { readonly node: TreeNode }) {
  const messages = useFullMessages();
  const end = formatRunOutcome(node, messages);
  return (
    <span className="flex shrink-0 items-baseline gap-2 text-small text-ink-muted tabular-nums">
      {end !== "" && <span className={node.end === "error" ? "text-danger" : ""}>{end}</span>}
      {node.calls > 0 && <span>{messages.sessionTree.calls(node.calls)}</span>}
      {node.files > 0 && (
        <span className="flex gap-1">
          {messages.sessionTree.files(node.files)} <PlusMinus added={node.added} removed={node.removed} />
        </span>
      )}
      <Time at={node.at} figures={messages.figures} />
    </span>
  );
}

/** Formats how the run ended; "" if it is done. */
function formatRunOutcome({ end }: TreeNode, { sessionTree, chat }: FullMessages): string {
  if (end === undefined) return sessionTree.running;
  return end === "done" ? "" : chat.run[end];
}
