import { Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { findMatches, findReplacements, type FindQuery } from "./find-text";
import { findMatchIndex, isSearchable } from "./found-matches";

const text = Text.of(["one two One", "twone one"]);
const query = (part: Partial<FindQuery>): FindQuery => ({
  search: "",
  replace: "",
  caseSensitive: false,
  wholeWord: false,
  regexp: false,
  ...part,
});

test.each([
  ["all letters", { search: "one" }, [0, 3, 8, 11, 14, 17, 18, 21]],
  ["case", { search: "one", caseSensitive: true }, [0, 3, 14, 17, 18, 21]],
  ["words", { search: "one", wholeWord: true }, [0, 3, 8, 11, 18, 21]],
  ["a regular expression", { search: "t.o\\b", regexp: true }, [4, 7]],
  ["line ends", { search: "^t", regexp: true }, [12, 13]],
  ["several lines", { search: "One\\ntw", regexp: true }, [8, 14]],
])("matches of %s are found", (_name, part, spans) => {
  expect(findMatches(query(part), text, 100)).toEqual({ spans: Uint32Array.from(spans), isComplete: true });
});

test("the search ends at the limit", () => {
  expect(findMatches(query({ search: "one" }), text, 3)).toEqual({
    spans: Uint32Array.from([0, 3, 8, 11, 14, 17]),
    isComplete: false,
  });
  expect(findMatches(query({ search: "one" }), text, 4).isComplete).toBe(true);
});

test("the next match is found by position", () => {
  const spans = Uint32Array.from([0, 3, 8, 11, 14, 17]);
  expect([0, 1, 8, 9, 14, 15].map((position) => findMatchIndex(spans, position))).toEqual([0, 1, 1, 2, 2, 3]);
});

test.each([
  ["a text as it is", { search: "two", replace: "$1\\n" }, "$1\\n"],
  ["groups", { search: "(t)(w)o", regexp: true, replace: "$2$1-$&-$$1-$3" }, "wt-two-$1-$3"],
  ["a group of several digits", { search: "(t)wo", regexp: true, replace: "$12" }, "t2"],
  ["a group that did not take part", { search: "(x)?two", regexp: true, replace: "<$1>" }, "<>"],
  ["escapes", { search: "two", regexp: true, replace: "\\t\\n\\\\n" }, "\t\n\\n"],
])("a match is replaced by %s", (_name, part, insert) => {
  expect(findReplacements(query(part), text, { from: 4, to: 7 })).toEqual([{ from: 4, to: 7, insert }]);
});

test("only the given match is replaced, and only while it is there", () => {
  const all = findReplacements(query({ search: "one", replace: "1" }), text, null);
  expect(all.map(({ from }) => from)).toEqual([0, 8, 14, 18]);
  expect(findReplacements(query({ search: "one", replace: "1" }), text, { from: 8, to: 11 })).toHaveLength(1);
  expect(findReplacements(query({ search: "one", replace: "1" }), text, { from: 9, to: 11 })).toEqual([]);
});

test("very many replacements become one change with the same result", () => {
  const words = Array.from({ length: 6_000 }, (_, index) => `a${index}`);
  const many = Text.of(["head", words.join(" a "), "tail"]);
  const [change, ...others] = findReplacements(query({ search: "a(\\d)", regexp: true, replace: "b$1" }), many, null);
  expect(others).toEqual([]);
  const { from = 0, to = 0, insert = "" } = change ?? {};
  const replaced = many.replace(from, to, Text.of(insert.split("\n"))).toString();
  expect(replaced).toBe(many.toString().replaceAll(/a(\d)/g, "b$1"));
});

test.each([
  [{ search: "" }, false],
  [{ search: "(" }, true],
  [{ search: "(", regexp: true }, false],
  [{ search: "(a+)+$", regexp: true }, true],
])("whether %o can be searched", (part, isPossible) => {
  expect(isSearchable(query(part))).toBe(isPossible);
});
