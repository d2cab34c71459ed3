"use client";
/** The conversation's own lines: errors, retries, how a run ended, summaries. One sentence, one action, raw facts in a fold. */
import { CircleAlert, CircleCheck, CirclePause, CircleStop, FoldVertical, RotateCw } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useWords, type Words } from "@/components/words/words";
import type { AgentError, ErrorCode } from "@/lib/error";
import type { RunEnd } from "@/lib/event";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icon";
import { useConversationActions } from "./actions";
import { ModelSettingsLink } from "./model-settings-link";
import type { ItemContent } from "./items";
import type { RunSummary } from "./run-summary";
import { PlusMinus } from "./tools/plus-minus";
import { useNow } from "./use-now";

type Of<K extends ItemContent["kind"]> = Extract<ItemContent, { kind: K }>;

function Details({ error }: { readonly error: AgentError }) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  const id = useId();
  const facts = Object.entries(error.facts ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const text = [error.code, error.detail, ...facts].filter((line) => line !== undefined && line !== "").join("\n");
  return (
    <>
      <Button look="quiet" size="small" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {words.common.details}
      </Button>
      {open && (
        <pre
          id={id}
          tabIndex={0}
          className="order-last max-h-48 w-full overflow-auto rounded-control bg-canvas p-2 text-small whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]"
        >
          {text}
        </pre>
      )}
    </>
  );
}

interface NoticeCardProps {
  readonly tone: "danger" | "plain";
  readonly children: ReactNode;
  readonly error?: AgentError;
  /** Offers Continue. */
  readonly onContinue?: () => void;
}

export function NoticeCard({ tone, children, error, onContinue }: NoticeCardProps) {
  const words = useWords();
  return (
    <div
      role={tone === "danger" ? "alert" : undefined}
      data-tone={tone}
      className="my-1 flex flex-wrap items-center gap-x-2 gap-y-1.5 rounded-card border border-line bg-raised py-2 pr-2 pl-3 text-base data-[tone=danger]:border-danger/40"
    >
      <Icon
        of={tone === "danger" ? CircleAlert : CirclePause}
        className={tone === "danger" ? "text-danger" : "text-ink-muted"}
      />
      <p className="min-w-48 flex-1">{children}</p>
      {error !== undefined && <Details error={error} />}
      {onContinue !== undefined && (
        <Button look="primary" onClick={onContinue}>
          {words.chat.resume}
        </Button>
      )}
    </div>
  );
}

/** What the settings of the model can mend. */
const modelCodes: readonly string[] = [
  "server_unreachable",
  "model_missing",
  "no_tools",
  "no_model",
  "out_of_memory",
  "window_full",
] satisfies readonly ErrorCode[];

export function ErrorCard({ entry }: Of<"error">) {
  const words = useWords();
  return (
    <NoticeCard tone="danger" error={entry.error}>
      {words.errors.sentences[entry.error.code]}{" "}
      {modelCodes.includes(entry.error.code) && <ModelSettingsLink className="ml-1" />}
    </NoticeCard>
  );
}

export function StoppedLine({ stop }: Of<"stopped">) {
  const words = useWords();
  return (
    <p className={classes("text-base", stop === "length" || stop === "error" ? "text-danger" : "text-ink-muted")}>
      {words.chat.stop[stop]}
    </p>
  );
}

export function RetryLine({ entry, live }: Of<"retry"> & { readonly live: boolean }) {
  const words = useWords();
  const due = entry.at + entry.delayMs;
  const now = useNow(live ? 1000 : null);
  const left = due - now;
  return (
    <p className="flex min-h-7 items-center gap-2 text-base text-ink-muted tabular-nums">
      <Icon of={RotateCw} className="text-ink-faint" />
      <span className="min-w-0">
        {words.errors.sentences[entry.error.code]}{" "}
        {live && left > 0
          ? words.chat.retrying(entry.attempt, entry.of, words.figures.duration(Math.ceil(left / 1000) * 1000))
          : words.chat.retried(entry.attempt, entry.of)}
      </span>
    </p>
  );
}

export function CompactionLine({ entry }: Of<"compaction">) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  const { tokens } = words.figures;
  const text =
    entry.state === "done"
      ? words.chat.compaction.done(tokens(entry.tokensBefore), tokens(entry.tokensAfter ?? 0))
      : words.chat.compaction[entry.state];
  const { summary } = entry;
  return (
    <div className="border-y border-line py-1 text-base text-ink-muted">
      <div className="flex min-h-7 items-center gap-2">
        <Icon of={FoldVertical} className={classes("text-ink-faint", entry.state === "running" && "animate-breathe")} />
        <span className="min-w-0 flex-1">{text}</span>
        {summary !== undefined && summary !== "" && (
          <Button look="quiet" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {words.chat.compaction.summary}
          </Button>
        )}
      </div>
      {open && <p className="pt-1 pb-2 pl-6 whitespace-pre-wrap">{summary}</p>}
    </div>
  );
}

const endIcons = {
  done: CircleCheck,
  aborted: CircleStop,
  error: CircleAlert,
  limit: CirclePause,
  interrupted: CircleStop,
} as const satisfies Record<RunEnd, unknown>;

/** "3 files changed +42 −7 · 2 commands · 12 s · 31 tok/s" in parts, so that figures can have their colours. */
function summaryParts(
  summary: RunSummary,
  reason: RunEnd,
  words: Words,
): readonly { readonly key: string; readonly content: ReactNode }[] {
  const { run } = words.chat;
  const parts: { key: string; content: ReactNode }[] = [];
  if (reason !== "done") parts.push({ key: "reason", content: run[reason] });
  if (summary.files > 0) {
    parts.push({
      key: "files",
      content: (
        <>
          {run.files(summary.files)} <PlusMinus added={summary.added} removed={summary.removed} />
        </>
      ),
    });
  }
  if (summary.commands > 0) parts.push({ key: "commands", content: run.commands(summary.commands) });
  parts.push({ key: "time", content: words.figures.duration(summary.tookMs) });
  if (summary.tokensPerSecond !== null)
    parts.push({ key: "speed", content: words.figures.speed(summary.tokensPerSecond) });
  return parts;
}

export function RunEndLine({ entry, summary, canContinue }: Of<"run_end"> & { readonly canContinue: boolean }) {
  const words = useWords();
  const { resume } = useConversationActions();
  const { reason } = entry;
  const offersMore = canContinue && (reason === "limit" || reason === "interrupted");
  // The card above the line has said why.
  const parts = summaryParts(summary, offersMore ? "done" : reason, words);
  return (
    <div>
      {offersMore && (
        <NoticeCard tone="plain" onContinue={resume}>
          {reason === "limit" ? words.chat.limit(entry.steps) : words.chat.interrupted}
        </NoticeCard>
      )}
      <p className="flex min-h-7 flex-wrap items-center gap-x-1.5 text-small text-ink-muted tabular-nums">
        <Icon
          of={endIcons[reason]}
          size={14}
          className={classes("mr-0.5", reason === "error" ? "text-danger" : "text-ink-faint")}
        />
        {parts.map((part, index) => (
          <span key={part.key} className="inline-flex items-center gap-1.5">
            <span>{part.content}</span>
            {index < parts.length - 1 && <span className="text-ink-faint">·</span>}
          </span>
        ))}
      </p>
    </div>
  );
}
