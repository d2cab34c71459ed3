import { describe, expect, test } from "vitest";
import type { DayStatistics } from "@/lib/history";
import { columnsOf, countSteps, durationSteps, namedColumns, speedOf, sumOf, ticksOf } from "./series";

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
  columnsOf(days, from, to).columns.map((column) => [column.day, column.sums.runs]);

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
    const { step, columns } = columnsOf(
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
    const { step, columns } = columnsOf([dayOf("2023-01-31", 3), dayOf("2026-11-20", 4)], null, "2026-11-20");
    expect(step).toBe("month");
    expect(columns).toHaveLength(47);
    expect(sumOf(columns.map((column) => column.sums)).runs).toBe(7);
  });
});

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [18_400, [0, 5_000, 10_000, 15_000, 20_000]],
  [1_000_000, [0, 500_000, 1_000_000]],
])("an axis up to %d has the ticks %j", (most, steps) => {
  expect(ticksOf(most, countSteps)).toEqual(steps);
});

test("a time axis has round clock units", () => {
  expect(ticksOf(100_000, durationSteps)).toEqual([0, 30_000, 60_000, 90_000, 120_000]);
  expect(ticksOf(3 * 3_600_000, durationSteps)).toEqual([0, 3_600_000, 7_200_000, 10_800_000]);
});

test("every axis reaches its maximum in at most five ticks", () => {
  for (let most = 1; most < 1e12; most = Math.ceil(most * 1.7))
    for (const bases of [countSteps, durationSteps]) {
      const ticks = ticksOf(most, bases);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
});

test("axis labels never overlap, and the last column has one", () => {
  expect([...namedColumns(7, 700, 60)]).toEqual([6, 5, 4, 3, 2, 1, 0]);
  expect([...namedColumns(30, 300, 60)]).toEqual([29, 23, 17, 11, 5]);
  expect([...namedColumns(30, 10, 60)]).toEqual([29]);
});

test("a speed requires tokens and time", () => {
  expect(speedOf(62, 2_000)).toBe(31);
  expect(speedOf(62, 0)).toBeNull();
  expect(speedOf(0, 2_000)).toBeNull();
});
