import { expect, test } from "vitest";
import { commands } from "../protocol/command";
import { parseSettings } from "./config-keys";
import { settingTable } from "./setting-table";
import { settingsDefaults } from "./settings";

test("each setting has a default that it accepts", () => {
  expect(parseSettings(settingsDefaults)).toEqual({ settings: settingsDefaults, bad: [] });
});

test.each([
  ["a number that is no whole one", { maxSteps: 1.5 }],
  ["a number out of range", { maxSteps: 501 }],
  ["not a number", { temperature: Number.NaN }],
  ["a word that is none of the choices", { mode: "full" }],
  ["a text that is too long", { model: "m".repeat(201) }],
  ["a path that is not absolute", { terminalShell: "bash" }],
  ["a list with an empty text", { blockedWords: [""] }],
  ["a list with too many texts", { noticeDone: ["tab", "tab", "tab", "tab"] }],
  ["a list with a number", { shellEnvironment: [1] }],
  ["a text in place of a list", { blockedWords: "rm" }],
  ["a column that is no whole number", { editorRulers: [80.5] }],
])("%s is not accepted, and another setting is", (_name, values) => {
  const { settings, bad } = parseSettings({ ...values, think: false, unknown: 1 });
  expect(settings).toEqual({ think: false });
  expect(bad).toEqual(Object.keys(values));
});

test("a path cannot be added to the protected names, and one in the file leaves the names beside it protected", () => {
  const { isItem } = settingTable.protectedNames.allowed;
  expect([".secrets", "keys/id_rsa"].map(isItem)).toEqual([true, false]);
  const protectedNames = ["keys/id_rsa", ".secrets"];
  expect(parseSettings({ protectedNames })).toEqual({ settings: { protectedNames }, bad: [] });
});

test("a command that writes settings names the ones that are not accepted, and leaves unknown ones out", () => {
  const { input } = commands["settings.write"];
  const { error } = input.safeParse({ patch: { maxSteps: 501, think: false } });
  expect(error?.issues).toMatchObject([{ path: ["patch", "maxSteps"], message: "not allowed" }]);
  expect(input.parse({ patch: { think: false, ofAnotherVersion: 1 } })).toEqual({ patch: { think: false } });
});

test("a command may have the value of an older version, and is refused if its patch is no object", () => {
  const { input } = commands["settings.write"];
  expect(input.parse({ patch: { sandbox: true } })).toEqual({ patch: { sandbox: "always" } });
  expect([[], null, "sandbox"].map((patch) => input.safeParse({ patch }).success)).toEqual([false, false, false]);
});
