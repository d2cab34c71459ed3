"use client";
/** The steps of a workflow with their state, time and tokens; the output of a step is folded. */
import { Ban, Check, ChevronRight, Circle, CircleHelp, CircleStop, CornerDownRight, RotateCw, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { WorkflowRow } from "@/lib/workflows/workflow-rows";
import { useFullMessages } from "../../messages/full-messages";
import { IconButton } from "../../ui/controls/icon-button";
import { Icon } from "../../ui/indicators/icon";
import { Spinner } from "../../ui/indicators/spinner";
import { useNow } from "../../ui/text/use-now";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";

interface WorkflowStepsProps {
  readonly rows: readonly WorkflowRow[];
  /** null = no step can run again now. */
  readonly onRerun: ((step: string) => void) | null;
}

export function WorkflowSteps({ rows, onRerun }: WorkflowStepsProps) {
  const { workflows: text } = useFullMessages();
  const list = useRef<HTMLOListElement>(null);
  const current = rows.findLast(({ state }) => state === "running")?.key;
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <ol ref={list} aria-label={text.picture} className="max-h-[30dvh] overflow-y-auto border-t border-line py-1">
      {rows.map((row) => (
        <Step key={row.key} row={row} isCurrent={row.key === current} onRerun={onRerun} />
      ))}
    </ol>
  );
}

interface StepProps extends Pick<WorkflowStepsProps, "onRerun"> {
  readonly row: WorkflowRow;
  readonly isCurrent: boolean;
}

function Step({ row, isCurrent, onRerun }: StepProps) {
  const { workflows: text, common } = useFullMessages();
  const [isOpen, setOpen] = useState(false);
  const { key, depth, kind, title, state, record } = row;
  const canOpen = record !== null && state !== "running" && kind !== "workflow";
  const line = (
    <>
      <StateIcon state={state} />
      <span className="min-w-0 flex-1 cut">
        <span className="text-ink-muted">{text.kinds[kind]} </span>
        <VisibleText text={title === "" ? key : title} names={common.hidden} />
        {/\[\d+\]$/.test(key) && <span className="text-ink-muted"> {/\[\d+\]$/.exec(key)?.[0]}</span>}
      </span>
      <StepFacts row={row} />
    </>
  );
  return (
    <li
      data-step={key}
      data-state={state}
      aria-current={isCurrent ? "step" : undefined}
      style={{ paddingLeft: `${18 * depth}px` }}
      className={classes(isCurrent ? "font-medium" : state === "pending" && "text-ink-muted")}
    >
      <div className="flex min-h-7 items-center gap-1 pr-1 max-tablet:min-h-11">
        {canOpen ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-7 min-w-0 flex-1 items-center gap-2 rounded-control pl-2.5 text-left outline-offset-[-2px] hover:bg-hover max-tablet:min-h-11"
          >
            {line}
            <Icon
              of={ChevronRight}
              size={12}
              className={classes("text-ink-faint transition-transform", isOpen && "rotate-90")}
            />
          </button>
        ) : (
          <div className="flex min-w-0 flex-1 items-center gap-2 pr-5 pl-2.5">{line}</div>
        )}
        {record !== null && onRerun !== null && (
          <IconButton icon={RotateCw} size="small" name={text.rerun} onClick={() => onRerun(key)} />
        )}
      </div>
      {isOpen && record !== null && <StepOutput row={row} />}
    </li>
  );
}

function StepFacts({ row: { record, kind } }: Pick<StepProps, "row">): ReactNode {
  const { workflows: text, figures } = useFullMessages();
  const now = useNow(record?.state === "running" ? 1_000 : null);
  if (record === null || record.state === "skipped") return null;
  const { attempt, exit, tokens, startedAt, endedAt, state } = record;
  const end = endedAt ?? (state === "running" && kind !== "ask" ? now : undefined);
  const facts = [
    ...(attempt > 1 ? [text.attempt(attempt)] : []),
    ...(exit === undefined || exit === 0 ? [] : [text.exit(exit)]),
    ...(tokens === undefined || tokens === 0 ? [] : [text.tokens(figures.tokens(tokens))]),
    ...(end === undefined ? [] : [figures.duration(Math.max(0, end - startedAt))]),
  ];
  return <span className="shrink-0 text-small font-normal text-ink-muted tabular-nums">{facts.join(" · ")}</span>;
}

function StepOutput({ row: { record } }: Pick<StepProps, "row">) {
  const { workflows: text, common, errors } = useFullMessages();
  if (record === null) return null;
  const { error, output } = record;
  return (
    <div className="grid gap-1 px-2.5 pb-2 pl-8 font-normal">
      {error !== undefined && (
        <p className="text-danger">
          {errors.sentences[error.code]}
          {error.detail === undefined ? "" : ` (${error.detail})`}
        </p>
      )}
      {output === "" ? (
        error === undefined && <p className="text-ink-muted">{text.noOutput}</p>
      ) : (
        <pre
          tabIndex={0}
          aria-label={text.output}
          className="max-h-48 overflow-auto rounded-control border border-line bg-raised p-2 text-code whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <VisibleText text={output} names={common.hidden} />
        </pre>
      )}
    </div>
  );
}

const stateIcons = {
  pending: { of: Circle, look: "text-ink-faint" },
  ok: { of: Check, look: "text-accent" },
  failed: { of: X, look: "text-danger" },
  stopped: { of: CircleStop, look: "text-ink-muted" },
  skipped: { of: CornerDownRight, look: "text-ink-faint" },
  unknown: { of: CircleHelp, look: "text-ask" },
} as const;

function StateIcon({ state }: Pick<WorkflowRow, "state">) {
  const { workflows: text } = useFullMessages();
  if (state === "running")
    return (
      <span role="img" aria-label={text.states.running} className="grid size-3.5 shrink-0 place-items-center">
        <Spinner />
      </span>
    );
  const { of, look } = stateIcons[state] ?? { of: Ban, look: "" };
  return <Icon of={of} size={14} label={text.states[state]} className={look} />;
}
