"use client";
/** One row of the conversation, by the kind of its content. Drawn again only when its content changed. */
import { memo, type ReactNode } from "react";
import { useWords } from "@/components/words/words";
import { Spinner } from "../ui/spinner";
import { ApprovalCard } from "./approval/approval-card";
import type { Item } from "./items";
import { Markdown } from "./markdown/markdown";
import { CompactionLine, ErrorCard, RetryLine, RunEndLine, StoppedLine } from "./notices";
import { ThinkingLine } from "./thinking-line";
import { ReadsLine } from "./tools/reads-line";
import { ToolLine } from "./tools/tool-line";
import { UserCard } from "./user-card";

export interface ItemRowProps {
  readonly item: Item;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
  /** The last row of the conversation. */
  readonly last: boolean;
  readonly canContinue: boolean;
  /** Approvals stand in a sheet instead (phones). */
  readonly inSheet: boolean;
  /** Place of its approval among those that wait, from 1; 0 = it does not wait. */
  readonly place: number;
  readonly waiting: number;
}

export const ItemRow = memo(function ItemRow({
  item,
  open,
  onToggle,
  last,
  canContinue,
  inSheet,
  place,
  waiting,
}: ItemRowProps): ReactNode {
  const words = useWords();
  const { content } = item;
  const toggle = { open, onToggle: () => onToggle(item.key) };
  switch (content.kind) {
    case "user":
      return <UserCard message={content.message} />;
    case "text":
      return <Markdown text={content.text} live={content.live} className="text-talk" />;
    case "thinking":
      return <ThinkingLine {...content} {...toggle} />;
    case "call": {
      const approval = content.call.approvals.at(-1);
      return content.call.state === "waiting" &&
        approval !== undefined &&
        approval.response === undefined &&
        !inSheet ? (
        <ApprovalCard
          key={approval.approvalId}
          call={content.call}
          approval={approval}
          {...(place > 0 ? { place: { index: place, of: waiting } } : {})}
        />
      ) : (
        <ToolLine call={content.call} {...toggle} />
      );
    }
    case "reads":
      return <ReadsLine calls={content.calls} {...toggle} />;
    case "input":
      return (
        <p className="flex h-7 items-center gap-2 text-base text-ink-muted tabular-nums">
          <span className="grid size-4 place-items-center">
            <Spinner className="text-ink-faint" />
          </span>
          {words.chat.writingCall(content.name, words.figures.number(content.chars))}
        </p>
      );
    case "stopped":
      return <StoppedLine {...content} />;
    case "retry":
      return <RetryLine {...content} live={last} />;
    case "error":
      return <ErrorCard {...content} />;
    case "compaction":
      return <CompactionLine {...content} />;
    case "run_end":
      return <RunEndLine {...content} canContinue={canContinue && last} />;
  }
});
