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
export async function isWithoutUndo(host: Pick<AgentHost, "canUndo">, { parts = [] }: CallJudgement): Promise<boolean> {
  const isDestructive = parts.some(({ effects = [] }) => effects.some((effect) => destructiveEffects.has(effect)));
  return isDestructive && !(await host.canUndo());
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

/** Whether the user allowed the network to the sandboxed commands of this session; a fork does not inherit the answer. */
export const isNetworkAllowed = (view: SessionView): boolean =>
  wasAnswered(
    view,
    ({ response }) => response?.option === "network",
    view.parent?.relation === "fork" ? view.parent.atSeq : 0,
  );

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

const wasApproved = (view: SessionView): boolean =>
  wasAnswered(
    view,
    ({ preview, response }) =>
      preview?.kind === "command" && preview.noUndo === true && response !== undefined && response.option !== "deny",
  );

/** Whether an approval of the path, in a message with a seq above `after`, matches. */
function wasAnswered(view: SessionView, matches: (approval: ApprovalView) => boolean, after = 0): boolean {
  for (const entry of pathEntriesBackward(view)) {
    if (entry.seq <= after) return false;
    if (entry.kind === "message" && entry.calls.some(({ approvals }) => approvals.some(matches))) return true;
  }
  return false;
}
