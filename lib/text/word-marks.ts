/** Which words changed between two lines, for the marks of diff.ts. Chinese, Japanese and Korean count character by character. */
import { type Budget, diffSequences, numberTexts, type Region } from "./myers";

/** Start and end in UTF-16 offsets of one line. */
export type Mark = readonly [start: number, end: number];

export interface LineMarks {
  readonly before: readonly Mark[];
  readonly after: readonly Mark[];
}

/** Longer lines are generated code: marks would cost more than they show. UTF-16 length. */
const markedLineChars = 2_000;
/** Share of a line that must be common for marks to say anything. */
const commonShare = 0.4;

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}\p{N}_])+|\s+|[^]/gu;

/** Words, runs of white space and single other characters; joined they are the text. */
export const splitWords = (text: string): readonly string[] => text.match(wordPattern) ?? [];

const isBlank = (text: string): boolean => text.trim() === "";
const visible = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (isBlank(word) ? 0 : word.length), 0);

/** How alike two lines are, 0 to 1: twice the common characters (as a bag of words) by all characters, white space left out. */
export function likeness(before: readonly string[], after: readonly string[]): number {
  const bag = new Map<string, number>();
  for (const word of before) bag.set(word, (bag.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of after) {
    const left = bag.get(word) ?? 0;
    if (left === 0 || isBlank(word)) continue;
    bag.set(word, left - 1);
    common += word.length;
  }
  const all = visible(before) + visible(after);
  return all === 0 ? 1 : (2 * common) / all;
}

/** Swallows an equal stretch that is not longer than the change on either side of it: it is there by chance. */
function cleanUp(
  regions: readonly Region[],
  oldOffsets: readonly number[],
  newOffsets: readonly number[],
): readonly Region[] {
  const length = (offsets: readonly number[], from: number, to: number): number =>
    (offsets[to] ?? 0) - (offsets[from] ?? 0);
  const weight = (region: Region): number =>
    Math.max(length(oldOffsets, region.oldStart, region.oldEnd), length(newOffsets, region.newStart, region.newEnd));
  const kept: Region[] = [];
  for (const region of regions) {
    let merged = region;
    for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
      if (length(oldOffsets, last.oldEnd, merged.oldStart) > Math.min(weight(last), weight(merged))) break;
      kept.pop();
      merged = { oldStart: last.oldStart, oldEnd: merged.oldEnd, newStart: last.newStart, newEnd: merged.newEnd };
    }
    kept.push(merged);
  }
  return kept;
}

function offsetsOf(words: readonly string[]): readonly number[] {
  const offsets = [0];
  let end = 0;
  for (const word of words) offsets.push((end += word.length));
  return offsets;
}

/** The changed words of a line that became another; null when the lines have too little in common for marks to help. */
export function markWords(before: string, after: string, budget: Budget): LineMarks | null {
  if (before.length > markedLineChars || after.length > markedLineChars || budget.steps < 0) return null;
  const oldWords = splitWords(before);
  const newWords = splitWords(after);
  const number = numberTexts();
  const oldOffsets = offsetsOf(oldWords);
  const newOffsets = offsetsOf(newWords);
  const regions = cleanUp(diffSequences(number(oldWords), number(newWords), budget), oldOffsets, newOffsets);
  const changedOld = regions.reduce((sum, region) => sum + visible(oldWords.slice(region.oldStart, region.oldEnd)), 0);
  const changedNew = regions.reduce((sum, region) => sum + visible(newWords.slice(region.newStart, region.newEnd)), 0);
  const all = visible(oldWords) + visible(newWords);
  if (all - changedOld - changedNew < commonShare * all) return null;
  const marks = (offsets: readonly number[], from: "oldStart" | "newStart", to: "oldEnd" | "newEnd"): Mark[] =>
    regions.flatMap((region) =>
      region[to] > region[from] ? [[offsets[region[from]] ?? 0, offsets[region[to]] ?? 0] as const] : [],
    );
  return { before: marks(oldOffsets, "oldStart", "oldEnd"), after: marks(newOffsets, "newStart", "newEnd") };
}
