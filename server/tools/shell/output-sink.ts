/** Collects the streamed output of a command: head and tail within a byte limit, and the whole output as a blob. */
import type { BlobId } from "@/lib/events/id";
import type { CutPositions } from "@/lib/events/tool-kind";
import type { Steps } from "@/lib/async/steps";
import { type FoundFailure, findFailure } from "@/lib/text/failure-lines";
import { runStepsInSlices } from "@/server/base/steps";
import type { ResultLimits } from "../core/tool";
import { formatStartNote } from "../core/truncate-text";
import { neverAborted } from "@/server/base/abort";

interface CollectedOutput {
  /** Head and tail within `maxBytes`, including the note about the omitted middle. */
  readonly text: string;
  /** Total bytes of the output. */
  readonly bytes: number;
  /** The whole output if `text` is cut; at most `spillBytes` bytes. */
  readonly blob?: BlobId;
  readonly cut: boolean;
  /** Range of the note in `text` if it is cut. */
  readonly note?: CutPositions["note"];
  /** Start of the output in `text`, after a note that what came before is omitted. */
  readonly start?: number;
}

interface OutputSink {
  write(text: string): void;
  /**
   * Call once, after the last write. `keep` as in the limits of a result: failure = a head that begins at the first failure. Rejects
   * if the blob cannot be stored.
   */
  end(keep: Exclude<ResultLimits["keep"], "head">): Promise<CollectedOutput>;
}

/**
 * Creates a sink. `maxBytes` = maximum bytes of the shown text; `spillBytes` = maximum bytes held for the blob.
 * Beyond that a ring of `maxBytes` still holds the real tail.
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
  // The most recent output as text once the spill is full; trimmed at twice the needed length.
  let ring = "";

  const write = (text: string): void => {
    const chunk = Buffer.from(text);
    bytes += chunk.length;
    lineBreaks += countLineBreaks(chunk);
    if (heldBytes === bytes - chunk.length && bytes <= spillBytes) {
      held.push(chunk);
      heldBytes = bytes;
      return;
    }
    ring += text.length > maxBytes ? text.slice(-maxBytes) : text;
    if (ring.length > 2 * maxBytes) ring = ring.slice(-maxBytes);
  };

  const end = async (keepPart: Exclude<ResultLimits["keep"], "head">): Promise<CollectedOutput> => {
    const all = await runStepsInSlices(concatChunks(held, heldBytes), neverAborted);
    held.length = 0;
    if (bytes <= maxBytes) return { text: all.toString("utf8"), bytes, cut: false };
    // Never converts the whole output to text: with the copies, it would be in memory four times.
    const last = heldBytes === bytes ? all.subarray(-maxBytes) : Buffer.from(ring);
    const isSearched = keepPart === "failure" && heldBytes === bytes;
    const from = isSearched ? await runStepsInSlices(findFailureSteps(all), neverAborted) : 0;
    const shown = formatHeadAndTail({ held: all, from, last }, { bytes, lineBreaks }, maxBytes);
    const blob = all.length === 0 ? {} : { blob: await keep(all) };
    return { ...shown, ...blob, bytes, cut: true };
  };

  return { write, end };
}

/** Concatenates the chunks to one buffer of `bytes` bytes, one chunk per step. */
function* concatChunks(chunks: readonly Buffer[], bytes: number): Steps<Buffer> {
  const all = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.copy(all, at);
    yield;
  }
  return all;
}

/** Bytes that are searched in one step. */
const searchedBytes = 65_536;

/** Finds the first failure in an output, from the start of a line; 0 = none. */
function* findFailureSteps(all: Buffer): Steps<number> {
  let named = 0;
  for (let start = 0; start < all.length; ) {
    const part = all.subarray(start, start + searchedBytes);
    const end = start + (part.lastIndexOf(0x0a) + 1 || wholeCharactersLength(part));
    const text = all.toString("utf8", start, end);
    const found: FoundFailure | null = findFailure(text);
    const from = found === null ? 0 : start + Buffer.byteLength(text.slice(0, found.from));
    if (found?.isError === true) return from;
    if (named === 0) named = from;
    start = end;
    yield;
  }
  return named;
}

/**
 * Formats the start of the held output and the end of the last output, each cut at a line or character, with a note
 * about the omitted part. The start is `from`, with a note of its own, if that is in the omitted part.
 */
function formatHeadAndTail(
  { held, from, last }: { readonly held: Buffer; readonly from: number; readonly last: Buffer },
  all: { readonly bytes: number; readonly lineBreaks: number },
  maxBytes: number,
): Pick<CollectedOutput, "text" | "note" | "start"> {
  const halfBytes = Math.floor(maxBytes / 2) - 60;
  if (from >= halfBytes && from < all.bytes - halfBytes) {
    const before = held.subarray(0, from);
    const lines = countLineBreaks(before);
    const startNote = formatStartNote(before.length, lines);
    const rest = { bytes: all.bytes - from, lineBreaks: all.lineBreaks - lines };
    const roomBytes = maxBytes - startNote.length;
    if (rest.bytes <= roomBytes) return { text: startNote + held.toString("utf8", from), start: startNote.length };
    const shown = formatHeadAndTail({ held: held.subarray(from), from: 0, last }, rest, roomBytes);
    const note = shown.note && { from: shown.note.from + startNote.length, to: shown.note.to + startNote.length };
    return { text: startNote + shown.text, note, start: startNote.length };
  }
  const first = held.subarray(0, halfBytes);
  const lastBreak = first.lastIndexOf(0x0a);
  const head = first.subarray(0, lastBreak > halfBytes / 2 ? lastBreak : wholeCharactersLength(first));
  const end = last.subarray(-halfBytes);
  const firstBreak = end.indexOf(0x0a);
  const tail = end.subarray(
    firstBreak >= 0 && firstBreak < halfBytes / 2 ? firstBreak + 1 : countLeadingContinuations(end),
  );
  const left = all.bytes - head.length - tail.length;
  const lines = Math.max(1, all.lineBreaks - countLineBreaks(head) - countLineBreaks(tail));
  const note = `\n[... left out here: ${left} of ${all.bytes} bytes, about ${lines} ${lines === 1 ? "line" : "lines"} ...]\n`;
  const start = head.toString("utf8");
  return {
    text: start + note + tail.toString("utf8"),
    note: { from: start.length, to: start.length + note.length },
  };
}

function countLineBreaks(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0x0a) count++;
  return count;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns the length without a character that is cut at the end. */
function wholeCharactersLength(bytes: Buffer): number {
  let at = bytes.length;
  while (at > 0 && isContinuation(bytes[at - 1])) at--;
  const lead = bytes[at - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - at + 1 >= needed ? bytes.length : at - 1;
}

/** Returns the number of bytes at the start that belong to a character cut off before. */
function countLeadingContinuations(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && isContinuation(bytes[at])) at++;
  return at;
}
