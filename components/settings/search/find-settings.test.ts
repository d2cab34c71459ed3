import { expect, test } from "vitest";
import * as enLate from "../../messages/en-late";
import * as zhCNLate from "../../messages/zh-CN-late";
import { settingNames } from "@/lib/settings/config-keys";
import { listSections, listSettings, sectionTexts } from "../fields/setting-list";
import { settingsSections } from "../settings-sections";
import { findSettings, parseSettingsQuery, toggleModified } from "./find-settings";

const documentsIn = (messages: typeof enLate) => [
  ...listSettings(messages),
  ...listSections(messages, settingsSections),
];
const english = documentsIn(enLate);
const chinese = documentsIn(zhCNLate);
const idsOf = (documents: typeof english, typed: string) =>
  findSettings(documents, typed).map(({ document }) => document.name ?? document.section);

test.each([
  ["label", "tab size", "editorTabSize"],
  ["label, by initials", "tsz", "editorTabSize"],
  ["key", "bash_timeout", "bashTimeoutSeconds"],
  ["key, in words", "bash timeout", "bashTimeoutSeconds"],
  ["key with its section", "editor.wrap_lines", "editorWrapLines"],
  ["synonym", "dark mode", "theme"],
  ["section and label", "terminal text size", "terminalFontSize"],
  ["note", "OLLAMA_HOST", "ollamaHost"],
  ["section without settings", "qr code", "devices"],
] as const)("an English setting is found by its %s: %s", (_kind, typed, name) => {
  expect(idsOf(english, typed)[0]).toBe(name);
});

test.each([
  ["label", "制表符宽度", "editorTabSize"],
  ["pinyin initials", "zbfkd", "editorTabSize"],
  ["synonym", "夜间", "theme"],
  ["key", "font_size", "editorFontSize"],
  ["section", "二维码", "devices"],
] as const)("a Chinese setting is found by its %s: %s", (_kind, typed, name) => {
  expect(idsOf(chinese, typed)[0]).toBe(name);
});

test("every setting is in one section, and the sections have the order of their list", () => {
  expect(listSettings(enLate).map(({ name }) => name)).toHaveLength(settingNames.length);
  expect(new Set(listSettings(enLate).map(({ name }) => name))).toEqual(new Set(settingNames));
  expect(Object.keys(sectionTexts(enLate))).toEqual(settingsSections.map(({ id }) => id));
});

test("every word must occur", () => {
  expect(idsOf(english, "theme rulers")).toEqual([]);
});

test("the matched letters of label, key and note are marked", () => {
  const [found] = findSettings(english, "silence ollama middle");
  expect(found?.document.name).toBe("stallSeconds");
  const marked = (text = "", positions: readonly number[] = []) => positions.map((at) => text[at]).join("");
  expect(marked(found?.document.label, found?.marks.label)).toBe("silence");
  expect(marked(found?.document.key, found?.marks.key)).toBe("ollama");
});

test("an empty text returns everything in the order of the sections", () => {
  expect(findSettings(english, "")).toHaveLength(english.length);
});

test.each([
  ["", false, ""],
  ["tab", false, "tab"],
  ["@modified", true, ""],
  ["tab @Modified size", true, "tab size"],
  ["x@modified", false, "x@modified"],
] as const)("the query %j has the filter %s and the text %j", (query, isModifiedOnly, typed) => {
  expect(parseSettingsQuery(query)).toEqual({ isModifiedOnly, typed });
});

test("the filter is switched on and off without changing the text", () => {
  expect(toggleModified("")).toBe("@modified");
  expect(toggleModified("tab")).toBe("@modified tab");
  expect(toggleModified("@modified tab")).toBe("tab");
});
