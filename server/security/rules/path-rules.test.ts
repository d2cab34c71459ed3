import { describe, expect, test } from "vitest";
import type { ToolAccess, Mode, PathPattern, RuleEffect } from "@/lib/permissions/policy";
import { formatDecision, makeDecisionFixture, filesRule } from "../decisions/test-decision-fixture";
import { decide } from "../decisions/decide";
import { makeFsProbe } from "../paths/fs-probe";
import { matchComponent, matchGlob } from "./path-glob";
import { isReadDenied } from "./path-rules";

const fixture = makeDecisionFixture();

describe("a glob of a path rule", () => {
  const loose = { ignoreCase: false, strict: false };
  const table: readonly (readonly [glob: string, path: string, match: string])[] = [
    ["docs/**", "docs/a.md", "covers"],
    ["docs/**", "docs/deep/a.md", "covers"],
    ["docs/**", "docs", "covers"],
    ["docs/**", ".", "below"],
    ["docs/**", "docs-evil/a.md", "no"],
    ["docs/**", "src/docs/a.md", "no"],
    ["docs", "docs", "covers"],
    ["docs", "docs/a.md", "covers"],
    ["docs", "src/docs/a.md", "covers"],
    ["/docs", "src/docs/a.md", "no"],
    ["./docs", "src/docs/a.md", "no"],
    ["docs/", "src/docs", "covers"],
    ["*.lock", "yarn.lock", "covers"],
    ["*.lock", "deep/er/yarn.lock", "covers"],
    ["/*.lock", "yarn.lock.txt", "no"],
    ["*.lock", "locks", "below"],
    ["src/*.ts", "src/a.ts", "covers"],
    ["src/*.ts", "src/deep/a.ts", "no"],
    ["src/**/*.ts", "src/a.ts", "covers"],
    ["src/**/*.ts", "src/a/b/c.ts", "covers"],
    ["src/**/*.ts", "src/a/b/c.js", "below"],
    ["src/**/*.ts", "lib/a.ts", "no"],
    ["src/?.ts", "src/a.ts", "covers"],
    ["src/?.ts", "src/ab.ts", "no"],
    ["src/?.ts", "src/é.ts", "covers"],
    ["src/?.ts", "src/🙂.ts", "covers"],
    ["**", "a", "covers"],
    ["**/a", "a", "covers"],
    ["**/a", "x/y/a", "covers"],
    ["a/**/**/b", "a/b", "covers"],
    ["/a.b", "axb", "no"],
    ["/a+", "aa", "no"],
    ["/[a]", "a", "no"],
    ["[a]", "[a]", "covers"],
    ["/{a,b}", "a", "no"],
    ["/(a|b)", "a", "no"],
    ["../x", "x", "no"],
    ["a/../b", "b", "no"],
    ["", "a", "no"],
    ["/", "a", "no"],
    ["src/a/b", "src/a", "below"],
    ["src/a/b", "src", "below"],
    ["src/a/b", "src/b", "no"],
    ["/Docs", "docs", "no"],
  ];
  test.each(table)("%j and %j: %s", (glob, path, match) => expect(matchGlob(glob, path, loose)).toBe(match));

  test("of an allow rule does not cover the folder of `folder/**` itself", () => {
    const strict = { ignoreCase: false, strict: true };
    expect(matchGlob("docs/**", "docs", strict)).toBe("below");
    expect(matchGlob("docs/**", "docs/a", strict)).toBe("covers");
    expect(matchGlob("docs", "docs", strict)).toBe("covers");
  });

  test("without case matches letters of all scripts, composed or not", () => {
    expect(matchComponent("STRASSE*", "straße.md", true)).toBe(true);
    expect(matchComponent("caf\u00e9", "CAFE\u0301", true)).toBe(true);
    expect(matchComponent("Docs", "docs", true)).toBe(true);
    expect(matchComponent("Docs", "docs", false)).toBe(false);
  });

  test("does not try every possible match, which would take exponential time", () => {
    expect(matchComponent(`${"*a".repeat(150)}b`, "a".repeat(255), false)).toBe(false);
    const names = Array.from({ length: 2_000 }, () => "a").join("/");
    expect(matchGlob("**/a/**/a/**/a/**/a/**/a/**/a/**/b", names, loose)).toBe("below");
  });
});

