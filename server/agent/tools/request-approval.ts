/**
 * Approval of a call by the user: two events around a wait. The first answer ends the wait, from any tab and also
 * after a restart; so does the signal.
 */
import type { DurableEvent } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import type { ApprovalView } from "@/lib/view/view";
import { iterateBackward } from "@/lib/view/chunks";
import type { AgentHost } from "../host";

type ApprovalRequest = Pick<ApprovalView, "boundTo" | "options" | "rule" | "preview" | "gate">;

/**
 * Returns the user's response. `standing` is a logged request that still shows what would be executed; null commits
 * start and request in one transaction.
 */
export async function requestApproval(
  host: AgentHost,
  callId: CallId,
  standing: ApprovalView | null,
  request: ApprovalRequest,
  start: DurableEvent | null,
  signal: AbortSignal,
): Promise<NonNullable<ApprovalView["response"]>> {
  if (standing?.response !== undefined) return standing.response;
  const approvalId = standing?.approvalId ?? host.ids.approval();
  if (standing === null)
    host.commit([...(start === null ? [] : [start]), { type: "approval_request", approvalId, callId, ...request }]);
  // A log listener may have answered before the commit returned.
  if (findResponse(host, callId, approvalId) === undefined) await host.waitForResponse(approvalId, signal);
  const response = findResponse(host, callId, approvalId);
  if (response === undefined) throw new Error(`approval ${approvalId} was answered without a response in the log`);
  return response;
}

function findResponse(
  host: AgentHost,
  callId: CallId,
  approvalId: ApprovalView["approvalId"],
): ApprovalView["response"] {
  for (const entry of iterateBackward(host.view().entries)) {
    if (entry.kind !== "message") continue;
    const call = entry.calls.find((one) => one.callId === callId);
    if (call !== undefined) return call.approvals.find((one) => one.approvalId === approvalId)?.response;
  }
  return undefined;
}
