import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/content";
import { bash } from "./bash";
import { edit } from "./edit";
import { find } from "./find";
import { grep } from "./grep";
import { ls } from "./ls";
import { read } from "./read";
import { builtinTools, unknownToolText } from "./registry";
import type { Tool } from "./tool";
import { write } from "./write";

const parsed = <I>(tool: Tool<I>, input: Json): unknown => {
  const result = tool.parse(input);
  return result.ok ? { ...result.input, repaired: result.repaired } : result.say;
};

describe("valid arguments", () => {
  test.each<[Tool, Json]>([
    [read, { path: "a.ts", offset: 3, limit: 4 }],
    [ls, {}],
    [find, { pattern: "*.ts" }],
    [grep, { pattern: "x", path: "src", glob: "*.ts", literal: true, ignore_case: false, context: 2 }],
    [edit, { path: "a", old_string: "", new_string: "", replace_all: true }],
    [write, { path: "a", content: "" }],
    [bash, { command: "ls", timeout: 5 }],
  ])("are taken as they are", (tool, input) => {
    expect(tool.parse(input)).toEqual({ ok: true, input, repaired: false });
  });
});

test.each<[name: string, input: Json]>([
  ["null for an optional one", { path: "a", offset: null, limit: "" }],
  ["an unknown name", { path: "a", explanation: "I want to look", description: 5 }],
])("%s is dropped without a word", (_, input) => {
  expect(read.parse(input)).toEqual({ ok: true, input: { path: "a" }, repaired: false });
});

