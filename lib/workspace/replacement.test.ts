import { expect, test } from "vitest";
import { expandReplacement, listGroups } from "./replacement";

test.each([
  ["abc", []],
  ["(a)(b)", [null, null]],
  ["((a)b)", [null, null]],
  ["(?:a)(?i:b)(c)", [null]],
  ["(?<year>\\d+)-(?P<month>\\d+)(x)", ["year", "month", null]],
  ["\\(a\\)(b)", [null]],
  ["\\\\(a)", [null]],
  ["[(](a)", [null]],
  ["[](](a)[^](]", [null]],
  ["[[:alpha:](](a)", [null]],
  ["(?=a)", []],
  ["(?<yé>\\d+)-(?P<m.[1]>\\d+)", ["yé", "m.[1]"]],
  ["(?<日付>a)(?<1x>b)(?P<é!>c)(d)", ["日付", null, null, null]],
  ["(?<=a)(?<!b)(?P=c)(d)", [null]],
])("the groups of %s are %j", (expression, groups) => {
  expect(listGroups(expression)).toEqual(groups);
});

test("an expression has at most the groups that a replacement can name", () => {
  expect(listGroups("()".repeat(120))).toHaveLength(99);
});

const names = ["first", null];
test.each([
  ["x", "x"],
  ["$&!", "whole!"],
  ["$2-$1", "two-one"],
  ["$<first>", "one"],
  ["$$1", "$1"],
  ["$$$1", "$one"],
  ["$10", "one0"],
  ["$3", "$3"],
  ["$0", "$0"],
  ["$<none>", "$<none>"],
  ["$<>", "$<>"],
  ["$", "$"],
  ["\\n", "\\n"],
])("the replacement %s becomes %s", (replacement, expected) => {
  expect(expandReplacement(replacement, names, { match: "whole", captures: ["one", "two"] })).toBe(expected);
});

test("two digits name a group if it exists", () => {
  const captures = Array.from({ length: 12 }, (_, index) => `<${index + 1}>`);
  const groups = captures.map(() => null);
  expect(expandReplacement("$12 $13", groups, { match: "", captures })).toBe("<12> <1>3");
});

test("a group that took no part in the match is empty", () => {
  expect(expandReplacement("[$1]", [null], { match: "a", captures: [""] })).toBe("[]");
});

test("text found as plain text is replaced as it is typed", () => {
  expect(expandReplacement("$& $1 $$", null, { match: "a", captures: [] })).toBe("$& $1 $$");
});
