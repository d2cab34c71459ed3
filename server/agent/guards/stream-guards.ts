/**
 * Stream guards that stop repeated text and endless thinking. Memory is bounded, and the time per character is
 * constant.
 */
import { estimateTokens } from "@/lib/text/estimate-tokens";

/** Quality of a start position, by the text before it: 0 = sentence start, 1 = after punctuation, 2 = other. */
const borderRank = (before: string): number =>
  /[.!?。！？]\s*$|\n\s*$/u.test(before) ? 0 : /[\p{P}\p{S}]\s*$/u.test(before) ? 1 : 2;

/**
 * Aligns a repeated unit to a word border: detection may cut it at any character. Rotates the repeated unit so that it
 * starts with a sentence, else after punctuation, else with a word.
 */
function alignToWordBorder(unit: string): string {
  const around = unit.repeat(3);
  let best = 0;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const { index, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(around)) {
    if (isWordLike !== true || index < unit.length || index >= 2 * unit.length) continue;
    const found = borderRank(around.slice(0, index));
    if (found >= bestRank) continue;
    best = index;
    bestRank = found;
  }
  return around.slice(best, best + unit.length);
}

/** A repetition at the end of a text: the unit and its count. */
export interface TextRepetition {
  readonly unit: string;
  readonly times: number;
}

interface RepeatGuard {
  /** Returns null while there is no repetition. */
  push(text: string): TextRepetition | null;
  /**
   * Returns the unit if the text ends in about 30 equal words, characters or signs: far less than what stops a
   * running answer.
   */
  atEnd(): TextRepetition | null;
}

/** Maximum length of a unit and length of the examined tail, UTF-16 units. */
const unitMaxChars = 400;
const tailChars = 4_608;
/** Number of new characters between two checks. */
const stepChars = 256;

/** Threshold for sentences in text or thinking. */
const proseThreshold = { unitMinChars: 6, times: 8, chars: 1_200 } as const;
/**
 * Threshold for other content: rows, rules, markup and white space repeat in good answers too (a board of 64 equal
 * cells), but content that fills the whole tail does not end by itself.
 */
const dataThreshold = { times: 10, chars: 4_096 } as const;

interface RepeatOptions {
  /**
   * The stream is text or thinking; otherwise it is data, such as file content, where sentences may repeat like rows.
   */
  readonly isProse: boolean;
}

/** Detects a tail that consists of one repeated unit, from one character to a paragraph. */
export function makeRepeatGuard(options: RepeatOptions): RepeatGuard {
  let tail = "";
  let unseen = "";
  const feed = (text: string): TextRepetition | null => {
    unseen += text;
    if (unseen.length < stepChars) return null;
    tail = (tail + unseen).slice(-tailChars);
    unseen = "";
    return detectRepetitionAtEnd(tail, options);
  };
  return {
    push(text) {
      for (let at = 0; at < text.length; at += stepChars) {
        const found = feed(text.slice(at, at + stepChars));
        if (found !== null) return found;
      }
      return null;
    },
    atEnd: () => detectEqualUnitsAtEnd((tail + unseen).slice(-tailChars)),
  };
}

/** Ollama ends a stream at 31 equal tokens; the last of them may not have been sent. */
const equalUnitsMin = 28;
/** Maximum length of one token or a few words, UTF-16 units. */
const equalUnitMaxChars = 64;

/** Ignores white space, as servers compare tokens without it. Returns the shortest unit. */
function detectEqualUnitsAtEnd(text: string): TextRepetition | null {
  const places: number[] = [];
  for (let index = 0; index < text.length; index += 1) if (/\S/.test(text.charAt(index))) places.push(index);
  const blank = text.length - 1 - (places.at(-1) ?? -1);
  if (blank >= equalUnitsMin) return { unit: text.slice(-1), times: blank };
  const back = (index: number): string => text.charAt(places[places.length - 1 - index] ?? -1);
  for (let period = 1; period <= equalUnitMaxChars; period += 1) {
    let length = period;
    while (length < places.length && back(length) === back(length - period)) length += 1;
    const times = Math.floor(length / period);
    const start = places[places.length - period];
    if (length > places.length || times < equalUnitsMin || start === undefined) continue;
    return { unit: alignToWordBorder(text.slice(start, (places.at(-1) ?? start) + 1)), times };
  }
  return null;
}

/**
 * One pass of the prefix function (Knuth, Morris, Pratt) over the reversed text gives the shortest period of every
 * suffix.
 */
function detectRepetitionAtEnd(text: string, { isProse: words }: RepeatOptions): TextRepetition | null {
  const { length } = text;
  const back = (index: number): number => text.charCodeAt(length - 1 - index);
  const borders = new Uint16Array(length);
  for (let index = 1, border = 0; index < length; index += 1) {
    while (border > 0 && back(index) !== back(border)) border = borders[border - 1] ?? 0;
    if (back(index) === back(border)) border += 1;
    borders[index] = border;
  }
  let checkedPeriod = 0;
  let enough: typeof proseThreshold | typeof dataThreshold = dataThreshold;
  for (let chars = proseThreshold.chars; chars <= length; chars += 1) {
    const period = chars - (borders[chars - 1] ?? 0);
    if (period > unitMaxChars) continue;
    if (period !== checkedPeriod)
      enough = words && looksLikeProse(text.slice(length - period)) ? proseThreshold : dataThreshold;
    checkedPeriod = period;
    if (chars < enough.chars || chars < period * enough.times) continue;
    return { unit: alignToWordBorder(text.slice(length - period)), times: Math.floor(chars / period) };
  }
  return null;
}

const looksLikeProse = (unit: string): boolean => {
  if (unit.length < proseThreshold.unitMinChars) return false;
  const letters = unit.match(/[\p{L}\p{M}' ,.!?:;，。！？、：；]/gu)?.length ?? 0;
  const runs = unit.match(/\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}]{2}|\p{L}{2,}/gu)?.length ?? 0;
  return letters >= unit.length * 0.9 && runs >= 3 && !/[<>{}=|`]/.test(unit);
};

/** Estimated tokens of a text pushed in pieces of any size. */
interface TokenCounter {
  push(text: string): void;
  readonly tokens: number;
}

/** Pieces are joined before counting: counted one by one, they give too many tokens. */
const countChars = 256;

export function makeTokenCounter(): TokenCounter {
  let counted = 0;
  let rest = "";
  return {
    push(text) {
      rest += text;
      if (rest.length < countChars) return;
      counted += estimateTokens(rest);
      rest = "";
    },
    get tokens() {
      return counted + (rest === "" ? 0 : estimateTokens(rest));
    },
  };
}
