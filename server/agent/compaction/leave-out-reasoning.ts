/**
 * The first step of a compaction: leaves the reasoning of all earlier answers out of the context, and nothing else. Other messages
 * stay whole, so that nothing has to be summarized.
 */
import type { CompactionCause, DurableEvent } from "@/lib/events/event";
import type { ModelMessage } from "@/server/providers/provider";
import { cachedHeadInForce, contextEntries, entryMessages, headMessage } from "../context/compile";
import { compactionShares, contextBudget } from "../context/context-budget";
import type { PreparedRequest } from "../context/build-request";
import { measurePrompt, promptTokens, renderForMode, requireRunModel } from "../context/prompt-size";
import type { AgentHost } from "../host";

const withoutReasoning = { before: Number.POSITIVE_INFINITY, tokens: null };

/**
 * Returns the events of this step; null = what is left out would not be enough. `prepared` = the request as it is, `minGain` in
 * tokens.
 */
export function leaveOutReasoning(
  host: AgentHost,
  cause: CompactionCause,
  prepared: PreparedRequest,
  minGain: number,
): readonly DurableEvent[] | null {
  const view = host.view();
  const { entries, from, cut } = contextEntries(view);
  // Results that an earlier compaction cut would be cut together with later ones.
  if (cut !== null && cut.tokens !== null) return null;
  if (!prepared.request.messages.some((message) => message.role === "assistant" && message.reasoning !== undefined))
    return null;
  const inForce = cachedHeadInForce(view);
  const head = inForce?.head ?? [];
  const rendered = renderForMode(
    requireRunModel(host),
    entries.flatMap((entry) => entryMessages(entry, host, withoutReasoning)),
  );
  const system: ModelMessage = { role: "system", text: host.prompt().system };
  const messages = [system, ...(head.length === 0 ? [] : [headMessage(head)]), ...rendered];
  const budget = contextBudget(host.modelFacts());
  const tokensAfter = promptTokens(measurePrompt(host, messages, null), budget.scale);
  const { cutMax } = compactionShares(host.settings().compactionPercent);
  if (tokensAfter > Math.min(budget.promptMax, budget.tokens * cutMax, prepared.tokens - minGain)) return null;
  const keepAlso = entries.flatMap(({ seq }) => (seq < from ? [seq] : []));
  return [
    { type: "compaction_start", tokensBefore: prepared.tokens, why: cause },
    {
      type: "compaction_end",
      head,
      summary: inForce?.summary ?? "",
      keepFromSeq: from,
      tokensAfter,
      ...(keepAlso.length === 0 ? {} : { keepAlso }),
      ...(inForce?.kind === "compaction" && inForce.mechanical === true ? { mechanical: true } : {}),
      reasoningOnly: true,
    },
  ];
}
