/** Normalizes a text for loose matching and maps the result back to offsets of the original. Pure. */

import { runSteps, type Steps } from "@/lib/async/steps";

export interface NormalizedText {
  readonly text: string;
  /** Offset in the original of each unit of `text`, and of its end. */
  readonly offsets: Uint32Array;
  /** Offset in the original after the characters that each unit of `text` represents. */
  readonly ends: Uint32Array;
}

/** Full-width signs U+FF01 to U+FF5E and their ASCII equivalents; letters and digits are words and stay different. */
const fullWidth = Array.from({ length: 0x5e }, (_, index) => String.fromCharCode(0x21 + index))
  .filter((sign) => !/[A-Za-z0-9`]/.test(sign))
  .map((sign) => [String.fromCharCode(sign.charCodeAt(0) + 0xfee0), sign] as const);

/** Quotes, dashes, spaces and full-width signs that models replace by ASCII, one unit each. By char code. */
const asciiForms = new Map<number, number>(
  [
    ...fullWidth,
    ...[..."\u2018\u2019\u201a\u201b\u2032\u00b4"].map((one) => [one, "'"] as const),
    ...[..."\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"].map((one) => [one, '"'] as const),
    ...[..."\u2010\u2011\u2012\u2013\u2014\u2015\u2212"].map((one) => [one, "-"] as const),
    ...[..."\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"].map(
      (one) => [one, " "] as const,
    ),
  ].map(([form, plain]) => [form.charCodeAt(0), plain.charCodeAt(0)]),
);

/**
 * Invisible characters: soft hyphen, zero-width space, direction marks, word joiner, variation selectors, byte order
 * mark. The joiners U+200C and U+200D are part of words and emoji and stay.
 */
const invisibleSign = /[\u00ad\u200b\u200e\u200f\u2060\ufe0e\ufe0f\ufeff]/;
const allInvisibleSigns = new RegExp(invisibleSign, "g");
/** Combining marks, and the later parts of a decomposed Hangul syllable. */
const combiningMark = /[\p{M}\u1161-\u1175\u11a8-\u11c2]/u;

/** Returns whether the unit combines with the character before it. */
export const isCombiningMark = (unit: string | undefined): boolean =>
  unit !== undefined && unit >= "\u0300" && combiningMark.test(unit);

/** The differences a matching step ignores; each level includes the previous ones. */
export type MatchLooseness = "exact" | "breaks" | "endings" | "quotes";

const lineFeed = 10;
const carriageReturn = 13;
const isBlankCode = (code: number): boolean => code === 32 || code === 9;
// Lowest code of typographic forms and invisible characters, and of combining marks.
const firstTypographicCode = 0xa0;
const firstMarkCode = 0x300;

const dot = 46;
/** The sign that three dots become: one unit stands for all of them. */
const ellipsis = 0x2026;

/** Whether exactly three dots begin at `index`. */
const isThreeDots = (text: string, index: number): boolean =>
  text.startsWith("...", index) && text[index - 1] !== "." && text[index + 3] !== ".";

/** Returns the offset after a letter and its marks. */
function findLetterEnd(text: string, index: number): number {
  let end = index + 1;
  while (isCombiningMark(text[end])) end++;
  return end;
}

/** Returns a letter with its marks in composed form (NFC) where that is not longer. */
function composeLetter(letter: string): string {
  const seen = letter.replaceAll(allInvisibleSigns, "");
  const one = seen.normalize("NFC");
  return one.length <= letter.length ? one : seen;
}

/**
 * Removes "\r" before "
 * " (breaks), white space at line ends (endings), typographic forms, three dots, invisible characters and decomposed
 * letters (quotes). Linear.
 */
export const normalizeText = (original: string, loose: MatchLooseness): NormalizedText =>
  runSteps(normalizeTextSteps(original, loose));

/** Units of the text between two yields. */
const charsPerStep = 65_536;

/** `normalizeText` in steps. */
export function* normalizeTextSteps(original: string, loose: MatchLooseness): Steps<NormalizedText> {
  const offsets = new Uint32Array(original.length + 1);
  const ends = new Uint32Array(original.length + 1);
  const codes = new Uint16Array(original.length);
  const trims = loose === "endings" || loose === "quotes";
  const plains = loose === "quotes";
  let length = 0;
  // Units up to here remain when the line ends; white space after them only if something follows on the line.
  let trimmedLength = 0;
  const put = (code: number, start: number, end: number): void => {
    codes[length] = code;
    offsets[length] = start;
    ends[length] = end;
    length++;
    if (!trims || !isBlankCode(code)) trimmedLength = length;
  };
  for (let index = 0; index < original.length; index++) {
    if (index % charsPerStep === charsPerStep - 1) yield;
    const raw = original.charCodeAt(index);
    const next = original.charCodeAt(index + 1);
    if (raw === carriageReturn && next === lineFeed && loose !== "exact") continue;
    const formed = plains && raw >= firstTypographicCode;
    if (formed && invisibleSign.test(original.charAt(index))) continue;
    const code = formed ? (asciiForms.get(raw) ?? raw) : raw;
    if (code === lineFeed) length = trimmedLength;
    if (plains && code === dot && next === dot && isThreeDots(original, index)) {
      put(ellipsis, index, index + 3);
      index += 2;
      continue;
    }
    if (
      plains &&
      next >= firstMarkCode &&
      code !== lineFeed &&
      !isBlankCode(code) &&
      isCombiningMark(original[index + 1])
    ) {
      const end = findLetterEnd(original, index);
      const letter = composeLetter(String.fromCharCode(code) + original.slice(index + 1, end));
      for (let at = 0; at < letter.length; at++) put(letter.charCodeAt(at), index, end);
      index = end - 1;
    } else put(code, index, index + 1);
  }
  length = trimmedLength;
  offsets[length] = original.length;
  ends[length] = original.length;
  return {
    text: Buffer.from(codes.buffer, 0, length * 2).toString("utf16le"),
    offsets: offsets.subarray(0, length + 1),
    ends: ends.subarray(0, length + 1),
  };
}
