/** Converts what ripgrep reports about a line to the text that is delivered: positions are UTF-16 units. Pure. */
import type { TextEncoding } from "@/lib/workspace/project-files";
import type { CodeSearchLine, ContextLine } from "@/lib/workspace/code-search";
import { decodeWith } from "@/server/workspace/encoding/text-encoding";
import { rangeAroundMatch } from "../clip-line";
import { captureTexts, lineDigest } from "../code-pattern";
import type { LineEvent } from "../ripgrep-events";

/** Maximum length of a delivered line, UTF-16 units. */
const maxLineChars = 300;

/** A line as it is delivered; absent = it is of the other kind. */
export interface FoundText {
  readonly match?: CodeSearchLine;
  readonly context?: ContextLine;
}

/**
 * Returns the text of a line. `encoding` null = UTF-8, in which invalid bytes are shown as U+FFFD. Returns null if every
 * match divides a character of the encoding: then ripgrep, which compares bytes, found no text.
 */
export function toFoundText(event: LineEvent, hasGroups: boolean, encoding: TextEncoding | null): FoundText | null {
  const decode = (bytes: Buffer): string | null =>
    encoding === null ? bytes.toString("utf8") : decodeWith(bytes, encoding);
  const whole = decode(event.bytes);
  if (whole === null) return toFoundText(event, hasGroups, null);
  const text = whole.replace(/\r?\n$/, "");
  if (event.isContext) {
    const { to } = rangeAroundMatch(text, 0, 0, maxLineChars);
    return { context: { line: event.line, text: text.slice(0, to), isCut: to < text.length } };
  }
  const match = toFoundLine(event, text, hasGroups, decode);
  return match === null ? null : { match };
}

type DecodeBytes = (bytes: Buffer) => string | null;

/** Returns the line with its matches as UTF-16 ranges; a long line is cut around the first one. */
function toFoundLine(
  { line, bytes, submatches, position }: LineEvent,
  text: string,
  hasGroups: boolean,
  decode: DecodeBytes,
): CodeSearchLine | null {
  const marks: (readonly [number, number])[] = [];
  const captures: (readonly string[])[] = [];
  let byteAt = 0;
  let unitAt = 0;
  for (const submatch of submatches) {
    const before = decode(bytes.subarray(byteAt, submatch.start));
    const match = decode(bytes.subarray(submatch.start, submatch.end));
    if (before === null || match === null) continue;
    const start = unitAt + before.length;
    unitAt = start + match.length;
    byteAt = submatch.end;
    marks.push([start, Math.min(text.length, unitAt)]);
    if (hasGroups) captures.push(captureTexts(submatch).map((capture) => firstChars(decode(capture) ?? "")));
  }
  if (marks.length === 0 && submatches.length > 0) return null;
  const [first, last] = marks[0] ?? [0, 0];
  const { from, to } = rangeAroundMatch(text, first, last, maxLineChars);
  const isShown = ([start, end]: readonly [number, number]): boolean => start <= to && end >= from;
  return {
    line,
    offset: from,
    text: text.slice(from, to),
    isCut: to < text.length,
    marks: marks.filter(isShown).map(([start, end]) => [Math.max(0, start - from), Math.min(to, end) - from]),
    ...(hasGroups && { captures: captures.filter((_, index) => isShown(marks[index] ?? [0, -1])) }),
    digest: lineDigest(position),
  };
}

const firstChars = (text: string): string => text.slice(0, maxLineChars);
