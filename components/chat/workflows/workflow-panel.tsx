"use client";
/** The workflow of a session above its message field: progress, its steps on demand, and what continues or ends it. */
import { ChevronDown, ChevronUp, Workflow } from "lucide-react";
import { useId, useMemo, useState } from "react";
import type { SessionId } from "@/lib/events/id";
import type { WorkflowEntry } from "@/lib/workflows/workflow-events";
import { openQuestion, workflowRun } from "@/lib/workflows/workflow-run";
import { type WorkflowRow, workflowRows } from "@/lib/workflows/workflow-rows";
import { useFullMessages } from "../../messages/full-messages";
import { newCommandId } from "../../state/new-id";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { StepQuestion } from "./step-question";
import { WorkflowSteps } from "./workflow-steps";
import { useWorkflowCommand } from "./use-workflow-command";

interface WorkflowPanelProps {
  readonly sessionId: SessionId;
  readonly entries: readonly WorkflowEntry[];
}

export function WorkflowPanel({ sessionId, entries }: WorkflowPanelProps) {
  const { workflows: text, errors } = useFullMessages();
  const run = useMemo(() => workflowRun(entries), [entries]);
  const rows = useMemo(() => (run === null ? [] : workflowRows(run)), [run]);
  /** null = not chosen: open until all is done. */
  const [choice, setOpen] = useState<boolean | null>(null);
  const listId = useId();
  const { perform, isBusy } = useWorkflowCommand();
  if (run === null) return null;
  const isOpen = choice ?? run.end?.reason !== "done";
  const question = run.end === null ? openQuestion(run) : undefined;
  const current = rows.find(({ state, kind }) => state === "running" && kind !== "workflow");
  const unknown = rows.find(({ state }) => state === "unknown");
  const done = rows.filter(({ state }) => state === "ok" || state === "skipped").length;
  const canContinue = run.end !== null && run.end.reason !== "done" && unknown === undefined;
  return (
    <section
      aria-label={text.title}
      data-workflow={run.end?.reason ?? "running"}
      className="mx-auto mb-1.5 w-full max-w-[760px] overflow-hidden rounded-card border border-line bg-surface"
    >
      <div className="flex min-h-8 items-center gap-1 pr-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={listId}
          title={isOpen ? text.hide : text.show}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-2.5 text-left outline-offset-[-2px] max-tablet:min-h-11"
        >
          <Icon of={Workflow} size={14} className="text-ink-muted" />
          <span className="shrink-0 cut font-medium">{run.name}</span>
          <span className="shrink-0 text-small text-ink-muted tabular-nums">{text.progress(done, rows.length)}</span>
          <span role="status" className="min-w-0 flex-1 cut text-ink-muted">
            {run.end === null ? (isOpen ? "" : titleOf(current)) : text.ends[run.end.reason]}
          </span>
          <Icon of={isOpen ? ChevronDown : ChevronUp} size={14} className="text-ink-faint" />
        </button>
        {run.end === null && (
          <Button size="small" look="quiet" busy={isBusy} onClick={() => perform("workflows.stop", { sessionId })}>
            {text.stop}
          </Button>
        )}
        {canContinue && (
          <Button
            size="small"
            busy={isBusy}
            onClick={() => perform("workflows.continue", { sessionId, commandId: newCommandId() })}
          >
            {text.continue}
          </Button>
        )}
      </div>
      {run.end?.error !== undefined && (
        <p className="border-t border-line px-2.5 py-2 text-danger">
          {errors.sentences[run.end.error.code]}
          {run.end.error.detail === undefined ? "" : ` (${run.end.error.detail})`}
        </p>
      )}
      {unknown !== undefined && (
        <div className="flex flex-wrap items-center gap-2 border-t border-line bg-ask-soft px-2.5 py-2">
          <p className="min-w-48 flex-1 [overflow-wrap:anywhere]">{text.unknownNote(titleOf(unknown))}</p>
          {(["again", "skip"] as const).map((choice) => (
            <Button
              key={choice}
              size="small"
              busy={isBusy}
              onClick={() => perform("workflows.continue", { sessionId, commandId: newCommandId(), unknown: choice })}
            >
              {text[choice]}
            </Button>
          ))}
        </div>
      )}
      {question !== undefined && <StepQuestion key={question.seq} sessionId={sessionId} step={question} />}
      <div id={listId}>
        {isOpen && (
          <WorkflowSteps
            rows={rows}
            onRerun={
              run.end === null || isBusy
                ? null
                : (step) => perform("workflows.rerun", { sessionId, commandId: newCommandId(), step })
            }
          />
        )}
      </div>
    </section>
  );
}

const titleOf = (row: WorkflowRow | undefined): string => row?.title ?? "";
