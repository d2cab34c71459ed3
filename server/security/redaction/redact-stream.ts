/**
 * Masks a text that arrives in chunks. Released text is final: it ends at white space and before every position where
 * a secret may have begun, so the released chunks together equal the masked whole text.
 */
import { serverLimits } from "@/lib/settings/server-limits";
import { keyHoldOffset, findPrivateKeys, markerMaxChars, findWordStart } from "./private-keys";
import { type SecretMatcher, wordSeparator } from "./secret-matcher";
import type { SecretSpan } from "./secret-shapes";

export interface RedactStream {
  /** Adds a chunk and returns the text that can be released now. */
  feed(text: string): string;
  /** Returns the rest. `isCut` = the text was truncated here, so its last word is incomplete. */
  end(isCut: boolean): string;
}

/** Replaces every secret, whatever its length. */
export const redactionMark = "•••";
const homeMark = "~";

/** Anchored at the start of a word: a search from each position in the word would take quadratic time. */
const longWord = new RegExp(
  `(?<![^\\s\\u2e80-\\uffff])[^\\s\\u2e80-\\uffff]{${serverLimits.redactHoldChars + 1},}`,
  "g",
);

interface StreamState {
  /** Received text that has not been released. */
  text: string;
  /** The text begins within a span whose mark was already released. */
  isMarked: boolean;
  /** The text begins within a word that is masked as a whole: too long, or incomplete. */
  inWord: boolean;
  inKey: boolean;
  /** UTF-16 units of the first line that were released before. */
  column: number;
  /** The text begins within a longer one, and nothing has been released yet. */
  isCut: boolean;
  /** UTF-16 units received since the last white space. */
  wordChars: number;
}

export function makeRedactStream(matcher: SecretMatcher, isCut: boolean): RedactStream {
  const state: StreamState = { text: "", isMarked: false, inWord: isCut, inKey: false, column: 0, isCut, wordChars: 0 };
  return {
    feed(text) {
      state.text += text;
      const isWithinWord = !wordSeparator.test(text);
      state.wordChars = isWithinWord ? state.wordChars + text.length : 0;
      // Nothing can be released in the middle of a word.
      return isWithinWord && state.wordChars <= serverLimits.redactHoldChars ? "" : releaseSafeText(state, matcher);
    },
    end(isCutHere) {
      const { text } = state;
      const { spans, openAt } = secretSpans(state, matcher);
      if (openAt !== null) spans.push({ start: openAt, end: text.length });
      if (isCutHere) spans.push({ start: Math.min(lastWordStart(text), matcher.holdOffset(text)), end: text.length });
      const rest = renderMasked(text, spans, state.isMarked);
      discardStart(state, text.length);
      return rest;
    },
  };
}

function secretSpans(
  state: StreamState,
  matcher: SecretMatcher,
): { readonly spans: SecretSpan[]; readonly openAt: number | null } {
  const { text, inWord, inKey, column, isCut } = state;
  const keys = findPrivateKeys(text, inKey, isCut, column);
  const spans = [...keys.spans, ...matcher.spans(text)];
  for (const match of text.matchAll(longWord)) spans.push({ start: match.index, end: match.index + match[0].length });
  if (isCut) spans.push(...matcher.suffixSpansAtStart(text));
  if (inWord) spans.push({ start: 0, end: wordEnd(text) });
  return { spans, openAt: keys.openAt };
}

function releaseSafeText(state: StreamState, matcher: SecretMatcher): string {
  const { text } = state;
  if (state.inWord && wordEnd(text) === text.length) {
    const released = maskFrom(state, [], 0);
    state.inWord = true;
    return released;
  }
  const { spans, openAt } = secretSpans(state, matcher);
  if (openAt !== null) {
    const released = maskFrom(state, spans, openAt);
    state.inKey = true;
    return released;
  }
  const border = lastWordStart(text);
  // A carriage return at the end may belong to a line ending: it is not part of the word.
  const isLong = text.replace(/\r$/, "").length - border > serverLimits.redactHoldChars;
  // A word that is too long is masked whatever precedes it.
  const complete = isLong ? text.slice(0, border) : text;
  const held = Math.min(border, matcher.holdOffset(complete), keyHoldOffset(complete, state.column));
  const safe = moveBeforeSpans(text, spans, wordStartUpTo(text, held));
  if (isLong && safe === border) {
    const released = maskFrom(state, spans, border);
    state.inWord = true;
    return released;
  }
  const released = renderMasked(
    text.slice(0, safe),
    spans.filter(({ end }) => end <= safe),
    state.isMarked,
  );
  if (safe > 0) discardStart(state, safe);
  return released;
}

/**
 * Returns the text before `from` and one mark for the rest. Only the end of the rest is retained, because a terminator
 * may have begun there.
 */
function maskFrom(state: StreamState, spans: readonly SecretSpan[], from: number): string {
  const { text } = state;
  const released = renderMasked(text, [...spans, { start: from, end: text.length }], state.isMarked);
  discardStart(state, Math.max(from, text.length - markerMaxChars));
  state.isMarked = true;
  state.wordChars = 0;
  return released;
}

/** Removes `length` units from the start. */
function discardStart(state: StreamState, length: number): void {
  const consumed = state.text.slice(0, length);
  const line = consumed.lastIndexOf("\n");
  state.column = line < 0 ? state.column + length : length - line - 1;
  state.text = state.text.slice(length);
  state.isMarked = false;
  state.inWord = false;
  state.inKey = false;
  state.isCut = false;
}

function wordEnd(text: string): number {
  const end = text.search(wordSeparator);
  return end < 0 ? text.length : end;
}

/**
 * Returns the last position after white space. A carriage return at the end does not count: it may belong to a line
 * ending.
 */
function lastWordStart(text: string): number {
  return wordStartUpTo(text, text.endsWith("\r") ? text.length - 1 : text.length);
}

/** Returns the last position up to `at` where a word begins; never within a surrogate pair. */
function wordStartUpTo(text: string, at: number): number {
  const start = findWordStart(text, at);
  return start > 0 && isHighSurrogateAt(text, start - 1) ? wordStartUpTo(text, start - 1) : start;
}

const isHighSurrogateAt = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** Moves a position before every span that contains it. */
function moveBeforeSpans(text: string, spans: readonly SecretSpan[], place: number): number {
  const over = spans.filter(({ start, end }) => start < place && end > place);
  if (over.length === 0) return place;
  return moveBeforeSpans(text, spans, wordStartUpTo(text, Math.min(...over.map(({ start }) => start))));
}

/**
 * Renders the text with overlapping spans merged. `isMarked` = the mark of a span at the very start was already
 * released.
 */
function renderMasked(text: string, spans: readonly SecretSpan[], isMarked: boolean): string {
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
    if (start > 0 || !isMarked) shown += isHome ? homeMark : redactionMark;
    at = end;
  }
  return shown + text.slice(at);
}
