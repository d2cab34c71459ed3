/** Truncates a text that is too long for the model, at line boundaries where possible. Pure. */
import type { CutPositions } from "@/lib/events/tool-kind";
import { findFailure } from "@/lib/text/failure-lines";
import { dropStart, shiftPositions } from "./cut-positions";
import type { ResultLimits } from "./tool";

export interface TruncatedText {
  readonly text: string;
  /** UTF-8 bytes of the original that remain in `text`. */
  readonly shown: number;
  /** Bytes of the original. */
  readonly total: number;
  /** Positions in `text`. */
  readonly cutPositions: CutPositions;
}

/** Maximum length of a tool's hint to the rest; bytes, ASCII only. */
const maxNextBytes = 60;
/** Bytes reserved for the note about the omitted part; ASCII only. */
const maxNoteBytes = 60 + maxNextBytes;

/** Returns how the model gets the rest after the head `kept`; null = request a smaller part. */
export type RemainderHint = (shownText: string) => string | null;

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** UTF-8 bytes of the unit at `at`; a surrogate pair counts 4 at its first half and 0 at its second. */
function utf8BytesAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (isLowSurrogate(text, at) && at > 0 && isHighSurrogate(text, at - 1)) return 0;
  return isHighSurrogate(text, at) && isLowSurrogate(text, at + 1) ? 4 : 3;
}

/** Returns the largest end of a head within the limits; never inside a surrogate pair. */
function findHeadEnd(text: string, bytes: number, chars: number): number {
  let at = 0;
  for (let left = bytes; at < text.length && at < chars; at++) {
    left -= utf8BytesAt(text, at);
    if (left < 0) break;
  }
  if (at > 0 && at < text.length && isHighSurrogate(text, at - 1) && isLowSurrogate(text, at)) at--;
  if (at === 0) return 0;
  // Back to the end of a line, unless that gives up most of the limit.
  const border = text.lastIndexOf("\n", at - 1) + 1;
  return at < text.length && text[at - 1] !== "\n" && border > at / 2 ? border : at;
}

/** Returns the smallest start of a tail within the limits; never inside a surrogate pair. */
function findTailStart(text: string, bytes: number, chars: number): number {
  let at = text.length;
  for (let left = bytes; at > 0 && text.length - at < chars; at--) {
    left -= utf8BytesAt(text, at - 1);
    if (left < 0) break;
  }
  if (at < text.length && isLowSurrogate(text, at) && isHighSurrogate(text, at - 1)) at++;
  const border = text.indexOf("\n", at) + 1;
  const remaining = text.length - at;
  return at > 0 && text[at - 1] !== "\n" && border > 0 && border - at < remaining / 2 ? border : at;
}

/** Counts lines without splitting: there may be as many lines as characters. */
function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/**
 * Truncates the text to `limits.bytes` and `maxChars` (UTF-16 units), including the note. If the limits are too small
 * for a note, the text is cut without one. `shown` and `total` do not count the note. `next` describes how to get the
 * rest after a head, in at most `maxNextBytes`. `positions` are those of `text`; a note it has already is replaced by
 * the new one, together with the part between the two.
 */
export function truncateText(
  text: string,
  limits: ResultLimits,
  maxChars: number,
  next?: RemainderHint,
  positions: CutPositions = {},
): TruncatedText {
  const total = Buffer.byteLength(text);
  if (total <= limits.bytes && text.length <= maxChars) return { text, shown: total, total, cutPositions: positions };
  const cut = truncateLongText(text, { limits, maxChars, total }, next, positions);
  return limits.keep === "failure" ? beginAtFailure(text, { limits, maxChars, total }, cut, positions) : cut;
}

interface TextLimits {
  readonly limits: ResultLimits;
  readonly maxChars: number;
  /** Bytes of the text. */
  readonly total: number;
}

function truncateLongText(
  text: string,
  { limits, maxChars, total }: TextLimits,
  next: RemainderHint | undefined,
  positions: CutPositions,
): TruncatedText {
  const noteFits = Math.min(limits.bytes, maxChars) > 2 * maxNoteBytes;
  const bytes = Math.max(0, limits.bytes - (noteFits ? maxNoteBytes : 0));
  const chars = Math.max(0, maxChars - (noteFits ? maxNoteBytes : 0));
  const both = limits.keep !== "head";
  const headEnd = findHeadEnd(text, both ? Math.floor(bytes / 2) : bytes, both ? Math.floor(chars / 2) : chars);
  const tailStart = both ? findTailStart(text, Math.ceil(bytes / 2), Math.ceil(chars / 2)) : text.length;
  const end = Math.min(headEnd, positions.note?.from ?? headEnd);
  const start = Math.max(headEnd, tailStart, positions.note?.to ?? 0);
  const head = text.slice(0, end);
  const tail = text.slice(start);
  const shown = Buffer.byteLength(head) + Buffer.byteLength(tail);
  const join = (note: string): TruncatedText => {
    const cutPositions = shiftPositions(positions, end, start, { from: end, to: end + note.length });
    return { text: head + note + tail, shown, total, cutPositions };
  };
  if (!noteFits) return join("");
  const lines = countLines(text.slice(end, start));
  const left = `${total - shown} of ${total} bytes, about ${lines} ${lines === 1 ? "line" : "lines"}`;
  const note = both
    ? `[... left out here: ${left} ...]\n`
    : `[cut here: ${left} left out; ${next?.(head) ?? "ask for a smaller part"}]`;
  return join(head === "" || head.endsWith("\n") ? note : `\n${note}`);
}

/** Formats the note at the start of an output that begins at a failure. */
export const formatStartNote = (bytes: number, lines: number): string =>
  `[... left out before: ${bytes} bytes, about ${lines} ${lines === 1 ? "line" : "lines"} ...]\n`;

/** Returns the cut text with a head that begins at the first failure, if that is in the part that `cut` leaves out. */
function beginAtFailure(
  text: string,
  { limits, maxChars, total }: TextLimits,
  cut: TruncatedText,
  positions: CutPositions,
): TruncatedText {
  const { note } = cut.cutPositions;
  const found = findFailure(text)?.from ?? 0;
  const old = positions.note;
  const from = old !== undefined && found > old.from && found < old.to ? old.to : found;
  const tailStart = note === undefined ? 0 : text.length - (cut.text.length - note.to);
  if (note === undefined || note.to === note.from || from < note.from || from >= tailStart) return cut;
  const before = text.slice(0, from);
  const startNote = formatStartNote(Buffer.byteLength(before), countLines(before));
  const room = { bytes: limits.bytes - startNote.length, keep: "both" } as const;
  const rest = truncateText(text.slice(from), room, maxChars - startNote.length, undefined, dropStart(positions, from));
  return {
    text: startNote + rest.text,
    shown: rest.shown,
    total,
    cutPositions: { ...dropStart(rest.cutPositions, -startNote.length), start: startNote.length },
  };
}
