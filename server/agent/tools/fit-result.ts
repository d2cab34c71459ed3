/** Size of a result for the model: the tool's own limit and the result's share of the window. */
import type { CutPositions } from "@/lib/events/tool-kind";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import type { ResultLimits } from "@/server/tools/core/tool";
import { type RemainderHint, type TruncatedText, truncateText } from "@/server/tools/core/truncate-text";

/** Share of the window for all results of one message. */
const messageResultsShare = 1 / 4;

/**
 * Tokens for one result (invariant I9): an eighth of the window; all `calls` results of a message together get a quarter. In the
 * unit of `window`.
 */
export function resultShareTokens(window: number, calls: number): number {
  const share = Math.min(serverLimits.toolResultShare, messageResultsShare / Math.max(1, calls));
  return Math.max(0, Math.floor(window * share) - serverLimits.messageOverheadTokens);
}

/** Maximum number of further cuts, needed when the remaining text has more tokens per character than the whole. */
const cutAttemptsMax = 12;

interface FitOptions {
  readonly next?: RemainderHint;
  readonly scale?: TokenScale;
  readonly positions?: CutPositions;
}

/**
 * Cuts the text to the tool's limits and `maxTokens` (estimated tokens if there is no scale). `next` and `positions`
 * as in truncate.
 */
export function fitText(
  text: string,
  own: ResultLimits,
  maxTokens: number,
  { next, scale, positions }: FitOptions = {},
): TruncatedText {
  let chars = text.length;
  for (let attempt = 0; attempt < cutAttemptsMax; attempt += 1) {
    const shown = truncateText(text, own, chars, next, positions);
    const tokens = estimateTokens(shown.text, scale);
    if (tokens <= maxTokens) return shown;
    chars = Math.floor((Math.min(chars, shown.text.length) * maxTokens * 0.98) / tokens);
  }
  return truncateText(text, own, 0, next, positions);
}
