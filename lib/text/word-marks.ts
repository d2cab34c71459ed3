/** Marks of the words that changed between two lines. Chinese, Japanese and Korean are compared by character. */
import { type StepBudget, diffTexts, type DiffRegion } from "./myers";

/** Start and end, as UTF-16 offsets in a line. */
type WordMark = readonly [start: number, end: number];

interface LineMarks {
  readonly before: readonly WordMark[];
  readonly after: readonly WordMark[];
}

/** Longer lines, usually generated code, get no marks. UTF-16 units. */
const maxMarkedLineChars = 2_000;
/** Minimum common share of two lines for marks. */
const minCommonShare = 0.4;

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}\p{N}_])+|\s+|[^]/gu;

/** Splits into words, runs of white space and single other characters; joined they give the text. */
export const splitWords = (text: string): readonly string[] => text.match(wordPattern) ?? [];

const isBlank = (text: string): boolean => text.trim() === "";
const countVisibleChars = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (isBlank(word) ? 0 : word.length), 0);

/**
 * Similarity of two lines, 0 to 1: twice the characters of common words (as multisets) divided by all characters,
 * without white space.
 */
export function lineSimilarity(before: readonly string[], after: readonly string[]): number {
  const bag = new Map<string, number>();
  for (const word of before) bag.set(word, (bag.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of after) {
    const left = bag.get(word) ?? 0;
    if (left === 0 || isBlank(word)) continue;
    bag.set(word, left - 1);
    common += word.length;
  }
  const all = countVisibleChars(before) + countVisibleChars(after);
  return all === 0 ? 1 : (2 * common) / all;
}

/**
 * Merges changes separated by an equal stretch that is not longer than either change, since such a match is
 * coincidental.
 */
function mergeCoincidentalMatches(
  regions: readonly DiffRegion[],
  oldOffsets: readonly number[],
  newOffsets: readonly number[],
): readonly DiffRegion[] {
  const length = (offsets: readonly number[], from: number, to: number): number =>
    (offsets[to] ?? 0) - (offsets[from] ?? 0);
  const weight = (region: DiffRegion): number =>
    Math.max(length(oldOffsets, region.oldStart, region.oldEnd), length(newOffsets, region.newStart, region.newEnd));
  const accepted: DiffRegion[] = [];
  for (const region of regions) {
    let merged = region;
    for (let last = accepted.at(-1); last !== undefined; last = accepted.at(-1)) {
      if (length(oldOffsets, last.oldEnd, merged.oldStart) > Math.min(weight(last), weight(merged))) break;
      accepted.pop();
      merged = { oldStart: last.oldStart, oldEnd: merged.oldEnd, newStart: last.newStart, newEnd: merged.newEnd };
    }
    accepted.push(merged);
  }
  return accepted;
}

function wordOffsets(words: readonly string[]): readonly number[] {
  const offsets = [0];
  let end = 0;
  for (const word of words) offsets.push((end += word.length));
  return offsets;
}

/**
 * Returns the changed words of two lines; null if the lines are too dissimilar or too long, or the budget is used up.
 */
export function diffWords(before: string, after: string, budget: StepBudget): LineMarks | null {
  if (before.length > maxMarkedLineChars || after.length > maxMarkedLineChars || budget.steps < 0) return null;
  const oldWords = splitWords(before);
  const newWords = splitWords(after);
  const oldOffsets = wordOffsets(oldWords);
  const newOffsets = wordOffsets(newWords);
  const regions = mergeCoincidentalMatches(diffTexts(oldWords, newWords, budget), oldOffsets, newOffsets);
  const changedOld = regions.reduce(
    (sum, region) => sum + countVisibleChars(oldWords.slice(region.oldStart, region.oldEnd)),
    0,
  );
  const changedNew = regions.reduce(
    (sum, region) => sum + countVisibleChars(newWords.slice(region.newStart, region.newEnd)),
    0,
  );
  const all = countVisibleChars(oldWords) + countVisibleChars(newWords);
  if (all - changedOld - changedNew < minCommonShare * all) return null;
  const marks = (offsets: readonly number[], from: "oldStart" | "newStart", to: "oldEnd" | "newEnd"): WordMark[] =>
    regions.flatMap((region) =>
      region[to] > region[from] ? [[offsets[region[from]] ?? 0, offsets[region[to]] ?? 0] as const] : [],
    );
  return { before: marks(oldOffsets, "oldStart", "oldEnd"), after: marks(newOffsets, "newStart", "newEnd") };
}
