"use client";
/** Header of a tool line: toggle of its card, link to the file, outcome. */
import type { ReactNode } from "react";
import { useWords } from "@/components/words/words";
import type { CallView } from "@/lib/view";
import { Chip } from "../../ui/chip";
import { classes } from "../../ui/classes";
import { FoldIcon } from "../../ui/fold-icon";
import { PathText } from "../../ui/path-text";
import { PlusMinus } from "../../ui/plus-minus";
import { VisibleText } from "../../ui/visible-text";
import { useConversationActions } from "../actions";
import { useNow } from "../use-now";
import { PathLink } from "./path-link";
import { changedLines, endOf, isFailed, placeOf, targetOf, toolIcons, verbOf } from "./tool-facts";

export interface ToolHeaderProps {
  readonly call: CallView;
  /** The source text if the model wrote the call as text. */
  readonly raw?: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Minimum running time that is shown, ms. */
const showRunningAfterMs = 1_500;

export function ToolHeader(props: ToolHeaderProps) {
  const { call, raw, open, onToggle } = props;
  const words = useWords();
  const { openPath } = useConversationActions();
  const target = targetOf(call, words);
  const place = openPath === null ? null : placeOf(call);
  const lines = target.lines === "" ? "" : ` ${target.lines}`;
  // A denied command is shown in full: the user reads what was not run.
  const isWhole = call.kind === "shell" && call.state === "denied" && !open;
  const row = classes(
    "group relative flex min-h-7 min-w-0 flex-1 gap-2 rounded-control text-left text-ink-muted max-tablet:min-h-11",
    isWhole ? "items-start py-1 max-tablet:py-3" : "items-center",
  );
  const lead = (
    <>
      <FoldIcon
        of={toolIcons[call.kind]}
        open={open}
        live={call.state === "running"}
        className={isWhole ? "mt-0.5" : ""}
      />
      <span className="shrink-0 font-medium text-ink">{verbOf(call, words)}</span>
    </>
  );
  const end = <Ends call={call} {...(raw === undefined ? {} : { raw })} />;
  if (place !== null)
    return (
      <div className={row}>
        {/* The button's hit area is the whole row; the link lies above it. */}
        <button
          type="button"
          aria-expanded={open}
          aria-label={`${verbOf(call, words)} ${target.text}${lines}`}
          onClick={onToggle}
          className="flex shrink-0 items-center gap-2 rounded-control text-left outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {lead}
        </button>
        <PathLink {...place} className="relative z-10 flex min-w-0 text-code">
          <PathText path={target.text} names={words.common.hidden} />
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
          <PathText path={target.text} names={words.common.hidden} />
        ) : (
          <VisibleText text={isWhole ? call.target : target.text} names={words.common.hidden} />
        )}
        {target.more && !isWhole && " …"}
        {lines !== "" && <span className="shrink-0 whitespace-pre">{lines}</span>}
      </code>
      {end}
    </button>
  );
}

/** Marks and figures at the end of the line. */
function Ends({ call, raw }: Pick<ToolHeaderProps, "call" | "raw">): ReactNode {
  const { tools } = useWords();
  const lines = changedLines(call);
  return (
    <span className="ml-auto flex shrink-0 items-center gap-2 pl-2 text-small text-ink-muted tabular-nums">
      {raw !== undefined && (
        <span title={tools.rawNote} className="rounded-mark bg-ink/6 px-1.5">
          {tools.repairedMark}
        </span>
      )}
      {lines !== null && <PlusMinus {...lines} />}
      {call.state === "denied" && <Chip>{tools.deniedMark}</Chip>}
      <End call={call} />
    </span>
  );
}

function End({ call }: { readonly call: CallView }) {
  const words = useWords();
  const running = call.state === "running" && call.startedAt !== undefined;
  const now = useNow(running ? 1000 : null);
  const ranMs = running && call.startedAt !== undefined ? now - call.startedAt : 0;
  const parts = ranMs > showRunningAfterMs ? [words.figures.duration(ranMs)] : endOf(call, words);
  return parts.length === 0 ? null : (
    <span className={isFailed(call) ? "text-danger" : undefined}>{parts.join(" · ")}</span>
  );
}
