/** The workflow of a session that can be continued, and what continues it. */
import { fail, ok } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import { readWorkflowInputs } from "@/lib/workflows/input-values";
import { viewSteps } from "@/lib/workflows/resolve-workflow";
import type { WorkflowEvent } from "@/lib/workflows/workflow-events";
import { type WorkflowRun, workflowRun } from "@/lib/workflows/workflow-run";
import type { SessionService } from "@/server/session/service/session-service";
import type { RunnableWorkflow, WorkflowLibrary } from "../files/workflow-library";
import { settleStep } from "./settle-step";
import type { WorkflowRuns } from "./workflow-runs";

export interface PausedWorkflowParts {
  readonly sessions: Pick<SessionService, "get">;
  readonly library: WorkflowLibrary;
  readonly runs: WorkflowRuns;
}

export function makePausedWorkflows({ sessions, library, runs }: PausedWorkflowParts) {
  const read = (id: SessionId) => {
    const session = sessions.get(id);
    const view = session.ok ? session.value.view : null;
    const run = workflowRun(view?.workflow ?? []);
    return view === null || run === null ? null : { view, run };
  };
  /** The workflow of a session that can be continued now. */
  const paused = async (id: SessionId, signal: AbortSignal) => {
    const now = read(id);
    if (now === null) return fail("not_found");
    const { view, run } = now;
    if (view.imported === true) return fail("not_allowed");
    if (run.end === null || view.run !== null) return fail("not_idle");
    const found = await library.find(view.projectId, run.name, signal);
    return found.ok ? ok({ view, run, found: found.value }) : found;
  };
  /** Starts it again with these steps. */
  const continueWith = (
    id: SessionId,
    run: WorkflowRun,
    found: RunnableWorkflow,
    again: readonly string[],
    only?: string,
  ) => {
    // Another client may have been first while the file was read.
    if (read(id)?.run.end === null) return fail("not_idle");
    const { inputs: declared } = found.set.root;
    const remaining = Object.entries(run.inputs).filter(([name]) => declared.some((input) => input.name === name));
    const inputs = readWorkflowInputs(declared, Object.fromEntries(remaining));
    if (!inputs.ok) return fail("bad_input", undefined, { input: inputs.fault.input, why: inputs.fault.why });
    const stored = runs.record(id, [
      { ...workflowStartEvent(run.name, found), inputs: inputs.values, again, ...(only === undefined ? {} : { only }) },
    ]);
    if (!stored.ok) return stored;
    runs.drive(id, found.set);
    return ok(null);
  };
  /** Ends the unknown steps whose end the log has after all, and returns the others. */
  const settleUnknown = (id: SessionId, view: SessionView, run: WorkflowRun): readonly string[] =>
    [...run.steps.values()].flatMap((step) => {
      if (step.state !== "unknown") return [];
      const result = settleStep(view, step);
      if (result === "open" || result === "unknown") return [step.key];
      runs.record(id, [{ type: "step_end", step: step.key, outputs: {}, ...result }]);
      return [];
    });
  return { read, paused, continueWith, settleUnknown };
}

export const workflowStartEvent = (
  name: string,
  { place, hash, set }: RunnableWorkflow,
): Omit<Extract<WorkflowEvent, { type: "workflow_start" }>, "inputs"> => ({
  type: "workflow_start",
  name,
  place,
  hash,
  steps: viewSteps(set.root, set.workflows),
});
