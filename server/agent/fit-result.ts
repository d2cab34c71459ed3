/**
 * Size of a result for the model: the tool's own limit and the result's share of the window (design 2.4, "Limits fit
 * the window").
 */
import { limits } from "@/lib/settings";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import type { Limits } from "../tools/tool";
import { type NextStep, type Truncated, truncate } from "../tools/truncate";

/**
 * Tokens for one result: an eighth of the window; all `calls` results of a message together get a quarter. In the
 * unit of `window`.
 */
export function resultTokens(window: number, calls: number): number {
  const share = Math.min(limits.toolResultShare, limits.messageResultsShare / Math.max(1, calls));
  return Math.max(0, Math.floor(window * share) - limits.messageOverheadTokens);
}

/** Maximum number of further cuts, needed when the remaining text has more tokens per character than the whole. */
const tries = 12;

/**
 * Cuts the text to the tool's limits and `maxTokens` (estimated tokens if there is no scale). `next` as in truncate.
 */
export function fitText(text: string, own: Limits, maxTokens: number, next?: NextStep, scale?: TokenScale): Truncated {
  let chars = text.length;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const shown = truncate(text, own, chars, next);
    const tokens = estimateTokens(shown.text, scale);
    if (tokens <= maxTokens) return shown;
    chars = Math.floor((Math.min(chars, shown.text.length) * maxTokens * 0.98) / tokens);
  }
  return truncate(text, own, 0, next);
}
