import { expect, test } from "vitest";
import { isQuietTime, normalizeQuietHours, quietHoursPattern } from "./quiet-hours";

test.each([
  ["", "03:00", false],
  ["22:00-07:00", "21:59", false],
  ["22:00-07:00", "22:00", true],
  ["22:00-07:00", "00:00", true],
  ["22:00-07:00", "06:59", true],
  ["22:00-07:00", "07:00", false],
  ["12:00-00:00", "23:59", true],
  ["12:00-00:00", "00:00", false],
  ["12:30-13:15", "12:29", false],
  ["12:30-13:15", "12:30", true],
  ["12:30-13:15", "13:15", false],
  ["08:00-08:00", "08:00", false],
  ["garbage", "08:00", false],
])("quiet hours %j at %s: %s", (hours, time, isQuiet) => {
  expect(isQuietTime(hours, new Date(`2026-03-04T${time}:00`))).toBe(isQuiet);
});

test.each([
  ["22:00-07:00", "22:00-07:00"],
  ["22:00 - 7:00", "22:00-07:00"],
  ["9:05–17:30", "09:05-17:30"],
  ["22：00至7：00", "22:00-07:00"],
  ["24:00-07:00", "24:00-07:00"],
  ["at night", "at night"],
])("%j is stored as %j", (typed, stored) => {
  expect(normalizeQuietHours(typed)).toBe(stored);
});

test.each(["24:00-07:00", "22:00", "7:00-8:00", "22:60-07:00", "a22:00-07:00"])("%j is not a time span", (text) => {
  expect(quietHoursPattern.test(text)).toBe(false);
});
