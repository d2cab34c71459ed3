import { describe, expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { createFindState } from "../find/find-host";
import { createBuffer } from "./code-buffer";

const findState = createFindState();

function bufferOf(text: string) {
  let changes = 0;
  const buffer = createBuffer({
    path: "a.ts",
    text,
    isReadOnly: false,
    label: "",
    phrases: {},
    changeTexts: { committed: "", notCommitted: "", revert: "", close: "" },
    find: () => findState,
    otherTexts: () => [],
    commands: { save: () => undefined, close: () => undefined, saveAndClose: () => undefined },
    onTextChanged: () => {
      changes += 1;
    },
    onStatusChanged: () => undefined,
  });
  return { buffer, changes: () => changes };
}

test("changed line endings change the text, and back again", () => {
  const { buffer, changes } = bufferOf("a\nb\n");
  expect(buffer.equals("a\nb\n")).toBe(true);
  buffer.setLineEnding("\r\n");
  expect(buffer.text()).toBe("a\r\nb\r\n");
  expect(buffer.equals("a\nb\n")).toBe(false);
  expect(buffer.equals("a\r\nb\r\n")).toBe(true);
  expect(buffer.status().lineEnding).toBe("\r\n");
  buffer.setLineEnding("\n");
  expect(buffer.equals("a\nb\n")).toBe(true);
  expect(buffer.text()).toBe("a\nb\n");
  expect(changes()).toBe(2);
});

test("chosen line endings replace mixed ones", () => {
  const { buffer } = bufferOf("a\r\nb\n");
  buffer.setLineEnding("\n");
  expect(buffer.text()).toBe("a\nb\n");
});

test("a text of one line is equal with any line ending", () => {
  const { buffer } = bufferOf("one line");
  buffer.setLineEnding("\r\n");
  expect(buffer.equals("one line")).toBe(true);
});

test("a text from disk brings its own line endings", () => {
  const { buffer } = bufferOf("a\nb\n");
  buffer.replace("a\r\nb\r\n");
  expect(buffer.status().lineEnding).toBe("\r\n");
  expect(buffer.equals("a\r\nb\r\n")).toBe(true);
});

test("the caret is counted in characters as they are seen", () => {
  const { buffer } = bufferOf("x\n文😀y\n");
  buffer.reveal(2, { column: 4 });
  expect(buffer.status()).toMatchObject({ line: 2, column: 3, selected: 0, carets: 1 });
});

test.each([
  ["\tx\n", "tab"],
  ["    x\n", 4],
  ["  x\n", 2],
  ["", 4],
] as const)("the indentation of %j is %s until it is changed", (text, indentation) => {
  const { buffer } = bufferOf(text);
  expect(buffer.status().indentation).toBe(indentation);
  buffer.setIndentation(8);
  expect(buffer.status().indentation).toBe(8);
  expect(buffer.text()).toBe(text);
});

describe("cleaning before a save", () => {
  const settings = { ...settingsDefaults, editorTrimWhitespace: true, editorFinalNewline: true };

  test("trims every line and ends the text with a line break, as one change that can be undone", () => {
    const { buffer } = bufferOf("a  \n\tb\t \n  \nlast");
    buffer.configure({ settings, style: {} });
    buffer.clean("user");
    expect(buffer.text()).toBe("a\n\tb\n\nlast\n");
    buffer.clean("user");
    expect(buffer.text()).toBe("a\n\tb\n\nlast\n");
  });

  test("leaves the line with the caret when the save is automatic", () => {
    const { buffer } = bufferOf("a  \nb  \n");
    buffer.configure({ settings, style: {} });
    buffer.reveal(2, { column: 4 });
    buffer.clean("automatic");
    expect(buffer.text()).toBe("a\nb  \n");
  });

  test("does nothing by default, and writes the line endings of an .editorconfig", () => {
    const { buffer } = bufferOf("a \nb");
    buffer.clean("user");
    expect(buffer.text()).toBe("a \nb");
    buffer.configure({ settings: settingsDefaults, style: { lineEnding: "\r\n" } });
    expect(buffer.text()).toBe("a \nb");
    buffer.clean("user");
    expect(buffer.text()).toBe("a \r\nb");
  });

  test.each([
    ["", ""],
    ["   ", ""],
    ["a\n   ", "a\n"],
    ["a", "a\n"],
    ["a \r\nb\n", "a\r\nb\n"],
  ])("the text %j becomes %j", (text, cleaned) => {
    const { buffer } = bufferOf(text);
    buffer.configure({ settings, style: {} });
    buffer.clean("user");
    expect(buffer.text()).toBe(cleaned);
  });

  test.each([
    ["a\r\nb\n", "\r\n", "a\r\nb\r\n"],
    ["a\r\nb\n", "\n", "a\nb\n"],
    ["a \r\nb\t\r\r\nc\n", "\n", "a\nb\nc\n"],
  ] as const)("mixed line endings in %j become %j", (text, lineEnding, cleaned) => {
    const { buffer } = bufferOf(text);
    buffer.configure({ settings, style: { lineEnding } });
    buffer.clean("user");
    expect(buffer.text()).toBe(cleaned);
    buffer.clean("user");
    expect(buffer.text()).toBe(cleaned);
  });
});

test("an indentation chosen for the file outlives a change of the settings", () => {
  const { buffer } = bufferOf("plain");
  buffer.configure({ settings: { ...settingsDefaults, editorTabSize: 3 }, style: {} });
  expect(buffer.status().indentation).toBe(3);
  buffer.setIndentation("tab");
  buffer.configure({ settings: settingsDefaults, style: { indentStyle: "space", indentSize: 2 } });
  expect(buffer.status().indentation).toBe("tab");
});
