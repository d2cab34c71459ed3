"use client";
/** The last runs of an automation: when, why, how they ended, and their sessions. */
import type { AutomationRun } from "@/lib/automations/automation";
import { useFullMessages } from "../../messages/full-messages";
import { ItemPart } from "../item-section/item-page";
import { withBasePath } from "../../state/base-path";

interface AutomationRunsProps {
  readonly runs: readonly AutomationRun[];
  /** Times at which it looked and asked no model. */
  readonly skipped: number;
}

export function AutomationRuns({ runs, skipped }: AutomationRunsProps) {
  const { automations: text, figures } = useFullMessages();
  return (
    <ItemPart title={text.runs.title} note={skipped === 0 ? undefined : text.runs.skipped(figures.number(skipped))}>
      {runs.length === 0 ? (
        <p className="text-ink-muted">{text.runs.none}</p>
      ) : (
        <ul aria-label={text.runs.title} className="divide-y divide-line border-y border-line">
          {runs.map((run) => (
            <RunRow key={run.scheduledFor} run={run} />
          ))}
        </ul>
      )}
    </ItemPart>
  );
}

function RunRow({ run }: { readonly run: AutomationRun }) {
  const { automations: text, errors, figures } = useFullMessages();
  const { scheduledFor, startedAt, endedAt, outcome, cause, tokens, sessionId, error } = run;
  const state = outcome === undefined ? null : text.runs.outcomes[outcome];
  const open = startedAt === undefined ? text.runs.waiting : text.runs.running;
  const isFailure = outcome === "failed" || outcome === "limit";
  const facts = [
    text.runs.causes[cause],
    ...(startedAt === undefined || endedAt === undefined ? [] : [figures.duration(endedAt - startedAt)]),
    ...(tokens === undefined ? [] : [text.runs.tokens(figures.tokens(tokens))]),
  ];
  return (
    <li className="grid gap-0.5 py-2">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <span className={isFailure ? "font-medium text-danger" : "font-medium"}>{state ?? open}</span>
        <span className="tabular-nums">{figures.dateTime(scheduledFor)}</span>
        <span className="text-small text-ink-muted tabular-nums">{facts.join(" · ")}</span>
        {sessionId !== undefined && (
          <a
            href={withBasePath(`/s/${sessionId}`)}
            aria-label={`${text.runs.open}: ${figures.dateTime(scheduledFor)}`}
            className="ml-auto text-accent hover:underline max-tablet:py-2.5"
          >
            {text.runs.open}
          </a>
        )}
      </p>
      {error !== undefined && <p className="max-w-[68ch] text-small text-ink-muted">{errors.sentences[error.code]}</p>}
    </li>
  );
}
