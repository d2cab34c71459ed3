/** Converts bytes to text and back without loss: encodings, line ends, detection of binary content. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { LegacyEncoding, TextEncoding } from "@/lib/workspace/project-files";
import type { Steps } from "@/lib/async/steps";
import { guessEncoding, isTypicalText, rankEncodingsInSteps, sampleText } from "./guess-encoding";
import { decodeLegacy, encodeLegacy } from "./legacy-encodings";
import type { TextFile } from "../workspace";

type DecodedText = Pick<TextFile, "text" | "encoding" | "eol" | "finalNewline">;
type UnicodeEncoding = Exclude<TextEncoding, LegacyEncoding>;

const byteOrderMarks: { readonly [E in UnicodeEncoding]: Buffer } = {
  utf8: Buffer.of(),
  "utf8-bom": Buffer.of(0xef, 0xbb, 0xbf),
  utf16le: Buffer.of(0xff, 0xfe),
  utf16be: Buffer.of(0xfe, 0xff),
  "utf16le-bare": Buffer.of(),
  "utf16be-bare": Buffer.of(),
};

/** Share of control characters above which a file counts as binary. */
const binaryShare = 0.1;
const sniffedChars = 8_192;
const lineFeed = 0x0a;

/**
 * Decodes a text file. Fails with binary (facts: bytes, type) or bad_encoding (facts: bytes); never substitutes
 * characters.
 */
export function decodeText(bytes: Buffer): Result<DecodedText> {
  const encoding = detectByteOrderMark(bytes);
  const content = bytes.subarray(byteOrderMarks[encoding].length);
  if (encoding === "utf16le" || encoding === "utf16be") {
    if (content.length % 2 !== 0) return failBadEncoding(bytes);
    const text = decodeUtf16(content, encoding);
    return text.includes("\0") || looksBinary(text.slice(0, sniffedChars))
      ? failBinary(bytes)
      : ok(toDecodedText(text, encoding));
  }
  if (content.includes(0)) return decodeBareUtf16(bytes);
  if (looksBinary(content.toString("latin1", 0, sniffedChars))) return failBinary(bytes);
  try {
    // Throws where toString would insert U+FFFD: text that cannot be written back unchanged is refused.
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return ok(toDecodedText(content.toString("utf8"), encoding));
  } catch {
    // Not UTF-8.
  }
  const guess = encoding === "utf8" && !isMostlyUtf8(content) ? guessEncoding(content) : null;
  return guess === null ? failBadEncoding(bytes) : ok(toDecodedText(guess.text, guess.encoding));
}

/** Returns null for bytes that are no text. */
export function decodeTextOrNull(bytes: Uint8Array): string | null {
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return decoded.ok ? decoded.value.text : null;
}

/**
 * Returns the encoding that `decodeText` detects in bytes that are not UTF-8, by a sample: a rare character after it may
 * exclude that encoding. null = none, or a byte order mark names another one.
 */
export function* guessLegacyInSteps(bytes: Buffer): Steps<LegacyEncoding | null> {
  if (detectByteOrderMark(bytes) !== "utf8" || isMostlyUtf8(bytes)) return null;
  yield;
  const [likely = null] = yield* rankEncodingsInSteps(bytes);
  return likely;
}

/**
 * Decodes a text in an encoding that the user chose, with or without a byte order mark, as the bytes are. Fails with
 * bad_encoding (facts: encoding, and line = the first one that is not valid, null = unknown).
 */
export function decodeTextAs(bytes: Buffer, chosen: TextEncoding): Result<DecodedText> {
  const encoding = encodingWithMark(bytes, chosen);
  const content = bytes.subarray(byteOrderMarkLength(encoding));
  const text = decodeTextOnly(content, encoding);
  if (text !== null) return ok(toDecodedText(text, encoding));
  return fail("bad_encoding", undefined, { encoding, line: isUtf16(encoding) ? null : findBadLine(content, encoding) });
}

function encodingWithMark(bytes: Buffer, chosen: TextEncoding): TextEncoding {
  const mark = detectByteOrderMark(bytes);
  if (chosen.startsWith("utf8")) return mark === "utf8-bom" ? mark : "utf8";
  if (chosen.startsWith("utf16le")) return mark === "utf16le" ? mark : "utf16le-bare";
  if (chosen.startsWith("utf16be")) return mark === "utf16be" ? mark : "utf16be-bare";
  return chosen;
}

