/** Applies the path rules of a project to one access: deny, then ask, then allow. */
import type { PathPattern, Rule, RuleEffect } from "@/lib/permissions/policy";
import { matchGlob } from "./path-glob";

type PathRule = Extract<Rule, { readonly tool: "files" }>;
type RuleAccess = PathPattern["access"];

/** The effect of a rule on an access; `certain` false = possibly only something below the path matches. */
export interface PathRuleMatch {
  readonly effect: RuleEffect;
  readonly rule: PathRule;
  readonly certain: boolean;
}

/**
 * The file systems of these platforms ignore case. Deny and ask rules ignore case everywhere: a rule that matches one
 * name too many does no harm.
 */
const foldsCase = process.platform === "darwin" || process.platform === "win32";

/**
 * Rules that apply to an access. A file that must not be read must not be replaced either: its old content would be
 * shown.
 */
const rulesForAccess: Readonly<Record<RuleAccess, readonly RuleAccess[]>> = {
  read: ["read"],
  write: ["write", "read"],
  delete: ["delete"],
};

/**
 * Returns the strictest rule for this access. `paths`: the ways the path is named; the first is the resolved path, and
 * allow rules match only that. `deep`: the access includes everything below (a search, the deletion of a folder).
 */
export function strictestPathRule(
  rules: readonly Rule[],
  access: RuleAccess,
  paths: readonly string[],
  deep: boolean,
): PathRuleMatch | null {
  let strictest: PathRuleMatch | null = null;
  for (const rule of rules) {
    if (rule.tool !== "files") continue;
    const verdict =
      rule.effect === "allow" ? matchAllowRule(rule, access, paths) : matchForbiddingRule(rule, access, paths, deep);
    if (verdict !== null && (strictest === null || pathRuleRank(verdict) > pathRuleRank(strictest)))
      strictest = verdict;
  }
  return strictest;
}

/** Returns whether reading this path or a folder above it is denied: searches and lists omit it. */
export const isReadDenied = (rules: readonly Rule[], path: string): boolean =>
  rules.some(
    (rule) =>
      rule.tool === "files" &&
      rule.effect === "deny" &&
      matchForbiddingRule(rule, "read", [path], false)?.certain === true,
  );

/** A certain match ranks above an uncertain one; deny above ask, ask above allow. */
const pathRuleRank = ({ effect, certain: sure }: PathRuleMatch): number =>
  ({ deny: 4, ask: 2, allow: 0 })[effect] - (sure || effect === "allow" ? 0 : 1);

function matchAllowRule(rule: PathRule, access: RuleAccess, paths: readonly string[]): PathRuleMatch | null {
  if (rule.access !== access || paths[0] === undefined) return null;
  const match = matchGlob(rule.glob, paths[0], { ignoreCase: foldsCase, strict: true });
  return match === "covers" ? { effect: "allow", rule, certain: true } : null;
}

function matchForbiddingRule(
  rule: PathRule,
  access: RuleAccess,
  paths: readonly string[],
  deep: boolean,
): PathRuleMatch | null {
  if (!rulesForAccess[access].includes(rule.access)) return null;
  if (rule.effect === "ask" && rule.access !== access) return null;
  const matches = paths.map((path) => matchGlob(rule.glob, path, { ignoreCase: true, strict: false }));
  if (matches.includes("covers")) return { effect: rule.effect, rule, certain: true };
  return deep && matches.includes("below") ? { effect: rule.effect, rule, certain: false } : null;
}
