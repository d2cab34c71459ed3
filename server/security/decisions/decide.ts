/**
 * Decides whether an access is allowed, refused or needs approval: the table of docs/architecture.md over access, mode
 * and the parsed command.
 */
import { posix } from "node:path";
import {
  type ApprovedTools,
  approvedToolKey,
  type ToolAccess,
  type Decision,
  type FileAccess,
  type Mode,
  type PolicyReason,
  type ProposedRule,
  type RemoteAccess,
  type Rule,
  type SentRisk,
  formatRulePattern,
} from "@/lib/permissions/policy";
import { mergeCommandParts, sortEffects } from "@/lib/permissions/command-effect";
import type { CommandPart } from "@/lib/events/tool-kind";
import { rememberToolName } from "@/lib/tools/memory";
import { messageToolName, webChannel } from "@/lib/channels/message-tool";
import { segmentEffects } from "../commands/command-effects";
import { type CommandPolicy, judgeCommand, type SegmentVerdict } from "../commands/judge-command";
import type { FsProbe } from "../paths/fs-probe";
import { normalizeHost } from "../rules/host-pattern";
import { type PathRuleMatch, strictestPathRule } from "../rules/path-rules";
import { proposeToolRule, strictestRemoteRule } from "../rules/remote-rules";
import { runsCode } from "../paths/safe-path";
import type { ParsedCommand } from "../shell/parsed-command";

/** Everything a decision depends on besides the access and the disk. */
export interface Policy extends CommandPolicy {
  readonly mode: Mode;
  readonly approvedTools: ApprovedTools;
  /** The session has read content of other programs or web pages; absent = no. */
  readonly hasReadExternal?: boolean;
  /** The session has sent a message to this person in a messenger, which was allowed here; absent = no. */
  readonly hasMessaged?: boolean;
}

/** Inputs that must be gathered before a decision. */
interface DecideFacts {
  readonly probe: FsProbe;
  /** For an exec access: the result of readCommand for its target. Without it the command counts as unreadable. */
  readonly command?: ParsedCommand;
  /** For a net access and a message: the risk of its `sent`. */
  readonly sentRisk?: SentRisk | null;
}

/**
 * Decides one access. Pure except for `facts.look`; never throws. Blocked words and protected names take precedence
 * over rules that allow or ask, and over modes.
 */
export function decide(access: ToolAccess, policy: Policy, facts: DecideFacts): Decision {
  switch (access.kind) {
    case "exec":
      return decideCommand(access.target, policy, facts);
    case "net":
    case "external":
    case "agent":
      return decideRemote(access, policy, facts.sentRisk ?? null);
    case "message":
      return decideMessage(access, policy, facts.sentRisk ?? null);
    case "memory":
      return decideMemory(policy, access.allProjects);
    default:
      return decideFile(access, policy, facts.probe);
  }
}

function decideRemote(
  access: RemoteAccess,
  { rules, mode, approvedTools }: Policy,
  sentRisk: SentRisk | null,
): Decision {
  if (access.kind === "net" && normalizeHost(access.host) === null)
    return { kind: "refuse", reason: "unreadable", code: "bad_input", detail: access.host };
  const rule = strictestRemoteRule(rules, access);
  if (rule?.effect === "deny") return deniedByRule(rule);
  if (mode === "plan" && !onlyReads(access))
    return { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: describeRemote(access) };
  if (sentRisk !== null) return { kind: "ask", reason: sentRisk, options: ["once", "deny"] };
  const approved = access.kind === "external" ? approvedTools.get(approvedToolKey(access)) : undefined;
  if (access.kind === "external" && approved !== access.definition)
    return askForRemote(access, approved === undefined ? "first_use" : "changed_definition");
  if (rule?.effect === "ask") return { kind: "ask", reason: "rule_asks", options: ["once", "deny"] };
  if (access.kind === "agent" && access.looks) return { kind: "allow", reason: "reads" };
  if (rule !== null) return { kind: "allow", reason: "rule", rule: rule.id };
  // A host without a rule asks in Full access too.
  if (mode === "full" && access.kind !== "net") return { kind: "allow", reason: "mode" };
  return askForRemote(
    access,
    access.kind === "net" ? "new_host" : access.kind === "external" ? "external" : "executes",
  );
}