type ExpectedDecisions = readonly [ask: string, edits: string, plan: string, full: string];
type Row = readonly [
  rule: readonly [RuleEffect, PathPattern["access"], string],
  access: ToolAccess,
  ...says: ExpectedDecisions,
];
const inEveryMode = (text: string): ExpectedDecisions => [text, text, text, text];

describe("the decision table with a path rule", () => {
  const write = (target: string): ToolAccess => ({ kind: "write", target });
  const read = (target: string): ToolAccess => ({ kind: "read", target });
  const remove = (target: string): ToolAccess => ({ kind: "delete", target });
  const denies = (glob: string): ExpectedDecisions => inEveryMode(`refuse rule_denies ${glob}`);
  const asks: ExpectedDecisions = ["ask rule_asks", "ask rule_asks", "refuse plan_mode", "ask rule_asks"];
  const planned = "refuse plan_mode";
  const reads = inEveryMode("allow reads");
  const rows: readonly Row[] = [
    [["deny", "write", "src/**"], write("src/a.ts"), ...denies("src/**")],
    [["deny", "write", "src/**"], write("src/new/x.ts"), ...denies("src/**")],
    [["deny", "write", "src/**"], write("./src/../src/a.ts"), ...denies("src/**")],
    [["deny", "write", "src/**"], write("src-link/a.ts"), ...denies("src/**")],
    [["deny", "write", "src-link/**"], write("src-link/a.ts"), ...denies("src-link/**")],
    [["deny", "write", "SRC/**"], write("src/a.ts"), ...denies("SRC/**")],
    [["deny", "write", "src/**"], write("a.txt"), "ask writes", "allow mode", planned, "allow mode"],
    [["deny", "write", "src/**"], read("src/a.ts"), ...reads],
    [["deny", "read", "src/**"], read("src/a.ts"), ...denies("src/**")],
    [["deny", "read", "src/**"], write("src/a.ts"), ...denies("src/**")],
    [["deny", "read", "src/**"], { kind: "read", target: ".", recursive: true }, ...reads],
    [["deny", "read", "src/**"], { kind: "read", target: "src", recursive: true }, ...denies("src/**")],
    [["deny", "read", "**"], read("a.txt"), ...denies("**")],
    [["deny", "delete", "src/**"], remove("src/a.ts"), ...denies("src/**")],
    [["deny", "delete", "src/deep/c.ts"], remove("src"), ...asks],
    [["deny", "delete", "src/deep/c.ts"], remove("src/b.ts"), "ask deletes", "ask deletes", planned, "allow mode"],
    [["deny", "delete", "src/**"], write("src/a.ts"), "ask writes", "allow mode", planned, "allow mode"],
    [["ask", "write", "*.ts"], write("src/a.ts"), ...asks],
    [["ask", "write", "*.ts"], write("src/a.js"), "ask writes", "allow mode", planned, "allow mode"],
    [["ask", "read", "src/**"], read("src/a.ts"), ...inEveryMode("ask rule_asks")],
    [
      ["ask", "read", "src/deep/c.ts"],
      { kind: "read", target: "src", recursive: true },
      ...inEveryMode("ask rule_asks"),
    ],
    [["ask", "read", "src/deep/c.ts"], read("src"), ...reads],
    [["ask", "read", "src/**"], write("src/a.ts"), "ask writes", "allow mode", planned, "allow mode"],
    [["ask", "delete", "a.txt"], remove("a.txt"), ...asks],
    [["allow", "write", "src/**"], write("src/a.ts"), "allow rule", "allow rule", planned, "allow rule"],
    [["allow", "write", "src/**"], write("src/new/x.ts"), "allow rule", "allow rule", planned, "allow rule"],
    [["allow", "write", "src/**"], write("a.txt"), "ask writes", "allow mode", planned, "allow mode"],
    [["allow", "write", "src-link/**"], write("src-link/a.ts"), "ask writes", "allow mode", planned, "allow mode"],
    [["allow", "write", "**"], write(".vscode/x.json"), "ask runs_code", "ask runs_code", planned, "ask runs_code"],
    [["allow", "write", "**"], write(".npmrc"), "ask runs_code", "ask runs_code", planned, "ask runs_code"],
    [["allow", "write", "**"], write(".env"), ...inEveryMode("refuse protected")],
    [["allow", "write", "**"], write(".git/config"), ...inEveryMode("refuse protected")],
    [["allow", "write", "**"], write("vault/x"), ...inEveryMode("refuse protected")],
    [["allow", "write", "**"], write("../away/x"), ...inEveryMode("refuse outside")],
    [["allow", "write", "**"], write("linked/out/x"), ...inEveryMode("refuse outside")],
    [["allow", "read", "**"], read(".env"), ...inEveryMode("refuse protected")],
    [["allow", "delete", "src/**"], remove("src/a.ts"), "allow rule", "allow rule", planned, "allow rule"],
    [["allow", "delete", "src/**"], remove("src"), "ask deletes", "ask deletes", planned, "allow mode"],
    [["allow", "delete", "**"], remove("."), ...inEveryMode("refuse outside")],
    [["allow", "write", "src/**"], remove("src/a.ts"), "ask deletes", "ask deletes", planned, "allow mode"],
  ];
  test.each(rows)("%j over %j", (rule, access, ...expected) => {
    const order: readonly Mode[] = ["ask", "edits", "plan", "full"];
    const found = order.map((mode) => {
      const policy = { ...fixture.policy, mode, rules: [filesRule(...rule)] };
      return formatDecision(decide(access, policy, { probe: makeFsProbe(policy) }));
    });
    expect(found).toEqual(expected);
  });

  test("deny takes precedence over ask, and ask over allow, in any order", () => {
    const rules = (["allow", "ask", "deny"] as const).map((effect) => filesRule(effect, "write", "src/**"));
    const say = (list: typeof rules): string => {
      const policy = { ...fixture.policy, rules: list };
      return formatDecision(decide(write("src/a.ts"), policy, { probe: makeFsProbe(policy) }));
    };
    expect([say(rules), say(rules.toReversed()), say(rules.slice(0, 2)), say(rules.slice(0, 2).toReversed())]).toEqual([
      "refuse rule_denies src/**",
      "refuse rule_denies src/**",
      "ask rule_asks",
      "ask rule_asks",
    ]);
  });
});

