/** The path rules of a project over one access: deny, ask, allow, in this order. Used by decide.ts, judge-command.ts and for what searches leave out. */
import type { PathPattern, Rule, RuleEffect } from "@/lib/policy";
import { matchGlob } from "./path-glob";

type PathRule = Extract<Rule, { readonly tool: "files" }>;
type RuleAccess = PathPattern["access"];

/** What a rule says of an access; `sure` false = only something below the path may be meant. */
export interface PathVerdict {
  readonly effect: RuleEffect;
  readonly rule: PathRule;
  readonly sure: boolean;
}

/** Disks of these systems take `A` and `a` for one name. What denies or asks does so everywhere: one name too many does no harm. */
const foldsCase = process.platform === "darwin" || process.platform === "win32";

/** Who may not see a file may not replace it either: its old content would be shown. */
const coveredBy: Readonly<Record<RuleAccess, readonly RuleAccess[]>> = {
  read: ["read"],
  write: ["write", "read"],
  delete: ["delete"],
};

/**
 * The strictest rule for this access. `paths` are the ways the place is named: where it leads first, which alone counts for allow.
 * `deep`: all below it is meant too (a search, a folder that goes).
 */
export function pathVerdict(
  rules: readonly Rule[],
  access: RuleAccess,
  paths: readonly string[],
  deep: boolean,
): PathVerdict | null {
  let strictest: PathVerdict | null = null;
  for (const rule of rules) {
    if (rule.tool !== "files") continue;
    const verdict = rule.effect === "allow" ? allowed(rule, access, paths) : forbidden(rule, access, paths, deep);
    if (verdict !== null && (strictest === null || weight(verdict) > weight(strictest))) strictest = verdict;
  }
  return strictest;
}

/** Reading this path, or something it stands in, is denied: searches and lists leave it out. */
export const isReadDenied = (rules: readonly Rule[], path: string): boolean =>
  rules.some(
    (rule) => rule.tool === "files" && rule.effect === "deny" && forbidden(rule, "read", [path], false)?.sure === true,
  );

/** What is surely meant beats what may be, deny beats ask, ask beats allow. */
const weight = ({ effect, sure }: PathVerdict): number =>
  ({ deny: 4, ask: 2, allow: 0 })[effect] - (sure || effect === "allow" ? 0 : 1);

function allowed(rule: PathRule, access: RuleAccess, paths: readonly string[]): PathVerdict | null {
  if (rule.access !== access || paths[0] === undefined) return null;
  const match = matchGlob(rule.glob, paths[0], { ignoreCase: foldsCase, strict: true });
  return match === "covers" ? { effect: "allow", rule, sure: true } : null;
}

function forbidden(rule: PathRule, access: RuleAccess, paths: readonly string[], deep: boolean): PathVerdict | null {
  if (!coveredBy[access].includes(rule.access)) return null;
  if (rule.effect === "ask" && rule.access !== access) return null;
  const matches = paths.map((path) => matchGlob(rule.glob, path, { ignoreCase: true, strict: false }));
  if (matches.includes("covers")) return { effect: rule.effect, rule, sure: true };
  return deep && matches.includes("below") ? { effect: rule.effect, rule, sure: false } : null;
}
