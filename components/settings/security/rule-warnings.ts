/** Warnings about a rule in the form: it can never match, allows too much, or covers less than it seems. Pure. */
import type { RuleEffect } from "@/lib/permissions/policy";
import { type RuleSubject, parseRulePattern } from "./rule-pattern-text";

type RuleWarning =
  /** blocked = the program is refused whatever the rules say; wide = the program runs any command in its arguments. */
  | { readonly kind: "blocked" | "wide"; readonly word: string }
  /**
   * operator = more than one command; outside = not a path in the project; root = an absolute path is read as relative
   * to the project; exact = further arguments do not match.
   */
  | { readonly kind: "operator" | "outside" | "root" | "exact" };

export interface RuleDraft {
  readonly effect: RuleEffect;
  readonly subject: RuleSubject;
  readonly typed: string;
}

/** Programs that run a command or code passed as arguments. */
const runnerPrograms =
  /^(?:(?:ba|z|da|k|c|tc|fi)?sh|env|sudo|su|doas|xargs|eval|exec|command|nohup|nice|time|timeout|watch|parallel|busybox|ssh|(?:python|pypy|node|nodejs|perl|ruby|php|lua|luajit)[\d.]*|tsx|ts-node|deno|bun|npx|bunx|uvx|rscript|julia|elixir|osascript|pwsh|powershell|cmd|[gmn]?awk)$/;

/** Returns the first applicable warning; null = none, or not a valid pattern yet. `blockedWords` as in the settings. */
export function ruleWarning(draft: RuleDraft, blockedWords: readonly string[]): RuleWarning | null {
  const { subject, effect, typed } = draft;
  if (subject !== "command") return pathWarning(typed.trim());
  const pattern = parseRulePattern(subject, typed);
  if (pattern?.tool !== "bash") return null;
  const [first = "", second] = pattern.words;
  const program = ruleProgram(first);
  if (blockedWords.some((word) => word.toLowerCase() === program)) return { kind: "blocked", word: program };
  if (/[|;&<>]/.test(typed.replace(/"(?:[^"\\]|\\.)*"/g, " "))) return { kind: "operator" };
  if (!pattern.rest) return { kind: "exact" };
  const isOpen = second === undefined || second.startsWith("-");
  return effect === "allow" && isOpen && runnerPrograms.test(program) ? { kind: "wide", word: program } : null;
}

const ruleProgram = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");

function pathWarning(path: string): RuleWarning | null {
  if (/^~|^[a-z]:/i.test(path) || path.includes("\\") || path.split("/").includes("..")) return { kind: "outside" };
  return path.startsWith("/") ? { kind: "root" } : null;
}
