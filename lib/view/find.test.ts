import { expect, test } from "vitest";
import { type FindHit, resolveMatch, countMatches } from "./find";

const hits: readonly FindHit[] = [
  { seq: 3, excerpt: "", count: 2 },
  { seq: 9, excerpt: "", count: 1 },
  { seq: 12, excerpt: "", count: 4 },
];

test("counts every match of every entry", () => {
  expect(countMatches(hits)).toBe(7);
  expect(countMatches([])).toBe(0);
});

test.each([
  [0, { seq: 3, nth: 0 }],
  [1, { seq: 3, nth: 1 }],
  [2, { seq: 9, nth: 0 }],
  [3, { seq: 12, nth: 0 }],
  [6, { seq: 12, nth: 3 }],
  [7, null],
])("match %d is %j", (index, match) => {
  expect(resolveMatch(hits, index)).toEqual(match);
});
