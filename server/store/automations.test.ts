import { expect, test } from "vitest";
import type { AutomationRun } from "@/lib/automations/automation";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { openTestStore } from "./__fixtures__/home";
import { createAutomations, type DueRow, type StoredAutomation } from "./automations";

const automation = (id: string): StoredAutomation => ({
  id,
  name: id,
  projectId: asId<ProjectId>("p"),
  prompt: "Look",
  mode: "ask",
  cardMinutes: 15,
  trigger: { kind: "time", zone: "UTC", cron: "0 3 * * *", missed: "run" },
  isOn: true,
  rules: [],
  failures: 0,
  checkedUntil: 0,
});

/** One row for each outcome, at 1, 2, 3 …; undefined = it runs. */
const rows = (automationId: string, outcomes: readonly AutomationRun["outcome"][]): readonly DueRow[] =>
  outcomes.map((outcome, index) => ({
    automationId,
    scheduledFor: index + 1,
    cause: "time",
    ...(outcome === undefined ? {} : { outcome }),
  }));

function makeStore(outcomes: readonly AutomationRun["outcome"][]) {
  const store = createAutomations(openTestStore().database);
  for (const id of ["a", "b"]) {
    store.save(automation(id), 1);
    store.addDue(rows(id, outcomes), new Map());
  }
  return store;
}

const timesOf = (runs: readonly AutomationRun[]): readonly number[] => runs.map(({ scheduledFor }) => scheduledFor);

test("a due time that has a row keeps it, and the times of the others are advanced with the new rows", () => {
  const store = makeStore(["done"]);
  const [first, second] = rows("a", ["failed", "failed"]);
  if (first === undefined || second === undefined) throw new Error("no rows");
  expect(store.addDue([first, second], new Map([["a", 99]]))).toEqual([second]);
  expect(store.runs("a", 10)).toEqual([
    { scheduledFor: 2, cause: "time", outcome: "failed" },
    { scheduledFor: 1, cause: "time", outcome: "done" },
  ]);
  expect(store.list().map(({ id, checkedUntil }) => [id, checkedUntil])).toEqual([
    ["a", 99],
    ["b", 0],
  ]);
});

test("skipped times are no runs, and are counted since the newest run", () => {
  const store = makeStore(["skipped", "done", "skipped", undefined, "skipped", "skipped"]);
  expect(timesOf(store.runs("a", 10))).toEqual([4, 2]);
  expect(timesOf(store.runs("a", 1))).toEqual([4]);
  expect(store.countSkipped("a")).toBe(2);
  expect(timesOf(store.open())).toEqual([4, 4]);
});

test("an update replaces the row of one automation alone", () => {
  const store = makeStore([undefined]);
  const sessionId = asId<SessionId>("s");
  expect(store.hasSession(sessionId)).toBe(false);
  store.update({ automationId: "a", scheduledFor: 1, cause: "time", startedAt: 5, sessionId });
  expect(store.hasSession(sessionId)).toBe(true);
  expect(store.runs("b", 1)).toEqual([{ scheduledFor: 1, cause: "time" }]);
});

test("old rows are deleted, but the newest of each automation and those that run are retained", () => {
  const store = makeStore(["done", undefined, "done", "done", "done", "done"]);
  store.prune(6, 2);
  for (const id of ["a", "b"]) expect(timesOf(store.runs(id, 10))).toEqual([6, 5, 2]);
  store.prune(3, 1);
  expect(timesOf(store.runs("a", 10))).toEqual([6, 5, 2]);
});

test("an automation is replaced with its rows, and removed with them", () => {
  const store = makeStore(["done"]);
  store.save({ ...automation("a"), isOn: false, failures: 2 }, 9);
  expect(store.list()[0]).toEqual({ ...automation("a"), isOn: false, failures: 2 });
  expect(timesOf(store.runs("a", 10))).toEqual([1]);
  store.remove("a");
  expect(store.list().map(({ id }) => id)).toEqual(["b"]);
  expect(store.runs("a", 10)).toEqual([]);
});