/**
 * Content of others may contain instructions to remember something, and a note for all projects is sent with sessions that
 * have nothing to do with this one: then the user is asked in every mode.
 */
function decideMemory({ mode, hasReadExternal = false }: Policy, allProjects: boolean): Decision {
  if (mode === "plan") return { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: rememberToolName };
  if (hasReadExternal) return { kind: "ask", reason: "read_external", options: ["once", "deny"] };
  if (allProjects) return { kind: "ask", reason: "all_projects", options: ["once", "deny"] };
  if (mode === "ask") return { kind: "ask", reason: "writes", options: ["once", "deny"] };
  return { kind: "allow", reason: "mode" };
}

/** A message leaves this machine: the first of a session to a person asks in every mode, and so do files and what may carry data out. */
function decideMessage(
  { channel, hasFile }: Extract<ToolAccess, { kind: "message" }>,
  { mode, hasMessaged = false }: Policy,
  sentRisk: SentRisk | null,
): Decision {
  if (mode === "plan") return { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: messageToolName };
  if (channel === webChannel) return { kind: "allow", reason: "mode" };
  if (sentRisk !== null) return { kind: "ask", reason: sentRisk, options: ["once", "deny"] };
  if (hasFile) return { kind: "ask", reason: "sends_file", options: ["once", "deny"] };
  if (!hasMessaged) return { kind: "ask", reason: "first_message", options: ["once", "deny"] };
  return { kind: "allow", reason: "mode" };
}

function askForRemote(access: RemoteAccess, reason: PolicyReason): Extract<Decision, { kind: "ask" }> {
  const proposal: ProposedRule | null =
    access.kind === "net" ? { tool: "net", host: normalizeHost(access.host) ?? access.host } : proposeToolRule(access);
  if (proposal === null) return { kind: "ask", reason, options: ["once", "deny"] };
  return { kind: "ask", reason, options: ["once", "always", "deny"], proposal };
}

const onlyReads = (access: RemoteAccess): boolean =>
  access.kind === "agent" ? access.looks : access.kind === "net" && /^(?:GET|HEAD)$/.test(access.method);

function describeRemote(access: RemoteAccess): string {
  if (access.kind === "net") return `${access.method} ${access.host}`;
  return approvedToolKey(access);
}

function decideFile(access: FileAccess, policy: Policy, probe: FsProbe): Decision {
  const { target } = access;
  const place = probe.locate(target === "" ? "." : target, policy.root);
  if (place.kind !== "inside") {
    if (access.kind === "read" && probe.isInReadRoot(target)) return { kind: "allow", reason: "reads" };
    if (place.kind === "protected") return { kind: "refuse", reason: "protected", code: "protected", detail: target };
    return { kind: "refuse", reason: "outside", code: place.kind === "bad" ? "bad_path" : "outside", detail: target };
  }
  const relative = place.path.relative;
  if (access.kind !== "read" && relative === ".")
    return { kind: "refuse", reason: "outside", code: "bad_path", detail: target };
  const verdict = strictestPathRule(
    policy.rules,
    access.kind,
    [relative, ...pathAsWritten(target)],
    includesDescendants(access, place.folder),
  );
  if (verdict?.effect === "deny" && verdict.certain) return deniedByRule(verdict.rule);
  if (access.kind !== "read" && policy.mode === "plan")
    return { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: target };
  // A search omits files that must not be read; deleting a folder that contains a denied file asks.
  const leavesOut = access.kind === "read" && verdict?.effect === "deny";
  if (verdict !== null && verdict.effect !== "allow" && !leavesOut)
    return { kind: "ask", reason: "rule_asks", options: ["once", "deny"] };
  return decideFileByMode(access, policy.mode, runsCode(relative) || runsCode(target), verdict);
}

/** Decides by the mode, after deny and ask rules. */
function decideFileByMode(access: FileAccess, mode: Mode, running: boolean, verdict: PathRuleMatch | null): Decision {
  if (access.kind === "read") return { kind: "allow", reason: "reads" };
  if (access.kind === "write" && running) return { kind: "ask", reason: "runs_code", options: ["once", "deny"] };
  if (verdict?.effect === "allow") return { kind: "allow", reason: "rule", rule: verdict.rule.id };
  if (mode === "full") return { kind: "allow", reason: "mode" };
  if (access.kind === "delete") return { kind: "ask", reason: "deletes", options: ["once", "deny"] };
  if (mode === "ask") return { kind: "ask", reason: "writes", options: ["once", "edits", "deny"] };
  return { kind: "allow", reason: "mode" };
}

