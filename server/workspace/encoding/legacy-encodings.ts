/**
 * Encodings older than UTF-8, without a library: decodes with Node's TextDecoder and inverts its tables for encoding.
 * Tables are built on first use. Pure.
 */
import { runSteps, type Steps } from "@/lib/async/steps";
import type { LegacyEncoding } from "@/lib/workspace/project-files";

/** TextDecoder's labels. */
const labels: { readonly [E in Exclude<LegacyEncoding, "windows-1252">]: string } = {
  "windows-1251": "windows-1251",
  gbk: "gbk",
  gb18030: "gb18030",
  big5: "big5",
  "shift-jis": "shift_jis",
  "euc-kr": "euc-kr",
};

/**
 * Characters of the bytes 0x80 to 0x9F, where Node versions differ. A space = the byte maps to itself, so that
 * decoding is lossless.
 */
const windows1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

const doubleByteEncodings: readonly LegacyEncoding[] = ["gbk", "gb18030", "big5", "shift-jis", "euc-kr"];
const isSingleByte = (encoding: LegacyEncoding): boolean => encoding.startsWith("windows-");

/** Byte sequences as one number, by character. */
type CharacterCodes = ReadonlyMap<string, number>;
const codeTables = new Map<LegacyEncoding, CharacterCodes>();

function characterCodes(encoding: LegacyEncoding): CharacterCodes {
  const cached = codeTables.get(encoding);
  if (cached !== undefined) return cached;
  return runSteps(buildCodeTable(encoding));
}

function* buildCodeTable(encoding: LegacyEncoding): Steps<CharacterCodes> {
  const codes = isSingleByte(encoding) ? singleByteCodes(encoding) : yield* doubleByteCodes(encoding);
  codeTables.set(encoding, codes);
  return codes;
}

/** Builds the tables of all encodings, about 100 ms in all, so that no later call does it in one piece. */
export function* buildLegacyTables(tables = codeTables): Steps<void> {
  for (const encoding of doubleByteEncodings)
    if (!tables.has(encoding)) tables.set(encoding, yield* buildCodeTable(encoding));
}

function singleByteCodes(encoding: LegacyEncoding): CharacterCodes {
  const codes = new Map<string, number>();
  for (let byte = 0x80; byte < 0x100; byte += 1) {
    const char = decodeBytes(Buffer.of(byte), encoding);
    if (char !== null) codes.set(char, byte);
  }
  return codes;
}

const firstTrail = 0x40;
const lastTrail = 0xfe;

function* doubleByteCodes(encoding: LegacyEncoding): Steps<CharacterCodes> {
  const codes = new Map<string, number>();
  const twice = new Set<string>();
  const decoder = new TextDecoder(decoderLabel(encoding));
  // Half-width katakana of Shift_JIS and the euro sign of GBK are one byte.
  for (let byte = 0x80; byte < 0x100; byte += 1) {
    const char = decoder.decode(Uint8Array.of(byte));
    if (isSingleCharacter(char)) codes.set(char, byte);
  }
  for (const lead of leadByteOrder(encoding)) {
    for (const [trail, char] of decodeLeadRow(decoder, lead).entries()) {
      if (!isSingleCharacter(char)) continue;
      if (codes.has(char)) twice.add(char);
      else codes.set(char, lead * 256 + firstTrail + trail);
    }
    yield;
  }
  if (encoding === "euc-kr") addKoreanExtension(codes);
  if (twice.size > 0) ambiguousCharacters.set(encoding, new RegExp(`[${[...twice].join("")}]`, "u"));
  return codes;
}

/** Characters with two codes in an encoding: a file may contain the one that would not be written. */
const ambiguousCharacters = new Map<LegacyEncoding, RegExp>();

/** Returns the lead bytes; for characters Shift_JIS has twice, the rows Windows writes come first. */
function leadByteOrder(encoding: LegacyEncoding): readonly number[] {
  const all = Array.from({ length: 0xff - 0x81 }, (_, index) => 0x81 + index);
  const isLast = (lead: number): boolean => encoding === "shift-jis" && (lead === 0xed || lead === 0xee);
  return [...all.filter((lead) => !isLast(lead)), ...all.filter(isLast)];
}

/** Decodes all characters of one lead byte in one call; line ends keep an invalid pair from affecting the next. */
function decodeLeadRow(decoder: TextDecoder, lead: number): readonly string[] {
  const count = lastTrail - firstTrail + 1;
  const bytes = new Uint8Array(count * 3);
  for (let index = 0; index < count; index += 1) bytes.set([lead, firstTrail + index, 0x0a], index * 3);
  return decoder.decode(bytes).split("\n").slice(0, count);
}

/** Matches output that is no character of the encoding: replaced, private use, or a passed-through control byte. */
const noCharacter = /[\u0080-\u009F\uE000-\uF8FF\uFFFD]/;
const isSingleCharacter = (char: string): boolean => [...char].length === 1 && char > "\x7f" && !noCharacter.test(char);

/** Adds the syllables EUC-KR lacks: Windows assigns them to the free codes in Unicode order. */
function addKoreanExtension(codes: Map<string, number>): void {
  const places = koreanExtensionCodes();
  for (let point = 0xac00; point <= 0xd7a3; point += 1) {
    const char = String.fromCharCode(point);
    const place = codes.has(char) ? undefined : places.next().value;
    if (typeof place === "number") codes.set(char, place);
  }
}

