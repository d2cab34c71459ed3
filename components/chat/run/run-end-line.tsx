"use client";
/** The end of a run: a pause with its remedies, and a summary line that expands to details. */
import { ChevronRight, CircleAlert, CircleCheck, CirclePause, CircleStop } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useMessages, type Messages } from "../../messages/messages";
import type { RunEnd } from "@/lib/events/event";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { useConversationActions, useConversationFacts } from "../actions";
import { ErrorCard } from "../errors/error-card";
import type { ItemContent } from "../conversation/conversation-items";
import { NoticeCard } from "../errors/notices";
import { pauseReason } from "./pause-reason";
import type { RunSummary } from "./run-summary";
import { PlusMinus } from "../../ui/text/plus-minus";

// Most runs are never expanded, and a viewer has no menu.
const RunDetails = lazy(async () => ({ default: (await import("./run-details")).RunDetails }));
const RunMenu = lazy(async () => ({ default: (await import("./run-menu")).RunMenu }));

type RunEndContent = Extract<ItemContent, { kind: "run_end" }>;

interface RunEndLineProps extends Omit<RunEndContent, "kind"> {
  /** It is the last row and Continue accepts it. */
  readonly canContinue: boolean;
  /** It is the newest row. */
  readonly last: boolean;
  /** It is the newest run whose file changes are still there. */
  readonly hasUndo: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
}

const endIcons = {
  done: CircleCheck,
  aborted: CircleStop,
  error: CircleAlert,
  limit: CirclePause,
  interrupted: CircleStop,
} as const satisfies Record<RunEnd, unknown>;

/** "3 files changed +42 −7 · 2 commands · 1 refused · 12 s · 31 tok/s" as parts, so that figures can be coloured. */
function buildSummaryParts(
  summary: RunSummary,
  reason: string,
  isUndone: boolean,
  messages: Messages,
): readonly { readonly key: string; readonly content: ReactNode }[] {
  const { run } = messages.chat;
  const parts: { key: string; content: ReactNode }[] = [];
  if (reason !== "") parts.push({ key: "reason", content: reason });
  if (summary.files > 0) {
    parts.push({
      key: "files",
      content: (
        <>
          {run.files(summary.files)} <PlusMinus added={summary.added} removed={summary.removed} />
        </>
      ),
    });
    if (isUndone) parts.push({ key: "undone", content: run.undone });
  }
  // That no command ran is said where one should have: the model may claim that its tests passed.
  if (summary.commands > 0 || summary.refusedCommands > 0)
    parts.push({ key: "commands", content: run.commands(summary.commands) });
  if (summary.refused > 0) parts.push({ key: "refused", content: run.refused(summary.refused) });
  const time = formatRunTime(summary, messages);
  if (time !== "") parts.push({ key: "time", content: time });
  if (summary.tokensPerSecond !== null)
    parts.push({ key: "speed", content: messages.figures.speed(summary.tokensPerSecond) });
  return parts;
}

/** Formats "2.3 s + 43 s for you"; "" = both unknown. */
function formatRunTime({ workedMs, waitedMs }: RunSummary, { figures, chat }: Messages): string {
  const worked = workedMs === null ? [] : [figures.duration(workedMs)];
  const waited = waitedMs === 0 ? [] : [chat.run.waited(figures.duration(waitedMs))];
  return [...worked, ...waited].join(" + ");
}

