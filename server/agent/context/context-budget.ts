/**
 * The window in force in tokens of the server, from which every limit is derived; the compaction threshold; detection
 * of a truncated prompt. Pure.
 */
import type { Usage } from "@/lib/events/content";
import { type AgentError, anyFacts } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import { uniformScale, type TokenScale } from "@/lib/text/estimate-tokens";
import { isRunOf } from "@/lib/view/newest-run";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { at, iterateBackward, indexOfSeq } from "@/lib/view/chunks";
import { cachedHeadInForce } from "./compile";
import type { ModelFacts } from "@/lib/models/model-facts";
import type { PromptSize } from "./prompt-size";

/** Share of the window for the project snapshot. */
export const snapshotShare = 1 / 8;
/** The same for windows up to `smallWindowTokens`. */
const snapshotSmallShare = 1 / 16;
/** Growth before the next compaction if the required messages exceed its threshold; share of the window. */
const compactionStepShare = 0.1;
/** A server that counts less than this share of the estimate has truncated the prompt. */
const promptCutShare = 0.6;
/** Smaller differences are ignored, tokens. */
export const promptCutMinTokens = 512;

export interface ContextBudget {
  /** The window in tokens of the server. */
  readonly tokens: number;
  /** Maximum tokens of a prompt: an answer needs some of the window too. */
  readonly promptMax: number;
  /** The window in estimated tokens, for text that is measured without a scale. */
  readonly estimatedWindow: number;
  /** From the estimate to the server's count: the likely scale and one that is rarely exceeded. */
  readonly scale: TokenScale;
  readonly cautious: TokenScale;
}

export function contextBudget({ window, tokenRatio, scale }: ModelFacts): ContextBudget {
  const ratio = validRatio(tokenRatio);
  const tokens = Math.floor(window);
  return {
    tokens,
    promptMax: Math.max(0, tokens - limits.windowReserveTokens),
    estimatedWindow: Math.floor(window / ratio),
    scale: scale?.likely ?? uniformScale(ratio),
    cautious: scale?.cautious ?? uniformScale(ratio),
  };
}

const validRatio = (tokenRatio: number): number => (Number.isFinite(tokenRatio) && tokenRatio > 0 ? tokenRatio : 1);

/** Maximum size of the project snapshot, in the unit of `tokens`. */
export function snapshotMaxTokens({ tokens }: Pick<ContextBudget, "tokens">): number {
  const share = tokens <= serverLimits.smallWindowTokens ? snapshotSmallShare : snapshotShare;
  return Math.floor(tokens * share);
}

/** Shares of the window for a compaction, all derived from `begin`. */
export interface CompactionShares {
  readonly begin: number;
  /** The result should have at most `aim` if enough messages can be dropped, `cutMax` if results must be cut. */
  readonly aim: number;
  readonly cutMax: number;
  /** If the required messages exceed this, the next compaction waits for another `compactionStepShare`. */
  readonly retainedMax: number;
}

/** `percent` of the window at which a compaction begins, 30 to 85. At 60 it leaves 40 %, at most 47.5 %. */
export function compactionShares(percent: number): CompactionShares {
  return {
    begin: percent / 100,
    aim: percent / 150,
    cutMax: (percent * 19) / 2_400,
    retainedMax: (percent * 14) / 1_500,
  };
}

/**
 * Tokens (of the server) at which the conversation is compacted. Required messages may exceed `retainedMax` (a very long
 * message): then the threshold rises, or every step would compact again without gain.
 */
export function compactionThreshold(view: SessionView, budget: ContextBudget, percent: number): number {
  const { begin, retainedMax } = compactionShares(percent);
  const share = budget.tokens * begin;
  const left = tokensAfterCompaction(view);
  if (left <= budget.tokens * retainedMax) return Math.min(share, budget.promptMax);
  return Math.min(budget.promptMax, Math.max(share, left + budget.tokens * compactionStepShare));
}

/** Tokens left by the newest compaction in force; 0 = none. */
function tokensAfterCompaction(view: SessionView): number {
  const head = cachedHeadInForce(view);
  const entry = head?.kind === "compaction_update" ? at(view.entries, indexOfSeq(view.entries, head.of)) : head;
  return entry?.kind === "compaction" ? (entry.tokensAfter ?? 0) : 0;
}

