import { describe, expect, test } from "vitest";
import type { DurableEvent, RunEnd } from "@/lib/events/event";
import { asId, type RunId, type SessionId } from "@/lib/events/id";
import { foldLog } from "@/lib/view/fold";
import { emptyView } from "@/lib/view/view";
import { pauseReason } from "../../chat/run/pause-reason";
import { en } from "../../messages/en";
import { zhCN } from "../../messages/zh-CN";
import { lastRunLimit, runNotification, type RunState } from "./run-notification";

const idle: RunState = { sessionId: "s", isRunning: false, waiting: 0, end: null };
const running: RunState = { ...idle, isRunning: true };
const ends = ["done", "aborted", "error", "limit", "interrupted"] as const satisfies readonly RunEnd[];

describe("runNotification", () => {
  test.each(ends)("the end of a run with %s is reported, whatever the end of the run before it", (end) => {
    for (const earlier of [null, ...ends])
      expect(runNotification({ ...running, end: earlier }, { ...idle, end })).toBe(end);
  });
  test("a stop while an approval is pending is reported as the stop", () => {
    expect(runNotification({ ...running, waiting: 2 }, { ...idle, end: "aborted" })).toBe("aborted");
  });
  test.each([
    ["a new approval is reported", running, { ...running, waiting: 1 }, "waiting"],
    ["an answered approval is not reported", { ...running, waiting: 1 }, running, undefined],
    ["the start of a run clears the notification", idle, running, null],
    ["another session clears the notification", running, { ...idle, sessionId: "t", end: "done" }, null],
    ["no change is not reported", idle, idle, undefined],
  ] as const)("%s", (_name, before, now, expected) => expect(runNotification(before, now)).toBe(expected));
});

test.each([en, zhCN])("each end state has its own announcement and title", ({ shell }) => {
  expect(new Set(ends.map((end) => shell.announceEnd[end])).size).toBe(ends.length);
  expect(new Set(ends.map((end) => shell.endTitle[end]("x"))).size).toBe(ends.length);
});

test.each([en, zhCN])("a run that a limit ended is announced with that limit", (messages) => {
  const sessionId = asId<SessionId>("s");
  const runId = asId<RunId>("r");
  const limitOf = (...events: readonly DurableEvent[]) =>
    lastRunLimit(
      foldLog(
        emptyView(sessionId),
        events.map((event, index) => ({ v: 1 as const, sessionId, at: 1, seq: index + 1, event })),
      ),
    );
  const start: DurableEvent = { type: "agent_start", runId };
  for (const code of ["step_limit", "time_limit", "loop_detected"] as const) {
    const limited: readonly DurableEvent[] = [
      start,
      { type: "error", error: { code } },
      { type: "agent_end", runId, reason: "limit" },
    ];
    expect(limitOf(...limited)).toBe(code);
    expect(pauseReason(limitOf(...limited), messages)).toBe(messages.chat.pausedBy[code]);
    expect(limitOf(...limited, start, { type: "agent_end", runId, reason: "done" })).toBeNull();
  }
});
