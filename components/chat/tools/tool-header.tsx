"use client";
/** Header of a tool line: toggle of its card, link to the file, outcome. */
import { isCommandKind } from "@/lib/events/tool-presentations";
import type { ReactNode } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { Json } from "@/lib/events/content";
import type { CallView } from "@/lib/view/view";
import { Chip } from "../../ui/indicators/chip";
import { classes } from "../../ui/theme/classes";
import { DisclosureIcon } from "../../ui/indicators/disclosure-icon";
import { PathText } from "../../ui/text/path-text";
import { PlusMinus } from "../../ui/text/plus-minus";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationActions } from "../actions";
import { useNow } from "../../ui/text/use-now";
import { PathLink } from "./path-link";
import {
  countChangedLines,
  formatOutcome,
  isFailed,
  findEditorLocation,
  formatTarget,
  toolIcon,
  formatVerb,
} from "./tool-facts";

export interface ToolHeaderProps {
  readonly call: CallView;
  /** The source text if the model wrote the call as text. */
  readonly raw?: string;
  /** Input of the call of another program's tool. */
  readonly input?: Json;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Minimum running time that is shown, ms. */
const showRunningAfterMs = 1_500;

export function ToolHeader(props: ToolHeaderProps) {
  const { call, raw, open, onToggle } = props;
  const messages = useConversationMessages();
  const { openPath } = useConversationActions();
  const target = formatTarget(call, messages);
  const place = openPath === null ? null : findEditorLocation(call);
  const lines = target.lines === "" ? "" : ` ${target.lines}`;
  // A denied command is shown in full: the user reads what was not run.
  const isWhole = isCommandKind(call.kind) && call.state === "denied" && !open;
  const row = classes(
    "group relative flex min-h-7 min-w-0 flex-1 gap-2 rounded-control text-left text-ink-muted max-tablet:min-h-11",
    isWhole ? "items-start py-1 max-tablet:py-3" : "items-center",
  );
  // The name of another program's tool may be wider than the line: it leaves room for the icon and the outcome.
  const lead = (
    <>
      <DisclosureIcon
        of={toolIcon(call.kind)}
        open={open}
        live={call.state === "running"}
        className={isWhole ? "mt-0.5" : ""}
      />
      <span className={classes("shrink-0 font-medium text-ink", place === null && "max-w-[calc(100%-9rem)] cut")}>
        {formatVerb(call, messages)}
      </span>
    </>
  );
  const end = <OutcomeMarks call={call} raw={raw} />;
  if (place !== null)
    return (
      <div className={row}>
        {/* The button's hit area is the whole row; the link lies above it. */}
        <button
          type="button"
          aria-expanded={open}
          aria-label={`${formatVerb(call, messages)} ${target.text}${lines}`}
          onClick={onToggle}
          className="flex shrink-0 items-center gap-2 rounded-control text-left outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {lead}
        </button>
        <PathLink {...place} className="relative z-10 flex min-w-0 text-code">
          <PathText path={target.text} names={messages.common.hidden} />
          {lines !== "" && <span className="shrink-0 whitespace-pre">{lines}</span>}
        </PathLink>
        {end}
      </div>
    );
  return (
    <button type="button" aria-expanded={open} onClick={onToggle} className={row}>
      {lead}
      <code
        className={classes(
          "min-w-0 text-code text-ink",
          isWhole ? "max-h-60 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]" : "",
          !isWhole && (target.isPath ? "flex" : "cut"),
        )}
      >
        {target.isPath ? (
          <PathText path={target.text} names={messages.common.hidden} />
        ) : (
          <VisibleText text={isWhole ? call.target : target.text} names={messages.common.hidden} />
        )}
        {target.more && !isWhole && " …"}
        {lines !== "" && <span className="shrink-0 whitespace-pre">{lines}</span>}
      </code>
      {end}
    </button>
  );
}

/** Marks and figures at the end of the line. */
function OutcomeMarks({ call, raw }: Pick<ToolHeaderProps, "call" | "raw">): ReactNode {
  const { tools } = useConversationMessages();
  const lines = countChangedLines(call);
  return (
    <span className="ml-auto flex shrink-0 items-center gap-2 pl-2 text-small text-ink-muted tabular-nums">
      {raw !== undefined && (
        <span title={tools.rawNote} className="rounded-mark bg-ink/6 px-1.5">
          {tools.repairedMark}
        </span>
      )}
      {lines !== null && <PlusMinus {...lines} />}
      {call.state === "denied" && <Chip>{tools.deniedMark}</Chip>}
      <OutcomeText call={call} />
    </span>
  );
}

function OutcomeText({ call }: { readonly call: CallView }) {
  const messages = useConversationMessages();
  const running = call.state === "running" && call.startedAt !== undefined;
  const now = useNow(running ? 1000 : null);
  const ranMs = running && call.startedAt !== undefined ? now - call.startedAt : 0;
  const parts = ranMs > showRunningAfterMs ? [messages.figures.duration(ranMs)] : formatOutcome(call, messages);
  return parts.length === 0 ? null : (
    <span className={isFailed(call) ? "text-danger" : undefined}>{parts.join(" · ")}</span>
  );
}
