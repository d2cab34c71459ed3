/** Comments of the user on lines under review, and the message that they become. Pure. */
import type { Hunk, HunkLine } from "../text/diff";
import { estimateTokens } from "../text/estimate-tokens";
import { formatFileName } from "../text/format-file-name";
import { reviewWindowShare } from "./review-share";

export interface ReviewComment {
  readonly id: string;
  readonly path: string;
  /** Line of the file that the comment was written at, from 1. */
  readonly line: number;
  /** The first lines that it is about, as shown, with their sign. */
  readonly quote: readonly string[];
  readonly text: string;
}

const quotedLines = 3;
const quotedChars = 200;

const signs = { add: "+", remove: "-", same: " " } as const;

/** Returns the lines by which a comment finds its place again. */
export const quoteLines = (lines: readonly HunkLine[]): readonly string[] =>
  lines.slice(0, quotedLines).map(({ kind, text }) => `${signs[kind]}${text.slice(0, quotedChars)}`);

/** Returns the line of the file at which a line of a hunk is, or was, from 1. */
export function findFileLine({ lines, newStart }: Hunk, line: HunkLine | undefined): number {
  const before = line === undefined ? [] : lines.slice(0, lines.indexOf(line));
  const above = before.findLast(({ newLine }) => newLine !== undefined)?.newLine;
  return line?.newLine ?? (above === undefined ? Math.max(newStart, 1) : above + 1);
}

/** Whether a comment is about lines of this hunk, wherever they are now. */
export function isAnchored({ quote }: ReviewComment, lines: readonly HunkLine[]): boolean {
  const shown = new Set(lines.map(({ kind, text }) => `${signs[kind]}${text.slice(0, quotedChars)}`));
  return quote.length > 0 && quote.every((line) => shown.has(line));
}

/**
 * Returns one message with all comments, each below its place and the lines it is about. Beyond a share of the window of
 * `windowTokens` (0 = unknown) a comment has only its place.
 */
export function formatReviewComments(comments: readonly ReviewComment[], windowTokens: number): string {
  let left = windowTokens > 0 ? Math.floor(windowTokens * reviewWindowShare) : Number.POSITIVE_INFINITY;
  const parts = comments.map(({ path, line, quote, text }) => {
    const place = `${formatFileName(path)}:${line}`;
    const quoted = quote.map((one) => `> ${one}`).join("\n");
    left -= estimateTokens(quoted);
    return left < 0 || quoted === "" ? `${place}\n${text}` : `${place}\n${quoted}\n\n${text}`;
  });
  return parts.join("\n\n");
}
