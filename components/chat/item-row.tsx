"use client";
/** One row of the conversation, by the kind of its content. Memoised: renders again only if its props change. */
import { memo, type ReactNode } from "react";
import { useWords } from "@/components/words/words";
import type { PhaseView } from "@/lib/view";
import { Spinner } from "../ui/spinner";
import { ApprovalCard } from "./approval/approval-card";
import { CompactionCard } from "./compaction-card";
import { ErrorCard } from "./error-card";
import type { Item, Standing } from "./items";
import { Markdown } from "./markdown/markdown";
import { RetryLine, StoppedLine } from "./notices";
import { wholeSeconds } from "./phase-chip";
import { RestoreLine } from "./restore-line";
import { RunEndLine } from "./run-end";
import { ThinkingLine } from "./thinking-line";
import { ReadsLine } from "./tools/reads-line";
import { ToolLine } from "./tools/tool-line";
import { useNow } from "./use-now";
import { UserCard } from "./user-card";

export interface ItemRowProps {
  readonly item: Item;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
  /** The last row of the conversation, ignoring file restores after it. */
  readonly last: boolean;
  readonly standing: Standing;
  readonly canContinue: boolean;
  /** The model server's phase, for the row that is being written; null for all others. */
  readonly phase: PhaseView | null;
  /** Approvals are shown in a sheet instead of the list (phones). */
  readonly inSheet: boolean;
  /** 1-based position of its approval among the waiting ones; 0 = it does not wait. */
  readonly place: number;
  readonly waiting: number;
}

export const ItemRow = memo(function ItemRow({
  item,
  open,
  onToggle,
  last,
  standing,
  canContinue,
  phase,
  inSheet,
  place,
  waiting,
}: ItemRowProps): ReactNode {
  const { content } = item;
  const toggle = { open, onToggle: () => onToggle(item.key) };
  switch (content.kind) {
    case "user":
      return <UserCard message={content.message} />;
    case "text":
      return <Markdown text={content.text} live={content.live} className="text-talk" />;
    case "thinking":
      return <ThinkingLine {...content} {...toggle} phase={phase} />;
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
        <ToolLine {...content} {...toggle} />
      );
    }
    case "reads":
      return <ReadsLine calls={content.calls} {...toggle} />;
    case "input":
      return <InputLine name={content.name} phase={phase} />;
    case "stopped":
      return <StoppedLine {...content} />;
    case "retry":
      return <RetryLine {...content} live={last} />;
    case "error":
      return (
        <ErrorCard
          error={content.entry.error}
          standing={standing}
          canContinue={canContinue}
          {...(content.request === undefined ? {} : { request: content.request })}
        />
      );
    case "restore":
      return <RestoreLine {...content} />;
    case "compaction":
      return <CompactionCard {...content} {...toggle} />;
    case "run_end":
      return <RunEndLine {...content} {...toggle} canContinue={canContinue && last} last={last} />;
  }
});

/** A call whose arguments are still streaming: "Preparing write 12 s". */
function InputLine({ name, phase }: { readonly name: string; readonly phase: PhaseView | null }) {
  const words = useWords();
  const now = useNow(1000);
  const ms = phase?.phase === "calling" ? now - phase.sinceMs : 0;
  return (
    <p className="flex h-7 items-center gap-2 text-base text-ink-muted tabular-nums">
      <span className="grid size-4 place-items-center">
        <Spinner className="text-accent" />
      </span>
      {name === "" ? words.chat.phase.calling : words.chat.preparing(name)}
      {ms >= 1_000 && <span className="text-ink-faint">{wholeSeconds(ms, words)}</span>}
    </p>
  );
}