describe("a rule for paths over a command", () => {
  const table: readonly (readonly [readonly [RuleEffect, PathPattern["access"], string], string, Mode, string])[] = [
    [["deny", "read", "src/**"], "cat src/a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "cat ./src/deep/../a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "cat src-link/a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "cat src/*.ts", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "cd src && cat a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "node src/a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "wc -l < src/a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "curl --data @src/a.ts x", "full", "refuse rule_denies src/**"],
    [["deny", "read", "src/**"], "grep -r x .", "full", "ask rule_asks"],
    [["deny", "read", "src/**"], "cat $x", "full", "ask rule_asks"],
    [["deny", "read", "src/**"], "cat a.txt", "ask", "allow reads"],
    [["deny", "read", "src/**"], "echo src/a.ts", "ask", "allow reads"],
    [["deny", "read", "src/**"], "cat linked/x$x", "full", "allow mode"],
    [["deny", "write", "src/**"], "echo x > src/a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "write", "src/**"], "cp a.txt src/a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "write", "src/**"], "tee src/a.ts", "full", "refuse rule_denies src/**"],
    [["deny", "write", "src/**"], "cat src/a.ts", "full", "allow reads"],
    [["deny", "write", "src/**"], "echo x > a.txt", "full", "allow mode"],
    [["ask", "write", "*.txt"], "echo x > a.txt", "full", "ask rule_asks"],
    [["ask", "read", "a.txt"], "cat a.txt", "plan", "ask rule_asks"],
    [["allow", "write", "**"], "echo x > a.txt", "ask", "ask writes"],
  ];
  test.each(table)("%j over %j in %s mode", async (rule, command, mode, expected) => {
    expect(await fixture.formattedDecision(command, { mode, rules: [filesRule(...rule)] })).toBe(expected);
  });
});

test("denied reads are found by path, without following the user's links", () => {
  const rules = [
    filesRule("deny", "read", "secret/**"),
    filesRule("ask", "read", "a"),
    filesRule("deny", "write", "b"),
  ];
  expect(["secret", "secret/x", "Secret/x", "a", "b", "secrets"].map((path) => isReadDenied(rules, path))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
