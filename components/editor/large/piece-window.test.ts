import { expect, test } from "vitest";
import { appendPiece, decodeBetween, decodeNext, decodePrevious, type PieceWindow, prependPiece } from "./piece-window";

const samples = ["one\ntwo\r\nthree", "äöü€🙂漢字\n混ぜ\r\n🙂🙂🙂\n", "🙂".repeat(40), "\r\n\r\n\n\r\n", "a\rb\r"];
const normalized = (text: string): string => text.replace(/\r\n/g, "\n");

test.each(samples)("%j read forwards in pieces of any size is the same text", (text) => {
  const bytes = new TextEncoder().encode(text);
  for (let size = 5; size <= bytes.length + 1; size += 1) {
    let read = "";
    for (let at = 0; at < bytes.length; ) {
      const piece = decodeNext(bytes.subarray(at, at + size), at, bytes.length);
      expect(piece).toMatchObject({ from: at });
      expect(piece.to).toBeGreaterThan(at);
      read += piece.text;
      at = piece.to;
    }
    expect(read).toBe(normalized(text));
  }
});

test.each(samples)("%j read backwards in pieces of any size is the same text", (text) => {
  const bytes = new TextEncoder().encode(text);
  for (let size = 9; size <= bytes.length + 1; size += 1) {
    let read = "";
    for (let end = bytes.length; end > 0; ) {
      const from = Math.max(0, end - size);
      const piece = decodePrevious(bytes.subarray(from, end), from);
      expect(piece.to).toBe(end);
      read = piece.text + read;
      end = piece.from;
    }
    expect(read).toBe(normalized(text));
  }
});

test.each(samples)("bytes of %j from any place are decoded without a part of a character", (text) => {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length - 8; from += 1) {
    const piece = decodeBetween(bytes.subarray(from, from + 9), from, bytes.length);
    expect(piece.from).toBeGreaterThanOrEqual(from);
    expect(piece.to).toBeGreaterThan(piece.from);
    expect(piece.text).not.toContain("\ufffd");
    expect(normalized(text)).toContain(piece.text);
  }
});

test("bytes that are no UTF-8 are replaced and do not stop the reading", () => {
  const bytes = new Uint8Array(20).fill(0xbf);
  expect(decodeNext(bytes, 0, 100)).toMatchObject({ from: 0, to: 20 });
  expect(decodePrevious(bytes, 50)).toMatchObject({ from: 53, to: 70 });
});

test("a window keeps six pieces and the number of its first line, in both directions", () => {
  const piece = (index: number) => ({ from: index * 4, to: index * 4 + 4, text: `${index}\n\nx` });
  let window: PieceWindow = { pieces: [piece(0)], firstLine: 1 };
  for (let index = 1; index < 8; index += 1) {
    const change = appendPiece(window, piece(index));
    expect(change.dropped).toBe(index < 6 ? 0 : 4);
    window = change.window;
  }
  expect(window.pieces.map(({ from }) => from)).toEqual([8, 12, 16, 20, 24, 28]);
  expect(window.firstLine).toBe(5);
  const change = prependPiece(window, piece(1));
  expect(change).toMatchObject({ dropped: 4, window: { firstLine: 3 } });
  expect(prependPiece({ ...window, firstLine: null }, piece(1)).window.firstLine).toBeNull();
  expect(prependPiece({ ...window, firstLine: null }, piece(0)).window.firstLine).toBe(1);
});
