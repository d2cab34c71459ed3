/**
 * Tokens of texts that are joined from pieces. A piece that begins with a line break, punctuation or one blank, and does
 * not end in a blank or a capital, adds at most its own tokens: the sum is never below `estimateTokens` of the whole.
 */
import { countScripts } from "@/lib/text/estimate-tokens";
import { cutText } from "./foreign-text";

/** A shorter start of a text says nothing. UTF-16 units. */
const minCutChars = 8;

/** Estimated tokens of a piece, not rounded. */
export const countPieceTokens = (piece: string): number => countScripts(piece).reduce((sum, tokens) => sum + tokens, 0);

/** Returns how many of the pieces fit, in their order. */
export function countFittingPieces(pieces: readonly string[], maxTokens: number): number {
  let left = maxTokens;
  const over = pieces.findIndex((piece) => {
    left -= countPieceTokens(piece);
    return left < 0;
  });
  return over < 0 ? pieces.length : over;
}

/** Returns the start of a text in at most `maxTokens`, with "…" at its end; "" if there is room for a few characters only. */
export function cutToTokens(text: string, maxTokens: number): string {
  let cut = text;
  for (let tokens = countPieceTokens(cut); tokens > maxTokens; tokens = countPieceTokens(cut)) {
    const maxChars = Math.floor((cut.length * maxTokens) / tokens) - 1;
    if (maxChars < minCutChars) return "";
    cut = cutText(cut, maxChars);
  }
  return cut;
}
