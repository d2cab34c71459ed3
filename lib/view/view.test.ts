import { describe, expect, test } from "vitest";
import type { DurableEvent, RunEnd } from "../events/event";
import { asId } from "../events/id";
import { testSessionId } from "../testing/test-log";
import { append } from "../testing/test-view";
import { canContinue, emptyView, pathRanges, pendingApprovals, sessionActivity } from "./view";
import { newestRun } from "./newest-run";

const empty = emptyView(testSessionId);
const start = (id = "r1"): DurableEvent => ({ type: "agent_start", runId: asId(id) });
const end = (reason: RunEnd = "done", id = "r1"): DurableEvent => ({ type: "agent_end", runId: asId(id), reason });
const calling = (messageId: string, ...names: readonly string[]): readonly DurableEvent[] => [
  { type: "message_start", messageId: asId(messageId), role: "assistant" },
  {
    type: "message_end",
    messageId: asId(messageId),
    blocks: names.map((name) => ({ type: "call", callId: asId(name), name: "bash", input: {} })),
    stop: "done",
  },
];
const card = (call: string, suffix = ""): DurableEvent => ({
  type: "approval_request",
  approvalId: asId(`a-${call}${suffix}`),
  callId: asId(call),
  boundTo: asId("h"),
  options: ["once", "deny"],
});
const response = (call: string): DurableEvent => ({
  type: "approval_response",
  approvalId: asId(`a-${call}`),
  option: "once",
  by: asId("tab"),
});
const compaction: DurableEvent = { type: "compaction_start", tokensBefore: 9 };

describe("a session can be continued", () => {
  const rewindTo = (toSeq: number): DurableEvent => ({ type: "rewind", toSeq });
  test.each<[string, readonly DurableEvent[], boolean]>([
    ["not before its first run", [], false],
    ["not while it runs", [start()], false],
    ["not after a run that is done", [start(), end("done")], false],
    ["not after a run the user stopped", [start(), end("aborted")], false],
    ["after an interrupted run", [start(), end("interrupted")], true],
    ["after a run that reached a limit", [start(), end("limit")], true],
    ["not when a later run is done", [start(), end("limit"), start(), end("done")], false],
    ["also when a notice follows the run", [start(), end("limit"), compaction], true],
    ["in the middle of a run after a rewind", [start(), ...calling("m1"), end("done"), rewindTo(3)], true],
    ["not when a rewind hid the interrupted run", [start(), end("done"), start(), end("limit"), rewindTo(2)], false],
  ])("%s", (_name, events, expected) => expect(canContinue(append(empty, ...events))).toBe(expected));
});

test("the newest run is that of the path", () => {
  expect(newestRun(empty)).toBeUndefined();
  const view = append(empty, start("r1"), end("done", "r1"), start("r2"), end("done", "r2"));
  expect(newestRun(view)?.runId).toBe("r2");
  expect(newestRun(append(view, { type: "rewind", toSeq: 2 }))?.runId).toBe("r1");
});

test.each<[string, readonly DurableEvent[]]>([
  ["idle", []],
  ["running", [start()]],
  ["waiting", [start(), ...calling("m1", "x"), card("x")]],
  ["running", [start(), ...calling("m1", "x"), card("x"), response("x")]],
  ["idle", [start(), end()]],
  ["running", [compaction]],
])("a session is %s after %j", (activity, events) => expect(sessionActivity(append(empty, ...events))).toBe(activity));

test("pending approvals are the newest of each waiting call, oldest message first", () => {
  const view = append(
    empty,
    start(),
    ...calling("m1", "x", "y", "z"),
    card("x"),
    card("x", "2"),
    card("z"),
    ...calling("m2", "v"),
    card("v"),
  );
  const names = (from: typeof view) => pendingApprovals(from).map(({ approval }) => approval.approvalId);
  expect(names(view)).toEqual(["a-x2", "a-z", "a-v"]);
  expect(pendingApprovals(view).map(({ messageSeq }) => messageSeq)).toEqual([2, 2, 7]);
  expect(names(append(view, response("z")))).toEqual(["a-x2", "a-v"]);
  expect(names(append(view, response("x")))).toEqual(["a-x2", "a-z", "a-v"]);
  expect(names(append(view, response("x2")))).toEqual(["a-z", "a-v"]);
});

test.each([
  [[], 0, []],
  [[], 5, [[1, 5]]],
  [[{ start: 6, parent: 3 }], 5, [[1, 5]]],
  [
    [{ start: 6, parent: 3 }],
    6,
    [
      [6, 6],
      [1, 3],
    ],
  ],
  [[{ start: 6, parent: 0 }], 9, [[6, 9]]],
  [
    [
      { start: 6, parent: 3 },
      { start: 9, parent: 2 },
      { start: 12, parent: 7 },
    ],
    14,
    [
      [12, 14],
      [6, 7],
      [1, 3],
    ],
  ],
])("with the segments %j the path to %i has the ranges %j", (segments, tip, ranges) => {
  expect(pathRanges(segments, tip)).toEqual(ranges);
});
