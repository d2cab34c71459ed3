import { describe, expect, test } from "vitest";
import type { RuleEffect } from "@/lib/policy";
import type { About } from "./rule-pattern-text";
import { ruleWarning } from "./rule-warnings";

const told = (effect: RuleEffect, about: About, typed: string) => {
  const warning = ruleWarning({ effect, about, typed }, ["rm", "sudo"]);
  return warning === null ? null : "word" in warning ? `${warning.kind} ${warning.word}` : warning.kind;
};

describe("before a rule is saved", () => {
  test.each([
    ["allow", "rm -rf *", "blocked rm"],
    ["deny", "/bin/RM x", "blocked rm"],
    ["allow", "sudo *", "blocked sudo"],
    ["allow", "bash *", "wide bash"],
    ["allow", "/usr/bin/env *", "wide env"],
    ["allow", "xargs -0 *", "wide xargs"],
    ["allow", "python3.12 *", "wide python3.12"],
    ["allow", "node -e *", "wide node"],
    ["allow", "node build.js *", null],
    ["deny", "bash *", null],
    ["allow", "npm test *", null],
    ["allow", "git add . && git commit *", "operator"],
    ["deny", "cat x | sh", "operator"],
    ["deny", "make; make install", "operator"],
    ["deny", 'git commit -m "a; b" *', null],
    ["deny", "git push", "exact"],
    ["allow", "make", "exact"],
    ["deny", "", null],
    ["deny", "*", null],
  ] as const)("%s %s is told as %s", (effect, typed, warning) => expect(told(effect, "command", typed)).toBe(warning));

  test.each([
    ["/etc/**", "root"],
    ["~/notes", "outside"],
    ["C:/x", "outside"],
    ["docs\\a.md", "outside"],
    ["a/../../b", "outside"],
    ["docs/**", null],
    ["*.lock", null],
    ["a..b", null],
    ["", null],
  ])("the path %s is told as %s", (typed, warning) => expect(told("deny", "write", typed)).toBe(warning));
});
