/** Content of a workflow's file, and the problems of one that cannot be run, each with its line. */
import { describe, expect, test } from "vitest";
import { parseWorkflow } from "./parse-workflow";

const parse = (text: string, name = "release") => parseWorkflow(name, text);

test("a file with every kind of step is read", () => {
  const { workflow, problems } = parse(`
description: Release
inputs:
  branch: { description: What to release, default: main }
  count: { type: number, default: 2 }
  kind: { type: choice, options: [patch, minor] }
steps:
  - id: tests
    run: npm test -- "$ONLY"
    env: { ONLY: "\${{ inputs.branch }}" }
    timeout: 10m
    retry: 2
    may_fail: true
  - id: fix
    prompt: Fix \${{ steps.tests.output }}
    when: not steps.tests.ok
    outputs: { first: "lines(output).0" }
  - tool: read
    for_each: \${{ lines(steps.fix.output) }}
    with: { path: "\${{ item }}" }
  - id: sure
    ask: Publish \${{ steps.fix.outputs.first }}?
    options: ["Yes", "No"]
  - workflow: publish
    when: steps.sure.output == 'Yes'
    with: { tag: "v\${{ inputs.count }}" }
`);
  expect(problems).toEqual([]);
  expect(workflow).toMatchObject({
    name: "release",
    inputs: [
      { name: "branch", type: "text", default: "main" },
      { name: "count", type: "number", default: 2 },
      { name: "kind", type: "choice", options: ["patch", "minor"] },
    ],
    steps: [
      { id: "tests", kind: "run", timeoutSeconds: 600, retry: 2, mayFail: true, env: { ONLY: "${{ inputs.branch }}" } },
      { id: "fix", kind: "prompt", when: "not steps.tests.ok", outputs: { first: "lines(output).0" } },
      { id: "step_3", kind: "tool", text: "read", forEach: "${{ lines(steps.fix.output) }}" },
      { id: "sure", kind: "ask", options: ["Yes", "No"] },
      { id: "step_5", kind: "workflow", text: "publish", with: { tag: "v${{ inputs.count }}" } },
    ],
  });
});

describe("a problem", () => {
  const many = Array.from({ length: 51 }, () => "  - prompt: x\n").join("");
  test.each([
    ["steps:\n  - prompt: a\n  prompt: b\n", "yaml", 3, ""],
    ["steps: [&a {prompt: x}, *a]\n", "yaml", 1, ""],
    ["description: x\n", "missing", 1, "steps"],
    ["steps: []\n", "wrong_value", 1, "steps"],
    [`steps:\n${many}`, "wrong_value", 1, "steps"],
    ["steps:\n  - prompt: a\n    wehn: true\n", "unknown_key", 3, "wehn"],
    ["steps:\n  - id: a\n", "no_kind", 2, ""],
    ["steps:\n  - prompt: a\n    run: b\n", "several_kinds", 2, "prompt, run"],
    ["steps:\n  - prompt: a\n    retry: 9\n", "wrong_value", 3, "retry"],
    ["steps:\n  - prompt: a\n    timeout: soon\n", "wrong_value", 3, "timeout"],
    ["steps:\n  - { id: a, prompt: a }\n  - { id: a, prompt: b }\n", "repeated_id", 3, "a"],
    ["steps:\n  - prompt: a\n    when: a +\n", "bad_expression", 3, "+"],
    ["steps:\n  - prompt: a ${{ inputs.x }}\n", "unknown_name", 2, "inputs.x"],
    ["steps:\n  - prompt: a ${{ steps.b.output }}\n  - { id: b, prompt: c }\n", "later_step", 2, "steps.b"],
    ["steps:\n  - prompt: ${{ item }}\n", "unknown_name", 2, "item"],
    ["steps:\n  - run: echo ${{ inputs.x }}\n", "expression_in_run", 2, "run"],
    ["steps:\n  - tool: bash\n    with: { command: ls }\n", "runs_commands", 2, "bash"],
    ["steps:\n  - tool: functions.runCommand\n    with: { command: ls }\n", "runs_commands", 2, "functions.runCommand"],
    ["inputs:\n  a: { type: choice }\nsteps:\n  - prompt: a\n", "missing", 2, "options"],
    ["inputs:\n  a: { type: number, default: x }\nsteps:\n  - prompt: a\n", "wrong_value", 2, "default"],
    ["inputs:\n  a: { type: file, default: ../b }\nsteps:\n  - prompt: a\n", "wrong_value", 2, "default"],
    ["steps:\n  - prompt: a\noutputs:\n  x: steps.b.output\n", "unknown_name", 4, "steps.b"],
  ] as const)("%j", (text, kind, line, detail) => {
    const { workflow, problems } = parse(text);
    expect(workflow).toBeNull();
    expect(problems[0]).toEqual({ kind, line, detail });
  });

  test("is a name that no command line and no address can take, and a file that is too large", () => {
    expect(parse("steps: [{prompt: a}]", "../x").problems).toEqual([{ kind: "bad_name", line: 1, detail: "../x" }]);
    expect(parse(`# ${"x".repeat(70_000)}`).problems).toEqual([{ kind: "too_large", line: 1, detail: "65536" }]);
  });
});
