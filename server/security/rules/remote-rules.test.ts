import { expect, test } from "vitest";
import { asId } from "@/lib/events/id";
import type { PermissionPattern, Rule, RuleEffect } from "@/lib/permissions/policy";
import { parseToolPattern, proposeToolRule, strictestRemoteRule } from "./remote-rules";

const makeRule = (effect: RuleEffect, pattern: PermissionPattern): Rule => ({
  ...pattern,
  effect,
  id: asId(effect),
  projectId: asId("project"),
  createdAt: 0,
});

test.each([
  ["github", { source: "github", name: "*" }],
  ["github/search_*", { source: "github", name: "search_*" }],
  ["my.server-2/a/b", { source: "my.server-2", name: "a/b" }],
  ["", null],
  ["/", null],
  ["github/", null],
  ["/search", null],
  ["*", null],
  ["git*/search", null],
  ["git hub", { source: "git hub", name: "*" }],
  ["github/Create issue", { source: "github", name: "Create issue" }],
  ["github/a\u2028b", null],
  ["github/a\tb", null],
  ["git\u200bhub", null],
  ["github/a\u202eb", null],
  ["github\n", null],
])("the pattern %j of a tool rule is parsed as %j", (text, pattern) => expect(parseToolPattern(text)).toEqual(pattern));

test.each<[RuleEffect, string, string, string, boolean]>([
  ["allow", "github", "github", "search", true],
  ["allow", "github", "github2", "search", false],
  ["allow", "github", "git", "search", false],
  ["allow", "github", "GitHub", "search", false],
  ["deny", "github", "GitHub", "search", true],
  ["ask", "github/Search_*", "github", "search_code", true],
  ["allow", "github/search_*", "github", "search_code", true],
  ["allow", "github/search_*", "github", "Search_code", false],
  ["allow", "github/search_*", "github", "search", false],
  ["allow", "github/search_*", "github", "research_code", false],
  ["allow", "github/search_?", "github", "search_ab", false],
  ["allow", "github/search_*", "other", "search_code", false],
  ["allow", "github/[a-z]", "github", "a", false],
  ["allow", "*", "github", "search", false],
  ["allow", "github/Create issue", "github", "Create issue", true],
  ["deny", "github/Create issue", "github", "Create issue", true],
])("a rule to %s %j covers %s/%s: %s", (effect, pattern, source, tool, expected) => {
  const rules = [makeRule(effect, { tool: "external", pattern })];
  const found = strictestRemoteRule(rules, { kind: "external", source, tool, definition: asId("d") });
  expect(found?.effect ?? null).toBe(expected ? effect : null);
});

test("a pattern with many stars is matched in bounded steps", () => {
  const rules = [makeRule("deny", { tool: "external", pattern: `a/${"*a".repeat(140)}b` })];
  expect(
    strictestRemoteRule(rules, { kind: "external", source: "a", tool: "a".repeat(5_000), definition: asId("d") }),
  ).toBe(null);
});

test.each([
  ["github", "search_code", "github/search_code"],
  ["github", "Create issue", "github/Create issue"],
  ["github", "issues/create", "github/issues/create"],
  ["github", "*", null],
  ["github", "get_*", null],
  ["github", "a?", null],
  ["github", "", null],
  ["git/hub", "search", null],
  ["git*", "search", null],
  ["github", "a\nb", null],
  ["github", "a\u200bb", null],
  ["github", "a\u202eb", null],
  ["github", "a\u2028b", null],
  ["github", "a\u3164", null],
  ["github", "a\ufe0f", null],
  ["github", "a\u00a0b", null],
  ["github", " a", null],
  ["github", "a ", null],
  ["github", "a  b", null],
])("the rule proposed for %j/%j is %j", (source, tool, pattern) =>
  expect(proposeToolRule({ kind: "external", source, tool, definition: asId("d") })).toEqual(
    pattern === null ? null : { tool: "external", pattern },
  ),
);
