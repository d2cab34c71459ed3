/** Lays a new string over what really stands in the file, so that an overlooked difference stays as it was. Called by edit-match-ladder. Pure. */
import { diffSequences, numberTexts } from "@/lib/text/myers";
import { splitWords } from "@/lib/text/word-marks";
import { type Looseness, normalize } from "./normal-text";

/** Steps of the comparison of an old and a new string; larger ones are taken over word by word as the model wrote them. */
const mergeSteps = 2_000_000;

/** The text with `eol` for its line ends. */
export const withEol = (text: string, eol: string): string => text.replaceAll("\r\n", "\n").replaceAll("\n", eol);

/** Words with every line break a word of its own. */
const wordsOf = (text: string): readonly string[] =>
  splitWords(text).flatMap((word) => (word.includes("\n") ? word.split(/(?<=\n)|(?=\r?\n)/) : [word]));

/** For the comparison white space at the end of a line is another word than white space between words, which nothing overlooks. */
const keysOf = (words: readonly string[]): readonly string[] =>
  words.map((word, index) =>
    /^[ \t]+$/.test(word) && /^(?:\r?\n|$)/.test(words[index + 1] ?? "") ? `${word}\n` : word,
  );

/** Cuts the stretch of the file that stands for a stretch of the old string. */
function slicer(actual: string, oldText: string, loose: Looseness): (from: number, to: number) => string {
  const normalActual = normalize(actual, loose);
  const normalOld = normalize(oldText, loose);
  // Normal offset of the first unit at or after an offset of the old text.
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
 * The new string laid over what really stands in the file: words the edit keeps stay as the file has them, so that an edit that
 * overlooked typographic quotes or spaces at line ends does not change them.
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
