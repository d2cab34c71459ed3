/**
 * Limits of a run that the model cannot influence: steps, time and loops. Pure functions over the path of the run;
 * every user message, including Continue, resets loop detection.
 */
import { isFileKind } from "@/lib/events/tool-presentations";
import { joinTextBlocks } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import { type CallView, type Entry, type MessageEntry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { weakMemo } from "@/server/base/weak-memo";

/** Steps that are compared. */
const guardSteps = 64;
/** Longest period that is detected, steps. */
const guardPeriod = 4;
/** Repetitions of identical calls with identical results. */
const guardRepeats = 3;
/** Repetitions of identical calls with different results. */
const guardChanging = 8;
/** Non-consecutive reads of the same part of an unchanged file. */
const guardReads = 6;
/** Least length of repeated text, UTF-16 units. */
const guardProseChars = 200;
/** Repetitions of the same text. */
const guardProseTimes = 3;

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
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_start") break;
    if (entry.kind === "retry") sum += entry.delayMs;
    if (entry.kind === "message") sum += messageMs(entry);
  }
  return sum;
}

const messageMs = (entry: MessageEntry): number =>
  entry.calls.reduce((sum, call) => sum + (call.tookMs ?? 0), Math.max(0, (entry.endAt ?? entry.at) - entry.at));

/** Detects a loop in the run; null = none. */
export function detectLoop(view: SessionView): AgentError | null {
  const { steps, afterCompaction } = recentSteps(view);
  return detectCycle(steps) ?? detectRereads(steps.slice(steps.length - afterCompaction)) ?? detectRepeatedText(steps);
}

/** One answer with its calls. Lists of steps are oldest first. */
interface GuardStep {
  readonly entry: MessageEntry;
  /** Key of the calls. An answer without calls is not a step. */
  readonly callsKey: string;
  /** Key of the calls with their results. */
  readonly resultsKey: string;
}

const toGuardStep = weakMemo((entry: MessageEntry): GuardStep => {
  const callKeys = [...new Set(entry.calls.map((call) => callKey(entry, call)))].toSorted();
  const resultKeys = [...new Set(entry.calls.map((call) => `${callKey(entry, call)}\n${resultKey(call)}`))].toSorted();
  return { entry, callsKey: JSON.stringify(callKeys), resultsKey: JSON.stringify(resultKeys) };
});

const callKey = (entry: MessageEntry, call: CallView): string => {
  const block = entry.blocks.find((one) => one.type === "call" && one.callId === call.callId);
  return `${call.name} ${block?.type === "call" ? canonicalJson(block.input) : ""}`;
};

/** JSON with sorted keys. */
const canonicalJson = (input: unknown): string =>
  JSON.stringify(input, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** Key of a result, without its context blocks. */
const resultKey = (call: CallView): string => `${call.state}\n${joinTextBlocks(call.output ?? [])}`;

/** Returns the steps since the last user message, at most `guardSteps`. A message without calls does not count. */
function recentSteps(view: SessionView): { readonly steps: readonly GuardStep[]; readonly afterCompaction: number } {
  const steps: GuardStep[] = [];
  let afterCompaction = -1;
  for (const entry of pathEntriesBackward(view)) {
    if (endsRecentSteps(entry) || steps.length >= guardSteps) break;
    // Dropped content may be read again.
    if (entry.kind === "compaction" && afterCompaction < 0) afterCompaction = steps.length;
    if (entry.kind !== "message" || entry.calls.length === 0) continue;
    steps.push(toGuardStep(entry));
  }
  return { steps: steps.reverse(), afterCompaction: afterCompaction < 0 ? steps.length : afterCompaction };
}

const endsRecentSteps = (entry: Entry): boolean =>
  entry.kind === "run_start" || (entry.kind === "message" && entry.role === "user");

/**
 * Detects a period of one to `guardPeriod` steps: `guardRepeats` times with equal results or `guardChanging` times
 * with different ones.
 */
function detectCycle(steps: readonly GuardStep[]): AgentError | null {
  for (let period = 1; period <= guardPeriod; period += 1) {
    const same = countRepetitionsAtEnd(steps, period, (step) => step.resultsKey);
    const times = same >= guardRepeats ? same : countRepetitionsAtEnd(steps, period, (step) => step.callsKey);
    if (times < (same >= guardRepeats ? guardRepeats : guardChanging)) continue;
    const round = steps.slice(-period);
    const call = round.at(-1)?.entry.calls[0];
    return {
      code: "loop_detected",
      facts: {
        calls: round.reduce((sum, step) => sum + step.entry.calls.length, 0) * times,
        period,
        times,
        same: same >= guardRepeats,
        ...callFacts(call),
      },
    };
  }
  return null;
}

/** Number of consecutive repetitions of the last `period` steps at the end. */
function countRepetitionsAtEnd(
  steps: readonly GuardStep[],
  period: number,
  signOf: (step: GuardStep) => string,
): number {
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
function detectRereads(steps: readonly GuardStep[]): AgentError | null {
  const last = steps.at(-1);
  if (last === undefined) return null;
  for (const call of last.entry.calls) {
    if (!isFileKind(call.kind) || call.state !== "ok") continue;
    const sign = `${callKey(last.entry, call)}\n${resultKey(call)}`;
    const times = steps.filter(({ entry }) =>
      entry.calls.some((one) => isFileKind(one.kind) && `${callKey(entry, one)}\n${resultKey(one)}` === sign),
    ).length;
    const touched = steps.some(({ entry }) =>
      entry.calls.some((one) => one.changes?.some((change) => change.path === call.target) === true),
    );
    if (times < guardReads || touched) continue;
    return { code: "loop_detected", facts: { calls: times, period: 1, times, same: true, ...callFacts(call) } };
  }
  return null;
}

/** Detects the same long text before the calls of each step. Short texts ("Let me look.") are a habit, not a loop. */
function detectRepeatedText(steps: readonly GuardStep[]): AgentError | null {
  const stepText = ({ entry }: GuardStep): string =>
    joinTextBlocks(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block])))
      .replaceAll(/\s+/g, " ")
      .trim();
  const last = steps.at(-1);
  if (last === undefined || stepText(last).length < guardProseChars) return null;
  const times = countRepetitionsAtEnd(steps, 1, stepText);
  return times < guardProseTimes ? null : { code: "repeated_text", facts: { in: "steps", times } };
}

const callFacts = (call: CallView | undefined): NonNullable<AgentError["facts"]> =>
  call === undefined ? {} : { tool: call.name, target: call.target };
