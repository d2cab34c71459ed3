/** Asking the user: two events around a wait. The wait ends by the first answer, from any tab and after any restart, or by the signal. */
import type { DurableEvent } from "@/lib/event";
import type { CallId } from "@/lib/id";
import type { ApprovalView } from "@/lib/view";
import { eachBack } from "@/lib/chunks";
import type { AgentHost } from "./host";

type Request = Pick<ApprovalView, "boundTo" | "options" | "rule" | "preview">;

/** `standing` is the request that is in the log already and still shows what would be done. Start and request are one commit. */
export async function askUser(
  host: AgentHost,
  callId: CallId,
  standing: ApprovalView | null,
  request: Request,
  start: DurableEvent | null,
  signal: AbortSignal,
): Promise<NonNullable<ApprovalView["response"]>> {
  if (standing?.response !== undefined) return standing.response;
  const approvalId = standing?.approvalId ?? host.ids.approval();
  if (standing === null)
    host.commit([...(start === null ? [] : [start]), { type: "approval_request", approvalId, callId, ...request }]);
  // Whoever listens to the log may have answered before the commit returned.
  if (responseIn(host, callId, approvalId) === undefined) await host.answerTo(approvalId, signal);
  const response = responseIn(host, callId, approvalId);
  if (response === undefined) throw new Error(`approval ${approvalId} was answered without a response in the log`);
  return response;
}

function responseIn(host: AgentHost, callId: CallId, approvalId: ApprovalView["approvalId"]): ApprovalView["response"] {
  for (const entry of eachBack(host.view().entries)) {
    if (entry.kind !== "message") continue;
    const call = entry.calls.find((one) => one.callId === callId);
    if (call !== undefined) return call.approvals.find((one) => one.approvalId === approvalId)?.response;
  }
  return undefined;
}
