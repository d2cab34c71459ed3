"use client";
/** One row of the conversation, by the kind of its content. Memoised: renders again only if its props change. */
import { lazy, memo, type ReactNode, Suspense } from "react";
import { useMessages } from "../../messages/messages";
import type { PhaseView } from "@/lib/view/view";
import { Spinner } from "../../ui/indicators/spinner";
import { ApprovalCard } from "../approval/approval-card";
import { ErrorCard } from "../errors/error-card";
import type { ConversationItem, TurnPosition, ItemContent } from "./conversation-items";
import { Markdown } from "../../ui/markdown/markdown";
import { RetryLine, StoppedLine } from "../errors/notices";
import { formatWholeSeconds } from "../run/phase-chip";
import { RunEndLine } from "../run/run-end-line";
import { ReadsLine } from "../tools/reads-line";
import { ToolLine } from "../tools/tool-line";
import { useNow } from "../../ui/text/use-now";
import { UserCommandCard } from "../message/user-command-card";
import { UserCard } from "../message/user-card";
import { Redo2, Undo2, Sparkle } from "lucide-react";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { useConversationActions } from "../actions";
import { useConversationMessages } from "../../messages/conversation-messages";
import { DisclosureIcon } from "../../ui/indicators/disclosure-icon";
import { describePhase } from "../run/describe-phase";
import { PhaseOffer } from "../run/phase-line";

interface ThinkingLineProps extends Omit<Extract<ItemContent, { kind: "thinking" }>, "kind"> {
  /** The server's phase while the thinking is live. */
  readonly phase: PhaseView | null;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Shorter thinking is shown without a duration, ms. */
const minShownMs = 1_000;

/** One muted line during and after the model's thinking; expands to the text. */
function ThinkingLine({ text, live, since, tookMs, phase, open, onToggle }: ThinkingLineProps) {
  const messages = useConversationMessages();
  const now = useNow(live ? 1000 : null);
  const { chat, figures } = messages;
  const thinking = live && phase?.phase === "thinking" ? phase : null;
  const offer = thinking === null ? null : describePhase(thinking, { now, lastEventAt: now }, messages).offer;
  const label = live
    ? chat.thinking(formatWholeSeconds(now - (thinking?.sinceMs ?? since), messages))
    : tookMs === undefined
      ? chat.thoughtSome
      : tookMs < minShownMs
        ? chat.thoughtBriefly
        : chat.thought(formatWholeSeconds(tookMs, messages));
  return (
    <div data-live={live || undefined} className="text-base text-ink-muted">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="group flex h-7 min-w-0 flex-1 items-center gap-2 rounded-control text-left tabular-nums max-tablet:h-11"
        >
          <DisclosureIcon of={Sparkle} open={open} live={live} />
          <span className="cut">{label}</span>
          {thinking?.tokens !== undefined && (
            <span className="shrink-0 text-ink-faint">{chat.tokens(figures.tokens(thinking.tokens))}</span>
          )}
        </button>
        {offer !== null && <PhaseOffer offer={offer} />}
      </div>
      {open && (
        <p className="mb-2 ml-[7px] border-l-2 border-line py-0.5 pl-[15px] leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text.trim()}
        </p>
      )}
    </div>
  );
}

type RestoreContent = Extract<ItemContent, { kind: "restore" }>;

/** A file restore: its direction, the files, and a button to reverse it unless that was done. */
function RestoreLine({ entry, direction, isReversed }: RestoreContent) {
  const messages = useMessages();
  const sentences = messages.chat.restore[direction];
  const { restoreFiles } = useConversationActions();
  const paths = entry.files.map((file) => file.path).join(", ");
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2 text-small text-ink-muted">
      <Icon of={direction === "undone" ? Undo2 : Redo2} size={14} className="text-ink-faint" />
      <span>{sentences.summary(entry.files.length)}</span>
      <code title={paths} className="max-w-80 min-w-0 cut text-ink-faint">
        {paths}
      </code>
      {restoreFiles !== undefined && !isReversed && (
        <Button
          size="small"
          look="quiet"
          onClick={() => restoreFiles(entry.seq - 1, direction === "undone" ? { isRedo: true } : {})}
        >
          {sentences.reverse}
        </Button>
      )}
    </div>
  );
}

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
