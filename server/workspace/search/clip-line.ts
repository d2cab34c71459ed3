/** Cuts a long line to the part around its first match. */
import type { LineCut } from "@/lib/events/tool-kind";

/** Range of a text, UTF-16 units; the end is not included. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the part of a line with at most `max` units around the match; splits no surrogate pair. */
export function rangeAroundMatch(text: string, start: number, end: number, max: number): TextRange {
  if (text.length <= max) return { from: 0, to: text.length };
  const middle = (start + Math.min(end, start + max)) / 2;
  const from = Math.max(0, Math.min(Math.floor(middle - max / 2), text.length - max));
  const to = from + max;
  return {
    from: isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from,
    to: isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to,
  };
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

export interface ClippedLine {
  /** At most the requested length, and `…` for each cut. */
  readonly text: string;
  /** Absent if the line is whole. */
  readonly cuts?: readonly LineCut[];
}

/** Returns the text without a reference to the longer one it was cut from, which V8 would keep in memory. */
const copyText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

/** Cuts a line to `max` characters around the match; marks each cut with `…`. */
export function clipAroundMatch(text: string, start: number, end: number, max: number): ClippedLine {
  const { from, to } = rangeAroundMatch(text, start, end, max);
  if (from === 0 && to === text.length) return { text };
  const before = from > 0 ? "…" : "";
  const shown = before + copyText(text.slice(from, to));
  const cuts: LineCut[] = [];
  if (from > 0) cuts.push({ at: before.length, lost: "before" });
  if (to === text.length) return { text: shown, cuts };
  return { text: `${shown}…`, cuts: [...cuts, { at: shown.length, lost: "after" }] };
}
