/**
 * Tokenizer of the full-text search, used for texts and queries alike. Pure. Words are folded; identifiers are also
 * split into parts; scripts without spaces are indexed by character and by pairs of characters.
 */

/** A folded text with the mapping of its characters to the original. */
export interface FoldedText {
  /** Displayed text, NFC. */
  readonly shown: string;
  /** `shown` without diacritics and compatibility forms; case is preserved. */
  readonly plain: string;
  /** `plain` in lower case, same length. */
  readonly low: string;
  /** Maps an index in `plain` (including its end) to one in `shown`; absent = identical. */
  readonly offsets?: Uint32Array;
}

/**
 * Matches texts that folding does not change, apart from case: ASCII, common Chinese, Japanese and Korean, their
 * punctuation, emoji.
 */
const foldsToItself =
  /^[\u0000-\u007f\u2010-\u205e\u2190-\u21ff\u2500-\u27bf\u3000-\u303f\u3041-\u3096\u30a1-\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\ud83c-\ud83e\udc00-\udfff]*$/;

const foldedCharacters = new Map<string, string>();
const foldedMax = 4_096;

function foldCharacter(character: string): string {
  const cached = foldedCharacters.get(character);
  if (cached !== undefined) return cached;
  const folded = character
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  if (foldedCharacters.size >= foldedMax) foldedCharacters.clear();
  foldedCharacters.set(character, folded);
  return folded;
}

/** Folds a text for searching. */
export function foldText(text: string): FoldedText {
  if (foldsToItself.test(text)) return { shown: text, plain: text, low: text.toLowerCase() };
  const shown = text.normalize("NFC");
  const places: number[] = [];
  let plain = "";
  let at = 0;
  for (const character of shown) {
    const folded = foldCharacter(character);
    for (let unit = 0; unit < folded.length; unit += 1) places.push(at);
    plain += folded;
    at += character.length;
  }
  places.push(at);
  const low = plain.toLowerCase();
  // A letter whose lower case has two units would shift the following ones; then case is not folded.
  return { shown, plain, low: low.length === plain.length ? low : plain, offsets: Uint32Array.from(places) };
}

/** gap = between words; word = of a script with spaces; dense = of a script without spaces. */
const [unknown, gap, word, dense] = [0, 1, 2, 3];

const kinds = new Uint8Array(0x10000);
const isWord = /[\p{L}\p{N}\p{M}]/u;
const isDense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;

const characterKind = (character: string): number =>
  !isWord.test(character) ? gap : isDense.test(character) ? dense : word;

/** Character kind at `index`; both halves of a surrogate pair have the same kind. */
function characterKindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit >= 0xd800 && unit <= 0xdfff) {
    const start = unit >= 0xdc00 ? index - 1 : index;
    return characterKind(String.fromCodePoint(text.codePointAt(Math.max(0, start)) ?? 0));
  }
  const cached = kinds[unit] ?? unknown;
  if (cached !== unknown) return cached;
  const found = characterKind(String.fromCharCode(unit));
  kinds[unit] = found;
  return found;
}

const isUpper = (text: string, index: number): boolean => {
  const letter = text.charAt(index);
  return letter !== letter.toLowerCase();
};
const isLower = (text: string, index: number): boolean => {
  const letter = text.charAt(index);
  return letter !== letter.toUpperCase();
};

/** True if a part of an identifier begins here: fooBar, HTTPServer. */
const isPartStart = (plain: string, index: number): boolean =>
  isUpper(plain, index) && (!isUpper(plain, index - 1) || isLower(plain, index + 1));

/** True if a word or a part of one may begin or end between `index` - 1 and `index`. */
export function isEdge(plain: string, index: number): boolean {
  if (index <= 0 || index >= plain.length) return true;
  if (characterKindAt(plain, index) !== word || characterKindAt(plain, index - 1) !== word) return true;
  return isPartStart(plain, index);
}

/** True if the character at `index` is not searchable. */
export const isGap = (plain: string, index: number): boolean => characterKindAt(plain, index) === gap;

interface WordRun {
  readonly from: number;
  readonly to: number;
  /** In a script without spaces. */
  readonly dense: boolean;
}

/** Splits a text into runs of searchable characters of one kind, in order. */
export function splitRuns(plain: string): readonly WordRun[] {
  const runs: WordRun[] = [];
  let from = 0;
  let kind = gap;
  for (let index = 0; index <= plain.length; index += 1) {
    const next = index === plain.length ? gap : characterKindAt(plain, index);
    if (next === kind) continue;
    if (kind !== gap) runs.push({ from, to: index, dense: kind === dense });
    [from, kind] = [index, next];
  }
  return runs;
}

/** Splits an identifier into its parts; returns the whole identifier if it has only one. */
export function splitIdentifier(
  plain: string,
  { from, to }: WordRun,
): readonly (readonly [from: number, to: number])[] {
  const starts = [from];
  for (let index = from + 1; index < to; index += 1) if (isPartStart(plain, index)) starts.push(index);
  return starts.map((start, index) => [start, starts[index + 1] ?? to] as const);
}

/** Characters of a dense run and pairs of adjacent ones. */
export function denseWords(text: string): { readonly singles: readonly string[]; readonly pairs: readonly string[] } {
  const singles = [...text];
  return { singles, pairs: singles.slice(1).map((character, index) => `${singles[index]}${character}`) };
}

/** Longer words are indexed by their first `wordMaxChars` characters. */
const wordMaxChars = 40;
export const truncateWord = (low: string): string => low.slice(0, wordMaxChars);

/** Adds the distinct index words of a text to `words`. */
export function extractIndexWords(text: string, words: Set<string> = new Set()): Set<string> {
  const { plain, low } = foldText(text);
  for (const run of splitRuns(plain)) {
    const whole = low.slice(run.from, run.to);
    if (run.dense) {
      const { singles, pairs } = denseWords(whole);
      for (const single of singles) words.add(single);
      for (const pair of pairs) words.add(pair);
      continue;
    }
    words.add(truncateWord(whole));
    const parts = splitIdentifier(plain, run);
    if (parts.length > 1) for (const [from, to] of parts) words.add(truncateWord(low.slice(from, to)));
  }
  return words;
}
