import { describe, expect, test } from "vitest";
import { loadSchedules } from "./schedule-times";

async function timesOf(cron: string, zone: string, after: string, count: number): Promise<readonly string[]> {
  const read = (await loadSchedules()).read({ cron, zone });
  if (!read.ok) throw new Error(read.error.code);
  const times: string[] = [];
  let last = Date.parse(after);
  for (let index = 0; index < count; index += 1) {
    last = read.value.next(last) ?? Number.NaN;
    times.push(new Date(last).toISOString().slice(5, 16));
  }
  return times;
}

describe("on the days on which the clocks change", () => {
  test.each([
    [
      "a time that does not exist is due when the clock has jumped",
      "30 2 * * *",
      "2026-03-28T12:00Z",
      ["03-29T01:00", "03-30T00:30"],
    ],
    ["a time that comes twice is due once", "30 2 * * *", "2026-10-24T12:00Z", ["10-25T00:30", "10-26T01:30"]],
    [
      "several times of an hour that comes twice are due once",
      "15,45 2 * * *",
      "2026-10-24T12:00Z",
      ["10-25T00:15", "10-25T00:45", "10-26T01:15"],
    ],
    ["every second hour comes once", "0 */2 * * *", "2026-10-24T21:00Z", ["10-24T22:00", "10-25T00:00", "10-25T03:00"]],
    [
      "every half hour goes on",
      "*/30 * * * *",
      "2026-10-25T00:10Z",
      ["10-25T00:30", "10-25T01:00", "10-25T01:30", "10-25T02:00"],
    ],
  ])("%s", async (_name, cron, after, expected) => {
    expect(await timesOf(cron, "Europe/Berlin", after, expected.length)).toEqual(expected);
  });
});

describe("a schedule is refused", () => {
  test.each([
    ["that is no cron expression", { cron: "every day", zone: "UTC" }, { why: "cron" }],
    ["with seconds", { cron: "0 0 9 * * *", zone: "UTC" }, { why: "cron" }],
    ["with an hour that no clock shows", { cron: "0 25 * * *", zone: "UTC" }, { why: "cron" }],
    ["for a day that never comes", { cron: "0 0 30 2 *", zone: "UTC" }, { why: "never" }],
    ["in a zone that does not exist", { cron: "0 9 * * *", zone: "Mars/Olympus" }, { why: "zone" }],
    ["that comes every minute", { cron: "* * * * *", zone: "UTC" }, { why: "too_often", minutes: 1, least: 5 }],
    [
      "that comes twice around each full hour",
      { cron: "0,58 * * * *", zone: "UTC" },
      { why: "too_often", minutes: 2, least: 5 },
    ],
  ])("%s", async (_name, schedule, facts) => {
    const read = (await loadSchedules()).check(schedule);
    expect(read).toMatchObject({ ok: false, error: { code: "bad_input", facts } });
  });
});
