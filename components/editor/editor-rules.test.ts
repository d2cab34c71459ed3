import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OpenFile } from "@/lib/workspace/project-files";
import { asId, type Hash } from "@/lib/events/id";
import { settingsDefaults } from "@/lib/settings/settings";
import { detectIndentation, resolveOptions } from "./text/editor-options";
import { detectLanguage } from "./text/language";
import { findLineChange, reconcile, detectLineSeparator } from "./documents/reconcile";
import { tabNames } from "./tabs/tab-names";

const hash = (name: string): Hash => asId<Hash>(name);
const file = (text: string, name: string): OpenFile => ({
  path: "a.ts",
  text,
  hash: hash(name),
  size: text.length,
  eol: "\n",
  encoding: "utf8",
  readOnly: null,
});

describe("reconcile after a change on disk", () => {
  test.each([
    ["the same version", { base: "a", text: "typed" }, file("a", "h1"), "same"],
    ["a clean text is reloaded", { base: "a", text: "a" }, file("b", "h2"), "reload"],
    ["typed text is never overwritten", { base: "a", text: "typed" }, file("b", "h2"), "conflict"],
    ["the typed text is already on disk", { base: "a", text: "b" }, file("b", "h2"), "adopt"],
    ["other bytes with the same text", { base: "a", text: "a" }, file("a", "h2"), "adopt"],
    ["the file was deleted", { base: "a", text: "typed" }, null, "deleted"],
  ])("%s", (_name, local, disk, kind) => {
    expect(reconcile({ hash: hash("h1"), ...local }, disk).kind).toBe(kind);
  });
  test("a deleted file recreated with another text conflicts with typed text", () => {
    expect(reconcile({ hash: null, base: "a", text: "typed" }, file("b", "h1")).kind).toBe("conflict");
  });
});

test("replacing the changed lines gives the other text for any texts", () => {
  const lines = fc.array(fc.constantFrom("", "a", "b", "c"), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const change = findLineChange(before, after);
      if (change === null) {
        expect(before).toEqual(after);
        return;
      }
      expect(change.to).toBeGreaterThan(change.from);
      expect(change.insert.length).toBeGreaterThan(0);
      expect([...before.slice(0, change.from), ...change.insert, ...before.slice(change.to)]).toEqual(after);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["", "\n"],
  ["a", "\n"],
  ["a\nb", "\n"],
  ["a\r\nb\r\n", "\r\n"],
  ["a\r\nb\nc", "\n"],
  ["\na\r\n", "\n"],
  ["a\rb", "\n"],
])("lines of %j are split at %j, and joining them restores every byte", (text, separator) => {
  expect(detectLineSeparator(text)).toBe(separator);
  expect(text.split(detectLineSeparator(text)).join(detectLineSeparator(text))).toBe(text);
});

test.each([
  ["src/app.ts", "typescript"],
  ["app.TSX", "tsx"],
  ["a/Dockerfile", "dockerfile"],
  ["Dockerfile.dev", "dockerfile"],
  ["Cargo.lock", "toml"],
  [".bashrc", "shell"],
  ["x.vue", "vue"],
  ["constructor", null],
  ["a.constructor", null],
  [".gitignore", null],
  ["LICENSE", null],
  ["a.b.c.rs", "rust"],
])("the language of %s is %s", (path, language) => {
  expect(detectLanguage(path)).toBe(language);
});

test.each([
  ["a {\n  b\n    c\n}", 2],
  ["a {\n    b\n        c\n}", 4],
  ["a {\n\tb\n}", "tab"],
  ["plain", null],
])("%j is indented by %j", (text, indentation) => {
  expect(detectIndentation(text)).toBe(indentation);
});

test.each([
  ["a text without indentation follows the setting", {}, null, { indentation: 3, tabWidth: 3 }],
  ["the indentation of the text overrides the setting", {}, 2, { indentation: 2, tabWidth: 3 }],
  ["a text with tabs keeps them", {}, "tab", { indentation: "tab", tabWidth: 3 }],
  ["an .editorconfig overrides the text", { indentStyle: "space", indentSize: 8 }, 2, { indentation: 8 }],
  ["tabs of an .editorconfig", { indentStyle: "tab", tabWidth: 8 }, 2, { indentation: "tab", tabWidth: 8 }],
  ["spaces without a size replace tabs", { indentStyle: "space" }, "tab", { indentation: 3 }],
  [
    "a size alone keeps the tabs of the text",
    { indentSize: 4, tabWidth: 4 },
    "tab",
    { indentation: "tab", tabWidth: 4 },
  ],
  ["the longest line of an .editorconfig is the ruler", { maxLineLength: 100 }, null, { rulers: [100] }],
  ["the rulers of the settings", {}, null, { rulers: [80, 120] }],
] as const)("%s", (_name, style, detected, expected) => {
  const settings = { ...settingsDefaults, editorTabSize: 3, editorRulers: [80, 120] };
  expect(resolveOptions(settings, style, detected)).toMatchObject(expected);
});

test("an .editorconfig turns the cleaning of the settings off and on", () => {
  const settings = { ...settingsDefaults, editorTrimWhitespace: true };
  const style = { trimsWhitespace: false, insertsFinalNewline: true } as const;
  expect(resolveOptions(settings, {}, null).cleanup).toMatchObject({
    trimsWhitespace: true,
    insertsFinalNewline: false,
  });
  expect(resolveOptions(settings, style, null).cleanup).toMatchObject(style);
});

test("tabs of the same name show the shortest folder that distinguishes them", () => {
  const named = (paths: readonly string[]) => tabNames(paths).map(({ name, folder }) => [name, folder]);
  expect(named(["a/x.ts", "b/y.ts"])).toEqual([
    ["x.ts", ""],
    ["y.ts", ""],
  ]);
  expect(named(["src/a/index.ts", "src/b/index.ts"])).toEqual([
    ["index.ts", "a"],
    ["index.ts", "b"],
  ]);
  expect(named(["one/a/i.ts", "two/a/i.ts"])).toEqual([
    ["i.ts", "one/a"],
    ["i.ts", "two/a"],
  ]);
  expect(named(["i.ts", "a/i.ts"])).toEqual([
    ["i.ts", "."],
    ["i.ts", "a"],
  ]);
});
