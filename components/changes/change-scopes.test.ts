import { describe, expect, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { foldLog } from "@/lib/view/fold";
import { asId, type ProjectId, type RunId, type SessionId } from "@/lib/events/id";
import { emptyView, type SessionView } from "@/lib/view/view";
import { chooseOpeningScope, findChangeRange, findNewestRestore, type Scope, buildChangesKey } from "./change-scopes";

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

test("the last run is compared with its start, the session with its beginning", () => {
  expect(findChangeRange(emptyView(sessionId), "session")).toBeNull();
  expect(findChangeRange(viewOf([begin]), "run")).toBeNull();
  const two = viewOf([begin, ...run("a"), ...run("b")]);
  expect(findChangeRange(two, "run")).toEqual({ from: 3 });
  expect(findChangeRange(two, "session")).toEqual({ from: 0 });
});

test("after a rewind the previous run is the last one", () => {
  const back = viewOf([begin, ...run("a"), ...run("b"), { type: "rewind", toSeq: 3 }]);
  expect(findChangeRange(back, "run")).toEqual({ from: 0 });
});

test("a restore changes the stamp, a new title does not", () => {
  const before = viewOf([begin, ...run("a")]);
  const titled = viewOf([begin, ...run("a"), { type: "session_update", title: "t" }]);
  const restored = viewOf([begin, ...run("a"), { type: "restore", toSeq: 0, files: [] }]);
  expect(buildChangesKey(titled)).toBe(buildChangesKey(before));
  expect(buildChangesKey(restored)).not.toBe(buildChangesKey(before));
});

const restore = (toSeq: number, count = 1): DurableEvent => ({
  type: "restore",
  toSeq,
  files: Array.from({ length: count }, (_, index) => ({
    path: `f${index}`,
    before: null,
    mode: 0o644,
    after: null,
    added: 0,
    removed: 0,
  })),
});

test("restores after a run alternate between undone and redone", () => {
  const kinds = (...more: readonly DurableEvent[]) =>
    findNewestRestore(viewOf([begin, ...run("a"), ...more]))?.kind ?? null;
  expect(kinds()).toBeNull();
  // The run ends at seq 3; each restore adds one entry.
  expect(kinds(restore(1))).toBe("undone");
  expect(kinds(restore(1), restore(3))).toBe("redone");
  expect(kinds(restore(1), restore(3), restore(4))).toBe("undone");
  expect(kinds(restore(1), restore(3), restore(4), restore(5))).toBe("redone");
});

test("a restore is reversed to the seq before it, and a new run clears it", () => {
  expect(findNewestRestore(viewOf([begin, ...run("a"), restore(1, 2)]))).toEqual({
    kind: "undone",
    files: 2,
    before: 3,
  });
  expect(findNewestRestore(viewOf([begin, ...run("a"), restore(1), ...run("b")]))).toBeNull();
});

describe("the scope a view opens on", () => {
  const opens = (chosen: Scope, empty: Partial<Record<Scope, boolean>>): Scope | null =>
    chooseOpeningScope(chosen, (scope) => ({ undecided: true, ...empty })[scope]);
  test.each<[string, Scope, Partial<Record<Scope, boolean>>, Scope | null]>([
    ["what is to review", "undecided", { undecided: false, run: false }, "undecided"],
    ["the last run when all is decided", "undecided", { run: false }, "run"],
    ["the last run with changes", "run", { run: false }, "run"],
    ["the session when the last run changed nothing", "run", { run: true, session: false }, "session"],
    ["the working tree when the session changed nothing", "run", { run: true, session: true, tree: false }, "tree"],
    ["the chosen one when nothing changed at all", "session", { run: true, session: true, tree: true }, "session"],
    ["the last run when the chosen one has no changes", "tree", { run: false, session: false, tree: true }, "run"],
    ["the chosen one, though a newer one has changes", "session", { run: false, session: false }, "session"],
    ["a requested earlier run", "earlier", { earlier: false, run: false }, "earlier"],
    ["nothing while the chosen one is loading", "run", { session: false }, null],
    ["nothing while a newer one is loading", "tree", { tree: true, session: false }, null],
  ])("%s", (_name, chosen, empty, expected) => expect(opens(chosen, empty)).toBe(expected));
});

test("an earlier run is compared from its start to its end, only in its own session", () => {
  const view = { ...emptyView(asId<SessionId>("s")), seq: 40 };
  const earlier = { sessionId: view.sessionId, from: 3, to: 9 };
  expect(findChangeRange(view, "earlier", earlier)).toEqual({ from: 3, to: 9 });
  expect(findChangeRange(view, "earlier", { ...earlier, sessionId: asId<SessionId>("t") })).toBeNull();
  expect(findChangeRange(view, "earlier")).toBeNull();
});
