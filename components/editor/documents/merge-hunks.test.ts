import { describe, expect, test } from "vitest";
import { diffLines } from "@/lib/text/diff";
import { hunkKeys, mergeHunks, type MergeSide } from "./merge-hunks";

const numbered = (change: Readonly<Record<number, string>>, count = 40, end = "\n"): string =>
  Array.from({ length: count }, (_, index) => change[index + 1] ?? `line ${index + 1}`).join("\n") + end;

const merged = (theirs: string, mine: string, sides: readonly MergeSide[]): string =>
  mergeHunks(theirs, diffLines(theirs, mine).hunks ?? [], sides);

describe("merging two versions", () => {
  const pairs: readonly (readonly [what: string, theirs: string, mine: string])[] = [
    ["changed lines", numbered({ 3: "a", 30: "b" }), numbered({ 3: "c", 20: "d" })],
    ["an empty side", "", "one\ntwo\n"],
    ["the other empty side", "one\ntwo", ""],
    ["no newline at the end of one", numbered({}, 5, ""), numbered({ 5: "x" }, 5)],
    ["no newline at the end of both", "a", "b"],
    ["lines added at the start and the end", "m\n", "a\nm\nz"],
    ["the same", "a\nb\n", "a\nb\n"],
    ["Windows line ends", "a\r\nb\r\n", "a\r\nc\r\n"],
  ];
  test.each(pairs)("%s: all of one side is that side", (_what, theirs, mine) => {
    const count = diffLines(theirs, mine).hunks?.length ?? 0;
    expect(merged(theirs, mine, Array<MergeSide>(count).fill("mine"))).toBe(mine);
    expect(merged(theirs, mine, Array<MergeSide>(count).fill("theirs"))).toBe(theirs);
    expect(merged(theirs, mine, [])).toBe(mine);
  });

  test("each change is taken from its chosen side", () => {
    const theirs = numbered({ 3: "their third", 30: "their thirtieth" });
    const mine = numbered({ 3: "my third", 30: "my thirtieth" });
    expect(merged(theirs, mine, ["mine", "theirs"])).toBe(numbered({ 3: "my third", 30: "their thirtieth" }));
    expect(merged(theirs, mine, ["theirs", "mine"])).toBe(numbered({ 3: "their third", 30: "my thirtieth" }));
  });
});

describe("the key of a hunk", () => {
  const keys = (theirs: string, mine: string): readonly string[] => hunkKeys(diffLines(theirs, mine).hunks ?? []);
  const mine = numbered({ 3: "my third", 30: "my thirtieth" });
  const before = keys(numbered({ 3: "their third", 30: "their thirtieth" }), mine);

  test.each([
    ["another hunk before it", { 3: "their third", 15: "new on disk", 30: "their thirtieth" }, [0, 1]],
    ["the hunk before it gone", { 3: "my third", 30: "their thirtieth" }, [1]],
    ["another text in it", { 3: "their third", 30: "something else" }, [0]],
    ["other lines around it", { 2: "near", 3: "their third", 30: "their thirtieth" }, [1]],
  ] as const)("with %s on disk keeps keys only for the same text", (_what, change, same) => {
    const after = keys(numbered(change), mine);
    expect(before.flatMap((key, index) => (after.includes(key) ? [index] : []))).toEqual(same);
  });

  test("is unique among equal hunks and depends on their number", () => {
    const equal = (count: number): string => "same\n".repeat(20) + "old\n".concat("same\n".repeat(20)).repeat(count);
    const changedLineKeys = (count: number): readonly string[] =>
      keys(equal(count), equal(count).replaceAll("old", "new"));
    expect(new Set(changedLineKeys(3)).size).toBe(3);
    expect(changedLineKeys(3).filter((key) => changedLineKeys(2).includes(key))).toEqual([]);
  });
});
