/** Finds refused or failed commands of the agent that the user may run as a command of his own, and those that he has run. */
import type { CallId } from "@/lib/events/id";
import { findUserCommand, formatUserCommand } from "@/lib/events/user-command";
import type { CallView, Entry, SessionView } from "@/lib/view/view";

/** offered = the user may run it; ran = the user ran it after the call; queued = it runs after the open run. */
export type OwnRun = "offered" | "ran" | "queued";

/** Returns the call's command; the user's commands start in the project folder, so it first changes to the call's. */
export function ownCommandText({ target, facts: { startFolder } }: Pick<CallView, "target" | "facts">): string {
  return startFolder === undefined ? target : `cd '${startFolder.replaceAll("'", `'\\''`)}' || exit\n${target}`;
}

/** Whether the command was refused for a blocked word. Rules, gates, and protected files are decisions about this command. */
const isRefusedByName = ({ facts }: CallView): boolean => facts.rule === "blocked_word";

/**
 * Returns the state of the calls that were refused by name or that the sandbox stopped. Calls up to seq `inheritedUpTo` are
 * of the session that this one was forked from: they are not offered.
 */
export function findOwnRuns(
  entries: readonly Entry[],
  queue: SessionView["queue"],
  inheritedUpTo: number,
): ReadonlyMap<CallId, OwnRun> {
  const runs = new Map<CallId, OwnRun>();
  const later = new Map<string, OwnRun>();
  for (const { text, isCommand } of queue) if (isCommand === true) later.set(text, "queued");
  for (const entry of entries.toReversed()) {
    if (entry.kind !== "message") continue;
    const own = findUserCommand(entry);
    if (own !== null) later.set(formatUserCommand({ command: own.command, isAdded: true }), "ran");
    for (const call of entry.calls) {
      if (call.facts.sandboxFailure === undefined && !isRefusedByName(call)) continue;
      const run = later.get(formatUserCommand({ command: ownCommandText(call), isAdded: true }));
      if (run !== undefined || entry.seq > inheritedUpTo) runs.set(call.callId, run ?? "offered");
    }
  }
  return runs;
}
