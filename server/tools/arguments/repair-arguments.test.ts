import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { bash } from "../shell/bash";
import { editTool } from "../change/edit";
import { findTool } from "../read/find";
import { grepTool } from "../read/grep";
import { lsTool } from "../read/ls";
import { readTool } from "../read/read";
import { formatUnknownTool } from "../core/tool-source";
import type { Tool } from "../core/tool";
import { writeTool } from "../change/write";

const parseCall = <I>(tool: Tool<I>, input: Json): unknown => {
  const result = tool.parse(input);
  return result.ok ? { ...result.input, repaired: result.repaired } : result.messageForModel;
};

describe("valid arguments", () => {
  test.each<[Tool, Json]>([
    [readTool, { path: "a.ts", offset: 3, limit: 4 }],
    [lsTool, {}],
    [findTool, { pattern: "*.ts" }],
    [grepTool, { pattern: "x", path: "src", glob: "*.ts", literal: true, ignore_case: false, context: 2 }],
    [editTool, { path: "a", old_string: "", new_string: "", replace_all: true }],
    [writeTool, { path: "a", content: "" }],
    [bash, { command: "ls", timeout: 5 }],
  ])("are taken as they are", (tool, input) => {
    expect(tool.parse(input)).toEqual({ ok: true, input, repaired: false });
  });
});

test.each<[name: string, input: Json]>([
  ["null for an optional one", { path: "a", offset: null, limit: "" }],
  ["an unknown name", { path: "a", explanation: "I want to look", description: 5 }],
])("%s is dropped without a word", (_, input) => {
  expect(readTool.parse(input)).toEqual({ ok: true, input: { path: "a" }, repaired: false });
});

describe("repaired arguments", () => {
  test.each<[name: string, tool: Tool, input: Json, right: { [name: string]: Json }]>([
    ["file_path", readTool, { file_path: "a" }, { path: "a" }],
    ["filename", readTool, { filename: "a" }, { path: "a" }],
    ["file", readTool, { file: "a" }, { path: "a" }],
    ["camel case", readTool, { filePath: "a" }, { path: "a" }],
    [
      "start_line and end_line",
      readTool,
      { path: "a", start_line: 10, end_line: 19 },
      { path: "a", offset: 10, limit: 10 },
    ],
    [
      "line_start and line_end",
      readTool,
      { path: "a", line_start: 5, line_end: 5 },
      { path: "a", offset: 5, limit: 1 },
    ],
    ["end_line alone", readTool, { path: "a", end_line: 20 }, { path: "a", limit: 20 }],
    ["view_range", readTool, { path: "a", view_range: [3, 7] }, { path: "a", offset: 3, limit: 5 }],
    ["numbers as text", readTool, { path: "a", offset: "12", limit: "30" }, { path: "a", offset: 12, limit: 30 }],
    [
      "a number with a fraction",
      readTool,
      { path: "a", offset: 12.0, limit: "30.0" },
      { path: "a", offset: 12, limit: 30 },
    ],
    ["a list of one path", readTool, { path: ["a"] }, { path: "a" }],
    ["JSON text", readTool, '{"path":"a"}', { path: "a" }],
    ["JSON text in JSON text", readTool, JSON.stringify('{"path":"a"}'), { path: "a" }],
    ["a bare text", readTool, "src/a.ts", { path: "src/a.ts" }],
    ["a bare command", bash, "npm test", { command: "npm test" }],
    ["arguments inside arguments", readTool, { arguments: { path: "a" } }, { path: "a" }],
    ["parameters as JSON text", readTool, { parameters: '{"path":"a"}' }, { path: "a" }],
    ["directory", lsTool, { directory: "src", max_depth: "2" }, { path: "src", depth: 2 }],
    ["null", lsTool, null, {}],
    ["an empty text", lsTool, "", {}],
    ["query", grepTool, { query: "x", caseInsensitive: "true" }, { pattern: "x", ignore_case: true }],
    ["a pattern beside a glob", grepTool, { regex: "x", include: "*.ts" }, { pattern: "x", glob: "*.ts" }],
    ["a number as a pattern", grepTool, { pattern: 42 }, { pattern: "42" }],
    ["glob as the pattern of find", findTool, { glob: "*.ts", dir: "src" }, { pattern: "*.ts", path: "src" }],
    [
      "oldText and newText",
      editTool,
      { path: "a", oldText: "b", newText: "c" },
      { path: "a", old_string: "b", new_string: "c" },
    ],
    [
      "old_str and new_str",
      editTool,
      { path: "a", old_str: "b", new_str: "c" },
      { path: "a", old_string: "b", new_string: "c" },
    ],
    [
      "search and replace",
      editTool,
      { path: "a", search: "b", replace: "c", replaceAll: "yes" },
      { path: "a", old_string: "b", new_string: "c", replace_all: true },
    ],
    [
      "one edit in a list",
      editTool,
      { path: "a", edits: [{ oldText: "b", newText: "c" }] },
      { path: "a", old_string: "b", new_string: "c" },
    ],
    [
      "edits with a path of their own, which has no effect",
      editTool,
      { path: "a", edits: [{ path: "other", old_string: "b", new_string: "c", edits: [{ old_string: "x" }] }] },
      { path: "a", old_string: "b", new_string: "c" },
    ],
    [
      "edits as JSON text",
      editTool,
      { path: "a", edits: '[{"old_string":"b","new_string":"c"},{"old_string":"d","new_string":"e"}]' },
      { path: "a", old_string: "b", new_string: "c", edits: [{ old_string: "d", new_string: "e" }] },
    ],
    ["text as content", writeTool, { file_path: "a", text: "b" }, { path: "a", content: "b" }],
    ["contents", writeTool, { path: "a", contents: "b" }, { path: "a", content: "b" }],
    ["content as lines", writeTool, { path: "a", content: ["b", "c"] }, { path: "a", content: "b\nc" }],
    [
      "content as an object",
      writeTool,
      { path: "a.json", content: { b: 1 } },
      { path: "a.json", content: '{\n  "b": 1\n}\n' },
    ],
    ["cmd", bash, { cmd: "ls" }, { command: "ls" }],
    ["script", bash, { script: "ls" }, { command: "ls" }],
    ["a shell call as a list", bash, { command: ["bash", "-lc", "ls | wc"] }, { command: "ls | wc" }],
    ["a command as a list of words", bash, { command: ["ls", "a b"] }, { command: "ls 'a b'" }],
    ["timeout with its unit", bash, { command: "ls", timeout: "60s" }, { command: "ls", timeout: 60 }],
    ["timeout in milliseconds by name", bash, { command: "ls", timeout_ms: 120_000 }, { command: "ls", timeout: 120 }],
  ])("%s", (_, tool, input, right) => {
    expect(tool.parse(input)).toEqual({ ok: true, input: right, repaired: true });
  });
});

