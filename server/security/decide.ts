/** The one place that says who is asked: the table of docs/architecture.md over access, mode and what was parsed. Called by agent/run-tool. */
import type { Access, Decision, Mode, PolicyReason } from "@/lib/policy";
import type { CommandPart } from "@/lib/tool-kind";
import { type CommandPolicy, judgeCommand, type Verdict } from "./judge-command";
import type { Look } from "./look";
import { runsCode } from "./paths";
import type { ParsedCommand } from "./shell-parser";

/** Everything a decision depends on besides the access and the disk. */
export interface Policy extends CommandPolicy {
  readonly mode: Mode;
}

/** What must be known before deciding. */
export interface DecideFacts {
  readonly look: Look;
  /** For an exec access: readCommand of its target. Without it the command counts as unreadable. */
  readonly command?: ParsedCommand;
}

/** Decides one access. Pure but for `facts.look`; never throws. Blocked and protected win over rules and modes. */
export function decide(access: Access, policy: Policy, facts: DecideFacts): Decision {
  return access.kind === "exec" ? decideCommand(access.target, policy, facts) : decideFile(access, policy, facts.look);
}

type FileAccess = Exclude<Access, { readonly kind: "exec" }>;

function decideFile(access: FileAccess, policy: Policy, look: Look): Decision {
  const { target } = access;
  const place = look.place(target === "" ? "." : target, policy.root);
  if (place.kind !== "inside") {
    if (place.kind === "protected") return { kind: "refuse", reason: "protected", code: "protected", detail: target };
    return { kind: "refuse", reason: "outside", code: place.kind === "bad" ? "bad_path" : "outside", detail: target };
  }
  if (access.kind === "read") return { kind: "allow", reason: "reads" };
  if (place.path.relative === ".") return { kind: "refuse", reason: "outside", code: "bad_path", detail: target };
  if (policy.mode === "plan") return { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: target };
  if (access.kind === "delete") {
    return policy.mode === "full"
      ? { kind: "allow", reason: "mode" }
      : { kind: "ask", reason: "deletes", options: ["once", "deny"] };
  }
  if (runsCode(place.path.relative) || runsCode(target))
    return { kind: "ask", reason: "runs_code", options: ["once", "deny"] };
  if (policy.mode === "ask") return { kind: "ask", reason: "writes", options: ["once", "edits", "deny"] };
  return { kind: "allow", reason: "mode" };
}

function decideCommand(command: string, policy: Policy, facts: DecideFacts): Decision {
  // What was parsed must be the text that will run: one text is judged, shown and run.
  const parsed: ParsedCommand =
    facts.command?.command === command
      ? facts.command
      : { kind: "unreadable", command, why: "not_parsed", segments: [] };
  const verdicts = judgeCommand(parsed, policy, facts.look);
  for (const verdict of verdicts) {
    if (verdict.risk !== "refused") continue;
    const code = verdict.reason === "protected" ? "protected" : "blocked";
    return { kind: "refuse", reason: verdict.reason, code, detail: verdict.detail };
  }
  const unreadable = parsed.kind === "unreadable" || verdicts.some((verdict) => verdict.risk === "unreadable");
  if (!unreadable && verdicts.every((verdict) => verdict.risk === "reads")) return { kind: "allow", reason: "reads" };
  if (policy.mode === "plan") return { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: command };
  if (unreadable) return { kind: "ask", reason: "unreadable", options: ["once", "deny"] };
  return decideByMode(verdicts, policy.mode);
}

function decideByMode(verdicts: readonly Verdict[], mode: Mode): Decision {
  const asking = verdicts.flatMap((verdict) => (verdict.risk === "asks" ? [verdict] : []));
  const rule = verdicts.find((verdict) => verdict.risk === "rule");
  if (asking.length === 0 && rule !== undefined) return { kind: "allow", reason: "rule", rule: rule.rule.id };
  const forced = asking.find((verdict) => verdict.always);
  if (mode === "full" && forced === undefined) return { kind: "allow", reason: "mode" };
  const reason: PolicyReason = (forced ?? asking[0])?.reason ?? "executes";
  const proposal = asking[0]?.proposal ?? null;
  const same =
    proposal !== null && asking.every((verdict) => JSON.stringify(verdict.proposal) === JSON.stringify(proposal));
  if (!same || forced !== undefined) return { kind: "ask", reason, options: ["once", "deny"] };
  return { kind: "ask", reason, options: ["once", "always", "deny"], proposal };
}

const weight: { readonly [risk in CommandPart["risk"]]: number } = { reads: 0, rule: 1, asks: 2, refused: 3 };

/** The parts of a command with their risk, for the card; one part for what could not be read. Parts with one text are one. */
export function commandParts(parsed: ParsedCommand, policy: Policy, look: Look): readonly CommandPart[] {
  const verdicts = judgeCommand(parsed, policy, look);
  const parts = new Map<string, CommandPart>();
  for (const [index, segment] of parsed.segments.entries()) {
    const risk = verdicts[index]?.risk ?? "asks";
    const part: CommandPart = { text: segment.text, risk: risk === "unreadable" ? "asks" : risk };
    const known = parts.get(segment.text);
    if (known === undefined || weight[known.risk] < weight[part.risk]) parts.set(segment.text, part);
  }
  if (parsed.kind === "parsed") return [...parts.values()];
  const refused = [...parts.values()].filter((part) => part.risk === "refused");
  return refused.length > 0 ? refused : [{ text: parsed.command, risk: "asks" }];
}
