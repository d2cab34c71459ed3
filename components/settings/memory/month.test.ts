import { expect, test } from "vitest";
import { addMonths, monthOfDay, weeksOfMonth } from "./month";

test("a month is shown as whole weeks from Monday or Sunday", () => {
  const november = weeksOfMonth(monthOfDay("2026-11-25"), 1);
  expect(november[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
  expect(november.at(-1)).toEqual(["2026-11-30", null, null, null, null, null, null]);
  expect(weeksOfMonth(monthOfDay("2026-11-25"), 0)[0]?.[0]).toBe("2026-11-01");
  expect(weeksOfMonth({ year: 2024, month: 1 }, 1).flat()).toContain("2024-02-29");
});

test("months continue over the turn of the year", () => {
  expect(addMonths({ year: 2026, month: 11 }, 1)).toEqual({ year: 2027, month: 0 });
  expect(addMonths({ year: 2026, month: 0 }, -1)).toEqual({ year: 2025, month: 11 });
});
