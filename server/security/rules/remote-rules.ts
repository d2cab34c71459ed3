/** Applies host rules and rules for tools of sources to one access: deny, then ask, then allow. */
import {
  approvedToolKey,
  type ProposedRule,
  type RemoteAccess,
  type Rule,
  ruleEffects,
} from "@/lib/permissions/policy";
import { matchHost } from "./host-pattern";
import { matchComponent } from "./path-glob";

/** Returns the strictest rule for this access; null = none. */
export function strictestRemoteRule(rules: readonly Rule[], access: RemoteAccess): Rule | null {
  const matching = rules.filter((rule) => isCovered(rule, access));
  const rank = ({ effect }: Rule): number => ruleEffects.indexOf(effect);
  return matching.toSorted((a, b) => rank(b) - rank(a))[0] ?? null;
}

function isCovered(rule: Rule, access: RemoteAccess): boolean {
  if (access.kind === "net") return rule.tool === "net" && matchHost(rule.host, access.host);
  if (rule.tool !== "external") return false;
  const pattern = parseToolPattern(rule.pattern);
  // As for paths: a deny or ask rule that matches one name too many does no harm.
  const ignoreCase = rule.effect !== "allow";
  return (
    pattern !== null &&
    matchComponent(pattern.source, access.source, ignoreCase) &&
    matchComponent(pattern.name, access.tool, ignoreCase)
  );
}

const hiddenCharacters = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Parses `source` or `source/name`, where the name may contain `*` and `?`; null = not a valid pattern. */
export function parseToolPattern(text: string): { readonly source: string; readonly name: string } | null {
  const slash = text.indexOf("/");
  const source = slash < 0 ? text : text.slice(0, slash);
  const name = slash < 0 ? "*" : text.slice(slash + 1);
  return source === "" || name === "" || /[*?]/.test(source) || hiddenCharacters.test(text) ? null : { source, name };
}

/** Characters that a name shows as nothing, or as another blank than it is. */
const deceptiveCharacters = /[\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}|^ | $|  /u;

/**
 * Returns the rule that covers one tool of a source and nothing else; null = there is none, since the source
 * chose a name that would be a pattern or that does not show what it is.
 */
export function proposeToolRule(access: Exclude<RemoteAccess, { kind: "net" }>): ProposedRule | null {
  const pattern = approvedToolKey(access);
  const parsed = parseToolPattern(pattern);
  const isExact = parsed?.source === access.source && parsed.name === access.tool && !/[*?]/.test(access.tool);
  return isExact && !deceptiveCharacters.test(access.tool) ? { tool: "external", pattern } : null;
}
