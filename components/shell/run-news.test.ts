import { describe, expect, test } from "vitest";
import type { RunEnd } from "@/lib/event";
import { en } from "../words/en";
import { zhCN } from "../words/zh-CN";
import { newsOf, type RunState } from "./run-news";

const idle: RunState = { sessionId: "s", isRunning: false, waiting: 0, end: null };
const running: RunState = { ...idle, isRunning: true };
const ends = ["done", "aborted", "error", "limit", "interrupted"] as const satisfies readonly RunEnd[];

describe("news of a run", () => {
  test.each(ends)("a run that ended with %s says so, whatever the run before it did", (end) => {
    for (const earlier of [null, ...ends]) expect(newsOf({ ...running, end: earlier }, { ...idle, end })).toBe(end);
  });
  test("a stop while a card waits is the stop, not a card", () => {
    expect(newsOf({ ...running, waiting: 2 }, { ...idle, end: "aborted" })).toBe("aborted");
  });
  test.each([
    ["a new card", running, { ...running, waiting: 1 }, "waiting"],
    ["an answered card", { ...running, waiting: 1 }, running, undefined],
    ["a run that begins", idle, running, null],
    ["another session", running, { ...idle, sessionId: "t", end: "done" }, null],
    ["nothing", idle, idle, undefined],
  ] as const)("%s", (_name, before, now, expected) => expect(newsOf(before, now)).toBe(expected));
});

test.each([en, zhCN])("each end has an announcement and a title of its own", ({ shell }) => {
  expect(new Set(ends.map((end) => shell.announceEnd[end])).size).toBe(ends.length);
  expect(new Set(ends.map((end) => shell.endTitle[end]("x"))).size).toBe(ends.length);
});
