/** Replaces the matches that ripgrep found in the text of a file. Pure. */
import type { Steps } from "@/lib/async/steps";
import { fail, ok, type Result } from "@/lib/events/error";
import type { TextEncoding } from "@/lib/workspace/project-files";
import type { MatchText } from "@/lib/workspace/replacement";
import { decodeWith, encodeText } from "@/server/workspace/encoding/text-encoding";
import { captureTexts } from "@/server/workspace/search/code-pattern";
import { digestBytes } from "@/server/workspace/search/project-lines";
import type { LineEvent } from "@/server/workspace/search/ripgrep-events";
import type { TextFile } from "@/server/workspace/workspace";

/** The matches of a line. */
export type MatchedLine = Pick<LineEvent, "position" | "submatches">;

/** Encodings that ripgrep itself converts to UTF-8; of other files it searches the bytes. */
const convertedEncodings: ReadonlySet<TextEncoding> = new Set(["utf8", "utf8-bom", "utf16le", "utf16be"]);

interface ReplacedText {
  readonly text: string;
  /** Number of replaced matches. */
  readonly matches: number;
}

/**
 * Replaces the matches of lines, given in their order, with the text whose parts `expand` returns. A match that divides a
 * character stays: the search does not list it. Fails with changed_meanwhile if a line is different in this file, with
 * bad_encoding if every match divides a character, and with too_large if the text has more than `maxChars` UTF-16 units.
 */
export function* replaceMatchesInSteps(
  file: Pick<TextFile, "text" | "encoding">,
  lines: readonly MatchedLine[],
  expand: (match: MatchText) => readonly string[],
  maxChars: number,
): Steps<Result<ReplacedText>> {
  const encoding = convertedEncodings.has(file.encoding) ? "utf8" : file.encoding;
  const encoded = encodeText(file.text, encoding);
  if (!encoded.ok) return encoded;
  const bytes = encoded.value;
  const decode = (part: Buffer): string | null => decodeWith(part, encoding);
  const text = makeTextBuilder();
  let byteAt = 0;
  let matches = 0;
  for (const { position, submatches } of lines) {
    const line = bytes.subarray(position.offset, position.offset + position.length);
    if (digestBytes(line) !== position.digest) return fail("changed_meanwhile");
    for (const submatch of submatches) {
      yield;
      const start = position.offset + submatch.start;
      const end = position.offset + submatch.end;
      const before = decodeWhole(bytes.subarray(byteAt, start), decode);
      if (before === null) return fail("bad_encoding");
      text.append(before.text);
      byteAt += before.length;
      const match = byteAt === start ? decode(bytes.subarray(start, end)) : null;
      if (match === null) continue;
      const captures = captureTexts(submatch).map(decode);
      if (!captures.every((capture) => capture !== null)) return fail("bad_encoding");
      byteAt = end;
      matches += 1;
      for (const part of expand({ match, captures })) text.append(part);
      if (text.length() > maxChars) return fail("too_large");
      text.compact();
    }
  }
  const rest = decode(bytes.subarray(byteAt));
  if (rest === null || (matches === 0 && lines.length > 0)) return fail("bad_encoding");
  text.append(rest);
  return text.length() > maxChars ? fail("too_large") : ok({ text: text.finish(), matches });
}

/** Bytes of the longest character, in GB18030. */
const maxCharacterBytes = 4;

/** Decodes bytes without the start of a character at their end; `length` = of the decoded bytes. null = no text. */
function decodeWhole(
  bytes: Buffer,
  decode: (part: Buffer) => string | null,
): { readonly text: string; readonly length: number } | null {
  for (let left = 0; left < maxCharacterBytes && left <= bytes.length; left += 1) {
    const text = decode(bytes.subarray(0, bytes.length - left));
    if (text !== null) return { text, length: bytes.length - left };
  }
  return null;
}

/** Parts that are joined at a time: one call for a million parts holds the event loop. */
const joinedParts = 1_000;

function makeTextBuilder() {
  const texts: string[] = [];
  let parts: string[] = [];
  let length = 0;
  return {
    append(part: string): void {
      if (part === "") return;
      length += part.length;
      parts.push(part);
    },
    /** UTF-16 units of all parts. */
    length: () => length,
    /** Joins the parts so far. */
    compact(): void {
      if (parts.length < joinedParts) return;
      texts.push(parts.join(""));
      parts = [];
    },
    finish: (): string => [...texts, ...parts].join(""),
  };
}
