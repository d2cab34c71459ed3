import { EditorState, Text } from "@codemirror/state";
import fc from "fast-check";
import { expect, test } from "vitest";
import { changeKind, findChangeRegions, markedLines, revertRegion } from "./change-regions";

const linesOf = (text: string): string[] => text.split("\n");
const regionsOf = (before: string, after: string) => findChangeRegions(linesOf(before), Text.of(linesOf(after)));

test.each([
  ["added", "a\nb\n", "a\nx\ny\nb\n", [2, 3]],
  ["changed", "a\nb\nc", "a\nB\nc", [2]],
  ["deleted", "a\nb\nc", "a\nc", [1]],
  ["deleted", "a\nb", "b", [1]],
] as const)("%s lines of %j to %j are marked at %j", (kind, before, after, lines) => {
  const regions = regionsOf(before, after);
  expect(regions.map((region) => [changeKind(region), markedLines(region)])).toEqual([[kind, lines]]);
});

test("equal and very long texts have no marks", () => {
  expect(regionsOf("a\n", "a\n")).toEqual([]);
  expect(regionsOf("x\n".repeat(20_001), "y")).toEqual([]);
});

test("reverting every region, the last one first, restores the committed text", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, (committed, after) => {
      const state = EditorState.create({ doc: after.join("\n") });
      const reverted = findChangeRegions(committed, state.doc)
        .toReversed()
        .reduce((now, region) => now.update({ changes: revertRegion(now.doc, region, committed) }).state, state);
      expect(reverted.doc.toString()).toBe(committed.join("\n"));
    }),
    { numRuns: 1_000 },
  );
});
