/** Fold of the time a run waits for the user, derived from the existing events, so it works for old logs too. */
import { at, indexOfSeq } from "./chunks";
import type { EventType } from "../events/event";
import type { SessionView } from "./view";

/** Events that can begin or end a wait. */
const waitEvents: ReadonlySet<string> = new Set<EventType>([
  "message_start",
  "message_end",
  "tool_call_start",
  "approval_request",
  "approval_response",
  "tool_call_end",
]);

/**
 * Updates the wait time of the run. `view` already includes the event of `type`, which happened at `now` (ms epoch).
 */
export function foldWaiting(view: SessionView, type: string, now: number): SessionView {
  const { run } = view;
  if (run === null || !waitEvents.has(type)) return view;
  if (!isWaiting(view)) {
    if (run.waitingSince === null) return view;
    return { ...view, run: { ...run, waitedMs: totalWaitMs(run, now), waitingSince: null } };
  }
  return run.waitingSince === null ? { ...view, run: { ...run, waitingSince: now } } : view;
}

/** Total time the run has waited for the user until `now`, ms. */
export const totalWaitMs = (
  { waitedMs, waitingSince }: { readonly waitedMs: number; readonly waitingSince: number | null },
  now: number,
): number => waitedMs + (waitingSince === null ? 0 : Math.max(0, now - waitingSince));

/** True if an approval is open while no message is streamed and no call runs. */
function isWaiting(view: SessionView): boolean {
  if (Object.keys(view.openMessages).length > 0) return false;
  let waits = false;
  for (const seq of new Set(Object.values(view.openCalls))) {
    const entry = at(view.entries, indexOfSeq(view.entries, seq));
    if (entry?.kind !== "message") continue;
    for (const call of entry.calls) {
      if (call.state === "running") return false;
      waits ||= call.state === "waiting";
    }
  }
  return waits;
}
