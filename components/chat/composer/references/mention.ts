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

/** Begins a mention of something that is no file: a prefix such as `sessionMention`, or the address of a web page. */
const otherStart = /^(?:(?:session|memory|tool|git):|https?:\/\/.)/i;

/** A mention begins the text or follows white space, an opening mark, or a script that is written without spaces. */
const mentionBeforeCaret =
  /(?:^|[\s("'（「『“《，。：；！？、\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])@([^\s@]*)$/u;

/**
 * Returns a pattern of the mentions of a name, each with the blank behind it. A longer name that begins with it is
 * another one.
 */
export const mentionPattern = (name: string): RegExp =>
  new RegExp(`@${name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?![\\w/]|[.:#-]\\w) ?`, "g");

/** Returns the mention that ends at the caret; null = there is none. `caret` -1 = unknown. */
export function findMention(text: string, caret: number): Mention | null {
  if (caret < 0) return null;
  const [, word] = mentionBeforeCaret.exec(text.slice(0, caret)) ?? [];
  if (word === undefined) return null;
  const span = { start: caret - word.length - 1, end: caret };
  if (otherStart.test(word)) return { ...span, typed: word };
  const [, file, symbol] = /^(.+)#([^#]*)$/u.exec(word) ?? [];
  if (file !== undefined) return { ...span, typed: file, symbol };
  const [, typed = "", first = "", last = ""] = /^(.*?)(?::(\d{0,9})(?:-(\d{0,9}))?)?$/u.exec(word) ?? [];
  const from = Number(first);
  return from < 1 ? { ...span, typed } : { ...span, typed, lines: { first: from, last: Math.max(from, Number(last)) } };
}
