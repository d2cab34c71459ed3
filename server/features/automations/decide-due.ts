/**
 * Decides what becomes of the due times of an automation: which one runs, which were missed, which one finds the run before at work.
 * Pure; the clock is a parameter.
 */
import { automationLateHours } from "@/lib/automations/automation";

/** A time that is looked at no later than this is on time, ms: the timer looks at least once a minute. */
export const onTimeMs = 120_000;

/** Due times older than this get no rows, ms: a server that was off for months does not write them all. */
export const lookBackMs = 7 * 24 * 3_600_000;

interface DueDecision {
  readonly scheduledFor: number;
  /** Absent = it is to run. */
  readonly outcome?: "missed" | "overlap";
}

interface DueFacts {
  readonly now: number;
  readonly missed: "run" | "skip";
  /** A run of it waits or is at work. */
  readonly isBusy: boolean;
}

/** Whether a run of this time may still start. */
export const mayStart = (scheduledFor: number, { now, missed }: Pick<DueFacts, "now" | "missed">): boolean =>
  now - scheduledFor <= (missed === "run" ? automationLateHours * 3_600_000 : onTimeMs);

/** Returns the start of the search for due times. After the clock was set back, it is the current time. */
export const searchStart = (checkedUntil: number, now: number): number =>
  Math.max(Math.min(checkedUntil, now), now - lookBackMs);

/** `due` = the times that have passed since the last look, oldest first. Only the newest one may run. */
export function decideDue(due: readonly number[], facts: DueFacts): readonly DueDecision[] {
  return due.map((scheduledFor, index) => {
    if (index < due.length - 1 || !mayStart(scheduledFor, facts)) return { scheduledFor, outcome: "missed" };
    return facts.isBusy ? { scheduledFor, outcome: "overlap" } : { scheduledFor };
  });
}
