/** The loaded part of a large text file: a row of pieces of its bytes, decoded without cutting a character. Pure. */

/** Size of a read, bytes. */
export const pieceBytes = 524_288;
/** Pieces that are kept; with `pieceBytes` it bounds the memory. */
const maxPieces = 6;

/** Bytes from `from` until before `to`. */
export interface TextPiece {
  readonly from: number;
  readonly to: number;
  /** With `\n` as line break. */
  readonly text: string;
}

export interface PieceWindow {
  /** Adjacent, in the order of the file; at least one. */
  readonly pieces: readonly TextPiece[];
  /** Number of the first loaded line, from 1; null = not known. */
  readonly firstLine: number | null;
}

/** The window after a piece was added at one end, and the number of characters that the other end lost. */
interface WindowChange {
  readonly window: PieceWindow;
  readonly dropped: number;
}

const lineFeed = 10;
const carriageReturn = 13;
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0;
const maxCharBytes = 4;
/** Within this distance a piece that is read backwards starts with a line, bytes. */
const lineSearchBytes = 65_536;

/** Decodes bytes that follow a loaded piece, or start the file; a character or line break cut at their end is left out. */
export function decodeNext(bytes: Uint8Array, from: number, size: number): TextPiece {
  return toPiece(cutEnd(bytes, from, size), from);
}

const cutEnd = (bytes: Uint8Array, from: number, size: number): Uint8Array =>
  from + bytes.length < size ? bytes.subarray(0, findCleanEnd(bytes)) : bytes;

/** Decodes bytes that precede a loaded piece, or end the file; they start with a line, at least with a character. */
export function decodePrevious(bytes: Uint8Array, from: number): TextPiece {
  const start = from > 0 ? findCleanStart(bytes) : 0;
  return toPiece(bytes.subarray(start), from + start);
}

/** Decodes bytes between others that are not loaded; see `decodePrevious` for their start and `decodeNext` for their end. */
export function decodeBetween(bytes: Uint8Array, from: number, size: number): TextPiece {
  return decodePrevious(cutEnd(bytes, from, size), from);
}

function findCleanStart(bytes: Uint8Array): number {
  const lineEnd = bytes.indexOf(lineFeed);
  if (lineEnd >= 0 && lineEnd < Math.min(lineSearchBytes, bytes.length - 1)) return lineEnd + 1;
  let start = 0;
  while (start < maxCharBytes - 1 && isContinuation(bytes[start])) start += 1;
  return start;
}

function findCleanEnd(bytes: Uint8Array): number {
  const last = bytes.length - 1;
  if (bytes[last] === carriageReturn) return last;
  let lead = last;
  while (lead > last - maxCharBytes && isContinuation(bytes[lead])) lead -= 1;
  const byte = bytes[lead] ?? 0;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead + length > bytes.length && lead > 0 ? lead : bytes.length;
}

const toPiece = (bytes: Uint8Array, from: number): TextPiece => ({
  from,
  to: from + bytes.length,
  text: new TextDecoder("utf-8", { ignoreBOM: from > 0 }).decode(bytes).replace(/\r\n/g, "\n"),
});

export function appendPiece({ pieces, firstLine }: PieceWindow, piece: TextPiece): WindowChange {
  const retained = [...pieces, piece];
  const dropped = retained.splice(0, Math.max(0, retained.length - maxPieces));
  const lines = dropped.reduce((sum, { text }) => sum + countBreaks(text), 0);
  return {
    window: { pieces: retained, firstLine: firstLine === null ? null : firstLine + lines },
    dropped: countChars(dropped),
  };
}

export function prependPiece({ pieces, firstLine }: PieceWindow, piece: TextPiece): WindowChange {
  const retained = [piece, ...pieces];
  const dropped = retained.splice(maxPieces);
  const line = piece.from === 0 ? 1 : firstLine === null ? null : firstLine - countBreaks(piece.text);
  return { window: { pieces: retained, firstLine: line }, dropped: countChars(dropped) };
}

const countChars = (pieces: readonly TextPiece[]): number => pieces.reduce((sum, { text }) => sum + text.length, 0);

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
