"use client";
/** Panel with the composition of the next request: its parts, the window in force and its limits, and compaction. */
import { lazy, useEffect, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useFullMessages } from "../../messages/full-messages";
import type { ContextReport } from "@/lib/protocol/answers";
import { limits } from "@/lib/settings/settings";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { LazyDialog } from "../../ui/overlays/lazy-dialog";
import { Skeleton } from "../../ui/indicators/skeleton";
import { TextField } from "../../ui/controls/text-field";
import { formatCachedPrefix } from "./format-cached-prefix";
import { type ContextUsage, WindowNumbers } from "./context-ring";

const PromptDialog = lazy(async () => ({ default: (await import("./prompt-dialog")).PromptDialog }));

interface ContextPanelProps extends ContextUsage {
  readonly onClose: () => void;
}

export function ContextPanel(props: ContextPanelProps) {
  const { load, cachedPrefix } = props;
  const messages = useFullMessages();
  const { composer, contextPanel, figures } = messages;
  const { runDetails } = useConversationMessages();
  const [report, setReport] = useState<ContextReport | null | undefined>(undefined);
  const [isShowing, setShowing] = useState(false);
  useEffect(() => {
    let wanted = true;
    void load().then((answer) => {
      if (wanted) setReport(answer);
    });
    return () => {
      wanted = false;
    };
  }, [load]);
  const window = report?.window ?? props.window;
  return (
    <div className="grid gap-3 p-3">
      {report === undefined && <Skeleton label={messages.common.loading} className="h-36" />}
      {report === null && <p className="text-ink-muted">{contextPanel.contextFailed}</p>}
      {report !== undefined && report !== null && <PromptParts report={report} />}
      <section className="border-t border-line pt-2.5">
        <p className="flex justify-between pb-1">
          <span>{composer.window.inForce}</span>
          <span className="font-medium tabular-nums">{figures.tokens(window.inForce)}</span>
        </p>
        <WindowNumbers window={window} />
      </section>
      {cachedPrefix !== null && (
        <p className="flex justify-between gap-4 text-small text-ink-muted">
          <span>{contextPanel.prefixKept}</span>
          <span className="text-right tabular-nums">{formatCachedPrefix(cachedPrefix, runDetails, figures)}</span>
        </p>
      )}
      <ContextActions {...props} canShow={report !== undefined && report !== null} onShow={() => setShowing(true)} />
      {isShowing && report !== undefined && report !== null && (
        <LazyDialog label={messages.common.loading} onClose={() => setShowing(false)}>
          <PromptDialog report={report} onClose={() => setShowing(false)} />
        </LazyDialog>
      )}
    </div>
  );
}

type PromptPart = ContextReport["parts"][number]["part"];

/** One hue in steps; the parts that grow with the conversation are the darkest. */
const partColors: Record<PromptPart, string> = {
  system: "bg-ink/25",
  tools: "bg-ink/40",
  toolbox: "bg-ink/50",
  memory: "bg-ink/60",
  snapshot: "bg-ink/70",
  summary: "bg-accent/40",
  files: "bg-accent/55",
  messages: "bg-accent",
  results: "bg-accent/70",
};

function PromptParts({ report }: { readonly report: ContextReport }) {
  const { composer, contextPanel, figures } = useFullMessages();
  const { total, window, compactAt } = report;
  const most = Math.max(1, window.inForce, total);
  const parts = report.parts.filter((part) => part.tokens > 0);
  return (
    <section className="grid gap-2">
      <p className="flex items-baseline justify-between gap-4">
        <span className="font-medium">{composer.contextTitle}</span>
        <span className="text-ink-muted tabular-nums">
          {contextPanel[report.isCounted === true ? "contextCounted" : "contextUse"](
            figures.tokens(total),
            figures.tokens(window.inForce),
            figures.percent(total / most),
          )}
        </span>
      </p>
      <div className="relative h-2">
        <div className="flex h-full gap-px overflow-hidden rounded-full bg-ink/8">
          {parts.map(({ part, tokens }) => (
            <span key={part} className={partColors[part]} style={{ width: `${(tokens / most) * 100}%` }} />
          ))}
        </div>
        <span
          aria-hidden
          className="absolute -inset-y-0.5 w-px bg-ink-muted"
          style={{ left: `${Math.min(1, compactAt / most) * 100}%` }}
        />
      </div>
      <dl className="grid gap-0.5 tabular-nums">
        {parts.map(({ part, tokens }) => (
          <div key={part} className="flex items-center gap-2">
            <span aria-hidden className={classes("size-2 rounded-full", partColors[part])} />
            <dt className="flex-1">{contextPanel.parts[part]}</dt>
            <dd className="text-ink-muted">{figures.tokens(tokens)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-small text-ink-muted">
        {contextPanel.compactsAt(figures.tokens(compactAt), figures.percent(compactAt / most))}
      </p>
    </section>
  );
}

interface ContextActionsProps extends Pick<ContextPanelProps, "isIdle" | "onCompact" | "onClose"> {
  readonly canShow: boolean;
  readonly onShow: () => void;
}

function ContextActions({ isIdle, onCompact, onClose, canShow, onShow }: ContextActionsProps) {
  const { contextPanel, chat } = useFullMessages();
  const [focus, setFocus] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const compact = (): void => {
    setBusy(true);
    void onCompact((focus ?? "").trim()).then((isAccepted) => (isAccepted ? onClose() : setBusy(false)));
  };
  if (focus !== null) {
    return (
      <form
        className="grid gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          compact();
        }}
      >
        <TextField
          autoFocus
          value={focus}
          maxLength={limits.focusMaxChars}
          placeholder={contextPanel.focusHint}
          aria-label={contextPanel.focus}
          onChange={(event) => setFocus(event.target.value)}
        />
        <Button type="submit" look="primary" busy={busy}>
          {chat.compactNow}
        </Button>
      </form>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isIdle ? (
        <Button size="small" onClick={() => setFocus("")}>
          {chat.compactNow}
        </Button>
      ) : (
        <span className="flex-1 text-small text-ink-muted">{contextPanel.compactLater}</span>
      )}
      {canShow && (
        <Button size="small" look="quiet" onClick={onShow}>
          {contextPanel.showPrompt}
        </Button>
      )}
    </div>
  );
}