const includesDescendants = (access: FileAccess, folder: boolean): boolean =>
  folder && (access.kind === "delete" || (access.kind === "read" && access.recursive === true));

/** Returns the path as written, when it can be inside the project: a rule may name a link. */
function pathAsWritten(target: string): readonly string[] {
  const path = posix.normalize(target === "" ? "." : target).replace(/\/+$/, "");
  return path === "" || path.startsWith("/") || path.startsWith("..") ? [] : [path];
}

const deniedByRule = (rule: Rule): Extract<Decision, { kind: "refuse" }> => ({
  kind: "refuse",
  reason: "rule_denies",
  code: "blocked",
  detail: formatRulePattern(rule),
  rule: rule.id,
});

function decideCommand(command: string, policy: Policy, facts: DecideFacts): Decision {
  // The parsed text must be the text that will run, so that the same text is judged, shown and run.
  const parsed: ParsedCommand =
    facts.command?.command === command
      ? facts.command
      : { kind: "unreadable", command, why: "not_parsed", segments: [] };
  const verdicts = judgeCommand(parsed, policy, facts.probe);
  const refused = verdicts.flatMap((verdict, index) =>
    verdict.risk === "refused" ? [{ verdict, part: parsed.segments[index]?.text ?? command }] : [],
  );
  // The user may run what a blocked word alone refused.
  const refusal = refused.find(({ verdict }) => verdict.reason !== "blocked_word") ?? refused[0];
  if (refusal !== undefined) return makeRefusal(refusal.verdict, refusal.part);
  if (facts.probe.isExhausted)
    return policy.mode === "plan"
      ? { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: command }
      : { kind: "ask", reason: "too_many_files", options: ["once", "deny"] };
  const unreadable = parsed.kind === "unreadable" || verdicts.some((verdict) => verdict.risk === "unreadable");
  if (!unreadable && verdicts.every((verdict) => verdict.risk === "reads")) return { kind: "allow", reason: "reads" };
  const reads = verdicts.every((verdict) => verdict.risk === "reads" || (verdict.risk === "asks" && verdict.reads));
  if (policy.mode === "plan" && (unreadable || !reads))
    return { kind: "refuse", reason: "plan_mode", code: "plan_mode", detail: command };
  if (unreadable) return { kind: "ask", reason: "unreadable", options: ["once", "deny"] };
  return decideByMode(verdicts, policy.mode);
}

function makeRefusal({ reason, detail, rule }: Extract<SegmentVerdict, { risk: "refused" }>, part: string): Decision {
  if (rule !== undefined) return { ...deniedByRule(rule), part };
  return { kind: "refuse", reason, code: reason === "protected" ? "protected" : "blocked", detail, part };
}

function decideByMode(verdicts: readonly SegmentVerdict[], mode: Mode): Decision {
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

/**
 * Returns the parts of a command with risk and effects, for the card; a single part for a command that could not be
 * read. Parts with equal text are merged.
 */
export function commandParts(parsed: ParsedCommand, policy: Policy, probe: FsProbe): readonly CommandPart[] {
  const verdicts = judgeCommand(parsed, policy, probe);
  const isOutside = (text: string): boolean => probe.locate(text, policy.cwd).kind === "outside";
  const parts = new Map<string, CommandPart>();
  for (const [index, segment] of parsed.segments.entries()) {
    const risk = verdicts[index]?.risk ?? "asks";
    const part: CommandPart = {
      text: segment.text,
      risk: risk === "unreadable" ? "asks" : risk,
      effects: sortEffects(segmentEffects(segment, isOutside)),
    };
    const equal = parts.get(part.text);
    parts.set(part.text, equal === undefined ? part : mergeCommandParts(equal, part));
  }
  if (parsed.kind === "parsed") return [...parts.values()];
  const refused = [...parts.values()].filter((part) => part.risk === "refused");
  const seen = [...parts.values()].flatMap((part) => part.effects ?? []);
  const whole: CommandPart = { text: parsed.command, risk: "asks", effects: sortEffects([...seen, "unclear"]) };
  return refused.length > 0 ? refused : [whole];
}
