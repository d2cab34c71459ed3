import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../async/steps";
import { diffFileLinesSteps } from "../text/myers";
import { buildHunksSteps, splitIntoLinesSteps } from "../text/diff";
import { findHunkPlaces } from "./hunk-places";

function hunksOf(before: string, after: string) {
  const old = runSteps(splitIntoLinesSteps(before));
  const now = runSteps(splitIntoLinesSteps(after));
  const regions = runSteps(diffFileLinesSteps(old, now, { steps: 1_000_000 }));
  return runSteps(buildHunksSteps(old, now, regions)).hunks ?? [];
}

const placesOf = (before: string, after: string, disk = after, shown = disk) =>
  findHunkPlaces(hunksOf(before, after), disk, shown.split("\n"));

const twelve = Array.from({ length: 12 }, (_unused, index) => `${index + 1}`);
const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

test.each([
  ["changed", "a\nb\nc\n", "a\nB\nc\n", { added: [2], removedAfter: [], start: 1, end: 2 }],
  ["added", "a\n", "a\nb\nc\n", { added: [2, 3], removedAfter: [], start: 1, end: 3 }],
  ["removed", "a\nb\nc\n", "a\nc\n", { added: [], removedAfter: [1], start: 1, end: 1 }],
  ["removed at the start", "a\nb\n", "b\n", { added: [], removedAfter: [0], start: 0, end: 0 }],
  ["removed, all of them", "a\nb\n", "", { added: [], removedAfter: [0], start: 0, end: 0 }],
  [
    "in several runs of one hunk",
    "a\nb\nc\nd\n",
    "A\nb\nd\ne\n",
    { added: [1, 4], removedAfter: [2], start: 0, end: 4 },
  ],
])("lines that were %s", (_name, before, after, place) => {
  expect(placesOf(before, after)).toEqual([place]);
  const windows = (unix: string): string => unix.replaceAll("\n", "\r\n");
  expect(findHunkPlaces(hunksOf(windows(before), windows(after)), windows(after), after.split("\n"))).toEqual([place]);
});

test("lines that the user types or removes are not the agent's, and move its lines", () => {
  const after = "a\nagent 1\nagent 2\nb\n";
  const shown = "mine\na\nagent 1\nmine, too\nagent 2, changed\nb\n";
  expect(placesOf("a\nb\n", after, after, shown)).toEqual([{ added: [3], removedAfter: [], start: 2, end: 3 }]);
});

test("a hunk is found after the change above it was taken out", () => {
  const after = text(["new", "new", ...twelve.with(11, "twelve")]);
  const places = placesOf(text(twelve), after, text(twelve.with(11, "twelve")));
  expect(places).toEqual([null, { added: [12], removedAfter: [], start: 11, end: 12 }]);
});

test("a hunk has no place in a text without its lines, or with two such places", () => {
  expect(placesOf("a\nb\n", "a\nB\n", "a\nb\n")).toEqual([null]);
  expect(placesOf("a\nb\n", "a\nB\n", "x\na\nB\na\nB\n")).toEqual([null]);
});

test("every line that differs has a mark, and no other one", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const old = text(before);
      const now = text(after);
      const added = placesOf(old, now).flatMap((place) => place?.added ?? []);
      const expected = hunksOf(old, now).flatMap((hunk) =>
        hunk.lines.flatMap(({ kind, newLine }) => (kind === "add" && newLine !== undefined ? [newLine] : [])),
      );
      expect(added).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});
