/** Changes of a session's runs that need attention: a pending approval, and how the last run ended. Pure. */
import type { ErrorCode } from "@/lib/events/error";
import type { RunEnd } from "@/lib/events/event";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";

/** waiting = an approval is pending; the others state how a run ended. */
export type RunNotification = "waiting" | RunEnd;

/** State that two consecutive renders compare to derive the notification. */
export interface RunState {
  readonly sessionId: string | null;
  readonly isRunning: boolean;
  /** Number of pending approvals. */
  readonly waiting: number;
  /** End of the newest ended run of the path; null = none has ended. */
  readonly end: RunEnd | null;
}

/** Returns how the newest ended run of the path ended; null = none has ended. */
export function lastRunEnd(view: SessionView): RunEnd | null {
  for (const entry of pathEntriesBackward(view)) if (entry.kind === "run_end") return entry.reason;
  return null;
}

/** Returns the code of the limit that ended the newest run of the path; null = none did. */
export function lastRunLimit(view: SessionView): ErrorCode | null {
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_end" && entry.reason !== "limit") return null;
    if (entry.kind === "error") return entry.error.code;
    if (entry.kind === "run_start") return null;
  }
  return null;
}

/** Compares two states; null = the previous announcement is out of date, undefined = nothing new. */
export function runNotification(before: RunState, now: RunState): RunNotification | null | undefined {
  if (before.sessionId !== now.sessionId) return null;
  if (now.waiting > before.waiting) return "waiting";
  if (before.isRunning && !now.isRunning) return now.end;
  return now.isRunning && !before.isRunning ? null : undefined;
}
