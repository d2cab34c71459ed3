/** What to say about a rule before it is saved: it can never fit, allows too much, or covers less than it seems. Pure; used by rule-form.tsx. */
import type { RuleEffect } from "@/lib/policy";
import { type About, patternOf } from "./rule-pattern-text";

export type RuleWarning =
  /** Its program is refused whatever the rules say, or runs whatever follows it. */
  | { readonly kind: "blocked" | "wide"; readonly word: string }
  /** operator = it holds more than one command; outside = no path of the project; root = read as one of the project; exact = nothing may follow its words. */
  | { readonly kind: "operator" | "outside" | "root" | "exact" };

export interface RuleDraft {
  readonly effect: RuleEffect;
  readonly about: About;
  readonly typed: string;
}

/** Programs that run what stands behind them, or code given to them. */
const runners =
  /^(?:(?:ba|z|da|k|c|tc|fi)?sh|env|sudo|su|doas|xargs|eval|exec|command|nohup|nice|time|timeout|watch|parallel|busybox|ssh|(?:python|pypy|node|nodejs|perl|ruby|php|lua|luajit)[\d.]*|tsx|ts-node|deno|bun|npx|bunx|uvx|rscript|julia|elixir|osascript|pwsh|powershell|cmd|[gmn]?awk)$/;

/** `blockedWords` as in the settings. Nothing is said of what means nothing yet. */
export function ruleWarning(draft: RuleDraft, blockedWords: readonly string[]): RuleWarning | null {
  const { about, effect, typed } = draft;
  if (about !== "command") return pathWarning(typed.trim());
  const pattern = patternOf(about, typed);
  if (pattern?.tool !== "bash") return null;
  const [first = "", second] = pattern.words;
  const program = programOf(first);
  if (blockedWords.some((word) => word.toLowerCase() === program)) return { kind: "blocked", word: program };
  if (/[|;&<>]/.test(typed.replace(/"(?:[^"\\]|\\.)*"/g, " "))) return { kind: "operator" };
  if (!pattern.rest) return { kind: "exact" };
  const isOpen = second === undefined || second.startsWith("-");
  return effect === "allow" && isOpen && runners.test(program) ? { kind: "wide", word: program } : null;
}

const programOf = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");

function pathWarning(path: string): RuleWarning | null {
  if (/^~|^[a-z]:/i.test(path) || path.includes("\\") || path.split("/").includes("..")) return { kind: "outside" };
  return path.startsWith("/") ? { kind: "root" } : null;
}
