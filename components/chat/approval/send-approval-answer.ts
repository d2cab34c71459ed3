/** Sends the user's answer to an approval of a session. */
import type { ApprovalId, SessionId } from "@/lib/events/id";
import type { AppClient } from "../../state/client";
import type { ApprovalAnswer } from "../actions";

/** Resolves with the server's answer: `won` is false where another answer was recorded first. */
export function sendApprovalAnswer(
  { call }: Pick<AppClient, "call">,
  sessionId: SessionId,
  approvalId: ApprovalId,
  { option, reason, rule }: ApprovalAnswer,
) {
  return call("session.answer", {
    sessionId,
    approvalId,
    option,
    ...(reason === undefined ? {} : { reason }),
    ...(rule === undefined ? {} : { rule: { ...rule, words: [...rule.words] } }),
  });
}
