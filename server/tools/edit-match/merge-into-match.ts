/**
 * Merges a new string into the actual text of a loose match, so that differences the match ignored stay unchanged.
 * Pure.
 */
import { diffTexts } from "@/lib/text/myers";
import { splitWords } from "@/lib/text/word-marks";
import { type MatchLooseness, normalizeText } from "./normalized-text";

/** Maximum diff steps between an old and a new string; beyond that the new words are used as the model wrote them. */
const maxDiffSteps = 2_000_000;

/** Returns the text with `eol` as its line ends. */
export const convertLineEnds = (text: string, eol: string): string =>
  text.replaceAll("\r\n", "\n").replaceAll("\n", eol);

/** Splits text into words, with every line break as a word of its own. */
const splitDiffWords = (text: string): readonly string[] =>
  splitWords(text).flatMap((word) => (word.includes("\n") ? word.split(/(?<=\n)|(?=\r?\n)/) : [word]));

/**
 * Diff keys of words. White space at a line end gets a key different from white space between words, which no step
 * ignores.
 */
const toDiffKeys = (words: readonly string[]): readonly string[] =>
  words.map((word, index) =>
    /^[ \t]+$/.test(word) && /^(?:\r?\n|$)/.test(words[index + 1] ?? "") ? `${word}\n` : word,
  );

/** Returns a function that cuts the range of the file corresponding to a range of the old string. */
function makeSlicer(actual: string, oldText: string, loose: MatchLooseness): (from: number, to: number) => string {
  const normalActual = normalizeText(actual, loose);
  const normalOld = normalizeText(oldText, loose);
  // Returns the normalized offset of the first unit at or after an offset of the old text.
  const toNormal = (offset: number): number => {
    let low = 0;
    let high = normalOld.text.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((normalOld.offsets[half] ?? 0) < offset) low = half + 1;
      else high = half;
    }
    return low;
  };
  return (from, to) => {
    const first = toNormal(from);
    const last = toNormal(to) - 1;
    if (last < first) return "";
    const start = normalActual.offsets[first] ?? 0;
    const end = normalActual.ends[last] ?? 0;
    return actual.slice(actual[start] === "\n" && actual[start - 1] === "\r" ? start - 1 : start, end);
  };
}

/**
 * Merges the new string into the actual text: words the edit retains stay as in the file, so an edit that ignored
 * typographic quotes or spaces at line ends does not change them.
 */
export function mergeIntoMatch(
  actual: string,
  oldText: string,
  newText: string,
  loose: MatchLooseness,
  eol: string,
): string {
  const oldWords = splitDiffWords(oldText);
  const newWords = splitDiffWords(newText);
  const slice = makeSlicer(actual, oldText, loose);
  const starts = [0];
  for (const word of oldWords) starts.push((starts.at(-1) ?? 0) + word.length);
  let out = "";
  let at = 0;
  for (const region of diffTexts(toDiffKeys(oldWords), toDiffKeys(newWords), { steps: maxDiffSteps })) {
    out += slice(starts[at] ?? 0, starts[region.oldStart] ?? 0);
    out += convertLineEnds(newWords.slice(region.newStart, region.newEnd).join(""), eol);
    at = region.oldEnd;
  }
  return out + slice(starts[at] ?? 0, oldText.length);
}
