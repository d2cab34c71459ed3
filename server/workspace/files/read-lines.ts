/** Reads a range of lines of a file of any size in chunks; stores only the requested lines. */
import type { FileHandle } from "node:fs/promises";
import { fail, ok, type Result, withFacts } from "@/lib/events/error";
import type { TextEncoding } from "@/lib/workspace/project-files";
import { prepareDecoding } from "../encoding/prepare-decoding";
import { decodeWith, decodeText, byteOrderMarkLength } from "../encoding/text-encoding";

export interface LineRange {
  /** First line, from 1. */
  readonly from: number;
  readonly count: number;
  /** Only the start of a longer line is stored. */
  readonly maxLineBytes: number;
  /** No further line is stored after this many bytes; absent = all are. */
  readonly maxBytes?: number;
}

interface FileLine {
  /** Without its line end. */
  readonly text: string;
  /** Size of the whole line. */
  readonly bytes: number;
  readonly isCut: boolean;
}

export interface FileLines {
  readonly lines: readonly FileLine[];
  /** Lines of the whole file; null = too many to count. */
  readonly total: number | null;
  /** File size in bytes. */
  readonly size: number;
}

const chunkBytes = 262_144;
const headBytes = 65_536;
/** Bytes after the last requested line in which further lines are counted. */
const maxCountedBytes = 256_000_000;

/** Reads a range of lines. Fails with binary, bad_encoding (facts: bytes) and aborted. */
export async function readLines(
  handle: FileHandle,
  size: number,
  range: LineRange,
  signal: AbortSignal,
): Promise<Result<FileLines>> {
  const head = await readChunk(handle, 0, Math.min(headBytes, size));
  await prepareDecoding(head);
  const encoding = detectHeadEncoding(head, size);
  if (!encoding.ok) return encoding;
  const lines = makeLineCollector(range, encoding.value);
  let position = byteOrderMarkLength(encoding.value);
  let after = 0;
  for (;;) {
    if (signal.aborted) return fail("aborted");
    const chunk = await readChunk(handle, position, chunkBytes);
    if (chunk.length === 0) break;
    lines.add(chunk);
    position += chunk.length;
    if (lines.isPast()) after += chunk.length;
    if (after > maxCountedBytes) break;
  }
  const { kept, total } = lines.end();
  await prepareDecoding(Buffer.concat(kept.map(({ start }) => start)));
  const decoded = decodeLines(kept, encoding.value);
  if (decoded === null) return fail("bad_encoding", undefined, { bytes: size });
  return ok({ lines: decoded, total: after > maxCountedBytes ? null : total, size });
}

/** Reads up to `length` bytes; fewer at the end of the file. */
export async function readChunk(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(chunk, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return chunk.subarray(0, filled);
}

/**
 * Detects the encoding from the head of the file. A head may end inside a character, so it is retried with up to 3
 * bytes less.
 */
function detectHeadEncoding(head: Buffer, size: number): Result<TextEncoding> {
  const lineEnd = head.lastIndexOf(0x0a);
  const whole = head.length < size && lineEnd > 0 && !head.includes(0) ? head.subarray(0, lineEnd + 1) : head;
  let first: Result<TextEncoding> | null = null;
  for (let less = 0; less < 4; less += 1) {
    const read = decodeText(whole.subarray(0, whole.length - less));
    if (read.ok) return ok(read.value.encoding);
    first ??= { ok: false, error: withFacts(read.error, { bytes: size }) };
  }
  return first ?? fail("bad_encoding", undefined, { bytes: size });
}

interface StoredLine {
  readonly start: Buffer;
  readonly bytes: number;
}

/** Collects lines from the bytes of a file in order; a line may span many chunks. */
function makeLineCollector(
  { from, count, maxLineBytes, maxBytes = Number.POSITIVE_INFINITY }: LineRange,
  encoding: TextEncoding,
) {
  const stored: StoredLine[] = [];
  const width = encoding.startsWith("utf16") ? 2 : 1;
  let number = 1;
  let parts: Buffer[] = [];
  let partBytes = 0;
  let bytes = 0;
  let storedBytes = 0;
  const isPast = (): boolean => number >= from + count || storedBytes >= maxBytes;
  const isWanted = (): boolean => number >= from && !isPast();
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (!isWanted() || partBytes >= maxLineBytes || part.length === 0) return;
    // A copy, so that the chunk can be freed.
    const start = Buffer.from(part.subarray(0, maxLineBytes - partBytes));
    parts.push(start);
    partBytes += start.length;
  };
  const endLine = (): void => {
    if (isWanted()) {
      stored.push({ start: Buffer.concat(parts), bytes });
      storedBytes += partBytes;
    }
    parts = [];
    partBytes = 0;
    bytes = 0;
    number += 1;
  };
  return {
    add(chunk: Buffer): void {
      let start = 0;
      for (let end = findLineEnd(chunk, 0, encoding); end !== -1; end = findLineEnd(chunk, start, encoding)) {
        take(chunk.subarray(start, end));
        endLine();
        start = end + width;
      }
      take(chunk.subarray(start));
    },
    isPast,
    end() {
      if (bytes > 0) endLine();
      return { kept: stored, total: number - 1 };
    },
  };
}

/**
 * Returns the offset of the next line end; -1 if there is none. A line end is one byte in all encodings but UTF-16.
 */
function findLineEnd(chunk: Buffer, start: number, encoding: TextEncoding): number {
  if (!encoding.startsWith("utf16")) return chunk.indexOf(0x0a, start);
  const [evenByte, oddByte] = encoding.startsWith("utf16le") ? [0x0a, 0] : [0, 0x0a];
  for (let at = chunk.indexOf(0x0a, start); at !== -1; at = chunk.indexOf(0x0a, at + 1)) {
    const unit = at - (at % 2);
    if (chunk[unit] === evenByte && chunk[unit + 1] === oddByte) return unit;
  }
  return -1;
}

/**
 * Decodes the lines; null if they are not text. An ASCII head does not determine the encoding: then it is guessed
 * from the lines themselves.
 */
function decodeLines(stored: readonly StoredLine[], encoding: TextEncoding): readonly FileLine[] | null {
  const inOne = (as: TextEncoding): readonly FileLine[] | null => {
    const lines = stored.map((line) => decodeLine(line, as));
    return lines.every((line) => line !== null) ? lines : null;
  };
  const decoded = inOne(encoding);
  if (decoded !== null || encoding !== "utf8") return decoded;
  const whole = stored.filter(({ start, bytes }) => start.length === bytes);
  const guess = decodeText(Buffer.concat(whole.flatMap(({ start }) => [start, Buffer.of(0x0a)])));
  return guess.ok ? inOne(guess.value.encoding) : null;
}

function decodeLine({ start, bytes }: StoredLine, encoding: TextEncoding): FileLine | null {
  const isCut = start.length < bytes;
  for (let less = 0; less < (isCut ? 4 : 1); less += 1) {
    const text = decodeWith(start.subarray(0, start.length - less), encoding);
    if (text !== null) return { text: text.endsWith("\r") ? text.slice(0, -1) : text, bytes, isCut };
  }
  return null;
}
