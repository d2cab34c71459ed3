/** Ensures that the next request fits the window: compacts before it grows too large and reports when nothing helps. */
import type { AgentError } from "@/lib/error";
import type { CompactionCause } from "@/lib/event";
import { finishCompaction, planCompaction, startOf } from "./compact";
import { contextEntries, entryMessages } from "./context/compile";
import type { AgentHost } from "./host";
import { countTokens, modelOf, toldTo, toolTokens } from "./prompt-size";
import { type Prepared, requestOf } from "./request";
import { compactAt, type Room, roomOf } from "./window";

export type RoomEnd =
  | { readonly kind: "room"; readonly prepared: Prepared }
  | { readonly kind: "full"; readonly error: AgentError }
  | { readonly kind: "aborted" };

/** Minimum gain of a compaction, as a share of the window, if the request would fit without it. */
const gainShare = 0.03;

export interface RoomOrder {
  readonly why: CompactionCause;
  /** Compacts also below the threshold. */
  readonly always: boolean;
}

export async function makeRoom(host: AgentHost, { why, always }: RoomOrder, signal: AbortSignal): Promise<RoomEnd> {
  if (signal.aborted) return { kind: "aborted" };
  const budget = roomOf(host.modelFacts());
  const prepared = requestOf(host);
  const isSafe = prepared.most <= budget.tokens;
  if (!always && isSafe && prepared.tokens < compactAt(host.view(), budget, host.settings().compactionPercent))
    return { kind: "room", prepared };
  const fits = prepared.tokens <= budget.most;
  const alone = aloneTokens(host, budget);
  if (!fits && alone > budget.most) return { kind: "full", error: tooLarge("message_too_large", alone, host) };
  const plan = planCompaction(host);
  const helps = plan !== null && (!fits || plan.after <= prepared.tokens - budget.tokens * gainShare);
  if (!helps) {
    if (fits) return { kind: "room", prepared };
    const code = alone > budget.tokens / 2 ? "message_too_large" : "window_full";
    return { kind: "full", error: tooLarge(code, code === "window_full" ? prepared.tokens : alone, host) };
  }
  host.commit([startOf(host, { why })]);
  if ((await finishCompaction(host, { why }, signal)) === "aborted") return { kind: "aborted" };
  const after = requestOf(host);
  // The request for the summary may have updated the learned token counts.
  const now = roomOf(host.modelFacts());
  return after.tokens <= now.most
    ? { kind: "room", prepared: after }
    : { kind: "full", error: tooLarge("window_full", after.tokens, host) };
}

const tooLarge = (code: "message_too_large" | "window_full", tokens: number, host: AgentHost): AgentError => {
  const { window, asked } = host.modelFacts();
  return {
    code,
    facts: {
      tokens,
      window: Math.floor(window),
      ...(asked === undefined ? {} : { asked: Math.floor(asked) }),
    },
  };
};

/** Tokens of a request with only the newest user message. */
function aloneTokens(host: AgentHost, { scale }: Room): number {
  const { entries, cut } = contextEntries(host.view());
  const newest = entries.findLast((entry) => entry.role === "user");
  const rendered = newest === undefined ? [] : toldTo(modelOf(host), entryMessages(newest, host, cut));
  return toolTokens(host, scale) + countTokens([{ role: "system", text: host.prompt().system }, ...rendered], scale);
}
