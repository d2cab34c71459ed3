/** The session of a workflow: its view, its log, and when it is free. */
import { ok, type Result } from "@/lib/events/error";
import type { CommandId, SessionId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import type { WorkflowEvent } from "@/lib/workflows/workflow-events";
import { randomId } from "@/server/base/id";
import type { SessionService } from "@/server/session/service/session-service";

export type StepSessions = Pick<SessionService, "get" | "send" | "runStepCall" | "stop" | "change">;

export function makeStepSessions(sessions: StepSessions) {
  const listeners = new Map<SessionId, Set<() => void>>();
  const viewOf = (id: SessionId): SessionView | null => {
    const session = sessions.get(id);
    return session.ok ? session.value.view : null;
  };
  const record = (
    id: SessionId,
    events: readonly WorkflowEvent[],
    commandId: CommandId = randomId("k"),
  ): Result<unknown> => sessions.change(id, (session) => ok(session.recordWorkflow(events, commandId)));
  /** Resolves when the session is free; also when it is gone, and when the signal fires. */
  const untilFree = (id: SessionId, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own);
      const check = (): void => {
        const view = viewOf(id);
        if (!signal.aborted && view !== null && (view.run !== null || view.openCompaction !== null)) return;
        own.delete(check);
        if (own.size === 0) listeners.delete(id);
        signal.removeEventListener("abort", check);
        resolve();
      };
      own.add(check);
      signal.addEventListener("abort", check, { once: true });
      check();
    });
  return {
    viewOf,
    record,
    untilFree,
    /** Something happened in a session. */
    sessionChanged(id: SessionId): void {
      for (const check of listeners.get(id) ?? []) check();
    },
  };
}
