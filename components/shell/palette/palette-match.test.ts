import { expect, test } from "vitest";
import { type PaletteChoice, matchChoices, matchRank } from "./palette-match";

const choice = (label: string, isCommand = true): PaletteChoice => ({
  id: label,
  isCommand,
  label,
  group: "",
  perform: () => undefined,
});
const labels = (found: readonly PaletteChoice[]) => found.map(({ label }) => label);

test("a prefix ranks above a word prefix, a substring, a subsequence and no match", () => {
  expect([
    matchRank("Settings", "set"),
    matchRank("All sessions", "ses"),
    matchRank("Unset", "set"),
    matchRank("Save it now", "sin"),
    matchRank("abc", "ca"),
  ]).toEqual([4, 3, 2, 1, 0]);
});

test("the best match comes first and equal ranks keep their order", () => {
  const all = [choice("Unsaved"), choice("Show it"), choice("Save the file"), choice("Save all")];
  expect(labels(matchChoices(all, "sa"))).toEqual(["Save the file", "Save all", "Unsaved"]);
});

test("a leading > matches commands only", () => {
  const all = [choice("New session"), choice("New page", false)];
  expect(labels(matchChoices(all, ">new"))).toEqual(["New session"]);
  expect(labels(matchChoices(all, "new"))).toEqual(["New session", "New page"]);
});

test("Chinese text matches by any substring", () => {
  expect(labels(matchChoices([choice("修复登录页面", false), choice("新建会话")], "登录"))).toEqual(["修复登录页面"]);
});