describe("refused arguments", () => {
  test.each<[name: string, tool: Tool, input: Json, say: string]>([
    [
      "a missing one",
      readTool,
      {},
      'read needs "path" (text). Call it like this: read {"path":"src/main.ts","offset":1,"limit":200}',
    ],
    ["an empty one", bash, { command: "" }, 'bash needs "command" (text).'],
    ["null for a required one", readTool, { path: null }, 'read needs "path" (text).'],
    [
      "a list for a number",
      readTool,
      { path: "a", offset: [1] },
      '"offset" of read must be a whole number, not a list.',
    ],
    [
      "words for a number",
      readTool,
      { path: "a", offset: "first" },
      '"offset" of read must be a whole number, not text.',
    ],
    ["an object for a path", readTool, { path: { a: 1 } }, '"path" of read must be text, not an object.'],
    [
      "words for a boolean",
      grepTool,
      { pattern: "x", literal: "maybe" },
      '"literal" of grep must be true or false, not text.',
    ],
    ["a list of arguments", readTool, [1, 2], "The arguments of read must be a JSON object."],
    ["a number as arguments", readTool, 5, "The arguments of read must be a JSON object."],
    ["broken JSON", readTool, '{"path": "a', "The arguments of read must be a JSON object."],
    ["a bare text where two are needed", writeTool, "a.ts", "The arguments of write must be a JSON object."],
    ["new_string missing", editTool, { path: "a", old_string: "b" }, 'edit needs "new_string" (text).'],
    ["an empty list of edits", editTool, { path: "a", edits: [] }, 'edit needs "old_string" (text).'],
  ])("%s", (_, tool, input, say) => {
    expect(parseCall(tool, input)).toContain(say);
  });
});

describe("unknown tools", () => {
  test.each([
    ["read_file", "Use read."],
    ["functions.run_command", "Use bash."],
    ["str_replace", "Use edit."],
    ["BASH", "Use bash."],
    ["list_dir", "Use ls."],
    ["fly", "The tools are: read, ls, find, grep, edit, write, delete, bash."],
  ])("%s is answered with the way on", (name, expected) => {
    const names = ["read", "ls", "find", "grep", "edit", "write", "delete", "bash"];
    expect(formatUnknownTool(name, names)).toContain(expected);
  });

  test("only offered tools are suggested", () => {
    expect(formatUnknownTool("run_command", ["read"])).toBe('There is no tool "run_command". The tools are: read.');
  });
});
