import { expect, test } from "vitest";
import type { DurableEvent } from "@/lib/event";
import { foldLog } from "@/lib/fold";
import { asId, type ProjectId, type RunId, type SessionId } from "@/lib/id";
import { emptyView, type SessionView } from "@/lib/view";
import { rangeOf, stampOf } from "./scopes";

const sessionId = asId<SessionId>("s1");
const viewOf = (events: readonly DurableEvent[]): SessionView =>
  foldLog(
    emptyView(sessionId),
    events.map((event, index) => ({ v: 1, sessionId, at: index, seq: index + 1, event })),
  );
const run = (name: string): readonly DurableEvent[] => [
  { type: "agent_start", runId: asId<RunId>(name) },
  { type: "agent_end", runId: asId<RunId>(name), reason: "done" },
];
const begin: DurableEvent = { type: "session_start", projectId: asId<ProjectId>("p"), cwd: "/p" };

test("the last run is compared with the border it started from, the session with its beginning", () => {
  expect(rangeOf(emptyView(sessionId), "session")).toBeNull();
  expect(rangeOf(viewOf([begin]), "run")).toBeNull();
  const two = viewOf([begin, ...run("a"), ...run("b")]);
  expect(rangeOf(two, "run")).toEqual({ from: 3 });
  expect(rangeOf(two, "session")).toEqual({ from: 0 });
});

test("after a rewind the run before is the last one", () => {
  const back = viewOf([begin, ...run("a"), ...run("b"), { type: "rewind", toSeq: 3 }]);
  expect(rangeOf(back, "run")).toEqual({ from: 0 });
});

test("a restore makes what was compared out of date, a new title does not", () => {
  const before = viewOf([begin, ...run("a")]);
  const titled = viewOf([begin, ...run("a"), { type: "session_update", title: "t" }]);
  const restored = viewOf([begin, ...run("a"), { type: "restore", toSeq: 0, files: [] }]);
  expect(stampOf(titled)).toBe(stampOf(before));
  expect(stampOf(restored)).not.toBe(stampOf(before));
});
