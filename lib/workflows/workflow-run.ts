/** The state of a workflow in a session, from its events. Pure. */
import type { AgentError } from "../events/error";
import type { WorkflowValues } from "./input-values";
import type { WorkflowPlace, WorkflowStepKind } from "./workflow";
import type { WorkflowEnd, WorkflowEntry, WorkflowEvent, WorkflowStepOutcome } from "./workflow-events";
import type { WorkflowStepView } from "./workflow-views";

/** unknown = it had begun when the program was ended. */
export type WorkflowStepState = "running" | "unknown" | WorkflowStepOutcome;

export interface StepRecord {
  readonly key: string;
  readonly kind: WorkflowStepKind;
  readonly title: string;
  readonly state: WorkflowStepState;
  readonly attempt: number;
  /** seq of its start. */
  readonly seq: number;
  /** ms epoch */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly question?: { readonly text: string; readonly options: readonly string[] };
  readonly output: string;
  readonly outputs: { readonly [name: string]: string };
  readonly exit?: number;
  readonly tokens?: number;
  readonly error?: AgentError;
}

export interface WorkflowRun {
  readonly name: string;
  readonly place: WorkflowPlace;
  readonly hash: string;
  readonly inputs: WorkflowValues;
  /** As they were drawn when it started, or continued. */
  readonly plan: readonly WorkflowStepView[];
  readonly only?: string;
  /** By key, in the order in which they began. */
  readonly steps: ReadonlyMap<string, StepRecord>;
  readonly startedAt: number;
  /** null = it continues. */
  readonly end: { readonly reason: WorkflowEnd; readonly at: number; readonly error?: AgentError } | null;
}

/** Whether a key is that of a step, or of one below it. */
export const isStepWithin = (key: string, outer: string): boolean => key === outer || key.startsWith(`${outer}/`);

/** null = the session runs no workflow. */
export function workflowRun(entries: readonly WorkflowEntry[]): WorkflowRun | null {
  let run: FoldedRun | null = null;
  for (const entry of entries) {
    if (entry.type === "workflow_start") run = startRun(run, entry);
    else if (run !== null) applyEntry(run, entry);
  }
  return run;
}

/** While its entries are applied: a copy for each would take quadratic time. */
type FoldedRun = Omit<WorkflowRun, "steps" | "end"> & {
  readonly steps: Map<string, StepRecord>;
  end: WorkflowRun["end"];
};

function startRun(before: FoldedRun | null, entry: Extract<WorkflowEntry, { type: "workflow_start" }>): FoldedRun {
  const { name, place, hash, inputs, steps: plan, again, only, at } = entry;
  const retained = new Map(
    before === null || again === undefined
      ? []
      : [...before.steps].flatMap(([key, step]): readonly [string, StepRecord][] => {
          if (again.some((one) => isStepWithin(key, one))) return [];
          // A workflow in which a step runs again is open again.
          if (again.some((one) => isStepWithin(one, key))) return [[key, { ...step, state: "running" }]];
          return [[key, step]];
        }),
  );
  const startedAt = again === undefined || before === null ? at : before.startedAt;
  return {
    name,
    place,
    hash,
    inputs,
    plan,
    steps: retained,
    startedAt,
    end: null,
    ...(only === undefined ? {} : { only }),
  };
}

function applyEntry(run: FoldedRun, entry: Exclude<WorkflowEntry, { type: "workflow_start" }>): void {
  const { steps } = run;
  switch (entry.type) {
    case "step_start": {
      const { type: _type, step: key, at, ...start } = entry;
      // The steps below it begin after it.
      if (steps.has(key)) for (const other of [...steps.keys()]) if (isStepWithin(other, key)) steps.delete(other);
      steps.set(key, { key, ...start, state: "running", startedAt: at, output: "", outputs: {} });
      break;
    }
    case "step_end": {
      const { type: _type, step: key, outcome: state, at: endedAt, seq, ...end } = entry;
      // A step that was skipped has no start.
      const before = steps.get(key) ?? { key, kind: "prompt", title: "", attempt: 0, seq, startedAt: endedAt };
      steps.set(key, { ...before, ...end, state, endedAt });
      break;
    }
    case "workflow_end": {
      const { reason, at, error } = entry;
      for (const [key, step] of steps) if (isUnknown(step)) steps.set(key, { ...step, state: "unknown" });
      run.end = { reason, at, ...(error === undefined ? {} : { error }) };
    }
  }
}

/** A workflow inside has no effect of its own. */
const isUnknown = ({ state, kind }: StepRecord): boolean =>
  state === "running" && kind !== "workflow" && kind !== "ask";

/** The question that waits for the user. */
export const openQuestion = (run: WorkflowRun): StepRecord | undefined =>
  [...run.steps.values()].find(({ state, kind }) => state === "running" && kind === "ask");

/** Ends a workflow that runs, or waits for an answer. */
export function closeWorkflow(
  entries: readonly WorkflowEntry[],
  reason: "stopped" | "interrupted",
): readonly WorkflowEvent[] {
  const run = workflowRun(entries);
  if (run === null || run.end !== null) return [];
  const question = openQuestion(run);
  return [...(question === undefined ? [] : [stoppedStep(question.key)]), { type: "workflow_end", reason }];
}

export const stoppedStep = (step: string) =>
  ({ type: "step_end", step, outcome: "stopped", output: "", outputs: {} }) as const satisfies WorkflowEvent;

/** Closes a workflow that was running when the program was ended; one that waits for an answer still waits. */
export function interruptedWorkflow(entries: readonly WorkflowEntry[]): readonly WorkflowEvent[] {
  const last = entries.at(-1);
  if (last === undefined || last.type === "workflow_end") return [];
  const run = workflowRun(entries);
  return run === null || run.end !== null || openQuestion(run) !== undefined
    ? []
    : [{ type: "workflow_end", reason: "interrupted" }];
}
