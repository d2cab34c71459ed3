/**
 * Finds the lines of a file that are most similar to the old_string of a failed edit and quotes them with their
 * numbers. Pure.
 */
import type { Steps } from "@/lib/async/steps";
import { lineSimilarity, splitWords } from "@/lib/text/word-marks";

/** Maximum quoted lines, and characters of each. */
const maxQuotedLines = 12;
const maxQuotedChars = 200;
/** Maximum lines of the file compared in full; candidates share at least one word. */
const maxComparedLines = 400;
const maxComparedChars = 1_000;
const minLikeness = 0.35;
/** Lines scanned, and lines compared in full, between two yields. */
const linesPerStep = 4_096;
const comparisonsPerStep = 32;

/** Returns the index of the longest line, which is the most distinctive. */
function longestLineIndex(lines: readonly string[]): number {
  let anchor = 0;
  for (const [index, line] of lines.entries())
    if (line.trim().length > (lines[anchor]?.trim().length ?? 0)) anchor = index;
  return anchor;
}

/** Returns the lines that contain most of the words. */
function* findCandidates(
  lines: readonly string[],
  words: readonly string[],
): Steps<readonly { readonly index: number; readonly lower: string }[]> {
  const withCount: { readonly index: number; readonly lower: string }[][] = words.map(() => []);
  for (const [index, line] of lines.entries()) {
    if (index % linesPerStep === linesPerStep - 1) yield;
    const lower = line.slice(0, maxComparedChars).toLowerCase();
    const common = words.filter((word) => lower.includes(word)).length;
    const alike = withCount[words.length - common];
    if (common > 0 && alike !== undefined && alike.length < maxComparedLines) alike.push({ index, lower });
  }
  return withCount.flat().slice(0, maxComparedLines);
}

/**
 * Formats numbered lines like `read`, around the line most similar to the longest line of `wanted`; empty if none is
 * similar.
 */
export function* formatNearestLines(text: string, wanted: string): Steps<string> {
  const lines = text.split("\n");
  const wantedLines = wanted.split("\n");
  const anchor = longestLineIndex(wantedLines);
  const words = splitWords((wantedLines[anchor] ?? "").slice(0, maxComparedChars).toLowerCase());
  const telling = [...new Set(words)]
    .filter((word) => word.trim() !== "")
    .sort((one, other) => other.length - one.length)
    .slice(0, 3);
  yield;
  let best = -1;
  let bestLikeness = minLikeness;
  for (const [place, { index, lower }] of (yield* findCandidates(lines, telling)).entries()) {
    if (place % comparisonsPerStep === comparisonsPerStep - 1) yield;
    const value = lineSimilarity(words, splitWords(lower));
    if (value <= bestLikeness) continue;
    best = index;
    bestLikeness = value;
  }
  if (best < 0) return "";
  const first = Math.max(0, Math.min(best - anchor, lines.length - 1), best - maxQuotedLines + 1);
  const count = Math.min(maxQuotedLines, wantedLines.length + 1);
  return lines
    .slice(first, first + count)
    .map((line, index) => `${first + index + 1}\t${clipQuotedLine(line.replace(/\r$/, ""))}`)
    .join("\n");
}

const clipQuotedLine = (line: string): string =>
  line.length <= maxQuotedChars ? line : `${line.slice(0, maxQuotedChars).replace(/[\uD800-\uDBFF]$/, "")}…`;
