import { expect, test } from "vitest";
import { streamedToolName } from "./streamed-tool-name";

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
