/** Learns from a refusal in which form earlier answers go back to a model. */
import type { AgentError } from "@/lib/events/error";
import type { DurableEvent, HistoryUse } from "@/lib/events/event";
import type { HistoryRefusal } from "@/server/providers/wire/history-refusals";
import type { AgentHost } from "../host";

/** The use after a refusal; null = it was chosen after one already. */
export function historyUseAfter({ reasoning, callIds }: HistoryUse, refusal: HistoryRefusal): HistoryUse | null {
  if (refusal === "call_ids") return callIds === "nine" ? null : { callIds: "nine" };
  if (reasoning === "require" || reasoning === "drop") return null;
  return { reasoning: refusal === "reasoning_missing" ? "require" : "drop" };
}

/** Returns the change after an error that is such a refusal; null = it is not, or it decided that before. */
export function changeAfterRefusal(host: Pick<AgentHost, "changeHistoryUse">, error: AgentError): DurableEvent | null {
  const refusal = error.code === "server_error" ? error.facts?.history : undefined;
  return refusal === undefined ? null : host.changeHistoryUse(refusal);
}
