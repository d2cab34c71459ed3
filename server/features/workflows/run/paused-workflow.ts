/** The workflow of a session that can be continued, and what continues it. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { CommandId, SessionId } from "@/lib/events/id";
import { readWorkflowInputs } from "@/lib/workflows/input-values";
import { movedStep } from "@/lib/workflows/moved-step";
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

export interface SessionCommand {
  readonly sessionId: SessionId;
  readonly commandId: CommandId;
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
  /**
   * The event with which it continues by the file as it is now. Fails with bad_input (an input no longer fits) and
   * changed_meanwhile (`step`: one that has run has another in its place).
   */
  const restartEvent = (
    run: WorkflowRun,
    found: RunnableWorkflow,
    again: readonly string[],
    only?: string,
  ): Result<WorkflowEvent> => {
    const start = workflowStartEvent(run.name, found);
    const moved = movedStep(run, start.steps, again);
    if (moved !== undefined) return fail("changed_meanwhile", moved, { step: moved });
    const { inputs: declared } = found.set.root;
    const remaining = Object.entries(run.inputs).filter(([name]) => declared.some((input) => input.name === name));
    const inputs = readWorkflowInputs(declared, Object.fromEntries(remaining));
    if (!inputs.ok) return fail("bad_input", undefined, { input: inputs.fault.input, why: inputs.fault.why });
    return ok({ ...start, inputs: inputs.values, again, ...(only === undefined ? {} : { only }) });
  };
  /** Starts it again with these steps. Fails with the codes of `restartEvent`. */
  const continueWith = (
    { sessionId: id, commandId }: SessionCommand,
    run: WorkflowRun,
    found: RunnableWorkflow,
    again: readonly string[],
    only?: string,
  ): Result<null> => {
    const event = restartEvent(run, found, again, only);
    if (!event.ok) return event;
    const stored = runs.record(id, [event.value], commandId);
    if (!stored.ok) return stored;
    runs.drive(id, found.set);
    return ok(null);
  };
  /**
   * Ends the unknown steps whose end the log has after all, and returns the others. Fails with not_idle: another client was
   * first while the file was read.
   */
  const settleUnknown = (id: SessionId): Result<readonly string[]> => {
    const now = read(id);
    if (now === null || now.run.end === null) return fail("not_idle");
    const open = [...now.run.steps.values()].flatMap((step) => {
      if (step.state !== "unknown") return [];
      const result = settleStep(now.view, step);
      if (result === "open" || result === "unknown") return [step.key];
      runs.record(id, [{ type: "step_end", step: step.key, outputs: {}, ...result }]);
      return [];
    });
    return ok(open);
  };
  return { read, paused, restartEvent, continueWith, settleUnknown };
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
