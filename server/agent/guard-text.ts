/**
 * What stops an answer that goes nowhere while it streams: the same words over and over, and thinking without end. Memory is
 * bounded, and the time per character is constant. Pure but for its own state; used by answer.
 */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { fromWordBorder } from "./word-border";

/** The end of a text that repeats itself: what is repeated, and how often it stands there. */
export interface Repeat {
  readonly unit: string;
  readonly times: number;
}

export interface RepeatGuard {
  /** null = nothing is wrong so far. */
  push(text: string): Repeat | null;
  /** Whether the text ends in some 30 equal words, characters or signs: far less than stops an answer that goes on. */
  atEnd(): Repeat | null;
}

/** The longest unit that is looked for, and how much of the end is looked at, UTF-16 units. */
const unitMaxChars = 400;
const tailChars = 4_608;
/** How much has to come before the end is looked at again. */
const stepChars = 256;

/** Sentences that come back in what is said or thought: hardly anybody wants them. */
const prose = { unitMinChars: 6, times: 8, chars: 1_200 } as const;
/**
 * Rows, rules, markup and empty space repeat in good answers too, a board of 64 equal cells for one; what fills the whole tail
 * does not end by itself.
 */
const anything = { times: 10, chars: 4_096 } as const;

export interface RepeatOptions {
  /** It is said or thought; otherwise it is data, such as the content of a file, where sentences may repeat like rows. */
  readonly words: boolean;
}

/** Finds a tail that is one unit again and again; the unit may be anything from one character to a paragraph. */
export function makeRepeatGuard(options: RepeatOptions): RepeatGuard {
  let tail = "";
  let unseen = "";
  const look = (text: string): Repeat | null => {
    unseen += text;
    if (unseen.length < stepChars) return null;
    tail = (tail + unseen).slice(-tailChars);
    unseen = "";
    return repeatAtEnd(tail, options);
  };
  return {
    push(text) {
      for (let at = 0; at < text.length; at += stepChars) {
        const found = look(text.slice(at, at + stepChars));
        if (found !== null) return found;
      }
      return null;
    },
    atEnd: () => equalAtEnd((tail + unseen).slice(-tailChars)),
  };
}

/** Ollama ends a stream at 31 equal tokens; the last of them may not have been sent. */
const equalTimes = 28;
/** The longest that one token, or a few words, can be, UTF-16 units. */
const equalMaxChars = 64;

/** White space does not count: servers compare tokens without it. The shortest unit decides. */
function equalAtEnd(text: string): Repeat | null {
  const places: number[] = [];
  for (let index = 0; index < text.length; index += 1) if (/\S/.test(text.charAt(index))) places.push(index);
  const blank = text.length - 1 - (places.at(-1) ?? -1);
  if (blank >= equalTimes) return { unit: text.slice(-1), times: blank };
  const back = (index: number): string => text.charAt(places[places.length - 1 - index] ?? -1);
  for (let period = 1; period <= equalMaxChars; period += 1) {
    let length = period;
    while (length < places.length && back(length) === back(length - period)) length += 1;
    const times = Math.floor(length / period);
    const start = places[places.length - period];
    if (length > places.length || times < equalTimes || start === undefined) continue;
    return { unit: fromWordBorder(text.slice(start, (places.at(-1) ?? start) + 1)), times };
  }
  return null;
}

/**
 * The prefix function of the reversed text (Knuth, Morris, Pratt) tells for each of its ends the shortest period: one pass for
 * all of them.
 */
function repeatAtEnd(text: string, { words }: RepeatOptions): Repeat | null {
  const { length } = text;
  const back = (index: number): number => text.charCodeAt(length - 1 - index);
  const borders = new Uint16Array(length);
  for (let index = 1, border = 0; index < length; index += 1) {
    while (border > 0 && back(index) !== back(border)) border = borders[border - 1] ?? 0;
    if (back(index) === back(border)) border += 1;
    borders[index] = border;
  }
  let known = 0;
  let enough: typeof prose | typeof anything = anything;
  for (let chars = prose.chars; chars <= length; chars += 1) {
    const period = chars - (borders[chars - 1] ?? 0);
    if (period > unitMaxChars) continue;
    if (period !== known) enough = words && isProse(text.slice(length - period)) ? prose : anything;
    known = period;
    if (chars < enough.chars || chars < period * enough.times) continue;
    return { unit: fromWordBorder(text.slice(length - period)), times: Math.floor(chars / period) };
  }
  return null;
}

const isProse = (unit: string): boolean => {
  if (unit.length < prose.unitMinChars) return false;
  const letters = unit.match(/[\p{L}\p{M}' ,.!?:;，。！？、：；]/gu)?.length ?? 0;
  const runs = unit.match(/\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}]{2}|\p{L}{2,}/gu)?.length ?? 0;
  return letters >= unit.length * 0.9 && runs >= 3 && !/[<>{}=|`]/.test(unit);
};

/** Tokens of a text that comes in pieces of any size, estimated. */
export interface TokenCount {
  push(text: string): void;
  readonly tokens: number;
}

/** Pieces are joined before they are counted: one by one they would count too much. */
const countChars = 256;

export function makeTokenCount(): TokenCount {
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
