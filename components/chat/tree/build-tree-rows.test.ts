import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import type { SessionTree, TreeNode } from "@/lib/view/tree";
import { buildTreeRows } from "./build-tree-rows";

/** A run from `seq` to `seq + 4`. */
const node = (seq: number, parent: number | null, onPath: boolean): TreeNode => ({
  seq,
  from: parent === null ? 0 : parent + 4,
  to: seq + 4,
  place: seq + 1,
  parent,
  at: seq,
  text: `text ${seq}`,
  calls: 0,
  files: 0,
  added: 0,
  removed: 0,
  onPath,
  end: "done",
});
const tree = (nodes: readonly TreeNode[], more: Partial<SessionTree> = {}): SessionTree => ({
  nodes,
  newest: 0,
  forks: [],
  ...more,
});
/** Each row as its rails and its seq. */
const drawn = (sessionTree: SessionTree): readonly string[] =>
  buildTreeRows(sessionTree).map(
    (row) => `${"|".repeat(row.depth)}${row.startsBranch ? ">" : ""}${row.node?.seq ?? "start"}`,
  );

test("a session without branches is one straight line from its start", () => {
  expect(drawn(tree([node(10, null, true), node(20, 10, true)]))).toEqual(["start", "10", "20"]);
});

test("the session's own branch is straight; the other branch comes before it, indented, with its descendants", () => {
  const nodes = [node(10, null, true), node(20, 10, false), node(30, 20, false), node(40, 10, true)];
  expect(drawn(tree(nodes))).toEqual(["start", "10", "|>20", "|30", "40"]);
});

test("if no branch is on the path the newest is straight; a side branch may have branches", () => {
  const nodes = [
    node(10, null, false),
    node(20, 10, false),
    node(30, 10, false),
    node(40, 20, false),
    node(50, 20, false),
  ];
  expect(drawn(tree(nodes))).toEqual(["start", "10", "|>20", "||>40", "|50", "30"]);
});

test("the rail of a branch ends with its last run", () => {
  const nodes = [node(10, null, true), node(20, 10, false), node(30, 10, true)];
  expect(buildTreeRows(tree(nodes)).map(({ endsBranch }) => endsBranch)).toEqual([false, false, true, true]);
});

test("several first runs are branches of the start", () => {
  expect(drawn(tree([node(10, null, false), node(20, null, true)]))).toEqual(["start", "|>10", "20"]);
});

test("exactly one row has the session's position: at the end of a run, in its middle, or at the start", () => {
  const nodes = [node(10, null, true), node(20, 10, true)];
  const currentRows = (newest: number) =>
    buildTreeRows(tree(nodes, { newest })).flatMap((row) => (row.isCurrent ? [row.node?.seq ?? 0] : []));
  expect([currentRows(0), currentRows(14), currentRows(22), currentRows(24)]).toEqual([[0], [10], [20], [20]]);
});

test("forks are listed in the row of their origin, and an open run has no target", () => {
  const fork = { sessionId: asId<SessionId>("s2"), title: "Fork", atSeq: 14 };
  const rows = buildTreeRows(tree([node(10, null, true), { ...node(20, 10, true), to: null }], { forks: [fork] }));
  expect(rows.map(({ to, forks }) => [to, forks.length])).toEqual([
    [0, 0],
    [14, 1],
    [null, 0],
  ]);
});
