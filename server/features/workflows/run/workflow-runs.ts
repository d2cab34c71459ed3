/**
 * Runs workflows, each in a session of its own. What comes next is computed from the log of the session, so that nothing but
 * the current step is in memory.
 */
import type { Result } from "@/lib/events/error";
import type { Envelope } from "@/lib/events/event";
import type { CommandId, ProjectId, SessionId } from "@/lib/events/id";
import type { WorkflowSet } from "@/lib/workflows/resolve-workflow";
import type { WorkflowEvent } from "@/lib/workflows/workflow-events";
import { closeWorkflow, stoppedStep, workflowRun } from "@/lib/workflows/workflow-run";
import { beginTimeSlice } from "@/server/base/steps";
import { makeStepRunner } from "./step-runner";
import type { StepSessions } from "./step-sessions";

interface ActiveRun {
  readonly projectId: ProjectId;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export interface WorkflowRuns {
  /** Continues the workflow of a session from what its log has. The caller has just stored that it continues. */
  drive(id: SessionId, set: WorkflowSet): void;
  /** Stores events of the workflow, as the effect of a command if one is named. Fails with not_found, in_bin. */
  record(id: SessionId, events: readonly WorkflowEvent[], commandId?: CommandId): Result<unknown>;
  /** Ends the workflow and its step; resolves when both ends are stored. */
  stop(id: SessionId): Promise<void>;
  /** Ends those of a project. */
  stopProject(id: ProjectId): void;
  /** Something happened in a session. */
  sessionChanged(envelope: Pick<Envelope, "sessionId">): void;
  /** Stops without storing an end, as at a shutdown. */
  close(): Promise<void>;
}

interface RunsHost {
  readonly sessions: StepSessions;
  reportBug(name: string, error: unknown): void;
}

export function makeWorkflowRuns({ sessions, reportBug }: RunsHost): WorkflowRuns {
  const active = new Map<SessionId, ActiveRun>();
  const closing = new AbortController();
  const { viewOf, record, advance, sessionChanged } = makeStepRunner(sessions, closing.signal);
  const report = (error: unknown): void => reportBug("workflow", error);

  const stop = async (id: SessionId): Promise<void> => {
    const running = active.get(id);
    running?.stop.abort();
    if (running !== undefined) {
      await sessions.stop(id);
      await running.done;
    }
    // It waits for an answer, or its log could not be written.
    const end = closeWorkflow(viewOf(id)?.workflow ?? [], "stopped");
    if (end.length > 0) record(id, end);
  };

  /** After an unexpected error: ends the step and the workflow. */
  const endFailed = async (id: SessionId): Promise<void> => {
    if (closing.signal.aborted) return;
    await sessions.stop(id);
    const run = workflowRun(viewOf(id)?.workflow ?? []);
    if (run === null || run.end !== null) return;
    const error = { code: "internal" } as const;
    record(id, [
      ...[...run.steps.values()].flatMap(({ key, state }) =>
        state === "running" ? [{ ...stoppedStep(key), outcome: "failed" as const, error }] : [],
      ),
      { type: "workflow_end", reason: "failed", error },
    ]);
  };

  return {
    drive(id, set) {
      const projectId = viewOf(id)?.projectId;
      if (projectId === undefined || closing.signal.aborted) return;
      const controller = new AbortController();
      // The work before has stored its last event, and is about to end.
      const before = active.get(id)?.done;
      const work = async (): Promise<void> => {
        await before;
        const slice = beginTimeSlice();
        while (await advance(id, set, controller.signal)) if (slice.isOver()) await slice.next();
      };
      const done = Promise.resolve()
        .then(work)
        .catch((error: unknown) => endFailed(id).finally(() => report(error)))
        .catch(report)
        .finally(() => {
          if (active.get(id)?.done === done) active.delete(id);
        });
      active.set(id, { projectId, stop: controller, done });
    },
    record,
    stop,
    stopProject(projectId) {
      for (const [id, run] of active) if (run.projectId === projectId) stop(id).catch(report);
    },
    sessionChanged: ({ sessionId }) => sessionChanged(sessionId),
    async close() {
      closing.abort();
      await Promise.allSettled([...active.values()].map(({ done }) => done));
    },
  };
}
