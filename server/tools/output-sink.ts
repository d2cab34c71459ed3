/** Takes the output of a command as it comes and keeps what the model may see of it: head and tail, all of it as a blob. Called by bash. */
import type { BlobId } from "@/lib/id";
import type { Steps } from "@/lib/steps";
import { finishInTurns } from "../base/steps";

export interface SinkEnd {
  /** Head and tail within `maxBytes`, the note about what is between them included. */
  readonly text: string;
  /** Bytes that came. */
  readonly bytes: number;
  /** The whole output, when `text` is not all of it. It ends where `spillBytes` were reached. */
  readonly blob?: BlobId;
  readonly cut: boolean;
}

export interface OutputSink {
  write(text: string): void;
  /** Call once, after the last write. Rejects when the blob cannot be kept. */
  end(): Promise<SinkEnd>;
}

/**
 * `maxBytes` = most bytes of the shown text; `spillBytes` = most bytes held for the blob. Above that the tail is still the real
 * tail: it is held in a ring of `maxBytes`.
 */
export function makeOutputSink(options: {
  readonly maxBytes: number;
  readonly spillBytes: number;
  readonly keep: (content: Uint8Array) => Promise<BlobId>;
}): OutputSink {
  const { maxBytes, spillBytes, keep } = options;
  const held: Buffer[] = [];
  let heldBytes = 0;
  let bytes = 0;
  let lineBreaks = 0;
  // What came last, as text, once the spill is full; trimmed when it is twice as long as needed.
  let ring = "";

  const write = (text: string): void => {
    const chunk = Buffer.from(text);
    bytes += chunk.length;
    lineBreaks += lineBreaksIn(chunk);
    if (heldBytes === bytes - chunk.length && bytes <= spillBytes) {
      held.push(chunk);
      heldBytes = bytes;
      return;
    }
    ring += text.length > maxBytes ? text.slice(-maxBytes) : text;
    if (ring.length > 2 * maxBytes) ring = ring.slice(-maxBytes);
  };

  const end = async (): Promise<SinkEnd> => {
    const all = await finishInTurns(joined(held, heldBytes), new AbortController().signal);
    held.length = 0;
    if (bytes <= maxBytes) return { text: all.toString("utf8"), bytes, cut: false };
    // Never all of it as text: with the copies that takes, it would be held four times.
    const last = heldBytes === bytes ? all.subarray(-maxBytes) : Buffer.from(ring);
    const text = headAndTail(all, last, { bytes, lineBreaks }, maxBytes);
    const blob = all.length === 0 ? {} : { blob: await keep(all) };
    return { text, ...blob, bytes, cut: true };
  };

  return { write, end };
}

/** One buffer of `bytes` bytes, a chunk a step. */
function* joined(chunks: readonly Buffer[], bytes: number): Steps<Buffer> {
  const all = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.copy(all, at);
    yield;
  }
  return all;
}

/** The start of what was held and the end of what came last, each by its own cut, and how much is between them. */
function headAndTail(
  held: Buffer,
  last: Buffer,
  all: { readonly bytes: number; readonly lineBreaks: number },
  maxBytes: number,
): string {
  const room = Math.floor(maxBytes / 2) - 60;
  const start = held.subarray(0, room);
  const lastBreak = start.lastIndexOf(0x0a);
  const head = start.subarray(0, lastBreak > room / 2 ? lastBreak : wholeCharacters(start));
  const end = last.subarray(-room);
  const firstBreak = end.indexOf(0x0a);
  const tail = end.subarray(firstBreak >= 0 && firstBreak < room / 2 ? firstBreak + 1 : leadingRest(end));
  const left = all.bytes - head.length - tail.length;
  const lines = Math.max(1, all.lineBreaks - lineBreaksIn(head) - lineBreaksIn(tail));
  const note = `${left} of ${all.bytes} bytes, about ${lines} ${lines === 1 ? "line" : "lines"}`;
  return `${head.toString("utf8")}\n[... left out here: ${note} ...]\n${tail.toString("utf8")}`;
}

function lineBreaksIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0x0a) count++;
  return count;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Length without a character that is cut at the end. */
function wholeCharacters(bytes: Buffer): number {
  let at = bytes.length;
  while (at > 0 && isContinuation(bytes[at - 1])) at--;
  const lead = bytes[at - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - at + 1 >= needed ? bytes.length : at - 1;
}

/** Bytes at the start that belong to a character cut off before. */
function leadingRest(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && isContinuation(bytes[at])) at++;
  return at;
}
