/** The command that repeats a sandboxed call outside the sandbox, and whether the user has run it. */
import type { CallId } from "@/lib/events/id";
import { findUserCommand, formatUserCommand } from "@/lib/events/user-command";
import type { CallView, Entry, SessionView } from "@/lib/view/view";

/** ran = the user ran it after the call; queued = it runs after the open run. */
export type OutsideRun = "ran" | "queued";

/** Returns the call's command; the user's commands start in the project folder, so it first changes to the call's. */
export function commandOutside({ target, facts: { startFolder } }: Pick<CallView, "target" | "facts">): string {
  return startFolder === undefined ? target : `cd '${startFolder.replaceAll("'", `'\\''`)}' || exit\n${target}`;
}

/** Returns the calls that the sandbox stopped and whose commands the user ran outside afterwards, or has queued. */
export function findOutsideRuns(
  entries: readonly Entry[],
  queue: SessionView["queue"],
): ReadonlyMap<CallId, OutsideRun> {
  const runs = new Map<CallId, OutsideRun>();
  const later = new Map<string, OutsideRun>();
  for (const { text, isCommand } of queue) if (isCommand === true) later.set(text, "queued");
  for (const entry of entries.toReversed()) {
    if (entry.kind !== "message") continue;
    const own = findUserCommand(entry);
    if (own !== null) later.set(formatUserCommand({ command: own.command, isAdded: true }), "ran");
    for (const call of entry.calls) {
      if (call.facts.sandboxFailure === undefined) continue;
      const run = later.get(formatUserCommand({ command: commandOutside(call), isAdded: true }));
      if (run !== undefined) runs.set(call.callId, run);
    }
  }
  return runs;
}
