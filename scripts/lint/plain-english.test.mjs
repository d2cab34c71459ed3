import { readdirSync, readFileSync } from "node:fs";
import { RuleTester } from "eslint";
import typescript from "typescript-eslint";
import { describe, expect, it } from "vitest";
import { findBannedWord, plainEnglish } from "./plain-english.mjs";

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({ languageOptions: { parser: typescript.parser } });

tester.run("gopi/plain-english", plainEnglish, {
  valid: [
    "// Returns the standing orders; `*` stands for any text.\nconst a = 1;",
    '/** Distinguishes `told` from the rest; the message "nobody" is a user name. */\nconst a = 1;',
    "const toldstoy = 1;",
    "const handler = 1;",
    'import { told } from "a-package";',
    "event.told();",
    "const { kept } = row;",
    "const row = { kept: 1 };",
    "const keptRows = 1;",
    'test("returns the rows in order", () => {});',
    "/** What does the model receive? */\nconst a = 1;",
    "/** Ofsted reports what the model receives. */\nconst a = 1;",
    "// Returns the rows.\nconst a = 1;\n// Those of a workflow come last.\nconst b = 1;",
  ],
  invalid: [
    ["// Returns the text that the model was told.", "text"],
    ["/** The run goes\n * on. */", "text"],
    ["/* Whoever calls it. */", "text"],
    ["const toldTo = 1;", "name"],
    ["function readAnew() {}", "name"],
    ["interface ProjectHands {}", "name"],
    ["const write = (told) => 1;", "name"],
    ["function read([first, ...heard]) {}", "name"],
    ["const { told } = event;", "name"],
    ["const asked = 1;", "name"],
    ["const read = (how) => 1;", "name"],
    ["const { rows: kept } = event;", "name"],
    ["const { text: told } = event;", "name"],
    ["const row = { told: 1 };", "name"],
    ["interface Row { readonly told: number }", "name"],
    ['test("nobody waits", () => {});', "text"],
    ["// What the model receives.\nconst a = 1;", "start"],
    ["#!/usr/bin/env node\n// What the model receives.\nconst a = 1;", "start"],
    ["// @ts-check\n// What the model receives.\nconst a = 1;", "start"],
    ["const a = 1;\n/** What is sent? A row. */\nconst b = 1;", "start"],
    ["interface Row {\n/** Of the file. */\nreadonly size: number }", "start"],
    ["// Returns the rows.\n/**\n * Those that wait,\n * newest first.\n */\nconst a = 1;", "start"],
    ["/** Whose answer is shown. */\nconst a = 1;", "start"],
  ].map(([code, messageId]) => ({ code, errors: [{ messageId }] })),
});

const root = new URL("../../", import.meta.url);
const inFolder = (folder) =>
  readdirSync(new URL(folder, root), { recursive: true })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}${name}`);

describe("documents", () => {
  it.each(["README.md", "AGENTS.md", "CONTRIBUTING.md", ...inFolder("docs/")])("%s uses plain English", (name) => {
    const lines = readFileSync(new URL(name, root), "utf8")
      .replace(/```[\s\S]*?```/g, "")
      .split("\n");
    const found = lines.filter((line) => findBannedWord(line) !== null);
    expect(found).toEqual([]);
  });
});