export function RunEndLine({
  entry,
  summary,
  cause,
  request,
  hasPlan,
  isUndone,
  from,
  canContinue,
  last,
  hasUndo,
  open,
  onToggle,
}: RunEndLineProps) {
  const messages = useMessages();
  const { runDetails } = useConversationMessages();
  const { branchControls } = useConversationActions();
  const { reason } = entry;
  const details = useId();
  const offersMore = canContinue && (reason === "limit" || reason === "interrupted");
  // The card above already shows the reason; a line without a time repeats it, since it may be empty otherwise.
  const reasonText =
    (offersMore && summary.workedMs !== null) || reason === "done"
      ? ""
      : formatEndReason(reason, cause?.code, messages);
  const parts = buildSummaryParts(summary, reasonText, isUndone, messages);
  return (
    <div>
      {offersMore && <PauseNotice entry={entry} cause={cause} />}
      {/* The menu of an older run is invisible until hover: wrapped to its own line it would leave a gap. */}
      <div className={classes("group/end flex items-center gap-x-2", last && "flex-wrap")}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? details : undefined}
          onClick={onToggle}
          className="group -mx-1.5 flex min-h-7 min-w-0 max-w-full items-center gap-x-1.5 rounded-control px-1.5 py-0.5 text-left text-small text-ink-muted tabular-nums hover:bg-hover max-tablet:min-h-11"
        >
          <Icon
            of={endIcons[reason]}
            size={14}
            className={classes("mr-0.5", reason === "error" ? "text-danger" : "text-ink-faint")}
          />
          <span className="flex min-w-0 flex-wrap items-center gap-x-1.5">
            {parts.map((part, index) => (
              <span key={part.key} className="inline-flex items-center gap-1.5 whitespace-nowrap">
                <span>{part.content}</span>
                {index < parts.length - 1 ? (
                  <span className="text-ink-faint">·</span>
                ) : (
                  <Icon
                    of={ChevronRight}
                    size={12}
                    className={classes("text-ink-faint transition-transform", open && "rotate-90")}
                  />
                )}
              </span>
            ))}
          </span>
          <span className="sr-only">{runDetails.label}</span>
        </button>
        {/* One group, so that it wraps as a whole. */}
        <div data-run-actions className="flex items-center gap-x-1 empty:hidden">
          {summary.files > 0 && from !== undefined && (
            <ChangeButtons from={from} to={entry.seq} files={summary.files} {...{ last, hasUndo }} />
          )}
          {branchControls !== null && (
            <Suspense>
              <RunMenu
                seq={entry.seq}
                {...{ last, hasUndo }}
                request={request}
                // The user's own commands have no steps.
                offersContinue={last && reason === "aborted" && entry.steps > 0}
                {...(summary.files > 0 && from !== undefined && !isUndone ? { from } : {})}
              />
            </Suspense>
          )}
        </div>
      </div>
      {last && reason === "done" && hasPlan && <PlanButtons />}
      {open && (
        <div id={details}>
          <Suspense>
            <RunDetails steps={entry.steps} summary={summary} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

/** In Plan mode, the buttons to carry out the proposed plan. */
function PlanButtons() {
  const { plan } = useMessages().chat;
  const { runControls } = useConversationActions();
  const { isIdle, mode } = useConversationFacts();
  if (runControls === null || !isIdle || mode !== "plan") return null;
  return (
    <div data-plan className="mt-1.5 flex flex-wrap gap-2">
      <Button look="primary" onClick={() => runControls.carryOutPlan("ask")}>
        {plan.carryOut}
      </Button>
      <Button onClick={() => runControls.carryOutPlan("edits")}>{plan.carryOutEdits}</Button>
    </div>
  );
}

interface ChangeButtonsProps extends Pick<RunEndLineProps, "last" | "hasUndo"> {
  readonly from: number;
  readonly to: number;
  /** Number of files that the run changed. */
  readonly files: number;
}

/** Review and undo buttons of a run; the undo of an earlier run is in its menu. */
function ChangeButtons({ from, to, files, last, hasUndo }: ChangeButtonsProps) {
  const messages = useMessages();
  const { isIdle } = useConversationFacts();
  const { reviewChanges, restoreFiles } = useConversationActions();
  return (
    <>
      {reviewChanges !== undefined && (
        <Button
          size="small"
          look={last ? "plain" : "quiet"}
          onClick={() => (last ? reviewChanges() : reviewChanges({ from, to }))}
        >
          {messages.chat.run.review}
        </Button>
      )}
      {hasUndo && restoreFiles !== undefined && (
        <Button
          size="small"
          look="quiet"
          disabled={!isIdle}
          onClick={() => restoreFiles(from, { before: last ? "run" : "earlier" })}
        >
          {messages.chat.run.undo(files)}
        </Button>
      )}
    </>
  );
}

function formatEndReason(reason: Exclude<RunEnd, "done">, code: string | undefined, messages: Messages): string {
  return (reason === "limit" ? pauseReason(code ?? null, messages) : null) ?? messages.chat.run[reason];
}

function PauseNotice({ entry, cause }: Pick<RunEndLineProps, "entry" | "cause">) {
  const messages = useMessages();
  const { resume, runControls } = useConversationActions();
  if (cause !== undefined) return <ErrorCard error={cause} turnPosition="end" canContinue />;
  return (
    <NoticeCard
      tone="plain"
      actions={
        runControls === null ? undefined : (
          <Button look="primary" onClick={resume}>
            {messages.chat.resume}
          </Button>
        )
      }
    >
      {entry.reason === "limit" ? messages.chat.limit(entry.steps) : messages.chat.interrupted}
    </NoticeCard>
  );
}
