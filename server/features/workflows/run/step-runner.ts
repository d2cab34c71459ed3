/** Runs the next step of a workflow in its session, and stores its start before and its end after it. */
import { fail } from "@/lib/events/error";
import type { RemoteOrigin } from "@/lib/events/event";
import { asId, type ClientId, type SessionId } from "@/lib/events/id";
import { type NextStep, nextStep, stepOutputs } from "@/lib/workflows/next-step";
import { callTargetFromInput } from "@/lib/view/fold";
import { stepTitle, type WorkflowSet } from "@/lib/workflows/resolve-workflow";
import type { WorkflowEvent } from "@/lib/workflows/workflow-events";
import { type StepRecord, workflowRun } from "@/lib/workflows/workflow-run";
import { type SettledStep, settleStep, stepCommandId } from "./settle-step";
import { makeStepSessions, type StepSessions } from "./step-sessions";

type StartedStep = Extract<NextStep, { kind: "start" }>;
type PlacedStep = Extract<NextStep, { readonly key: string }>;

const clientId = asId<ClientId>("workflow");
/** A day. */
const maxStepSeconds = 86_400;

/** Returns the function that runs a step whose start is stored; its null = how it ended is not known. */
function makeStepWork(
  sessions: StepSessions,
  { viewOf, untilFree }: Pick<ReturnType<typeof makeStepSessions>, "viewOf" | "untilFree">,
  closing: AbortSignal,
) {
  const begin = (id: SessionId, { work }: StartedStep, started: StepRecord, origin: RemoteOrigin) => {
    const commandId = stepCommandId(started);
    if (work.kind === "prompt")
      return sessions.send({ sessionId: id, commandId, text: work.text, intent: "prompt" }, { id: clientId, origin });
    return work.kind === "call"
      ? sessions.runStepCall(id, { name: work.name, input: work.input, origin }, commandId)
      : fail("internal");
  };
  return async (
    id: SessionId,
    next: StartedStep,
    started: StepRecord,
    origin: RemoteOrigin,
    signal: AbortSignal,
  ): Promise<SettledStep | null> => {
    const begun = await begin(id, next, started, origin);
    if (!begun.ok) return { outcome: "failed", output: "", error: begun.error };
    // The stop came before there was a run to stop.
    if (signal.aborted) await sessions.stop(id);
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        void sessions.stop(id);
      },
      (next.step.timeoutSeconds ?? maxStepSeconds) * 1_000,
    );
    await untilFree(id, closing);
    clearTimeout(timer);
    const view = viewOf(id);
    const result = view === null || closing.aborted ? "unknown" : settleStep(view, started);
    if (result === "open" || result === "unknown") return null;
    return isLate && result.outcome === "stopped"
      ? { ...result, outcome: "failed", error: { code: "timeout" } }
      : result;
  };
}

/** `closing` fires at the shutdown: nothing is stored from then on. */
export function makeStepRunner(sessions: StepSessions, closing: AbortSignal) {
  const { viewOf, record, untilFree, sessionChanged } = makeStepSessions(sessions);
  const perform = makeStepWork(sessions, { viewOf, untilFree }, closing);
  const start = async (id: SessionId, next: StartedStep, name: string, signal: AbortSignal): Promise<boolean> => {
    const { work } = next;
    const isRun = work.kind === "prompt" || work.kind === "call";
    if (isRun) await untilFree(id, AbortSignal.any([signal, closing]));
    if (signal.aborted || closing.aborted) return !closing.aborted;
    const question = work.kind === "ask" ? { question: { text: work.text, options: work.options } } : {};
    const title = stepTitle({ text: workText(work) ?? next.step.text });
    const stored = record(id, [{ ...startEvent(next, next.attempt), title, ...question }]);
    const started = workflowRun(viewOf(id)?.workflow ?? [])?.steps.get(next.key);
    if (!stored.ok || started === undefined) return false;
    if (!isRun) return true;
    const result = await perform(id, next, started, { kind: "workflow", name }, signal);
    if (closing.aborted) return false;
    // Its message was removed: the user decides.
    if (result === null) return record(id, [{ type: "workflow_end", reason: "interrupted" }]).ok && false;
    return record(id, [endEvent(next, result)]).ok;
  };

  return {
    viewOf,
    record,
    /** Does what comes next; false = the workflow has ended, or waits. `signal` stops it before the next step. */
    async advance(id: SessionId, set: WorkflowSet, signal: AbortSignal): Promise<boolean> {
      const run = workflowRun(viewOf(id)?.workflow ?? []);
      if (run === null || run.end !== null || closing.aborted) return false;
      const next = nextStep(set, run);
      if (next.kind === "end" || signal.aborted) {
        const { reason, error } = next.kind === "end" ? next : { reason: "stopped" as const };
        record(id, [{ type: "workflow_end", reason, ...(error === undefined ? {} : { error }) }]);
        return false;
      }
      switch (next.kind) {
        case "start":
          return start(id, next, run.name, signal);
        case "skip":
          return record(id, [startEvent(next, 1), endEvent(next, { outcome: "skipped", output: "" })]).ok;
        case "fail": {
          const { attempt, error } = next;
          const end = endEvent(next, { outcome: "failed", output: "", error });
          return record(id, [startEvent(next, attempt), end]).ok;
        }
        case "close": {
          const { key: step, outcome, outputs } = next;
          const output = Object.values(outputs).join("\n");
          return record(id, [{ type: "step_end", step, outcome, output, outputs }]).ok;
        }
        case "wait":
          return false;
      }
    },
    sessionChanged,
  };
}

/** Returns the work of the step, with its values; null = the text of the file has it. */
function workText(work: StartedStep["work"]): string | null {
  if (work.kind === "prompt" || work.kind === "ask") return work.text;
  return work.kind === "call" && work.name !== "bash" ? `${work.name} ${callTargetFromInput(work.input)}` : null;
}

const startEvent = (
  { key, step, title }: PlacedStep,
  attempt: number,
): Extract<WorkflowEvent, { type: "step_start" }> => ({
  type: "step_start",
  step: key,
  kind: step.kind,
  title,
  attempt,
});

const endEvent = (
  place: PlacedStep,
  { outcome, output, ...more }: Omit<SettledStep, "outcome"> & { readonly outcome: SettledStep["outcome"] | "skipped" },
): WorkflowEvent => ({
  type: "step_end",
  step: place.key,
  outcome,
  output,
  outputs: outcome === "ok" ? stepOutputs(place, output) : {},
  ...more,
});
