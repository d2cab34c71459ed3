/**
 * Decides on the declared accesses of a call: parses a command once, queries security for each access and takes the
 * strictest decision.
 */
import type { ApprovedTools, ToolAccess, Decision, Mode, Rule, SentRisk } from "@/lib/permissions/policy";
import type { CommandPart } from "@/lib/events/tool-kind";
import { consistsOfReaders } from "@/server/security/commands/pure-readers";
import { decide, commandParts, type Policy } from "@/server/security/decisions/decide";
import { makeFsProbe, settle } from "@/server/security/paths/fs-probe";
import { privatePathPolicy } from "@/server/security/paths/safe-path";
import { readCommand } from "@/server/security/shell/shell-parser";
import type { CallJudgement } from "../host";

/** Facts of a session that decide on its accesses. */
export interface JudgedFacts {
  /** Real path of the project. */
  readonly root: string;
  /** Working directory of the shell. */
  readonly cwd: string;
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  /** External tools that the user approved in the project. */
  readonly approvedTools: ApprovedTools;
  /** The session has read content of other programs or web pages; absent = no. */
  readonly hasReadExternal?: boolean;
  /** The session has sent a message to a person in a messenger; absent = no. */
  readonly hasMessaged?: boolean;
}

export interface JudgeOptions extends JudgedFacts {
  readonly blockedWords: readonly string[];
  readonly protectedNames: readonly string[];
  /** The application's data folder, absolute; not accessible to the model. */
  readonly home?: string;
  /** Real paths of folders beside the project that tools may read; default: none. */
  readonly readRoots?: readonly string[];
  /** Returns the risk of the `sent` of a request; absent = none is looked for. */
  sentRisk?(sent: string): Promise<SentRisk | null>;
  /** Sandbox of commands; "broken" = enabled but not available. */
  readonly sandbox: { readonly network: boolean } | "off" | "broken";
}

/** Combines the decisions on all accesses of one call: refuse beats ask, ask beats allow. */
export async function judgeAccesses(accesses: readonly ToolAccess[], input: JudgeOptions): Promise<CallJudgement> {
  const policy: Policy = { ...input, ...(input.home === undefined ? {} : privatePathPolicy(input.root, input.home)) };
  const probe = makeFsProbe(policy);
  let strictest: CallJudgement = { decision: { kind: "allow", reason: "reads" } };
  for (const access of accesses) {
    const command = access.kind === "exec" ? await readCommand(access.target) : undefined;
    const sent = access.kind === "net" || access.kind === "message" ? access.sent : undefined;
    const sentRisk = sent === undefined ? null : ((await input.sentRisk?.(sent)) ?? null);
    const { decided, parts } = await settle(probe, () => ({
      decided: decide(access, policy, { probe, command, sentRisk }),
      parts: command === undefined ? undefined : commandParts(command, policy, probe),
    }));
    const decision = command === undefined ? decided : requireSandbox(decided, input.sandbox);
    const readsOnly = command !== undefined && (consistsOfReaders(command) || isAllReading(parts));
    if (strictness[decision.kind] >= strictness[strictest.decision.kind]) strictest = { decision, parts, readsOnly };
  }
  return typeof input.sandbox === "string" ? strictest : { ...strictest, sandbox: input.sandbox };
}

const isAllReading = (parts: readonly CommandPart[] = []): boolean =>
  parts.length > 0 && parts.every(({ risk }) => risk === "reads");

/** Without the enabled sandbox a command requires approval in any mode. */
const requireSandbox = (decision: Decision, sandbox: JudgeOptions["sandbox"]): Decision =>
  sandbox === "broken" && decision.kind === "allow"
    ? { kind: "ask", reason: "no_sandbox", options: ["once", "deny"] }
    : decision;

const strictness: Record<Decision["kind"], number> = { allow: 0, ask: 1, refuse: 2 };
