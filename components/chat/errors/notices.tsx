"use client";
/** Notice card, stop line and retry line of the conversation. Raw facts are shown on demand. */
import { CircleAlert, CirclePause, RotateCw } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useMessages } from "../../messages/messages";
import { type AgentError, anyFacts } from "@/lib/events/error";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { ErrorSentence } from "./error-sentence";
import { hasLateSentence } from "./find-remedies";
import type { ItemContent } from "../conversation/conversation-items";
import { useNow } from "../../ui/text/use-now";

type ItemContentOf<K extends ItemContent["kind"]> = Extract<ItemContent, { kind: K }>;

const formatRawError = (error: AgentError): string => {
  const facts = Object.entries(error.facts ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [error.code, error.detail, ...facts].filter((line) => line !== undefined && line !== "").join("\n");
};

interface NoticeCardProps {
  readonly tone: "danger" | "plain";
  readonly children: ReactNode;
  /** Its raw facts are shown in a collapsible block. */
  readonly error?: AgentError;
  /** Buttons and links, most important first. */
  readonly actions?: ReactNode;
}

export function NoticeCard({ tone, children, error, actions }: NoticeCardProps) {
  const messages = useMessages();
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div
      role={tone === "danger" ? "alert" : undefined}
      data-tone={tone}
      className="my-1 flex gap-2 rounded-card border border-line bg-raised py-2 pr-2 pl-3 text-base data-[tone=danger]:border-danger/40"
    >
      <Icon
        of={tone === "danger" ? CircleAlert : CirclePause}
        className={classes("mt-1.5", tone === "danger" ? "text-danger" : "text-ink-muted")}
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1.5">
        <div className="min-w-[min(26rem,100%)] flex-1 py-1 [overflow-wrap:anywhere]">{children}</div>
        {(actions !== undefined || error !== undefined) && (
          <div className="flex flex-wrap items-center gap-2">
            {actions}
            {error !== undefined && (
              <Button look="quiet" size="small" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
                {messages.common.details}
              </Button>
            )}
          </div>
        )}
        {open && error !== undefined && (
          <pre
            id={id}
            tabIndex={0}
            className="max-h-48 w-full overflow-auto rounded-control bg-canvas p-2 text-small whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]"
          >
            {formatRawError(error)}
          </pre>
        )}
      </div>
    </div>
  );
}

export function StoppedLine({ stop }: ItemContentOf<"stopped">) {
  const { stoppedAnswer } = useConversationMessages();
  return (
    <p className={classes("text-base", stop === "length" || stop === "error" ? "text-danger" : "text-ink-muted")}>
      {stoppedAnswer[stop]}
    </p>
  );
}

export function RetryLine({ entry, live }: ItemContentOf<"retry"> & { readonly live: boolean }) {
  const { chat, figures, serverFaults } = useConversationMessages();
  const now = useNow(live ? 1000 : null);
  const left = live ? entry.at + entry.delayMs - now : 0;
  const changed: Readonly<Record<string, string>> = chat.changed;
  const changedText = entry.delayMs === 0 ? changed[entry.error.code] : undefined;
  const namesChange = entry.delayMs === 0 && hasLateSentence(entry.error);
  const { waitMs, position } = anyFacts(entry.error);
  const leftText = figures.duration(Math.ceil(left / 1000) * 1000);
  const waiting =
    position !== undefined ? serverFaults.askingAgainFrom(leftText, position) : serverFaults.askingAgain(leftText);
  const [pending, past] =
    waitMs === undefined
      ? [chat.retrying(entry.attempt, entry.of, leftText), chat.retried(entry.attempt, entry.of)]
      : [waiting, serverFaults.asked];
  const attempts = left > 0 ? pending : past;
  return (
    <p className="flex min-h-7 items-start gap-2 py-1 text-base text-ink-muted tabular-nums">
      <Icon of={RotateCw} className="mt-0.5 text-ink-faint" />
      <span className="min-w-0">
        {changedText ?? <ErrorSentence error={entry.error} then={namesChange ? "" : attempts} />}
      </span>
    </p>
  );
}
