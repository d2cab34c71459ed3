/** The reference that is being typed in the message field: `@` and letters of a path, with lines after a colon. Pure. */
import type { ReferencedLines } from "@/lib/events/content";

export interface Mention {
  /** Index of the `@`. */
  readonly start: number;
  /** Index of the caret, where it ends. */
  readonly end: number;
  /** Letters of the path, a prefix such as `sessionMention` and letters of a name, or the address of a page. */
  readonly typed: string;
  readonly lines?: ReferencedLines;
  /** Letters of a symbol of the file, after `#`; absent = none is wanted. */
  readonly symbol?: string;
}

/** Each begins a mention of something that is no file; letters of its name follow. */
export const sessionMention = "session:";
export const memoryMention = "memory:";
export const toolMention = "tool:";

/** Whether the letters are the address of a web page; a mention of one begins with `http://` or `https://`. */
export const isPageAddress = (typed: string): boolean => pageStart.test(typed) && URL.canParse(typed);
const pageStart = /^https?:\/\/./i;

const prefixes = [sessionMention, memoryMention, toolMention];

/** A mention begins the text or follows white space, an opening mark, or a script that is written without spaces. */
const mentionBeforeCaret =
  /(?:^|[\s("'（「『“《，。：；！？、\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])@([^\s@]*)$/u;

/** Returns the mention that ends at the caret; null = there is none. `caret` -1 = unknown. */
export function findMention(text: string, caret: number): Mention | null {
  if (caret < 0) return null;
  const [, word] = mentionBeforeCaret.exec(text.slice(0, caret)) ?? [];
  if (word === undefined) return null;
  if (pageStart.test(word) || prefixes.some((prefix) => word.startsWith(prefix)))
    return { start: caret - word.length - 1, end: caret, typed: word };
  const [, file, symbol] = /^(.+)#([^#]*)$/u.exec(word) ?? [];
  if (file !== undefined) return { start: caret - word.length - 1, end: caret, typed: file, symbol };
  const [, typed = "", first = "", last = ""] = /^(.*?)(?::(\d{0,9})(?:-(\d{0,9}))?)?$/u.exec(word) ?? [];
  const place = { start: caret - word.length - 1, end: caret, typed };
  const from = Number(first);
  return from < 1 ? place : { ...place, lines: { first: from, last: Math.max(from, Number(last)) } };
}