function* koreanExtensionCodes(): Generator<number, undefined> {
  for (let lead = 0x81; lead <= 0xc6; lead += 1) {
    const last = lead < 0xa1 ? 0xfe : 0xa0;
    for (let trail = 0x41; trail <= last; trail += 1)
      if (trail <= 0x5a || (trail >= 0x61 && trail <= 0x7a) || trail >= 0x81) yield lead * 256 + trail;
  }
  return undefined;
}

/** Decodes bytes; null if they are not text in this encoding. The result encodes back to the same bytes. */
export function decodeLegacy(bytes: Buffer, encoding: LegacyEncoding): string | null {
  const text = decodeBytes(bytes, encoding);
  if (text === null || encoding === "windows-1252") return text;
  if (!isSingleByte(encoding) && noCharacter.test(text)) return null;
  // TextDecoder swaps these in Shift_JIS.
  if (encoding === "shift-jis" && /[\x1a\x1c\x7f]/.test(text)) return null;
  characterCodes(encoding);
  if (encoding !== "gb18030" && ambiguousCharacters.get(encoding)?.test(text) !== true) return text;
  const again = encodeLegacy(text, encoding);
  return "bytes" in again && again.bytes.equals(bytes) ? text : null;
}

function decodeBytes(bytes: Buffer, encoding: LegacyEncoding): string | null {
  if (encoding === "windows-1252") {
    const special = (byte: string): string => {
      const char = windows1252[byte.charCodeAt(0) - 0x80] ?? " ";
      return char === " " ? byte : char;
    };
    return bytes.toString("latin1").replace(/[\x80-\x9f]/g, special);
  }
  let text: string | null = null;
  try {
    text = new TextDecoder(decoderLabel(encoding), { fatal: true }).decode(bytes);
  } catch {
    // Not in this encoding.
  }
  return encoding === "euc-kr" && (text === null || noCharacter.test(text)) ? decodeKorean(bytes) : text;
}

const decoderLabel = (encoding: LegacyEncoding): string => (encoding === "windows-1252" ? encoding : labels[encoding]);

let koreanChars: ReadonlyMap<number, string> | null = null;

/** Decodes with the extended table: TextDecoder lacks the codes Windows added. */
function decodeKorean(bytes: Buffer): string | null {
  koreanChars ??= new Map([...characterCodes("euc-kr")].map(([char, code]) => [code, char]));
  const parts: string[] = [];
  let plainFrom = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    const char = koreanChars.get(byte * 256 + (bytes[at + 1] ?? 0));
    if (char === undefined) return null;
    parts.push(bytes.toString("latin1", plainFrom, at), char);
    at += 1;
    plainFrom = at + 1;
  }
  parts.push(bytes.toString("latin1", plainFrom));
  return parts.join("");
}

/** Encodes a text; returns the first character the encoding cannot represent as `missing`. */
export function encodeLegacy(
  text: string,
  encoding: LegacyEncoding,
): { readonly bytes: Buffer } | { readonly missing: string } {
  const codes = characterCodes(encoding);
  const bytes = Buffer.allocUnsafe(text.length * 4);
  let length = 0;
  for (const char of text) {
    const code = char < "\x80" ? char.charCodeAt(0) : codes.get(char);
    const four = code === undefined && encoding === "gb18030" ? encodeFourBytes(char) : null;
    if (code === undefined && four === null) return { missing: char };
    if (four !== null) for (const byte of four) bytes[length++] = byte;
    if (code === undefined) continue;
    if (code > 0xff) bytes[length++] = code >> 8;
    bytes[length++] = code & 0xff;
  }
  return { bytes: bytes.subarray(0, length) };
}

/** Returns the one- or two-byte code of a character; undefined if it has none or needs four bytes. */
export const legacyCharacterCode = (char: string, encoding: LegacyEncoding): number | undefined =>
  characterCodes(encoding).get(char);

/** Returns the four bytes at an index of GB18030's order: 10 × 126 × 10 per lead byte. */
const fourBytesAt = (place: number): readonly number[] => [
  0x81 + Math.floor(place / 12_600),
  0x30 + (Math.floor(place / 1_260) % 10),
  0x81 + (Math.floor(place / 10) % 126),
  0x30 + (place % 10),
];

const firstSupplementaryPoint = 0x10000;
const firstSupplementaryIndex = 189_000;
/** Within the basic plane, indices follow the code points except for one private character at 7,457. */
const fourByteGap = { point: 0x1e40, place: 7_458 };
const lastBasicIndex = 39_419;

/** Returns the four bytes of a character without a two-byte code; null if there are none. */
function encodeFourBytes(char: string): readonly number[] | null {
  const point = char.codePointAt(0) ?? 0;
  if (point >= 0xd800 && point < 0xe000) return null;
  if (point >= firstSupplementaryPoint) return fourBytesAt(firstSupplementaryIndex + point - firstSupplementaryPoint);
  const decoder = new TextDecoder("gb18030");
  const charAt = (place: number): string => decoder.decode(Uint8Array.from(fourBytesAt(place)));
  let low = point < fourByteGap.point ? 0 : fourByteGap.place;
  let high = point < fourByteGap.point ? fourByteGap.place - 2 : lastBasicIndex;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((charAt(middle).codePointAt(0) ?? 0) <= point) low = middle;
    else high = middle - 1;
  }
  return charAt(low) === char ? fourBytesAt(low) : null;
}
