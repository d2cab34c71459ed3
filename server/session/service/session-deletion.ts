/** Commands that delete sessions, restore and purge deleted ones, and mark sessions in the list. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { CommandId, SessionId } from "@/lib/events/id";
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import { interruptedWorkflow } from "@/lib/workflows/workflow-run";
import { randomId } from "@/server/base/id";
import type { SessionLookup, SessionServiceOptions } from "./session-service";

export interface SessionDeletion {
  /** Deletes a session with its subagents after ending their runs; they can be restored. Fails with not_found. */
  remove(id: SessionId): Promise<Result<null>>;
  /** Restores a deleted session, with the subagents that were deleted with it. Fails with not_found. */
  restore(id: SessionId): Result<CommandOutput<"session.restore">>;
  /** Pins, unpins, archives or unarchives; returns the rows of the existing sessions. */
  mark(input: CommandInput<"session.mark">): CommandOutput<"session.mark">;
  /** Permanently deletes one deleted session; without an id all of them. Fails with not_found. */
  purge(input: CommandInput<"session.purge">): Promise<Result<CommandOutput<"session.purge">>>;
}

export function makeSessionDeletion(
  { registry, services: { store, push, now } }: SessionServiceOptions,
  { get }: SessionLookup,
): SessionDeletion {
  /** The row of a subagent's parent has the number of its subagents. */
  const pushParent = (id: SessionId): void => {
    const session = get(id);
    const parent = session.ok ? session.value.view.parent : undefined;
    const row = parent?.relation === "subagent" ? store.sessions.get(parent.sessionId) : undefined;
    if (row !== undefined) push({ type: "session_row", row });
  };
  return {
    async remove(id) {
      const session = get(id);
      if (!session.ok) return session;
      // Marked as deleted first, so that nothing starts while the run ends.
      store.sessions.remove(id, now());
      const subagents = store.sessions.subagents(id).map((one) => one.id);
      const working = registry.running().filter((one) => subagents.includes(one.id));
      await Promise.all([session.value, ...working].map((one) => one.abort()));
      for (const one of [session.value, ...working]) {
        const end = interruptedWorkflow(one.view.workflow);
        if (end.length > 0) one.recordWorkflow(end, randomId<CommandId>("k"));
        if (one.idle) one.suspend();
      }
      for (const sessionId of [id, ...subagents]) push({ type: "session_removed", sessionId });
      pushParent(id);
      return ok(null);
    },
    restore(id) {
      store.sessions.restore(id);
      const row = store.sessions.get(id);
      if (row === undefined) return fail("not_found");
      push({ type: "session_row", row });
      pushParent(id);
      return ok({ row });
    },
    mark({ sessionIds, ...mark }) {
      const rows = store.sessions.mark(sessionIds, mark, now());
      for (const row of rows) push({ type: "session_row", row });
      return { rows };
    },
    async purge({ sessionId: id }) {
      const deleted = store.sessions.listDeleted();
      if (id !== undefined && !deleted.includes(id)) return fail("not_found");
      const chosen = id === undefined ? deleted : [id];
      // A run of a deleted session ends first, so that nothing writes to a log that is removed.
      await Promise.all(registry.running().flatMap((one) => (chosen.includes(one.id) ? [one.abort()] : [])));
      const purged = chosen.filter((one) => store.sessions.purge(one));
      for (const sessionId of purged) push({ type: "session_removed", sessionId });
      return ok({ sessions: purged.length });
    },
  };
}
