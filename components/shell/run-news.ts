/** Changes of a session's runs that need attention: a pending approval, and how the last run ended. Pure. */
import type { RunEnd } from "@/lib/event";
import { pathBack, type SessionView } from "@/lib/view";

/** waiting = an approval is pending; the others state how a run ended. */
export type RunNews = "waiting" | RunEnd;

/** State that two consecutive renders compare to derive the notification. */
export interface RunState {
  readonly sessionId: string | null;
  readonly isRunning: boolean;
  /** Number of pending approvals. */
  readonly waiting: number;
  /** How the newest ended run of the path ended; null = none has ended. */
  readonly end: RunEnd | null;
}

/** Returns how the newest ended run of the path ended; null = none has ended. */
export function lastEnd(view: SessionView): RunEnd | null {
  for (const entry of pathBack(view)) if (entry.kind === "run_end") return entry.reason;
  return null;
}

/** Compares two states; null = the previous announcement is out of date, undefined = nothing new. */
export function newsOf(before: RunState, now: RunState): RunNews | null | undefined {
  if (before.sessionId !== now.sessionId) return null;
  if (now.waiting > before.waiting) return "waiting";
  if (before.isRunning && !now.isRunning) return now.end;
  return now.isRunning && !before.isRunning ? null : undefined;
}
