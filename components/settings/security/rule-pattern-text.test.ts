import { describe, expect, test } from "vitest";
import { asId } from "@/lib/events/id";
import { ruleSubjectOf, parseRulePattern, formatRuleText } from "./rule-pattern-text";

const bash = (words: readonly string[], rest: boolean) => ({ tool: "bash", words, rest }) as const;

describe("parseRulePattern", () => {
  test.each([
    ["npm test *", bash(["npm", "test"], true)],
    ["  make  ", bash(["make"], false)],
    ['git commit -m "a b"', bash(["git", "commit", "-m", "a b"], false)],
    ['echo "*"', bash(["echo", "*"], false)],
    ["*", null],
    ["", null],
    ['""', null],
    ["a ".repeat(21), null],
    ["x".repeat(201), null],
  ])("parses the command %j as %j", (text, pattern) => expect(parseRulePattern("command", text)).toEqual(pattern));

  test.each([
    ["docs/**", "docs/**"],
    [" *.lock ", "*.lock"],
    ["../x", null],
    ["a/../b", null],
    ["/", null],
    ["", null],
    ["x".repeat(301), null],
  ])("parses the path %j as %j", (text, glob) => {
    expect(parseRulePattern("write", text)).toEqual(glob === null ? null : { tool: "files", access: "write", glob });
  });

  test("restores the pattern from the text of an existing rule", () => {
    const base = { id: asId<never>("r"), projectId: asId<never>("p"), effect: "deny", createdAt: 1 } as const;
    for (const pattern of [bash(["npm", "a b", "*", '"'], true), bash(["x"], false)])
      expect(parseRulePattern("command", formatRuleText({ ...base, ...pattern }))).toEqual(pattern);
    const files = { ...base, tool: "files", access: "delete", glob: "a b/**" } as const;
    expect([ruleSubjectOf(files), parseRulePattern("delete", formatRuleText(files))]).toEqual([
      "delete",
      { tool: "files", access: "delete", glob: "a b/**" },
    ]);
  });

  test("a rule that no tool uses has no subject, but a text", () => {
    const base = { id: asId<never>("r"), projectId: asId<never>("p"), effect: "deny", createdAt: 1 } as const;
    for (const [rule, text] of [
      [{ ...base, tool: "net", host: "*.example.com" }, "*.example.com"],
      [{ ...base, tool: "external", pattern: "github/search_*" }, "github/search_*"],
      [{ ...base, tool: "unknown", kind: "future", words: ["a", "b"] }, "future a b"],
    ] as const)
      expect([ruleSubjectOf(rule), formatRuleText(rule)]).toEqual([null, text]);
  });
});
