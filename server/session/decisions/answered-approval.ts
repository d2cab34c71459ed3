/** What an answer to an approval adds to the log of its session, the rules and the log of decisions. */
import { type DurableEvent, optionalOrigin } from "@/lib/events/event";
import type { ApprovalId, ClientId } from "@/lib/events/id";
import type { Rule } from "@/lib/permissions/policy";
import { pendingApprovals, type SessionView } from "@/lib/view/view";
import { modeChangesOf } from "../core/accepted-edits";
import { allowRule } from "../core/allow-rule";
import type { SessionServices } from "../core/services";
import type { ApprovalReply } from "../core/session-types";

interface AnsweredApproval {
  readonly events: readonly DurableEvent[];
  /** null = the answer adds none. */
  readonly rule: Rule | null;
  readonly decision: Parameters<SessionServices["recordDecision"]>[0];
}

/** Returns null if nothing waits under this id, or it does not offer the option. */
export function answerApproval(
  view: SessionView,
  { store, now }: Pick<SessionServices, "store" | "now">,
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
    decision: { projectId, sessionId, mode, tool, target, kind, reason: "answer", ...because, ...origin },
  };
}
