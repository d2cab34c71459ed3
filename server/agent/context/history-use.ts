/** Learns from a refusal in which form earlier answers go back to a model. Pure. */
import type { HistoryUse } from "@/lib/events/event";
import type { HistoryRefusal } from "@/server/providers/wire/history-refusals";

/** The use after a refusal; null = it was chosen after one already. */
export function historyUseAfter({ reasoning, callIds }: HistoryUse, refusal: HistoryRefusal): HistoryUse | null {
  if (refusal === "call_ids") return callIds === "nine" ? null : { callIds: "nine" };
  if (reasoning === "require" || reasoning === "drop") return null;
  return { reasoning: refusal === "reasoning_missing" ? "require" : "drop" };
}
