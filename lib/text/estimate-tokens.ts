/**
 * How many tokens a text costs, about: local, without a vocabulary, in one pass over the UTF-16 units. Called wherever something
 * must fit a window; the counts of the model server correct it per model.
 */

/** What a unit is to a byte-pair tokenizer, which splits at changes of these before it merges. */
const space = 0;
const newline = 1;
const lower = 2;
const upper = 3;
const digit = 4;
const mark = 5;
const han = 6;
const kana = 7;
const hangul = 8;
const letter = 9;
const rare = 10;

/** Tokens per unit of the scripts that are counted unit by unit; half an emoji is a unit. */
const perUnit: Readonly<Record<number, number>> = {
  [han]: 0.68,
  [kana]: 0.6,
  [hangul]: 0.58,
  [letter]: 0.28,
  [rare]: 0.95,
};

const asciiClass = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 10 || code === 13) return newline;
  if (code <= 32) return space;
  if (code >= 48 && code <= 57) return digit;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 97 && code <= 122) return lower;
  return mark;
});

function classOf(code: number): number {
  if (code < 128) return asciiClass[code] ?? mark;
  if (code < 0x2000) return letter;
  if (code >= 0x4e00 && code <= 0x9fff) return han;
  if (code >= 0x3400 && code < 0x4e00) return han;
  if (code >= 0x3040 && code <= 0x30ff) return kana;
  if (code >= 0xac00 && code <= 0xd7a3) return hangul;
  if ((code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code <= 0xff65)) return han;
  return rare;
}

/** Tokens of a run of `length` equal units that began after a unit of class `before`. */
function runTokens(kind: number, length: number, before: number): number {
  switch (kind) {
    case space:
      // One space belongs to the word after it.
      return length === 1 ? 0.03 : 0.95 + length / 100;
    case newline:
      return before === mark ? 0.25 : 1;
    case lower:
      return length <= 7 ? 0.94 : 0.94 + (length - 7) * 0.15;
    case upper:
      return length === 1 ? 0.25 : 0.2 + length * 0.42;
    case digit:
      return Math.ceil(length / 3) + (before === space ? 0.8 : 0);
    case mark:
      return 0.43 + length * 0.35;
    default:
      return length * (perUnit[kind] ?? 1);
  }
}

/** Estimated tokens of a text, a whole number from 0. Within a fifth of a modern vocabulary for code, prose, Chinese and JSON. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let kind = -1;
  let before = -1;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const next = classOf(text.charCodeAt(index));
    if (next === kind) continue;
    if (kind >= 0) tokens += runTokens(kind, index - start, before);
    before = kind;
    kind = next;
    start = index;
  }
  if (kind >= 0) tokens += runTokens(kind, text.length - start, before);
  return Math.ceil(tokens);
}
