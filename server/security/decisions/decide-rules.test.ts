/** The whole table: every kind of access, in every mode, under every combination of rules that cover it. */
import { describe, expect, test } from "vitest";
import { asId, type Hash } from "@/lib/events/id";
import {
  type Mode,
  type PermissionPattern,
  type Rule,
  type RuleEffect,
  ruleEffects,
  type ToolAccess,
} from "@/lib/permissions/policy";
import { makeFsProbe } from "../paths/fs-probe";
import { readCommand } from "../shell/shell-parser";
import { decide } from "./decide";
import { formatDecision, makeDecisionFixture } from "./test-decision-fixture";

const fixture = makeDecisionFixture();

const makeRule = (effect: RuleEffect, pattern: PermissionPattern): Rule => ({
  ...pattern,
  effect,
  id: asId(`${effect} ${JSON.stringify(pattern)}`),
  projectId: asId("project"),
  createdAt: 0,
});

/** The outcome in each mode. */
type Outcomes = readonly [plan: string, ask: string, edits: string, full: string];
const modes: readonly Mode[] = ["plan", "ask", "edits", "full"];

interface Row {
  readonly name: string;
  readonly access: ToolAccess;
  /** Covers the access. */
  readonly pattern: PermissionPattern;
  /** The approved definition of the tool; absent = none. */
  readonly approved?: Hash;
  /** By the strictest rule; a deny rule refuses in every mode. */
  readonly none: Outcomes;
  readonly allow: Outcomes;
  readonly ask: Outcomes;
}

const reads = "allow reads";
const mode = "allow mode";
const rule = "allow rule";
const newHost = "ask new_host [docs.example.com]";
const external = "ask external [github/search_code]";
const firstUse = "ask first_use [github/search_code]";
const ruleAsks = "ask rule_asks";
const planned = "refuse plan_mode";
const sameInAll = (outcome: string): Outcomes => [outcome, outcome, outcome, outcome];
const refusedInPlan = (outcome: string): Outcomes => [planned, outcome, outcome, outcome];

const changing = { allow: refusedInPlan(rule), ask: refusedInPlan(ruleAsks) };
const reading = { allow: sameInAll(rule), ask: sameInAll(ruleAsks) };
const files = (access: "read" | "write" | "delete"): PermissionPattern => ({ tool: "files", access, glob: "a.txt" });
const hosts: PermissionPattern = { tool: "net", host: "*.example.com" };
const tools: PermissionPattern = { tool: "external", pattern: "github/search_*" };
const agents: PermissionPattern = { tool: "external", pattern: "subagent/spawn" };
const changingAgent = { kind: "agent", source: "subagent", tool: "spawn", looks: false } as const;
const host = "docs.example.com";
const definition = asId<Hash>("definition");
const searchCode = { kind: "external", source: "github", tool: "search_code", definition } as const;

const rows: readonly Row[] = [
  {
    name: "read",
    access: { kind: "read", target: "a.txt" },
    pattern: files("read"),
    none: sameInAll(reads),
    allow: sameInAll(reads),
    ask: sameInAll(ruleAsks),
  },
  {
    name: "write",
    access: { kind: "write", target: "a.txt" },
    pattern: files("write"),
    none: [planned, "ask writes", mode, mode],
    ...changing,
  },
  {
    name: "delete",
    access: { kind: "delete", target: "a.txt" },
    pattern: files("delete"),
    none: [planned, "ask deletes", "ask deletes", mode],
    ...changing,
  },
  {
    name: "a command that reads",
    access: { kind: "exec", target: "ls src" },
    pattern: { tool: "bash", words: ["ls"], rest: true },
    none: sameInAll(reads),
    allow: sameInAll(reads),
    ask: sameInAll(ruleAsks),
  },
  {
    name: "another command",
    access: { kind: "exec", target: "npm test" },
    pattern: { tool: "bash", words: ["npm", "test"], rest: true },
    none: [planned, "ask executes [npm test *]", "ask executes [npm test *]", mode],
    ...changing,
  },
  { name: "GET", access: { kind: "net", host, method: "GET" }, pattern: hosts, none: sameInAll(newHost), ...reading },
  { name: "HEAD", access: { kind: "net", host, method: "HEAD" }, pattern: hosts, none: sameInAll(newHost), ...reading },
  {
    name: "POST",
    access: { kind: "net", host, method: "POST" },
    pattern: hosts,
    none: refusedInPlan(newHost),
    ...changing,
  },
  {
    name: "an unknown method",
    access: { kind: "net", host, method: "GET /x" },
    pattern: hosts,
    none: refusedInPlan(newHost),
    ...changing,
  },
  {
    name: "an approved external tool",
    access: searchCode,
    approved: definition,
    pattern: tools,
    none: [planned, external, external, mode],
    ...changing,
  },
  {
    name: "the first call of an external tool",
    access: searchCode,
    pattern: tools,
    none: refusedInPlan(firstUse),
    allow: refusedInPlan(firstUse),
    ask: refusedInPlan(firstUse),
  },
  {
    name: "an external tool whose definition changed",
    access: searchCode,
    approved: asId<Hash>("another definition"),
    pattern: tools,
    none: refusedInPlan("ask changed_definition [github/search_code]"),
    allow: refusedInPlan("ask changed_definition [github/search_code]"),
    ask: refusedInPlan("ask changed_definition [github/search_code]"),
  },
  {
    name: "an agent that may change things",
    access: changingAgent,
    pattern: agents,
    none: [planned, "ask executes [subagent/spawn]", "ask executes [subagent/spawn]", mode],
    ...changing,
  },
  {
    name: "an agent that only looks",
    access: { ...changingAgent, looks: true },
    pattern: agents,
    none: sameInAll(reads),
    allow: sameInAll(reads),
    ask: sameInAll(ruleAsks),
  },
];

