/** Determines what an answer to an approval adds to the log of its session, the rules and the log of decisions. */
import { type DurableEvent, optionalOrigin } from "@/lib/events/event";
import type { ApprovalId, ClientId, ProjectId, RuleId } from "@/lib/events/id";
import type { Rule, ProposedRule, RulePattern } from "@/lib/permissions/policy";
import { pendingApprovals, type SessionView } from "@/lib/view/view";
import { modeChangesOf } from "../core/accepted-edits";
import type { SessionServices } from "../core/services";
import type { ApprovalReply } from "../core/session-types";
import { randomId } from "@/server/base/id";
import type { NewDecision } from "@/server/store/access/decisions";

/**
 * The rule that "always allow" adds. Returns a rule that allows the proposed pattern in the project; null without a
 * proposal. `edited` = the words of a command as the user changed them; ignored if a host or a tool is proposed.
 * `createdAt` in ms epoch.
 */
function allowRule(
  proposed: ProposedRule | undefined,
  edited: RulePattern | undefined,
  projectId: ProjectId,
  createdAt: number,
): Rule | null {
  const pattern = proposed === undefined || proposed.tool === "bash" ? (edited ?? proposed) : proposed;
  if (pattern === undefined) return null;
  return { id: randomId<RuleId>("rule"), projectId, effect: "allow", createdAt, ...pattern };
}

interface AnsweredApproval {
  readonly events: readonly DurableEvent[];
  /** null = the answer adds none. */
  readonly rule: Rule | null;
  readonly decision: NewDecision;
}

/** Returns null if nothing waits under this id, or it does not offer the option. */
export function answerApproval(
  view: SessionView,
  { store, now }: SessionServices,
  approvalId: ApprovalId,
  answer: ApprovalReply,
  by: ClientId,
): AnsweredApproval | null {
  const pending = pendingApprovals(view).find(({ approval }) => approval.approvalId === approvalId);
  const { option } = answer;
  if (pending === undefined || !pending.approval.options.includes(option)) return null;
  const { projectId, sessionId, mode } = view;
  const { name: tool, target } = pending.call;
  const rule = option === "always" ? allowRule(pending.approval.rule, answer.rule, projectId, now()) : null;
  const reason = answer.reason?.trim();
  const origin = optionalOrigin(answer.origin);
  const response = { approvalId, option, by, ...origin, ...(reason ? { reason } : {}), rule: rule ?? undefined };
  const kind = option === "deny" ? "refuse" : "allow";
  const because = { ...(rule === null ? {} : { rule: rule.id }), ...(reason ? { detail: reason } : {}) };
  return {
    events: [{ type: "approval_response", ...response }, ...modeChangesOf(option, view, store.sessions)],
    rule,
    decision: { projectId, sessionId, mode, tool, target, kind, reason: "answer", ...because, ...origin, at: now() },
  };
}
