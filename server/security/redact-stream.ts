/**
 * Masks a text that arrives in chunks. Released text is final: it ends at white space and before every position where
 * a secret may have begun, so the released chunks together equal the masked whole text.
 */
import { limits } from "@/lib/settings";
import { keyHeldFrom, keysIn, markerChars, wordStart } from "./private-keys";
import { type SecretMatcher, separator } from "./secret-matcher";
import type { Span } from "./secret-shapes";

export interface RedactStream {
  /** Adds a chunk and returns the text that can be released now. */
  feed(text: string): string;
  /** Returns the rest. `isCut` = the text was truncated here, so its last word is incomplete. */
  end(isCut: boolean): string;
}

/** Replaces every secret, whatever its length. */
export const mark = "•••";
const home = "~";

/** Anchored at the start of a word: a search from each position in the word would take quadratic time. */
const longWord = new RegExp(`(?<![^\\s\\u2e80-\\uffff])[^\\s\\u2e80-\\uffff]{${limits.redactHoldChars + 1},}`, "g");

interface State {
  /** Received text that has not been released. */
  text: string;
  /** Length of the prefix of `text` that is masked and whose mark was already released. */
  masked: number;
  /** The text begins within a word that is masked as a whole: too long, or incomplete. */
  inWord: boolean;
  inKey: boolean;
  /** UTF-16 units of the first line that were released before. */
  column: number;
  /** The text begins within a longer one, and nothing has been released yet. */
  isCut: boolean;
  /** UTF-16 units received since the last white space. */
  word: number;
}

export function makeRedactStream(matcher: SecretMatcher, isCut: boolean): RedactStream {
  const state: State = { text: "", masked: 0, inWord: isCut, inKey: false, column: 0, isCut, word: 0 };
  return {
    feed(text) {
      state.text += text;
      const isWithinWord = !separator.test(text);
      state.word = isWithinWord ? state.word + text.length : 0;
      // Nothing can be released in the middle of a word.
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
  // A carriage return at the end may belong to a line ending: it is not part of the word.
  const isLong = text.replace(/\r$/, "").length - border > limits.redactHoldChars;
  // A word that is too long is masked whatever precedes it.
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

/**
 * Returns the text before `from` and one mark for the rest. Only the end of the rest is retained, because a terminator
 * may have begun there.
 */
function swallow(state: State, spans: readonly Span[], from: number): string {
  const { text } = state;
  const released = render(text, [...spans, { start: from, end: text.length }], state.masked > 0);
  drop(state, Math.max(0, text.length - markerChars));
  state.masked = state.text.length;
  state.word = 0;
  return released;
}

/** Removes `length` units from the start. */
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

/**
 * Returns the last position after white space. A carriage return at the end does not count: it may belong to a line
 * ending.
 */
function lastBorder(text: string): number {
  return borderUpTo(text, text.endsWith("\r") ? text.length - 1 : text.length);
}

/** Returns the last position up to `at` where a word begins; never within a surrogate pair. */
function borderUpTo(text: string, at: number): number {
  const start = wordStart(text, at);
  return start > 0 && isHigh(text, start - 1) ? borderUpTo(text, start - 1) : start;
}

const isHigh = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** Moves a position before every span that contains it. */
function beforeSpans(text: string, spans: readonly Span[], place: number): number {
  const over = spans.filter(({ start, end }) => start < place && end > place);
  if (over.length === 0) return place;
  return beforeSpans(text, spans, borderUpTo(text, Math.min(...over.map(({ start }) => start))));
}

/**
 * Renders the text with overlapping spans merged. `isMarked` = the mark of a span at the very start was already
 * released.
 */
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