describe("repaired arguments", () => {
  test.each<[name: string, tool: Tool, input: Json, right: { [name: string]: Json }]>([
    ["file_path", read, { file_path: "a" }, { path: "a" }],
    ["filename", read, { filename: "a" }, { path: "a" }],
    ["file", read, { file: "a" }, { path: "a" }],
    ["camel case", read, { filePath: "a" }, { path: "a" }],
    [
      "start_line and end_line",
      read,
      { path: "a", start_line: 10, end_line: 19 },
      { path: "a", offset: 10, limit: 10 },
    ],
    ["line_start and line_end", read, { path: "a", line_start: 5, line_end: 5 }, { path: "a", offset: 5, limit: 1 }],
    ["end_line alone", read, { path: "a", end_line: 20 }, { path: "a", limit: 20 }],
    ["view_range", read, { path: "a", view_range: [3, 7] }, { path: "a", offset: 3, limit: 5 }],
    ["numbers as text", read, { path: "a", offset: "12", limit: "30" }, { path: "a", offset: 12, limit: 30 }],
    [
      "a number with a fraction",
      read,
      { path: "a", offset: 12.0, limit: "30.0" },
      { path: "a", offset: 12, limit: 30 },
    ],
    ["a list of one path", read, { path: ["a"] }, { path: "a" }],
    ["JSON text", read, '{"path":"a"}', { path: "a" }],
    ["JSON text in JSON text", read, JSON.stringify('{"path":"a"}'), { path: "a" }],
    ["a bare text", read, "src/a.ts", { path: "src/a.ts" }],
    ["a bare command", bash, "npm test", { command: "npm test" }],
    ["arguments inside arguments", read, { arguments: { path: "a" } }, { path: "a" }],
    ["parameters as JSON text", read, { parameters: '{"path":"a"}' }, { path: "a" }],
    ["directory", ls, { directory: "src", max_depth: "2" }, { path: "src", depth: 2 }],
    ["null", ls, null, {}],
    ["an empty text", ls, "", {}],
    ["query", grep, { query: "x", caseInsensitive: "true" }, { pattern: "x", ignore_case: true }],
    ["a pattern beside a glob", grep, { regex: "x", include: "*.ts" }, { pattern: "x", glob: "*.ts" }],
    ["a number as a pattern", grep, { pattern: 42 }, { pattern: "42" }],
    ["glob as the pattern of find", find, { glob: "*.ts", dir: "src" }, { pattern: "*.ts", path: "src" }],
    [
      "oldText and newText",
      edit,
      { path: "a", oldText: "b", newText: "c" },
      { path: "a", old_string: "b", new_string: "c" },
    ],
    [
      "old_str and new_str",
      edit,
      { path: "a", old_str: "b", new_str: "c" },
      { path: "a", old_string: "b", new_string: "c" },
    ],
    [
      "search and replace",
      edit,
      { path: "a", search: "b", replace: "c", replaceAll: "yes" },
      { path: "a", old_string: "b", new_string: "c", replace_all: true },
    ],
    [
      "one edit in a list",
      edit,
      { path: "a", edits: [{ oldText: "b", newText: "c" }] },
      { path: "a", old_string: "b", new_string: "c" },
    ],
    [
      "edits as JSON text",
      edit,
      { path: "a", edits: '[{"old_string":"b","new_string":"c"},{"old_string":"d","new_string":"e"}]' },
      { path: "a", old_string: "b", new_string: "c", edits: [{ old_string: "d", new_string: "e" }] },
    ],
    ["text as content", write, { file_path: "a", text: "b" }, { path: "a", content: "b" }],
    ["contents", write, { path: "a", contents: "b" }, { path: "a", content: "b" }],
    ["content as lines", write, { path: "a", content: ["b", "c"] }, { path: "a", content: "b\nc" }],
    [
      "content as an object",
      write,
      { path: "a.json", content: { b: 1 } },
      { path: "a.json", content: '{\n  "b": 1\n}\n' },
    ],
    ["cmd", bash, { cmd: "ls" }, { command: "ls" }],
    ["script", bash, { script: "ls" }, { command: "ls" }],
    ["a shell call as a list", bash, { command: ["bash", "-lc", "ls | wc"] }, { command: "ls | wc" }],
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
      read,
      {},
      'read needs "path" (text). Call it like this: read {"path":"src/main.ts","offset":1,"limit":200}',
    ],
    ["an empty one", bash, { command: "" }, 'bash needs "command" (text).'],
    ["null for a required one", read, { path: null }, 'read needs "path" (text).'],
    ["a list for a number", read, { path: "a", offset: [1] }, '"offset" of read must be a whole number, not a list.'],
    ["words for a number", read, { path: "a", offset: "first" }, '"offset" of read must be a whole number, not text.'],
    ["an object for a path", read, { path: { a: 1 } }, '"path" of read must be text, not an object.'],
    [
      "words for a boolean",
      grep,
      { pattern: "x", literal: "maybe" },
      '"literal" of grep must be true or false, not text.',
    ],
    ["a list of arguments", read, [1, 2], "The arguments of read must be a JSON object."],
    ["a number as arguments", read, 5, "The arguments of read must be a JSON object."],
    ["broken JSON", read, '{"path": "a', "The arguments of read must be a JSON object."],
    ["a bare text where two are needed", write, "a.ts", "The arguments of write must be a JSON object."],
    ["new_string missing", edit, { path: "a", old_string: "b" }, 'edit needs "new_string" (text).'],
    ["an empty list of edits", edit, { path: "a", edits: [] }, 'edit needs "old_string" (text).'],
  ])("%s", (_, tool, input, say) => {
    expect(parsed(tool, input)).toContain(say);
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
  ])("%s is answered with the way on", (name, says) => {
    expect(unknownToolText(name)).toContain(says);
  });

  test("only offered tools are suggested", () => {
    expect(unknownToolText("run_command", ["read"])).toBe('There is no tool "run_command". The tools are: read.');
  });

  test("the built-in tools are in prompt order", () => {
    expect(builtinTools.map((tool) => tool.name)).toEqual([
      "read",
      "ls",
      "find",
      "grep",
      "edit",
      "write",
      "delete",
      "bash",
    ]);
  });
});
