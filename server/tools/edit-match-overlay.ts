/**
 * Merges a new string into the actual text of a loose match, so that differences the match ignored stay unchanged.
 * Pure.
 */
import { diffSequences, numberTexts } from "@/lib/text/myers";
import { splitWords } from "@/lib/text/word-marks";
import { type Looseness, normalize } from "./normal-text";

/** Maximum diff steps between an old and a new string; beyond that the new words are used as the model wrote them. */
const mergeSteps = 2_000_000;

/** Returns the text with `eol` as its line ends. */
export const withEol = (text: string, eol: string): string => text.replaceAll("\r\n", "\n").replaceAll("\n", eol);

/** Splits text into words, with every line break as a word of its own. */
const wordsOf = (text: string): readonly string[] =>
  splitWords(text).flatMap((word) => (word.includes("\n") ? word.split(/(?<=\n)|(?=\r?\n)/) : [word]));

/**
 * Diff keys of words. White space at a line end gets a key different from white space between words, which no step
 * ignores.
 */
const keysOf = (words: readonly string[]): readonly string[] =>
  words.map((word, index) =>
    /^[ \t]+$/.test(word) && /^(?:\r?\n|$)/.test(words[index + 1] ?? "") ? `${word}\n` : word,
  );

/** Returns a function that cuts the range of the file corresponding to a range of the old string. */
function slicer(actual: string, oldText: string, loose: Looseness): (from: number, to: number) => string {
  const normalActual = normalize(actual, loose);
  const normalOld = normalize(oldText, loose);
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
export function layOver(actual: string, oldText: string, newText: string, loose: Looseness, eol: string): string {
  const oldWords = wordsOf(oldText);
  const newWords = wordsOf(newText);
  const slice = slicer(actual, oldText, loose);
  const number = numberTexts();
  const starts = [0];
  for (const word of oldWords) starts.push((starts.at(-1) ?? 0) + word.length);
  let out = "";
  let at = 0;
  for (const region of diffSequences(number(keysOf(oldWords)), number(keysOf(newWords)), { steps: mergeSteps })) {
    out += slice(starts[at] ?? 0, starts[region.oldStart] ?? 0);
    out += withEol(newWords.slice(region.newStart, region.newEnd).join(""), eol);
    at = region.oldEnd;
  }
  return out + slice(starts[at] ?? 0, oldText.length);
}