/** null = the bytes are no text in this encoding. */
function decodeTextOnly(content: Buffer, encoding: TextEncoding): string | null {
  const text = decodeWith(content, encoding);
  return text?.includes("\0") === true ? null : text;
}

/**
 * Returns the number of the first line that is no text, by bisection: a file may have millions of lines. In these
 * encodings a line feed is never part of a character.
 */
function findBadLine(content: Buffer, encoding: TextEncoding): number {
  let [from, to] = [0, content.length];
  for (;;) {
    const middle = from + Math.floor((to - from) / 2);
    const after = content.indexOf(lineFeed, middle) + 1;
    const end = after > 0 && after < to ? after : content.lastIndexOf(lineFeed, middle - 1) + 1;
    if (end <= from) break;
    if (decodeTextOnly(content.subarray(from, end), encoding) === null) to = end;
    else from = end;
  }
  let line = 1;
  for (const byte of content.subarray(0, from)) if (byte === lineFeed) line += 1;
  return line;
}

/** Whether the detection of the encoding reads the encoded text as another one. */
export function isMisread(text: string, encoding: TextEncoding): boolean {
  if (!isLegacy(encoding) && !encoding.endsWith("-bare")) return false;
  const bytes = encodeText(text, encoding);
  const read = bytes.ok ? decodeText(bytes.value) : bytes;
  return !read.ok || read.value.text !== text;
}

const toDecodedText = (text: string, encoding: TextEncoding): DecodedText => ({
  text,
  encoding,
  eol: detectLineEnd(text),
  finalNewline: text.endsWith("\n"),
});

const failBadEncoding = (bytes: Buffer): Result<never> => fail("bad_encoding", undefined, { bytes: bytes.length });

const decodeUtf16 = (content: Buffer, encoding: TextEncoding): string =>
  (encoding.startsWith("utf16le") ? content : Buffer.from(content).swap16()).toString("utf16le");

/**
 * Matches letters, marks, numbers, signs and white space; no control, private or unassigned characters, no half
 * surrogate pairs.
 */
const printableText = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\p{Cf}\t\n\f\r]*$/u;
/** Minimum share of ASCII characters (line ends, spaces, signs) in UTF-16 text without a byte order mark. */
const asciiShare = 0.02;

/** Decodes UTF-16 without a byte order mark in the byte order that yields text with some ASCII. */
function decodeBareUtf16(bytes: Buffer): Result<DecodedText> {
  if (bytes.length % 2 !== 0) return failBinary(bytes);
  for (const encoding of ["utf16le-bare", "utf16be-bare"] as const) {
    const sample = decodeUtf16(bytes.subarray(0, 2 * sniffedChars), encoding).replace(/[\uD800-\uDBFF]$/, "");
    const ascii = sample.length - sample.replace(/[\t\n\r\x20-\x7e]/g, "").length;
    if (ascii < sample.length * asciiShare || !printableText.test(sample) || !isTypicalText(sample)) continue;
    const text = decodeUtf16(bytes, encoding);
    if (!text.includes("\0")) return ok(toDecodedText(text, encoding));
  }
  return failBinary(bytes);
}

/** Returns whether the bytes are UTF-8 with few invalid sequences: any other encoding would misread all of it. */
function isMostlyUtf8(content: Buffer): boolean {
  const others = sampleText(content)
    .toString("utf8")
    .replace(/[\x00-\x7f]+/g, "");
  const broken = others.length - others.replaceAll("\uFFFD", "").length;
  return others.length - broken >= broken * 3;
}

