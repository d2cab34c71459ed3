import { expect, test } from "vitest";
import { parseSearchReplaceEdits } from "./patch-calls";

const head = "<<<<<<< SEARCH\n";
const separator = "=======\n";
const block = (before: string, after: string): string => `${head}${before}\n${separator}${after}\n>>>>>>> REPLACE\n`;

test("blocks are read in order", () => {
  expect(parseSearchReplaceEdits(`${block("a", "b")}\n${block("c", "d")}`)).toEqual([
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "d" },
  ]);
});

test.each([
  ["no block", "a"],
  ["nothing", "\n"],
  ["text before a block", `a\n${block("a", "b")}`],
  ["text between blocks", `${block("a", "b")}a\n${block("c", "d")}`],
  ["a head in a block", block(`${head}a`, "b")],
  ["two separators in a block", block(`a\n${separator}`, "b")],
])("%s is not guessed", (_name, diff) => expect(parseSearchReplaceEdits(diff)).toBeNull());

test("long texts are read", () => {
  const many = 5_000;
  expect(parseSearchReplaceEdits(head.repeat(many) + separator.repeat(many))).toBeNull();
  expect(parseSearchReplaceEdits(`${head}${separator}`.repeat(many))).toBeNull();
  expect(parseSearchReplaceEdits(`${head}a\n${separator.repeat(many)}`)).toBeNull();
  expect(parseSearchReplaceEdits(block("a", "b").repeat(many))).toEqual(
    Array.from({ length: many }, () => ({ old_string: "a", new_string: "b" })),
  );
});
