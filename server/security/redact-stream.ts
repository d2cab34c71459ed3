/**
 * Masks a text that comes in pieces. What is let go is final: it ends at white space and before every place where a secret may
 * have begun, so the pieces together are what the whole text would have given. Made by redact.
 */
import { limits } from "@/lib/settings";
import { keyHeldFrom, keysIn, markerChars, wordStart } from "./private-keys";
import { type SecretMatcher, separator } from "./secret-matcher";
import type { Span } from "./secret-shapes";

export interface RedactStream {
  /** What can be let go now. */
  feed(text: string): string;
  /** The rest. `isCut` = the text was cut off here: its last word is broken. */
  end(isCut: boolean): string;
}

/** Stands for every secret, whatever its length. */
export const mark = "•••";
const home = "~";

/** Looked for at the start of a word only: from each place in it, the search would take the square of its length. */
const longWord = new RegExp(`(?<![^\\s\\u2e80-\\uffff])[^\\s\\u2e80-\\uffff]{${limits.redactHoldChars + 1},}`, "g");

interface State {
  /** What has come and was not let go. */
  text: string;
  /** So much of the start of it is masked, and its mark was given. */
  masked: number;
  /** It begins within a word that is masked as a whole: too long, or broken. */
  inWord: boolean;
  inKey: boolean;
  /** Units of its first line that were let go before. */
  column: number;
  /** Nothing was let go of a text that begins within a longer one. */
  isCut: boolean;
  /** Units that came since the last white space. */
  word: number;
}

export function makeRedactStream(matcher: SecretMatcher, isCut: boolean): RedactStream {
  const state: State = { text: "", masked: 0, inWord: isCut, inKey: false, column: 0, isCut, word: 0 };
  return {
    feed(text) {
      state.text += text;
      const isWithinWord = !separator.test(text);
      state.word = isWithinWord ? state.word + text.length : 0;
      // Within a word nothing can be let go.
      return isWithinWord && state.word <= limits.redactHoldChars ? "" : advance(state, matcher);
    },
    end(isCutHere) {
      const { text } = state;
      const { spans, openAt } = spansIn(state, matcher);
      if (openAt !== null) spans.push({ start: openAt, end: text.length });
      if (isCutHere) spans.push({ start: Math.min(lastBorder(text), matcher.heldFrom(text)), end: text.length });
      const rest = render(text, spans, state.masked > 0);
      drop(state, text.length);
      return rest;
    },
  };
}

function spansIn(state: State, matcher: SecretMatcher): { readonly spans: Span[]; readonly openAt: number | null } {
  const { text, masked, inWord, inKey, column, isCut } = state;
  const keys = keysIn(text, inKey, isCut, column);
  const spans = [...keys.spans, ...matcher.spans(text)];
  for (const match of text.matchAll(longWord)) spans.push({ start: match.index, end: match.index + match[0].length });
  if (isCut) spans.push(...matcher.startSpans(text));
  if (inWord) spans.push({ start: 0, end: wordEnd(text) });
  if (masked > 0) spans.push({ start: 0, end: masked });
  return { spans, openAt: keys.openAt };
}

function advance(state: State, matcher: SecretMatcher): string {
  const { text } = state;
  if (state.inWord && wordEnd(text) === text.length) {
    const released = swallow(state, [], 0);
    state.inWord = true;
    return released;
  }
  const { spans, openAt } = spansIn(state, matcher);
  if (openAt !== null) {
    const released = swallow(state, spans, openAt);
    state.inKey = true;
    return released;
  }
  const border = lastBorder(text);
  // A carriage return at the end may belong to the line's end: it is no part of the word.
  const isLong = text.replace(/\r$/, "").length - border > limits.redactHoldChars;
  // A word that is too long is masked whatever stands before it.
  const known = isLong ? text.slice(0, border) : text;
  const held = Math.min(border, matcher.heldFrom(known), keyHeldFrom(known, state.column));
  const safe = beforeSpans(text, spans, borderUpTo(text, held));
  if (isLong && safe === border) {
    const released = swallow(state, spans, border);
    state.inWord = true;
    return released;
  }
  const released = render(
    text.slice(0, safe),
    spans.filter(({ end }) => end <= safe),
    state.masked > 0,
  );
  if (safe > 0) drop(state, safe);
  return released;
}

/** What stands before `from`, and one mark for the rest, of which only the end is kept: what ends it may have begun there. */
function swallow(state: State, spans: readonly Span[], from: number): string {
  const { text } = state;
  const released = render(text, [...spans, { start: from, end: text.length }], state.masked > 0);
  drop(state, Math.max(0, text.length - markerChars));
  state.masked = state.text.length;
  state.word = 0;
  return released;
}

/** Takes so much of the start away. */
function drop(state: State, length: number): void {
  const gone = state.text.slice(0, length);
  const line = gone.lastIndexOf("\n");
  state.column = line < 0 ? state.column + length : length - line - 1;
  state.text = state.text.slice(length);
  state.masked = 0;
  state.inWord = false;
  state.inKey = false;
  state.isCut = false;
}

function wordEnd(text: string): number {
  const end = text.search(separator);
  return end < 0 ? text.length : end;
}

/** The last place behind white space. A carriage return alone is none: it may belong to a line's end. */
function lastBorder(text: string): number {
  return borderUpTo(text, text.endsWith("\r") ? text.length - 1 : text.length);
}

/** The last place up to `at` where a word begins; never within a pair. */
function borderUpTo(text: string, at: number): number {
  const start = wordStart(text, at);
  return start > 0 && isHigh(text, start - 1) ? borderUpTo(text, start - 1) : start;
}

const isHigh = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** Moves a place before every span that reaches over it. */
function beforeSpans(text: string, spans: readonly Span[], place: number): number {
  const over = spans.filter(({ start, end }) => start < place && end > place);
  if (over.length === 0) return place;
  return beforeSpans(text, spans, borderUpTo(text, Math.min(...over.map(({ start }) => start))));
}

/** Spans that overlap are one. `isMarked` = the mark of one at the very start was given before. */
function render(text: string, spans: readonly Span[], isMarked: boolean): string {
  const merged: { start: number; end: number; home: boolean }[] = [];
  for (const span of spans
    .filter(({ start, end }) => start < end)
    .toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push({ ...span, home: span.home === true });
    else {
      const isSame = last.home && span.home === true;
      last.end = Math.max(last.end, span.end);
      last.home = isSame;
    }
  }
  let shown = "";
  let at = 0;
  for (const { start, end, home: isHome } of merged) {
    shown += text.slice(at, start);
    if (start > 0 || !isMarked) shown += isHome ? home : mark;
    at = end;
  }
  return shown + text.slice(at);
}
