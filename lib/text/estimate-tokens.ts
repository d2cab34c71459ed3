/**
 * Estimates the number of tokens of a text without a vocabulary, in one pass over the UTF-16 units. Counts are separate
 * per script, because a vocabulary optimised for English may need several times as many tokens for Chinese; the counts
 * of the model server correct each script separately (server/models/notes/token-scale.ts).
 */

/** Classes of text with a similar token density. `denseIndex` is ASCII without spaces: base64, hashes, minified code. */
export const scripts = [
  "words",
  "symbols",
  "dense",
  "latin",
  "arabic",
  "indic",
  "han",
  "kana",
  "hangul",
  "rare",
] as const;
export type Script = (typeof scripts)[number];

/** Tokens by script, in the order of `scripts`. */
export type ScriptCounts = readonly number[];
/** Ratio of the server's count to the estimate, in the order of `scripts`. */
export type TokenScale = readonly number[];

/** The same factor for every script. */
export const uniformScale = (ratio: number): TokenScale => scripts.map(() => ratio);
export const zeroScriptCounts: ScriptCounts = scripts.map(() => 0);

export const addCounts = (one: ScriptCounts, other: ScriptCounts): ScriptCounts =>
  one.map((tokens, index) => tokens + (other[index] ?? 0));

/** Returns the expected count of the server, not rounded. */
export const scaledTokens = (counts: ScriptCounts, scale: TokenScale): number =>
  counts.reduce((sum, tokens, index) => sum + tokens * (scale[index] ?? 1), 0);

/** Character classes; a byte-pair tokenizer splits at class changes before it merges. */
const space = 0;
const newline = 1;
const lower = 2;
const upper = 3;
const digit = 4;
const punctuation = 5;
const han = 6;
const kana = 7;
const hangul = 8;
const latin = 9;
const arabic = 10;
const indic = 11;
const rare = 12;

/** Tokens per UTF-16 unit of the scripts counted by unit; an emoji is two units. */
const tokensPerUnit: Readonly<Record<number, number>> = {
  [han]: 0.68,
  [kana]: 0.6,
  [hangul]: 0.58,
  [latin]: 0.28,
  [arabic]: 0.28,
  [indic]: 0.28,
  [rare]: 0.95,
};

const asciiClass = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 10 || code === 13) return newline;
  if (code === 9 || code === 32) return space;
  if (code < 32) return rare;
  if (code >= 48 && code <= 57) return digit;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 97 && code <= 122) return lower;
  return punctuation;
});

function charClass(code: number): number {
  if (code < 128) return asciiClass[code] ?? punctuation;
  if (code < 0x590) return latin;
  if (code < 0x900) return arabic;
  if (code < 0x2000) return code >= 0x1e00 ? latin : indic;
  if (code >= 0x4e00 && code <= 0x9fff) return han;
  if (code >= 0x3400 && code < 0x4e00) return han;
  if (code >= 0x3040 && code <= 0x30ff) return kana;
  if (code >= 0xac00 && code <= 0xd7a3) return hangul;
  if ((code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code <= 0xff65)) return han;
  return rare;
}

/** Tokens of a run of `length` units of one class that follows a unit of class `before`. */
function runTokens(kind: number, length: number, before: number): number {
  switch (kind) {
    case space:
      // A single space is part of the following word.
      return length === 1 ? 0.03 : 0.95 + length / 100;
    case newline:
      // Vocabularies have tokens for short runs only; a pair of CR and LF costs most, 0.25.
      return (before === punctuation ? 0.25 : 1) + Math.max(0, length - 2) * 0.125;
    case lower:
      return length <= 7 ? 0.94 : 0.94 + (length - 7) * 0.15;
    case upper:
      return length === 1 ? 0.25 : 0.2 + length * 0.42;
    case digit:
      return Math.ceil(length / 3) + (before === space ? 0.8 : 0);
    case punctuation:
      return 0.43 + length * 0.35;
    default:
      return length * (tokensPerUnit[kind] ?? 1);
  }
}

const scriptIndex = (script: Script): number => scripts.indexOf(script);
/** Script index by character class. */
const scriptIndexByClass: readonly number[] = [
  scriptIndex("words"),
  scriptIndex("words"),
  scriptIndex("words"),
  scriptIndex("words"),
  scriptIndex("symbols"),
  scriptIndex("symbols"),
  scriptIndex("han"),
  scriptIndex("kana"),
  scriptIndex("hangul"),
  scriptIndex("latin"),
  scriptIndex("arabic"),
  scriptIndex("indic"),
  scriptIndex("rare"),
];
const denseIndex = scriptIndex("dense");
/** ASCII more than this many UTF-16 units after the last space counts as dense. */
const denseMinChars = 24;

/** Estimates the tokens of a text per script, not rounded. */
export function countScripts(text: string): ScriptCounts {
  const counts = scripts.map(() => 0);
  let kind = -1;
  let before = -1;
  let start = 0;
  let spaceAt = 0;
  const add = (end: number): void => {
    if (kind === space || kind === newline || kind > punctuation) spaceAt = end;
    const isDense = kind >= lower && kind <= punctuation && end - spaceAt > denseMinChars;
    const script = isDense ? denseIndex : (scriptIndexByClass[kind] ?? 0);
    counts[script] = (counts[script] ?? 0) + runTokens(kind, end - start, before);
  };
  for (let index = 0; index < text.length; index++) {
    const next = charClass(text.charCodeAt(index));
    if (next === kind) continue;
    if (kind >= 0) add(index);
    before = kind;
    kind = next;
    start = index;
  }
  if (kind >= 0) add(text.length);
  return counts;
}

/**
 * Estimated tokens of a text, an integer ≥ 0; with a scale, the expected count of the server. Without a scale within 20
 * % of a modern vocabulary for code, prose, Chinese and JSON.
 */
export const estimateTokens = (text: string, scale?: TokenScale): number => roundTokens(countScripts(text), scale);

/** The same for a text whose scripts are counted. */
export const roundTokens = (counts: ScriptCounts, scale?: TokenScale): number =>
  Math.ceil(removeRoundingNoise(scale === undefined ? sumCounts(counts) : scaledTokens(counts, scale)));

const sumCounts = (counts: ScriptCounts): number => counts.reduce((sum, tokens) => sum + tokens, 0);
/** Removes floating-point noise, so that the order of summation does not change the rounded result. */
const removeRoundingNoise = (tokens: number): number => Math.round(tokens * 1e6) / 1e6;

/** Estimate of a text per script and the model server's count. */
export interface CountedText {
  readonly counts: ScriptCounts;
  readonly tokens: number;
}