/** Maximum learned ratio that is trusted for detecting a truncated prompt: it may stem from other kinds of text. */
const trustedRatioMax = 1.4;
/** The previous count of the same run is more reliable, since its prompt is a prefix of this one. */
const minGrowthShare = 0.8;

/**
 * Detects that the server read far less than was sent; null = no sign of it. `before` = usage of the previous answer
 * in the same conversation. Servers that do not report counts give 0. `imageTokens` = estimated part of the images,
 * which is left out: they may have far fewer tokens. `omissible` = reasoning that is not in the estimate.
 */
export function detectTruncatedPrompt(
  usage: Usage,
  facts: ModelFacts,
  before: Usage | null,
  { imageTokens, omissible }: Pick<PromptSize, "imageTokens" | "omissible">,
): AgentError | null {
  const read = usage.promptTokens;
  if (read <= 0) return null;
  const estimate = usage.estimatedPromptTokens - imageTokens;
  const ratio = validRatio(facts.tokenRatio);
  const own = before !== null && before.promptTokens > 0 && before.estimatedPromptTokens > 0;
  const counted = own ? countedAtLeast(before, estimate, imageTokens > 0, omissible) : 0;
  const least = Math.max(
    estimate * Math.min(trustedRatioMax, Math.max(1, ratio)) * promptCutShare,
    counted * minGrowthShare,
  );
  const isCut = read < least && Math.max(estimate, counted) - read >= promptCutMinTokens;
  if (!isCut && !hasStoppedGrowing(usage, before, imageTokens)) return null;
  const sent = Math.max(read, Math.round(own ? counted : estimate * ratio));
  return { code: "prompt_cut", facts: { sent, read, window: Math.floor(facts.asked ?? facts.window) } };
}

/** Share of a growing prompt's estimated growth that shows in any server's count. */
const growthShownShare = 0.05;

/** A server that fills its window with the end of each prompt counts the same again. */
function hasStoppedGrowing(now: Usage, before: Usage | null, imageTokens: number): boolean {
  if (before === null || before.promptTokens <= 0 || imageTokens > 0) return false;
  const grown = now.estimatedPromptTokens - before.estimatedPromptTokens;
  return grown >= promptCutMinTokens && now.promptTokens - before.promptTokens < grown * growthShownShare;
}

/** Tokens that a prompt of this size has if it begins with the one before. */
function countedAtLeast(before: Usage, estimate: number, hasImages: boolean, omissible: number): number {
  // The earlier count may contain images, so that it has no ratio for text.
  if (hasImages) return Math.max(0, before.promptTokens - omissible * trustedRatioMax);
  return (estimate * before.promptTokens) / before.estimatedPromptTokens;
}

/** Usage of the answer before the newest one, in runs of the same model; null = none, or a compaction is between them. */
export function findPreviousUsage(view: SessionView): Usage | null {
  let newest = true;
  let found: Usage | null = null;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "compaction") return null;
    if (entry.kind === "run_start") {
      if (view.model === null || !isRunOf(entry, view.model)) return null;
      if (found !== null) return found;
    }
    if (found !== null || entry.kind !== "message" || entry.usage === undefined) continue;
    if (!newest) found = entry.usage;
    newest = false;
  }
  return null;
}

/** Whether the same error was already reported for this model and window. */
export function alreadyReported(view: SessionView, error: AgentError): boolean {
  for (const entry of iterateBackward(view.entries)) {
    if (entry.kind !== "error" || entry.error.code !== error.code) continue;
    const [before, now] = [anyFacts(entry.error), anyFacts(error)];
    return before.window === now.window && before.model === now.model;
  }
  return false;
}

/** The sizes that the server reported with a refused prompt. */
export function reportedSizes({ facts = {} }: AgentError<"window_full">): {
  readonly tokens?: number;
  readonly window?: number;
} {
  const { tokens, window } = facts;
  return { ...(tokens ? { tokens } : {}), ...(window ? { window } : {}) };
}
