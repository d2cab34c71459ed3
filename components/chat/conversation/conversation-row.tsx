"use client";
/** One row of the conversation, by the kind of its content. Memoised: renders again only if its props change. */
import { lazy, memo, type ReactNode, Suspense } from "react";
import { useMessages } from "../../messages/messages";
import type { PhaseView } from "@/lib/view/view";
import { Spinner } from "../../ui/indicators/spinner";
import { ApprovalCard } from "../approval/approval-card";
import { ErrorCard } from "../errors/error-card";
import type { ConversationItem, TurnPosition } from "./conversation-items";
import { Markdown } from "../../ui/markdown/markdown";
import { RetryLine, StoppedLine } from "../errors/notices";
import { formatWholeSeconds } from "../run/phase-chip";
import { RestoreLine } from "./restore-line";
import { RunEndLine } from "../run/run-end-line";
import { ThinkingLine } from "./thinking-line";
import { ReadsLine } from "../tools/reads-line";
import { ToolLine } from "../tools/tool-line";
import { useNow } from "../../ui/text/use-now";
import { UserCommandCard } from "../message/user-command-card";
import { UserCard } from "../message/user-card";

const CompactionCard = lazy(async () => ({ default: (await import("./compaction-card")).CompactionCard }));
const UnrunCallLine = lazy(async () => ({ default: (await import("../unrun/unrun-call-line")).UnrunCallLine }));
const CallQuestions = lazy(async () => ({ default: (await import("../questions/call-questions")).CallQuestions }));

interface ConversationRowProps {
  readonly item: ConversationItem;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
  /** The last row of the conversation, ignoring file restores after it. */
  readonly last: boolean;
  /** The end of the newest run that changed files. */
  readonly hasUndo: boolean;
  readonly turnPosition: TurnPosition;
  readonly canContinue: boolean;
  /** The model server's phase, for the row that is being written; null for all others. */
  readonly phase: PhaseView | null;
  /** Approvals are shown in a sheet instead of the list (phones). */
  readonly showsApprovalsInSheet: boolean;
  /** 1-based position of its approval among the waiting ones; 0 = it does not wait. */
  readonly approvalNumber: number;
  readonly approvalCount: number;
}

export const ConversationRow = memo(function ItemRow({
  item,
  open,
  onToggle,
  last,
  hasUndo,
  turnPosition,
  canContinue,
  phase,
  showsApprovalsInSheet,
  approvalNumber,
  approvalCount,
}: ConversationRowProps): ReactNode {
  const { content } = item;
  const toggle = { open, onToggle: () => onToggle(item.key) };
  switch (content.kind) {
    case "user":
      return <UserCard message={content.message} />;
    case "userCommand":
      return <UserCommandCard {...content} {...toggle} />;
    case "text":
      return <Markdown text={content.text} live={content.live} className="text-talk" />;
    case "thinking":
      return <ThinkingLine {...content} {...toggle} phase={phase} />;
    case "call": {
      const approval = content.call.approvals.at(-1);
      return content.call.state === "waiting" &&
        approval !== undefined &&
        approval.response === undefined &&
        !showsApprovalsInSheet ? (
        <ApprovalCard
          key={approval.approvalId}
          call={content.call}
          approval={approval}
          position={approvalNumber > 0 ? { index: approvalNumber, of: approvalCount } : undefined}
        />
      ) : (
        <>
          <ToolLine {...content} {...toggle} />
          {content.call.kind === "other" && content.call.state === "running" && (
            <Suspense>
              <CallQuestions callId={content.call.callId} />
            </Suspense>
          )}
        </>
      );
    }
    case "reads":
      return <ReadsLine calls={content.calls} {...toggle} />;
    case "input":
      return <StreamingCallLine name={content.name} phase={phase} />;
    case "unrun":
      return (
        <Suspense>
          <UnrunCallLine {...content} of={item.seq} />
        </Suspense>
      );
    case "stopped":
      return <StoppedLine {...content} />;
    case "retry":
      return <RetryLine {...content} live={last} />;
    case "error":
      return (
        <ErrorCard
          error={content.entry.error}
          turnPosition={turnPosition}
          canContinue={canContinue}
          request={content.request}
        />
      );
    case "restore":
      return <RestoreLine {...content} />;
    case "compaction":
      return (
        <Suspense fallback={<div className="h-8" />}>
          <CompactionCard {...content} {...toggle} />
        </Suspense>
      );
    case "run_end":
      return <RunEndLine {...content} {...toggle} canContinue={canContinue && last} {...{ last, hasUndo }} />;
  }
});

/** A call whose arguments are still streaming: "Preparing write 12 s". */
function StreamingCallLine({ name, phase }: { readonly name: string; readonly phase: PhaseView | null }) {
  const messages = useMessages();
  const now = useNow(1000);
  const ms = phase?.phase === "calling" ? now - phase.sinceMs : 0;
  return (
    <p data-live className="flex h-7 items-center gap-2 text-base text-ink-muted tabular-nums">
      <span className="grid size-4 place-items-center">
        <Spinner className="text-accent" />
      </span>
      {name === "" ? messages.chat.phase.calling : messages.chat.preparing(name)}
      {ms >= 1_000 && <span className="text-ink-faint">{formatWholeSeconds(ms, messages)}</span>}
    </p>
  );
}
