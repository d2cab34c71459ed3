/** Ensures that the next request fits the window: compacts before it grows too large and reports when nothing helps. */
import { leaveOutReasoning } from "../compaction/leave-out-reasoning";
import type { AgentError } from "@/lib/events/error";
import type { CompactionCause } from "@/lib/events/event";
import { finishCompaction, planCompaction, compactionStart } from "../compaction/compaction";
import { contextEntries, entryMessages } from "./compile";
import type { AgentHost } from "../host";
import { countTokens, requireRunModel, renderForMode, countToolTokens } from "./prompt-size";
import { type PreparedRequest, buildRequest, withCount } from "./build-request";
import { compactionThreshold, type ContextBudget, contextBudget } from "./context-budget";

type ContextFitResult =
  | { readonly kind: "room"; readonly prepared: PreparedRequest }
  | { readonly kind: "full"; readonly error: AgentError }
  | { readonly kind: "aborted" };

/** Minimum gain of a compaction, as a share of the window, if the request would fit without it. */
const minGainShare = 0.03;

export interface ContextFitOptions {
  readonly why: CompactionCause;
  /** Compacts also below the threshold. */
  readonly force: boolean;
}

export async function ensureContextFits(
  host: AgentHost,
  { why, force }: ContextFitOptions,
  signal: AbortSignal,
): Promise<ContextFitResult> {
  if (signal.aborted) return { kind: "aborted" };
  const estimated = buildRequest(host);
  if (!force && hasRoom(host, estimated)) return { kind: "room", prepared: estimated };
  // It may not fit: the server's own count decides, where it has one.
  const counted = await host.countPrompt(estimated, true, signal);
  if (signal.aborted) return { kind: "aborted" };
  const prepared = counted === null ? estimated : withCount(host, estimated, counted);
  if (!force && counted !== null && hasRoom(host, prepared)) return { kind: "room", prepared };
  const budget = contextBudget(host.modelFacts());
  const fits = prepared.tokens <= budget.promptMax;
  const minimal = minimalRequestTokens(host, budget);
  const alone = counted === null ? minimal : Math.min(minimal, counted);
  if (!fits && alone > budget.promptMax)
    return { kind: "full", error: contextTooLargeError("message_too_large", alone, host) };
  const minGain = budget.tokens * minGainShare;
  const events = leaveOutReasoning(host, why, prepared, minGain);
  if (events !== null) {
    host.commit(events);
    return { kind: "room", prepared: buildRequest(host) };
  }
  const plan = planCompaction(host);
  const helps = plan !== null && (!fits || plan.after <= prepared.tokens - minGain);
  if (!helps) {
    if (fits) return { kind: "room", prepared };
    const code = alone > budget.tokens / 2 ? "message_too_large" : "window_full";
    return { kind: "full", error: contextTooLargeError(code, code === "window_full" ? prepared.tokens : alone, host) };
  }
  host.commit([compactionStart(host, { why })]);
  if ((await finishCompaction(host, { why }, signal)) === "aborted") return { kind: "aborted" };
  const after = buildRequest(host);
  // The request for the summary may have updated the learned token counts.
  const now = contextBudget(host.modelFacts());
  return after.tokens <= now.promptMax
    ? { kind: "room", prepared: after }
    : { kind: "full", error: contextTooLargeError("window_full", after.tokens, host) };
}

/** The request surely fits, and a compaction is not due. */
function hasRoom(host: AgentHost, { tokens, maxTokens }: PreparedRequest): boolean {
  const budget = contextBudget(host.modelFacts());
  const { compactionPercent } = host.settings();
  return maxTokens <= budget.tokens && tokens < compactionThreshold(host.view(), budget, compactionPercent);
}

const contextTooLargeError = (
  code: "message_too_large" | "window_full",
  tokens: number,
  host: AgentHost,
): AgentError => {
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
function minimalRequestTokens(host: AgentHost, { scale }: ContextBudget): number {
  const { entries, cut } = contextEntries(host.view());
  const newest = entries.findLast((entry) => entry.role === "user");
  const rendered = newest === undefined ? [] : renderForMode(requireRunModel(host), entryMessages(newest, host, cut));
  return (
    countToolTokens(host, scale) + countTokens([{ role: "system", text: host.prompt().system }, ...rendered], scale)
  );
}