/** Decodes bytes without a byte order mark in a given encoding; null if they are not valid in it. */
export function decodeWith(content: Buffer, encoding: TextEncoding): string | null {
  if (isUtf16(encoding)) return content.length % 2 === 0 ? decodeUtf16(content, encoding) : null;
  if (encoding !== "utf8" && encoding !== "utf8-bom") return decodeLegacy(content, encoding);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

/** Returns the length of the encoding's byte order mark. */
export const byteOrderMarkLength = (encoding: TextEncoding): number =>
  isLegacy(encoding) ? 0 : byteOrderMarks[encoding].length;

const isLegacy = (encoding: TextEncoding): encoding is LegacyEncoding => !(encoding in byteOrderMarks);

/**
 * Encodes a text. Fails with unencodable (facts: encoding, character, line) if the encoding lacks a character, such
 * as a Chinese one in Windows-1252, and with bad_encoding for half a surrogate pair in UTF-8.
 */
export function encodeText(text: string, encoding: TextEncoding): Result<Buffer> {
  if (encoding === "utf8" || encoding === "utf8-bom") {
    if (/\p{Surrogate}/u.test(text)) return fail("bad_encoding");
    return ok(Buffer.concat([byteOrderMarks[encoding], Buffer.from(text, "utf8")]));
  }
  if (isUtf16(encoding)) {
    const content = Buffer.from(text, "utf16le");
    return ok(Buffer.concat([byteOrderMarks[encoding], encoding.startsWith("utf16be") ? content.swap16() : content]));
  }
  const encoded = encodeLegacy(text, encoding);
  if ("bytes" in encoded) return ok(encoded.bytes);
  const character = encoded.missing;
  const line = text.slice(0, text.indexOf(character)).split("\n").length;
  return fail("unencodable", undefined, { encoding, character, line });
}

const isUtf16 = (encoding: TextEncoding): encoding is Exclude<UnicodeEncoding, "utf8" | "utf8-bom"> =>
  encoding.startsWith("utf16");

function detectByteOrderMark(bytes: Buffer): "utf8" | "utf8-bom" | "utf16le" | "utf16be" {
  const starts = (encoding: UnicodeEncoding): boolean =>
    bytes.subarray(0, byteOrderMarks[encoding].length).equals(byteOrderMarks[encoding]);
  if (starts("utf8-bom")) return "utf8-bom";
  if (starts("utf16le")) return "utf16le";
  return starts("utf16be") ? "utf16be" : "utf8";
}

/**
 * Returns the most frequent line end; "
 * " for a tie or none.
 */
function detectLineEnd(text: string): TextFile["eol"] {
  let windows = 0;
  let all = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all += 1;
    if (at > 0 && text[at - 1] === "\r") windows += 1;
  }
  return windows > all - windows ? "\r\n" : "\n";
}

/**
 * Returns whether there are too many control characters; tab, line ends, form feed, backspace and escape count as
 * text.
 */
function looksBinary(sample: string): boolean {
  let controls = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const code = sample.charCodeAt(at);
    const isText = code >= 0x20 ? code !== 0x7f : (code >= 0x08 && code <= 0x0d) || code === 0x1b;
    if (!isText) controls += 1;
  }
  return controls > sample.length * binaryShare;
}

const failBinary = (bytes: Buffer): Result<never> =>
  fail("binary", undefined, { bytes: bytes.length, type: detectFileType(bytes) });

const signatures: readonly (readonly [type: string, start: string, at?: number])[] = [
  ["image/png", "\x89PNG\r\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["image/webp", "WEBP", 8],
  ["image/bmp", "BM"],
  ["image/x-icon", "\x00\x00\x01\x00"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
  ["application/x-xz", "\xfd7zXZ"],
  ["application/zstd", "\x28\xb5\x2f\xfd"],
  ["application/x-tar", "ustar", 257],
  ["application/x-executable", "\x7fELF"],
  ["application/x-executable", "MZ"],
  ["application/x-mach-binary", "\xcf\xfa\xed\xfe"],
  ["application/java-class", "\xca\xfe\xba\xbe"],
  ["application/wasm", "\x00asm"],
  ["application/vnd.sqlite3", "SQLite format 3\x00"],
  ["audio/mpeg", "ID3"],
  ["audio/ogg", "OggS"],
  ["video/mp4", "ftyp", 4],
  ["video/webm", "\x1a\x45\xdf\xa3"],
  ["font/woff2", "wOF2"],
];

/**
 * Detects the type of bytes by their signature; "text/plain" for other text, "application/octet-stream" otherwise.
 */
export function detectFileType(bytes: Buffer): string {
  const start = bytes.toString("latin1", 0, 512);
  const match = signatures.find(([, signature, at = 0]) => start.startsWith(signature, at));
  // A two-byte signature is no proof if the rest is text.
  const isText = !start.includes("\0") && !looksBinary(start);
  if (match !== undefined && !(isText && match[1].length <= 2)) return match[0];
  return isText && start !== "" ? "text/plain" : "application/octet-stream";
}
