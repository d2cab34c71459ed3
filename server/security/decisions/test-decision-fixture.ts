/**
 * A small project on disk for the tests of decide: a clean folder, protected names, links within and out of the
 * project.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { asId, type ProjectId, type RuleId } from "@/lib/events/id";
import {
  type Decision,
  type PathPattern,
  type Rule,
  type RuleEffect,
  type RulePattern,
  formatRulePattern,
} from "@/lib/permissions/policy";
import { settingsDefaults } from "@/lib/settings/settings";
import { decide, type Policy } from "./decide";
import { type FolderSurvey, makeFolderSurvey } from "../paths/folder-survey";
import { makeFsProbe, settle } from "../paths/fs-probe";
import { readCommand } from "../shell/shell-parser";

interface DecisionFixture {
  readonly root: string;
  readonly policy: Policy;
  /** Decides a command and formats the decision as one line (see formatDecision). */
  formattedDecision(command: string, change?: Partial<Policy>, survey?: FolderSurvey): Promise<string>;
}

export const bashRule = (pattern: Omit<RulePattern, "tool">, effect: RuleEffect = "allow"): Rule => ({
  ...pattern,
  tool: "bash",
  effect,
  id: asId<RuleId>(`rule ${pattern.words.join(" ")}`),
  projectId: asId<ProjectId>("project"),
  createdAt: 0,
});

export const filesRule = (effect: RuleEffect, access: PathPattern["access"], glob: string): Rule => ({
  tool: "files",
  effect,
  access,
  glob,
  id: asId<RuleId>(`rule ${effect} ${access} ${glob}`),
  projectId: asId<ProjectId>("project"),
  createdAt: 0,
});

/** Rows of a table, one a line; ⏎ is a line break in a row. */
export const tableLines = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim().replaceAll("⏎", "\n"))
    .filter((line) => line !== "");

/** Makes the project of a test file; it is removed after its tests. */
export function makeDecisionFixture(): DecisionFixture {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "gopi-decide-")));
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const root = join(place, "project");
  for (const folder of ["src/deep", ".git/hooks", "mixed", "linked", "with space", "dashes", "visible/.hidden"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  mkdirSync(join(place, "away"));
  for (const file of [
    "a.txt",
    "b.txt",
    "-o",
    "dashes/-o",
    "dashes/x",
    ".env",
    ".env.example",
    ".git/config",
    "src/a.ts",
    "src/b.ts",
    "src/deep/c.ts",
    "mixed/.env",
    "mixed/x.ts",
    "visible/.hidden/.env",
    "../away/x",
  ]) {
    writeFileSync(join(root, file), "text\n");
  }
  symlinkSync("../../away", join(root, "linked/out"));
  symlinkSync(".git/config", join(root, "config-link"));
  symlinkSync("src", join(root, "src-link"));
  const policy: Policy = {
    mode: "ask",
    rules: [],
    approvedTools: new Map(),
    blockedWords: settingsDefaults.blockedWords,
    protectedNames: ["vault"],
    root,
    cwd: root,
  };
  return {
    root,
    policy,
    formattedDecision: async (command, change = {}, survey = makeFolderSurvey()) => {
      const all = { ...policy, ...change };
      const facts = { probe: makeFsProbe(all, survey), command: await readCommand(command) };
      return formatDecision(await settle(facts.probe, () => decide({ kind: "exec", target: command }, all, facts)));
    },
  };
}

/** Formats a decision as one line: `allow reads`, `ask executes [npm test *]`, `refuse blocked_word rm`. */
export function formatDecision(decision: Decision): string {
  if (decision.kind === "allow") return `allow ${decision.reason}`;
  if (decision.kind === "refuse")
    return `refuse ${decision.reason}${/^(?:blocked_word|rule_denies)$/.test(decision.reason) ? ` ${decision.detail}` : ""}`;
  return `ask ${decision.reason}${decision.proposal === undefined ? "" : ` [${formatRulePattern(decision.proposal)}]`}`;
}
