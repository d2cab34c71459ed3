import { describe, expect, test } from "vitest";
import { mergeTexts } from "@/lib/text/merge-texts";
import { listMergeConflicts } from "./merge-choices";

const numbered = (change: Readonly<Record<number, string>>): string =>
  Array.from({ length: 40 }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join("");
const conflicts = (theirs: string, mine: string) => listMergeConflicts(mergeTexts(numbered({}), mine, theirs));
const keys = (theirs: string, mine: string): readonly string[] => conflicts(theirs, mine).map(({ key }) => key);
const mine = numbered({ 3: "my third", 30: "my thirtieth" });

test("a conflict shows both versions with three lines around, at their lines in the file", () => {
  const [first] = conflicts(numbered({ 30: "their thirtieth" }), mine);
  expect(first?.hunks).toMatchObject([{ oldStart: 27, oldLines: 7 }]);
  expect(first?.hunks[0]?.lines[3]).toMatchObject({ kind: "remove", text: "their thirtieth", oldLine: 30 });
});

describe("the key of a conflict", () => {
  const before = keys(numbered({ 3: "their third", 30: "their thirtieth" }), mine);

  test.each([
    ["another change before it", { 3: "their third", 15: "new on disk", 30: "their thirtieth" }, [0, 1]],
    ["the conflict before it gone", { 3: "my third", 30: "their thirtieth" }, [1]],
    ["another text in it", { 3: "their third", 30: "something else" }, [0]],
    ["other lines around it", { 2: "near", 3: "their third", 30: "their thirtieth" }, [1]],
  ] as const)("with %s on disk keeps keys only for the same text", (_what, change, same) => {
    const after = keys(numbered(change), mine);
    expect(before.flatMap((key, index) => (after.includes(key) ? [index] : []))).toEqual(same);
  });

  test("is unique among equal conflicts and depends on their number", () => {
    const texts = (count: number, word: string): string =>
      `${"same\n".repeat(20)}${`${word}\n${"same\n".repeat(20)}`.repeat(count)}`;
    const keysFor = (count: number): readonly string[] =>
      listMergeConflicts(mergeTexts(texts(count, "old"), texts(count, "new"), texts(count, "other"))).map(
        ({ key }) => key,
      );
    expect(new Set(keysFor(3)).size).toBe(3);
    expect(keysFor(3).filter((key) => keysFor(2).includes(key))).toEqual([]);
  });
});
