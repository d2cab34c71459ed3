import { expect, test } from "vitest";
import { findMention, mentionPattern } from "./mention";

test.each<readonly [text: string, expected: unknown]>([
  ["@", { start: 0, end: 1, typed: "" }],
  ["see @src/a", { start: 4, end: 10, typed: "src/a" }],
  ["see\n@a", { start: 4, end: 6, typed: "a" }],
  ["(@a", { start: 1, end: 3, typed: "a" }],
  ["看看@应用", { start: 2, end: 5, typed: "应用" }],
  ["@a.ts:", { start: 0, end: 6, typed: "a.ts" }],
  ["@a.ts:10", { start: 0, end: 8, typed: "a.ts", lines: { first: 10, last: 10 } }],
  ["@a.ts:10-", { start: 0, end: 9, typed: "a.ts", lines: { first: 10, last: 10 } }],
  ["@a.ts:10-40", { start: 0, end: 11, typed: "a.ts", lines: { first: 10, last: 40 } }],
  ["@a.ts:40-10", { start: 0, end: 11, typed: "a.ts", lines: { first: 40, last: 40 } }],
  ["@a.ts:0", { start: 0, end: 7, typed: "a.ts" }],
  ["@session:", { start: 0, end: 9, typed: "session:" }],
  ["@session:12", { start: 0, end: 11, typed: "session:12" }],
  ["@a.ts#", { start: 0, end: 6, typed: "a.ts", symbol: "" }],
  ["@a.ts#lo", { start: 0, end: 8, typed: "a.ts", symbol: "lo" }],
  ["@#", { start: 0, end: 2, typed: "#" }],
  ["@memory:MEM", { start: 0, end: 11, typed: "memory:MEM" }],
  ["@tool:shop__buy#2", { start: 0, end: 17, typed: "tool:shop__buy#2" }],
  ["see @https://a.example:8080/x#y", { start: 4, end: 31, typed: "https://a.example:8080/x#y" }],
  ["@https:", { start: 0, end: 7, typed: "https" }],
  ["ann@example.org", null],
  ["@a.ts and", null],
  ["@@a", null],
  ["", null],
])("%j", (text, expected) => {
  expect(findMention(text, text.length)).toEqual(expected);
});

test("a mention ends at the caret", () => {
  expect(findMention("@src then", 3)).toEqual({ start: 0, end: 3, typed: "sr" });
  expect(findMention("@src then", 9)).toBeNull();
  expect(findMention("@src", -1)).toBeNull();
});

test.each<readonly [text: string, name: string, expected: string]>([
  ["see @a.ts and @a.tsx", "a.ts", "see and @a.tsx"],
  ["see @a.ts\n@a.ts.map", "a.ts", "see \n@a.ts.map"],
  ["see @a.ts:3-9, @a.ts.", "a.ts", "see @a.ts:3-9, ."],
  ["@src/ @src/a.ts", "src/", "@src/a.ts"],
  ["看@a.ts的", "a.ts", "看的"],
  ["@Fix (all) [1] now", "Fix (all) [1]", "now"],
])("%j has mentions of %s", (text, name, expected) => {
  expect(text.replace(mentionPattern(name), "")).toBe(expected);
});
