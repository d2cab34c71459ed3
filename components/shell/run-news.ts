/** What of a session's runs calls for attention: a card that waits, and how the last run ended. Pure; asked by attention.tsx. */
import type { RunEnd } from "@/lib/event";
import { pathBack, type SessionView } from "@/lib/view";

/** waiting = a card waits for an answer; the others say how a run ended. */
export type RunNews = "waiting" | RunEnd;

/** What the news depends on. */
export interface RunState {
  readonly sessionId: string | null;
  readonly isRunning: boolean;
  /** Cards that wait. */
  readonly waiting: number;
  /** How the newest run of the path ended; null = none has ended. */
  readonly end: RunEnd | null;
}

/** How the newest run of the path that has ended did so. */
export function lastEnd(view: SessionView): RunEnd | null {
  for (const entry of pathBack(view)) if (entry.kind === "run_end") return entry.reason;
  return null;
}

/** The news of a change; null = what was announced before is out of date, undefined = nothing new. */
export function newsOf(before: RunState, now: RunState): RunNews | null | undefined {
  if (before.sessionId !== now.sessionId) return null;
  if (now.waiting > before.waiting) return "waiting";
  if (before.isRunning && !now.isRunning) return now.end;
  return now.isRunning && !before.isRunning ? null : undefined;
}
