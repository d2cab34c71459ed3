/**
 * Converts daily statistics to chart columns: fills missing days, groups long ranges, computes round axis ticks. Pure.
 */
import { type DayStatistics, noDay } from "@/lib/protocol/history";
import { hourMs, minuteMs } from "@/lib/time/duration";
import { localMidnight } from "../history/history-view";

/** Length of one column. */
export type ColumnSpan = "day" | "week" | "month";

export interface StatisticsColumn {
  /** First day of the column, yyyy-mm-dd. */
  readonly day: string;
  /** Sums over the days of the column. */
  readonly sums: Omit<DayStatistics, "day">;
}

interface StatisticsColumns {
  readonly step: ColumnSpan;
  readonly columns: readonly StatisticsColumn[];
}

/** More columns than these are too thin to distinguish. */
const maxDayColumns = 92;
const maxWeekColumns = 104;

/** Formats a time in ms since the epoch as local yyyy-mm-dd. */
export function formatDay(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function addDays(day: string, days: number): string {
  const date = new Date(localMidnight(day));
  return formatDay(new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime());
}

export function sumStatistics(all: readonly StatisticsColumn["sums"][]): StatisticsColumn["sums"] {
  return all.reduce(
    (sum, one) => ({
      runs: sum.runs + one.runs,
      promptTokens: sum.promptTokens + one.promptTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
      loadMs: sum.loadMs + one.loadMs,
      promptMs: sum.promptMs + one.promptMs,
      outputMs: sum.outputMs + one.outputMs,
      toolMs: sum.toolMs + one.toolMs,
      added: sum.added + one.added,
      removed: sum.removed + one.removed,
    }),
    noDay,
  );
}

/**
 * Groups daily statistics into columns. `from` null = first day with data. Weeks begin on Monday. Both days yyyy-mm-dd,
 * inclusive.
 */
export function toColumns(days: readonly DayStatistics[], from: string | null, to: string): StatisticsColumns {
  const first = from ?? days[0]?.day ?? to;
  const byDay = new Map(days.map((day) => [day.day, day]));
  const all: DayStatistics[] = [];
  for (let day = first; day <= to; day = addDays(day, 1)) all.push(byDay.get(day) ?? { day, ...noDay });
  const step: ColumnSpan = all.length <= maxDayColumns ? "day" : all.length <= maxWeekColumns * 7 ? "week" : "month";
  const groups = new Map<string, DayStatistics[]>();
  for (const one of all) {
    const key = columnStart(one.day, step);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return { step, columns: [...groups].map(([day, statistics]) => ({ day, sums: sumStatistics(statistics) })) };
}

function columnStart(day: string, step: ColumnSpan): string {
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 7)}-01`;
  return addDays(day, -((new Date(localMidnight(day)).getDay() + 6) % 7));
}

/** Returns axis ticks from 0 to at least `most`: two to five values. `bases` = candidate steps. */
export function axisTicks(most: number, bases: readonly number[]): readonly number[] {
  const steps = [...bases];
  for (let scale = 1; ; scale *= 10) {
    const largest = Math.max(...bases) * scale;
    const step = steps.find((one) => most / one <= 4);
    if (step !== undefined) {
      const count = Math.max(1, Math.ceil(most / step));
      return Array.from({ length: count + 1 }, (_, index) => index * step);
    }
    steps.push(largest * 2, largest * 5, largest * 10);
  }
}

/** Candidate steps of a count axis and of an axis in milliseconds. */
export const countSteps = [1, 2, 5, 10] as const;
export const durationSteps = [
  1_000,
  2_000,
  5_000,
  10_000,
  30_000,
  minuteMs,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
] as const;

/** Returns the columns with a label: the last one, and every nth before it so that labels do not overlap. */
export function labelledColumns(count: number, widthPx: number, namePx: number): ReadonlySet<number> {
  const mostLabels = Math.max(1, Math.floor(widthPx / namePx));
  const every = Math.max(1, Math.ceil(count / mostLabels));
  const named = new Set<number>();
  for (let index = count - 1; index >= 0; index -= every) named.add(index);
  return named;
}

/** Returns tokens per second; null = not measured. */
export const tokensPerSecond = (tokens: number, milliseconds: number): number | null =>
  tokens > 0 && milliseconds > 0 ? (tokens * 1000) / milliseconds : null;
