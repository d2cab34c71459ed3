import { describe, expect, test } from "vitest";
import type { RuleEffect } from "@/lib/permissions/policy";
import type { RuleSubject } from "./rule-pattern-text";
import { ruleWarning } from "./rule-warnings";

const warningText = (effect: RuleEffect, subject: RuleSubject, typed: string) => {
  const warning = ruleWarning({ effect, subject, typed }, ["rm", "sudo"]);
  return warning === null ? null : "word" in warning ? `${warning.kind} ${warning.word}` : warning.kind;
};

describe("ruleWarning", () => {
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
  ] as const)("the rule %s %s has the warning %s", (effect, typed, warning) =>
    expect(warningText(effect, "command", typed)).toBe(warning),
  );

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
  ])("the path %s has the warning %s", (typed, warning) => expect(warningText("deny", "write", typed)).toBe(warning));
});
