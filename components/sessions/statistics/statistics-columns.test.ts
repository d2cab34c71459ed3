import { describe, expect, test } from "vitest";
import type { DayStatistics } from "@/lib/protocol/history";
import {
  toColumns,
  countSteps,
  durationSteps,
  labelledColumns,
  tokensPerSecond,
  sumStatistics,
  axisTicks,
} from "./statistics-columns";

const dayOf = (day: string, runs: number, part: Partial<DayStatistics> = {}): DayStatistics => ({
  day,
  runs,
  promptTokens: 0,
  outputTokens: 0,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
  toolMs: 0,
  added: 0,
  removed: 0,
  ...part,
});
const runsOf = (days: readonly DayStatistics[], from: string | null, to: string) =>
  toColumns(days, from, to).columns.map((column) => [column.day, column.sums.runs]);

describe("toColumns", () => {
  test("includes days without a run as zeros", () => {
    expect(runsOf([dayOf("2026-02-27", 1), dayOf("2026-03-02", 2)], "2026-02-26", "2026-03-02")).toEqual([
      ["2026-02-26", 0],
      ["2026-02-27", 1],
      ["2026-02-28", 0],
      ["2026-03-01", 0],
      ["2026-03-02", 2],
    ]);
  });

  test("starts with the first day that has data if `from` is null", () => {
    expect(runsOf([dayOf("2026-03-01", 1)], null, "2026-03-02")).toEqual([
      ["2026-03-01", 1],
      ["2026-03-02", 0],
    ]);
    expect(runsOf([], null, "2026-03-02")).toEqual([["2026-03-02", 0]]);
  });

  test("groups a long range into weeks that begin on Monday", () => {
    // 2026-11-16 is a Monday.
    const { step, columns } = toColumns(
      [dayOf("2026-07-20", 1), dayOf("2026-11-15", 2), dayOf("2026-11-16", 4), dayOf("2026-11-20", 8)],
      null,
      "2026-11-20",
    );
    expect(step).toBe("week");
    expect(columns.at(0)?.day).toBe("2026-07-20");
    expect(columns.slice(-2).map((column) => [column.day, column.sums.runs])).toEqual([
      ["2026-11-09", 2],
      ["2026-11-16", 12],
    ]);
  });

  test("groups years into months without losing a run", () => {
    const { step, columns } = toColumns([dayOf("2023-01-31", 3), dayOf("2026-11-20", 4)], null, "2026-11-20");
    expect(step).toBe("month");
    expect(columns).toHaveLength(47);
    expect(sumStatistics(columns.map((column) => column.sums)).runs).toBe(7);
  });
});

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [18_400, [0, 5_000, 10_000, 15_000, 20_000]],
  [1_000_000, [0, 500_000, 1_000_000]],
])("an axis up to %d has the ticks %j", (most, steps) => {
  expect(axisTicks(most, countSteps)).toEqual(steps);
});

test("a time axis has round clock units", () => {
  expect(axisTicks(100_000, durationSteps)).toEqual([0, 30_000, 60_000, 90_000, 120_000]);
  expect(axisTicks(3 * 3_600_000, durationSteps)).toEqual([0, 3_600_000, 7_200_000, 10_800_000]);
});

test("every axis reaches its maximum in at most five ticks", () => {
  for (let most = 1; most < 1e12; most = Math.ceil(most * 1.7))
    for (const bases of [countSteps, durationSteps]) {
      const ticks = axisTicks(most, bases);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
});

test("axis labels never overlap, and the last column has one", () => {
  expect([...labelledColumns(7, 700, 60)]).toEqual([6, 5, 4, 3, 2, 1, 0]);
  expect([...labelledColumns(30, 300, 60)]).toEqual([29, 23, 17, 11, 5]);
  expect([...labelledColumns(30, 10, 60)]).toEqual([29]);
});

test("a speed requires tokens and time", () => {
  expect(tokensPerSecond(62, 2_000)).toBe(31);
  expect(tokensPerSecond(62, 0)).toBeNull();
  expect(tokensPerSecond(0, 2_000)).toBeNull();
});
