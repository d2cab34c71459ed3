/**
 * Finds the lines of a file that are most similar to the old_string of a failed edit and quotes them with their
 * numbers. Pure.
 */
import type { Steps } from "@/lib/steps";
import { likeness, splitWords } from "@/lib/text/word-marks";

/** Maximum quoted lines, and characters of each. */
const quotedLines = 12;
const quotedChars = 200;
/** Maximum lines of the file compared in full; candidates share at least one word. */
const comparedLines = 400;
const comparedChars = 1_000;
const leastLikeness = 0.35;
/** Lines scanned, and lines compared in full, between two yields. */
const sliceLines = 4_096;
const sliceCompared = 32;

/** Returns the index of the longest line, which is the most distinctive. */
function anchorOf(lines: readonly string[]): number {
  let anchor = 0;
  for (const [index, line] of lines.entries())
    if (line.trim().length > (lines[anchor]?.trim().length ?? 0)) anchor = index;
  return anchor;
}

/** Returns the lines that contain most of the words. */
function* candidatesIn(
  lines: readonly string[],
  words: readonly string[],
): Steps<readonly { readonly index: number; readonly lower: string }[]> {
  const withCount: { readonly index: number; readonly lower: string }[][] = words.map(() => []);
  for (const [index, line] of lines.entries()) {
    if (index % sliceLines === sliceLines - 1) yield;
    const lower = line.slice(0, comparedChars).toLowerCase();
    const common = words.filter((word) => lower.includes(word)).length;
    const alike = withCount[words.length - common];
    if (common > 0 && alike !== undefined && alike.length < comparedLines) alike.push({ index, lower });
  }
  return withCount.flat().slice(0, comparedLines);
}

/**
 * Formats numbered lines like `read`, around the line most similar to the longest line of `wanted`; empty if none is
 * similar.
 */
export function* nearestLines(text: string, wanted: string): Steps<string> {
  const lines = text.split("\n");
  const wantedLines = wanted.split("\n");
  const anchor = anchorOf(wantedLines);
  const words = splitWords((wantedLines[anchor] ?? "").slice(0, comparedChars).toLowerCase());
  const telling = [...new Set(words)]
    .filter((word) => word.trim() !== "")
    .sort((one, other) => other.length - one.length)
    .slice(0, 3);
  yield;
  let best = -1;
  let bestLikeness = leastLikeness;
  for (const [place, { index, lower }] of (yield* candidatesIn(lines, telling)).entries()) {
    if (place % sliceCompared === sliceCompared - 1) yield;
    const value = likeness(words, splitWords(lower));
    if (value <= bestLikeness) continue;
    best = index;
    bestLikeness = value;
  }
  if (best < 0) return "";
  const first = Math.max(0, Math.min(best - anchor, lines.length - 1), best - quotedLines + 1);
  const count = Math.min(quotedLines, wantedLines.length + 1);
  return lines
    .slice(first, first + count)
    .map((line, index) => `${first + index + 1}\t${clip(line.replace(/\r$/, ""))}`)
    .join("\n");
}

const clip = (line: string): string =>
  line.length <= quotedChars ? line : `${line.slice(0, quotedChars).replace(/[\uD800-\uDBFF]$/, "")}…`;
