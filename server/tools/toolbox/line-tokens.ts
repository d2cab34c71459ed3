/**
 * Tokens of texts that are joined from pieces. A piece that begins with a line break, punctuation or one blank, and does
 * not end in a blank or a capital, adds at most its own tokens: the sum is never below `estimateTokens` of the whole.
 */
import { countScripts } from "@/lib/text/estimate-tokens";

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
