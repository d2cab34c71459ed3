/**
 * Decides on the declared accesses of a call: parses a command once, queries security for each access and takes the
 * strictest decision.
 */
import type { Access, Decision, Mode, Rule } from "@/lib/policy";
import { decide, commandParts, type Policy } from "../security/decide";
import { diskLook } from "../security/look";
import { privateIn } from "../security/paths";
import { readCommand } from "../security/shell-parser";
import type { Judgement } from "./host";

export interface JudgeInput {
  /** Real path of the project. */
  readonly root: string;
  /** Working directory of the shell. */
  readonly cwd: string;
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  readonly blockedWords: readonly string[];
  readonly protectedNames: readonly string[];
  /** The application's data folder, absolute; not accessible to the model (R58). */
  readonly home?: string;
  /** Sandbox of commands; "broken" = enabled but not available. */
  readonly sandbox: { readonly network: boolean } | "off" | "broken";
}

/** Combines the decisions on all accesses of one call: refuse beats ask, ask beats allow. */
export async function judge(accesses: readonly Access[], input: JudgeInput): Promise<Judgement> {
  const policy: Policy = { ...input, ...(input.home === undefined ? {} : privateIn(input.root, input.home)) };
  const probe = diskLook(policy);
  let strictest: Judgement = { decision: { kind: "allow", reason: "reads" } };
  for (const access of accesses) {
    const command = access.kind === "exec" ? await readCommand(access.target) : undefined;
    const decided = decide(access, policy, { look: probe, ...(command === undefined ? {} : { command }) });
    const decision = command === undefined ? decided : underFence(decided, input.sandbox);
    const parts = command === undefined ? undefined : commandParts(command, policy, probe);
    if (weight[decision.kind] >= weight[strictest.decision.kind])
      strictest = { decision, ...(parts === undefined ? {} : { parts }) };
  }
  return typeof input.sandbox === "string" ? strictest : { ...strictest, sandbox: input.sandbox };
}

/** Without the enabled sandbox a command requires approval in any mode. */
const underFence = (decision: Decision, sandbox: JudgeInput["sandbox"]): Decision =>
  sandbox === "broken" && decision.kind === "allow"
    ? { kind: "ask", reason: "no_sandbox", options: ["once", "deny"] }
    : decision;

const weight: Record<Decision["kind"], number> = { allow: 0, ask: 1, refuse: 2 };
