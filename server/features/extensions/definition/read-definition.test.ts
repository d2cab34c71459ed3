import { describe, expect, test } from "vitest";
import type { ExtensionProblem } from "@/lib/tools/extensions";
import { findCommentBlock } from "./comment-block";
import { readDefinition } from "./read-definition";

const read = (text: string, ownFile: string | null = null) =>
  readDefinition({ text, file: "extension.yaml", firstLine: 1, files: new Set(["run.sh", "lib/other.py"]), ownFile });

const tool = (more: string): string => `tools:\n  - name: one\n    description: Does it.\n    ${more}\n`;

test("a definition has all its parts", () => {
  const { definition, problems } = read(`
description: All parts
env: [MY_KEY]
tools:
  - name: find_ticket
    description: Finds a ticket.
    parameters: { type: object, properties: { id: { type: integer } }, required: [id] }
    run: [./lib/other.py, --json]
    timeout: 5
commands:
  - { name: fix, description: Fix it, prompt: "Fix $1" }
  - { name: notes, run: run.sh }
on:
  - { event: [run_end, error], run: run.sh }
  - { event: tool_end, match: "bash", run: run.sh, keep: true }
gate: { before_tool: run.sh }
`);
  expect(problems).toEqual([]);
  expect(definition).toMatchObject({
    description: "All parts",
    variables: ["MY_KEY"],
    tools: [{ name: "find_ticket", run: { file: "lib/other.py", arguments: ["--json"] }, timeoutMs: 5_000 }],
    commands: [
      { name: "fix", text: { kind: "prompt", prompt: "Fix $1" } },
      { name: "notes", text: { kind: "run", run: { file: "run.sh" } } },
    ],
    listeners: [
      { events: ["run_end", "error"], match: null, isKept: false },
      { events: ["tool_end"], match: "bash", isKept: true },
    ],
    gate: { file: "run.sh", arguments: [] },
  });
});

describe("a broken definition names what is wrong and where", () => {
  const rows: readonly (readonly [string, Partial<ExtensionProblem>])[] = [
    ["tools: [\n", { kind: "broken_yaml", line: 2 }],
    ["a: 1\n\tb: 2\n", { kind: "broken_yaml", line: 2 }],
    ["a: &x 1\nb: *x\n", { kind: "broken_yaml", line: 2 }],
    ["env: []\nenv: []\n", { kind: "broken_yaml", line: 2 }],
    ["--- 1\n--- 2\n", { kind: "broken_yaml", line: 2 }],
    [`${"[".repeat(40)}${"]".repeat(40)}`, { kind: "broken_yaml", line: 1 }],
    ["", { kind: "not_a_map", line: 1 }],
    ["- tools\n", { kind: "not_a_map", line: 1 }],
    ["description: nothing\n", { kind: "empty", line: 1 }],
    ["toolz: []\n", { kind: "unknown_key", line: 1, detail: "toolz" }],
    ["tools: 7\n", { kind: "bad_value", line: 1, detail: "tools" }],
    ["tools:\n  - 7\n", { kind: "bad_value", line: 2, detail: "tools" }],
    ["tools:\n  - description: x\n    run: run.sh\n", { kind: "missing_key", line: 2, detail: "name" }],
    ["tools:\n  - name: a b\n    run: run.sh\n", { kind: "bad_part_name", line: 2, detail: "a b" }],
    [
      "tools:\n  - name: bash\n    description: x\n    run: run.sh\n",
      { kind: "built_in_name", line: 2, detail: "bash" },
    ],
    ["tools:\n  - name: one\n    run: run.sh\n", { kind: "missing_key", line: 2, detail: "description" }],
    [tool("run: [run.sh, 7]"), { kind: "bad_value", line: 4, detail: "run" }],
    [tool("run: none.sh"), { kind: "no_file", line: 4, detail: "none.sh" }],
    [tool("run: ../run.sh"), { kind: "no_file", line: 4, detail: "../run.sh" }],
    [tool("run: /bin/sh"), { kind: "no_file", line: 4, detail: "/bin/sh" }],
    [tool("timeout: 5"), { kind: "missing_key", line: 2, detail: "run" }],
    [tool("run: run.sh\n    timeout: 601"), { kind: "bad_time", line: 5, limit: 600 }],
    [tool("run: run.sh\n    timeout: soon"), { kind: "bad_time", line: 5 }],
    [
      tool(`run: run.sh\n    parameters: {type: object, properties: {a: {description: "${"x".repeat(70_000)}"}}}`),
      {
        kind: "bad_parameters",
        line: 5,
      },
    ],
    [
      `${tool("run: run.sh")}  - name: one\n    description: Again.\n    run: run.sh\n`,
      {
        kind: "same_name",
        line: 5,
        detail: "one",
      },
    ],
    ["commands:\n  - name: Fix\n    prompt: x\n", { kind: "bad_part_name", line: 2, detail: "Fix" }],
    ["commands:\n  - name: fix\n", { kind: "missing_key", line: 2, detail: "run" }],
    ["on:\n  - run: run.sh\n", { kind: "missing_key", line: 2, detail: "event" }],
    ["on:\n  - event: prompt\n    run: run.sh\n", { kind: "bad_event", line: 2, detail: "prompt" }],
    ["on:\n  - event: error\n    keep: often\n    run: run.sh\n", { kind: "bad_value", line: 3, detail: "keep" }],
    ["gate: run.sh\n", { kind: "bad_value", line: 1, detail: "gate" }],
    ["gate: { after_tool: run.sh }\n", { kind: "unknown_key", line: 1, detail: "after_tool" }],
    ["env: KEY\n", { kind: "bad_value", line: 1, detail: "env" }],
    ["env: [A-B]\n", { kind: "bad_variable", line: 1, detail: "A-B" }],
  ];
  test.each(rows.map(([text, expected]) => [text.slice(0, 80), text, expected] as const))(
    "%j",
    (_title, text, expected) => {
      const { problems } = read(text);
      expect(problems[0]).toMatchObject({ file: "extension.yaml", ...expected });
    },
  );
});

test("a broken part costs no other part", () => {
  const { definition, problems } = read(`${tool("run: none.sh")}commands:\n  - { name: fix, prompt: Fix }\n`);
  expect(problems).toHaveLength(1);
  expect(definition.commands).toHaveLength(1);
});

test("a single file runs itself", () => {
  expect(read("gate: { before_tool: }\ncommands: [{ name: fix }]\n", "run.sh").definition).toMatchObject({
    commands: [{ text: { run: { file: "run.sh" } } }],
    gate: { file: "run.sh" },
  });
});

test.each([
  [
    "#!/bin/sh\n# gopi:\n#   tools: []\n#   env: [A]\necho\n# more",
    { yaml: "   tools: []\n   env: [A]", firstLine: 3 },
  ],
  ["#!/usr/bin/env node\n// gopi:\n// on: []\n# x", { yaml: " on: []", firstLine: 3 }],
  ["#!/bin/sh\necho gopi:\n", null],
  ["#!/bin/sh\n# gopi: x\n", null],
])("the comment block of %j", (text, expected) => expect(findCommentBlock(text)).toEqual(expected));
