/**
 * Limits of a run that the model cannot influence: steps, time and loops. Pure functions over the path of the run;
 * every user message, including Continue, resets loop detection.
 */
import { textOf } from "@/lib/content";
import type { AgentError } from "@/lib/error";
import { limits } from "@/lib/settings";
import { type CallView, type Entry, type MessageEntry, pathBack, type SessionView } from "@/lib/view";
import { beside } from "./context/beside";

/**
 * Checks the step and time limits; null = neither is reached. `drivenMs` = running time of this process by a
 * monotonic clock: log times are wall-clock times, and setting that clock must not end a run.
 */
export function limitReached(
  view: SessionView,
  settings: { readonly maxSteps: number; readonly maxRunMinutes: number },
  drivenMs: number,
): AgentError | null {
  const steps = view.run?.steps ?? 0;
  if (steps >= settings.maxSteps) return { code: "step_limit", facts: { steps } };
  const ms = Math.min(runTimeMs(view), drivenMs);
  const minutes = settings.maxRunMinutes;
  return minutes > 0 && ms >= minutes * 60_000 ? { code: "time_limit", facts: { minutes, ms, steps } } : null;
}

/** Duration of answers, calls and pauses of the run, without waiting for the user. ms */
export function runTimeMs(view: SessionView): number {
  let sum = 0;
  for (const entry of pathBack(view)) {
    if (entry.kind === "run_start") break;
    if (entry.kind === "retry") sum += entry.delayMs;
    if (entry.kind === "message") sum += messageMs(entry);
  }
  return sum;
}

const messageMs = (entry: MessageEntry): number =>
  entry.calls.reduce((sum, call) => sum + (call.tookMs ?? 0), Math.max(0, (entry.endAt ?? entry.at) - entry.at));

/** Detects a loop in the run; null = none. */
export function circleIn(view: SessionView): AgentError | null {
  const { steps, afterCompaction } = recentSteps(view);
  return periodIn(steps) ?? rereadIn(steps.slice(steps.length - afterCompaction)) ?? proseIn(steps);
}

/** One answer with its calls. Lists of steps are oldest first. */
interface Step {
  readonly entry: MessageEntry;
  /** Key of the calls. An answer without calls is not a step. */
  readonly asked: string;
  /** Key of the calls with their results. */
  readonly came: string;
}

const stepOf = beside((entry: MessageEntry): Step => {
  const callKeys = [...new Set(entry.calls.map((call) => nameOf(entry, call)))].toSorted();
  const resultKeys = [...new Set(entry.calls.map((call) => `${nameOf(entry, call)}\n${outcomeOf(call)}`))].toSorted();
  return { entry, asked: JSON.stringify(callKeys), came: JSON.stringify(resultKeys) };
});

const nameOf = (entry: MessageEntry, call: CallView): string => {
  const block = entry.blocks.find((one) => one.type === "call" && one.callId === call.callId);
  return `${call.name} ${block?.type === "call" ? canonical(block.input) : ""}`;
};

/** JSON with sorted keys. */
const canonical = (input: unknown): string =>
  JSON.stringify(input, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Key of a result, without its context blocks. */
const outcomeOf = (call: CallView): string => `${call.state}\n${textOf(call.output ?? [])}`;

/** Returns the steps since the last user message, at most `guardSteps`. A message without calls does not count. */
function recentSteps(view: SessionView): { readonly steps: readonly Step[]; readonly afterCompaction: number } {
  const steps: Step[] = [];
  let afterCompaction = -1;
  for (const entry of pathBack(view)) {
    if (endsSearch(entry) || steps.length >= limits.guardSteps) break;
    // Dropped content may be read again.
    if (entry.kind === "compaction" && afterCompaction < 0) afterCompaction = steps.length;
    if (entry.kind !== "message" || entry.calls.length === 0) continue;
    steps.push(stepOf(entry));
  }
  return { steps: steps.reverse(), afterCompaction: afterCompaction < 0 ? steps.length : afterCompaction };
}

const endsSearch = (entry: Entry): boolean =>
  entry.kind === "run_start" || (entry.kind === "message" && entry.role === "user");

/**
 * Detects a period of one to `guardPeriod` steps: `guardRepeats` times with equal results or `guardChanging` times
 * with different ones.
 */
function periodIn(steps: readonly Step[]): AgentError | null {
  for (let period = 1; period <= limits.guardPeriod; period += 1) {
    const same = timesAtEnd(steps, period, (step) => step.came);
    const times = same >= limits.guardRepeats ? same : timesAtEnd(steps, period, (step) => step.asked);
    if (times < (same >= limits.guardRepeats ? limits.guardRepeats : limits.guardChanging)) continue;
    const round = steps.slice(-period);
    const call = round.at(-1)?.entry.calls[0];
    return {
      code: "loop_detected",
      facts: {
        calls: round.reduce((sum, step) => sum + step.entry.calls.length, 0) * times,
        period,
        times,
        same: same >= limits.guardRepeats,
        ...factsOf(call),
      },
    };
  }
  return null;
}

/** Number of consecutive repetitions of the last `period` steps at the end. */
function timesAtEnd(steps: readonly Step[], period: number, signOf: (step: Step) => string): number {
  if (steps.length < period) return 0;
  let length = period;
  for (let at = steps.length - period - 1; at >= 0; at -= 1) {
    const [one, other] = [steps[at], steps[at + period]];
    if (one === undefined || other === undefined || signOf(one) !== signOf(other)) break;
    length += 1;
  }
  return Math.floor(length / period);
}

/** Detects the same part of a file being read repeatedly, with other calls between, although it was not changed. */
function rereadIn(steps: readonly Step[]): AgentError | null {
  const last = steps.at(-1);
  if (last === undefined) return null;
  for (const call of last.entry.calls) {
    if (call.kind !== "read" || call.state !== "ok") continue;
    const sign = `${nameOf(last.entry, call)}\n${outcomeOf(call)}`;
    const times = steps.filter(({ entry }) =>
      entry.calls.some((one) => one.kind === "read" && `${nameOf(entry, one)}\n${outcomeOf(one)}` === sign),
    ).length;
    const touched = steps.some(({ entry }) =>
      entry.calls.some((one) => one.changes?.some((change) => change.path === call.target) === true),
    );
    if (times < limits.guardReads || touched) continue;
    return { code: "loop_detected", facts: { calls: times, period: 1, times, same: true, ...factsOf(call) } };
  }
  return null;
}

/** Detects the same long text before the calls of each step. Short texts ("Let me look.") are a habit, not a loop. */
function proseIn(steps: readonly Step[]): AgentError | null {
  const stepText = ({ entry }: Step): string =>
    textOf(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block])))
      .replaceAll(/\s+/g, " ")
      .trim();
  const last = steps.at(-1);
  if (last === undefined || stepText(last).length < limits.guardProseChars) return null;
  const times = timesAtEnd(steps, 1, stepText);
  return times < limits.guardProseTimes ? null : { code: "repeated_text", facts: { in: "steps", times } };
}

const factsOf = (call: CallView | undefined): NonNullable<AgentError["facts"]> =>
  call === undefined ? {} : { tool: call.name, target: call.target };
