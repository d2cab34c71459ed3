import fc from "fast-check";
import { expect, test } from "vitest";
import { type GraphRow, layoutGraph, orderByParents } from "./commit-graph";

interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
}

/** Histories in the order of a log: parents follow their commits, or are not listed. */
const histories = fc
  .array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }), { maxLength: 40 })
  .map((steps): readonly Commit[] =>
    steps.map((distances, row) => ({ id: `c${row}`, parents: distances.map((distance) => `c${row + distance}`) })),
  );

/** Follows a line from the middle of a row down to the row in which it ends; null = it leaves the list. */
function followLine(rows: readonly GraphRow[], row: number, lane: number): number | null {
  let at = lane;
  for (let next = row + 1; next < rows.length; next += 1) {
    const above = rows[next]?.lines.filter(({ half, from }) => half === "above" && from === at) ?? [];
    expect(above).toHaveLength(1);
    at = above[0]?.to ?? -1;
    if (at === rows[next]?.lane) return next;
    const below = rows[next]?.lines.filter(({ half, from }) => half === "below" && from === at) ?? [];
    expect(below).toEqual([{ half: "below", from: at, to: at }]);
  }
  return null;
}

test("each line to a parent ends at the parent's commit, and no other line does", () => {
  fc.assert(
    fc.property(histories, (commits) => {
      const rows = layoutGraph(commits);
      for (const [row, { parents }] of commits.entries()) {
        const { lane = 0, lines = [], lanes = 0 } = rows[row] ?? {};
        const own = lines.filter(({ half, from }) => half === "below" && from === lane);
        const ends = own.map(({ to }) => followLine(rows, row, to));
        const expected = [...new Set(parents)].map((id) => commits.findIndex((one) => one.id === id));
        expect(ends.map((end) => end ?? -1).sort()).toEqual(expected.sort());
        expect(Math.max(lane, ...lines.flatMap(({ from, to }) => [from, to]))).toBeLessThan(lanes);
      }
    }),
    { numRuns: 500 },
  );
});

test("a line that ends at a commit comes from one of its children", () => {
  fc.assert(
    fc.property(histories, (commits) => {
      const rows = layoutGraph(commits);
      for (const [row, { id }] of commits.entries()) {
        const arriving = rows[row]?.lines.filter(({ half, to }) => half === "above" && to === rows[row]?.lane) ?? [];
        const hasChild = commits.slice(0, row).some(({ parents }) => parents.includes(id));
        expect(arriving.length > 0).toBe(hasChild);
      }
    }),
    { numRuns: 500 },
  );
});

test("rows stay as they are when a page is appended", () => {
  fc.assert(
    fc.property(histories, fc.nat(), (commits, cut) => {
      const rows = layoutGraph(commits);
      const first = cut % (commits.length + 1);
      expect(layoutGraph(commits.slice(0, first))).toEqual(rows.slice(0, first));
    }),
  );
});

test("ordered commits are all there, each before its parents, and none moves without need", () => {
  const shuffled = histories.chain((commits) =>
    fc.shuffledSubarray([...commits], { minLength: commits.length, maxLength: commits.length }),
  );
  fc.assert(
    fc.property(shuffled, (commits) => {
      const ordered = orderByParents(commits);
      expect(new Set(ordered)).toEqual(new Set(commits));
      expect(ordered).toHaveLength(commits.length);
      for (const [row, { parents }] of ordered.entries())
        expect(ordered.slice(0, row).some(({ id }) => parents.includes(id))).toBe(false);
    }),
  );
  fc.assert(
    fc.property(histories, (commits) => {
      expect(orderByParents(commits)).toEqual(commits);
    }),
  );
});

test("a history without branches has one lane, and a merged branch a second one", () => {
  const commits = [
    { id: "merge", parents: ["main", "side"] },
    { id: "main", parents: ["root"] },
    { id: "side", parents: ["root"] },
    { id: "root", parents: [] },
  ];
  expect(layoutGraph(commits).map(({ lane, lanes }) => [lane, lanes])).toEqual([
    [0, 2],
    [0, 2],
    [1, 2],
    [0, 1],
  ]);
});

test("a parent that the log has before its child has no line", () => {
  const rows = layoutGraph([
    { id: "parent", parents: [] },
    { id: "child", parents: ["parent"] },
  ]);
  expect(rows.map(({ lines }) => lines)).toEqual([[], []]);
});