/** Every subset of the effects, with a rule that covers something else and one of an unknown kind. */
const subsets = Array.from({ length: 8 }, (_, bits) => ruleEffects.filter((_effect, index) => bits & (1 << index)));
const strictest = (effects: readonly RuleEffect[]): RuleEffect | "none" =>
  (["deny", "ask", "allow"] as const).find((effect) => effects.includes(effect)) ?? "none";

const unrelated: readonly PermissionPattern[] = [
  { tool: "unknown", kind: "future", words: ["*"] },
  { tool: "bash", words: ["make"], rest: true },
  { tool: "files", access: "read", glob: "docs/**" },
  { tool: "net", host: "example.com" },
  { tool: "external", pattern: "github/create_*" },
];

async function outcome(access: ToolAccess, mode: Mode, rules: readonly Rule[], approved?: Hash): Promise<string> {
  const approvedTools = new Map(approved === undefined ? [] : [["github/search_code", approved]]);
  const policy = { ...fixture.policy, mode, rules, approvedTools };
  const command = access.kind === "exec" ? { command: await readCommand(access.target) } : {};
  const decision = decide(access, policy, { probe: makeFsProbe(policy), ...command });
  return formatDecision(decision).replace(/(rule_denies) .*$/, "$1");
}

describe.each(rows)("$name", ({ access, approved, pattern, ...expected }) => {
  test.each(subsets.map((effects) => [effects.join(" ") || "no rules", effects] as const))(
    "with %s",
    async (_, effects) => {
      const noise = unrelated.flatMap((other) => ruleEffects.map((effect) => makeRule(effect, other)));
      const covering = effects.map((effect) => makeRule(effect, pattern));
      const winner = strictest(effects);
      const outcomes = winner === "deny" ? sameInAll("refuse rule_denies") : expected[winner];
      for (const rules of [
        [...noise, ...covering],
        [...covering.toReversed(), ...noise],
      ])
        expect(await Promise.all(modes.map((name) => outcome(access, name, rules, approved)))).toEqual(outcomes);
    },
  );
});

test.each(["user@docs.example.com", "docs.example.com/x", "", "*.example.com", "docs.example.com\0"])(
  "a request to %j is refused whatever the rules and the mode say",
  async (bad) => {
    const rules = [makeRule("allow", hosts)];
    for (const name of modes)
      expect(await outcome({ kind: "net", host: bad, method: "GET" }, name, rules)).toBe("refuse unreadable");
  },
);

test("a card for a host, an external tool or an agent offers a rule for it alone", () => {
  const decisionOn = (access: ToolAccess) => decide(access, fixture.policy, { probe: makeFsProbe(fixture.policy) });
  expect(decisionOn({ kind: "net", host: "Docs.Example.com", method: "GET" })).toEqual({
    kind: "ask",
    reason: "new_host",
    options: ["once", "always", "deny"],
    proposal: { tool: "net", host },
  });
  expect(decisionOn(searchCode)).toEqual({
    kind: "ask",
    reason: "first_use",
    options: ["once", "always", "deny"],
    proposal: { tool: "external", pattern: "github/search_code" },
  });
  // The name that a source gives its tool must not become a pattern.
  for (const tool of ["*", "get_*", "a?", "a\u200bb"])
    expect(decisionOn({ ...searchCode, tool })).toEqual({
      kind: "ask",
      reason: "first_use",
      options: ["once", "deny"],
    });
  expect(decisionOn(changingAgent)).toEqual({
    kind: "ask",
    reason: "executes",
    options: ["once", "always", "deny"],
    proposal: { tool: "external", pattern: "subagent/spawn" },
  });
});

test.each(["unseen_url", "holds_secret"] as const)(
  "a request with %s asks in every mode, once, whatever rule allows its host",
  (sentRisk) => {
    const access: ToolAccess = { kind: "net", host, method: "GET" };
    for (const rules of [[], [makeRule("allow", hosts)]])
      for (const name of modes)
        expect(
          decide(access, { ...fixture.policy, mode: name, rules }, { probe: makeFsProbe(fixture.policy), sentRisk }),
        ).toEqual({ kind: "ask", reason: sentRisk, options: ["once", "deny"] });
    const denied = { ...fixture.policy, rules: [makeRule("deny", hosts)] };
    expect(decide(access, denied, { probe: makeFsProbe(fixture.policy), sentRisk })).toMatchObject({ kind: "refuse" });
  },
);
