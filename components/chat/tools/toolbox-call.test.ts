import { expect, test } from "vitest";
import { calledInput, streamedToolName } from "./toolbox-call";

test.each([
  ["toolbox", '{"tool": "github__create_issue", "input": {"ti', "github__create_issue"],
  ["toolbox", '{"input": {}, "tool":"skill:pdf"}', "skill:pdf"],
  ["toolbox", '{"tool": "github__cre', "toolbox"],
  ["toolbox", '{"search": "issue"}', "toolbox"],
  ["toolbox", `{"input": {"text": "${"x".repeat(300)}"}, "tool": "a"}`, "toolbox"],
  ["write", '{"tool": "a", "path": "b"}', "write"],
])("%s %j is shown as %s", (name, text, shown) => {
  expect(streamedToolName({ name, text })).toBe(shown);
});

test.each([
  ["toolbox", { tool: "a", input: { title: "x" } }, { title: "x" }],
  ["toolbox", { tool: "a", title: "x" }, { title: "x" }],
  ["toolbox", { search: "x" }, { search: "x" }],
  ["toolbox", "a", "a"],
  ["github__create_issue", { tool: "hammer", input: 1 }, { tool: "hammer", input: 1 }],
])("%s %j has the input %j", (name, input, inner) => {
  expect(calledInput({ name, input })).toEqual(inner);
});
