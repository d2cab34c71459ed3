import { expect, test } from "vitest";
import { type Choice, matching, rank } from "./palette-match";

const choice = (label: string, isCommand = true): Choice => ({
  id: label,
  isCommand,
  label,
  group: "",
  perform: () => undefined,
});
const labels = (found: readonly Choice[]) => found.map(({ label }) => label);

test("a prefix ranks above a word prefix, a substring, a subsequence and no match", () => {
  expect([
    rank("Settings", "set"),
    rank("All sessions", "ses"),
    rank("Unset", "set"),
    rank("Save it now", "sin"),
    rank("abc", "ca"),
  ]).toEqual([4, 3, 2, 1, 0]);
});

test("the best match comes first and equal ranks keep their order", () => {
  const all = [choice("Unsaved"), choice("Show it"), choice("Save the file"), choice("Save all")];
  expect(labels(matching(all, "sa"))).toEqual(["Save the file", "Save all", "Unsaved"]);
});

test("a leading > matches commands only", () => {
  const all = [choice("New session"), choice("New page", false)];
  expect(labels(matching(all, ">new"))).toEqual(["New session"]);
  expect(labels(matching(all, "new"))).toEqual(["New session", "New page"]);
});

test("Chinese text matches by any substring", () => {
  expect(labels(matching([choice("修复登录页面", false), choice("新建会话")], "登录"))).toEqual(["修复登录页面"]);
});
