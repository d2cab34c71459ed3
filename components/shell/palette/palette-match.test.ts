import { expect, test } from "vitest";
import { type PaletteChoice, matchChoices } from "./palette-match";

const choice = (label: string): PaletteChoice => ({
  id: label,
  kind: "command",
  label,
  group: "",
  perform: () => undefined,
});
const labels = (found: readonly PaletteChoice[]) => found.map(({ label }) => label);

test("a prefix comes before a word prefix, initials and a part of a word; others are left out", () => {
  const all = ["Unset", "Sort every tab", "All settings", "Settings", "Tests"].map((label) => choice(label));
  expect(labels(matchChoices(all, "set"))).toEqual(["Settings", "All settings", "Sort every tab", "Unset"]);
});

test("the best match comes first and equal ranks keep their order", () => {
  const all = [choice("Unsaved"), choice("Show it"), choice("Save the file"), choice("Save all")];
  expect(labels(matchChoices(all, "sa"))).toEqual(["Save the file", "Save all", "Unsaved"]);
});

test("Chinese text matches by any substring", () => {
  expect(labels(matchChoices([choice("修复登录页面"), choice("新建会话")], "登录"))).toEqual(["修复登录页面"]);
});

test("Latin letters find the Chinese characters whose pinyin begins with them", () => {
  expect(labels(matchChoices([choice("新建会话"), choice("打开设置")], "sz"))).toEqual(["打开设置"]);
});

test("search words find a choice after labels that begin so, and only whole parts of them count", () => {
  const permissions = { ...choice("Permissions"), searchWords: "rules blocked commands" };
  const all = [permissions, choice("Rule them"), choice("Unruled")];
  expect(labels(matchChoices(all, "rule"))).toEqual(["Rule them", "Permissions", "Unruled"]);
  expect(labels(matchChoices(all, "com"))).toEqual(["Permissions"]);
  expect(labels(matchChoices(all, "rbc"))).toEqual([]);
});
