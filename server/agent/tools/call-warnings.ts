/**
 * Calls that ask in any mode: a destructive command whose changes cannot be undone, once in a session, a command that needs
 * the network and whose sandbox has none, and a change of a read-only file.
 */
import type { CommandEffect } from "@/lib/permissions/command-effect";
import type { CallPreview } from "@/lib/events/tool-kind";
import type { Decision } from "@/lib/permissions/policy";
import { type ApprovalView, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { AgentHost, CallJudgement } from "../host";

/** Effects by which the old content of a file may be gone. */
const destructiveEffects: ReadonlySet<CommandEffect> = new Set(["deletes", "discards", "writes"]);

/** Returns whether a command may destroy content that cannot be restored. */
export async function isWithoutUndo(host: AgentHost, { parts = [] }: CallJudgement): Promise<boolean> {
  const isDestructive = parts.some(({ effects = [] }) => effects.some((effect) => destructiveEffects.has(effect)));
  return isDestructive && !(await host.toolEnvironment().canUndo());
}

/** Makes an allowed command ask, unless the user has approved one without undo in this session. */
export const askOnceWithoutUndo = <D extends Decision>(
  decision: D,
  view: SessionView,
): D | Extract<Decision, { kind: "ask" }> =>
  decision.kind === "allow" && !wasApproved(view)
    ? { kind: "ask", reason: "no_undo", options: ["once", "deny"] }
    : decision;

/** Effects that need the network. */
const networkEffects: ReadonlySet<CommandEffect> = new Set([
  "network",
  "installs",
  "publishes",
  "pushes",
  "force_pushes",
]);

/**
 * Makes a command ask for the network that it needs and that its sandbox does not have. `hasFailed` returns whether it
 * has failed without.
 */
export function askForNetwork<D extends Decision>(
  decision: D,
  { parts = [], sandbox }: CallJudgement,
  hasFailed: () => boolean,
): D | Extract<Decision, { kind: "ask" }> {
  const needs = parts.some(({ effects = [] }) => effects.some((effect) => networkEffects.has(effect)));
  if (sandbox === undefined || sandbox.network || decision.kind === "refuse") return decision;
  if (!needs && !hasFailed()) return decision;
  return decision.kind === "ask"
    ? { ...decision, options: ["network", ...decision.options] }
    : { kind: "ask", reason: "needs_network", options: ["network", "once", "deny"] };
}

/** Whether this command probably failed for want of the network before. */
export function hasMissedNetwork(view: SessionView, command: string): boolean {
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message") continue;
    if (entry.calls.some(({ target, facts }) => target === command && facts.sandboxFailure === "network")) return true;
  }
  return false;
}

/** A rule that allows the change does not answer for the permissions of the file. */
export const askForReadOnly = <D extends Decision>(
  decision: D,
  preview: CallPreview | undefined,
): D | Extract<Decision, { kind: "ask" }> =>
  decision.kind === "allow" && preview?.kind === "diff" && preview.readOnly === true
    ? { kind: "ask", reason: "read_only", options: ["once", "deny"] }
    : decision;

/** Whether the user approved a command without undo on this path. */
function wasApproved(view: SessionView): boolean {
  const isApproved = ({ preview, response }: ApprovalView): boolean =>
    preview?.kind === "command" && preview.noUndo === true && response !== undefined && response.option !== "deny";
  for (const entry of pathEntriesBackward(view))
    if (entry.kind === "message" && entry.calls.some(({ approvals }) => approvals.some(isApproved))) return true;
  return false;
}
