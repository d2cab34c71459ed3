import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeLineReader } from "./line-reader";
import { ProviderError } from "../provider";

const read = (bytes: Uint8Array, cuts: readonly number[]): readonly string[] => {
  const reader = makeLineReader(1_000_000);
  const ends = [...new Set(cuts)].filter((cut) => cut < bytes.length).sort((a, b) => a - b);
  const lines = [...ends, bytes.length].flatMap((end, index) => reader.push(bytes.subarray(ends[index - 1] ?? 0, end)));
  return [...lines, ...reader.end()];
};
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the line reader", () => {
  it.each([
    ["one line without an end", '{"a":1}', ['{"a":1}']],
    ["line ends of both kinds", "a\r\nb\nc\r\n", ["a", "b", "c"]],
    ["empty lines", "\n\r\n  \na\n\n\nb\n", ["a", "b"]],
    ["a byte order mark", "\uFEFFa\nb", ["a", "b"]],
    ["separators that are not line ends", "a\u2028b\u0085c\u2029d\n", ["a\u2028b\u0085c\u2029d"]],
    ["nothing", "", []],
  ])("accepts %s", (_name, text, lines) => {
    expect(read(bytesOf(text), [])).toEqual(lines);
  });

  it("continues after invalid UTF-8", () => {
    expect(read(Uint8Array.of(0x61, 0xff, 0x0a, 0x62, 0xe4), [])).toEqual(["a\uFFFD", "b\uFFFD"]);
  });

  it("returns the same lines one byte at a time and cut anywhere", () => {
    const line = fc.string({ unit: "binary" }).map((text) => JSON.stringify({ text }));
    const ending = fc.constantFrom("\n", "\r\n", "\n\n", "\n \r\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ending)), fc.array(fc.nat(500)), (lines, cuts) => {
        const bytes = bytesOf(lines.flat().join(""));
        const expected = lines.map(([text]) => text);
        expect(read(bytes, cuts)).toEqual(expected);
        expect(read(bytes, [...bytes.keys()])).toEqual(expected);
      }),
    );
  });

  it("copies from a buffer that is reused for the next read", () => {
    const reader = makeLineReader(100);
    const buffer = bytesOf("ab");
    reader.push(buffer);
    buffer.set(bytesOf("c\n"));
    expect(reader.push(buffer)).toEqual(["abc"]);
  });

  it("accepts a line of exactly the limit and refuses one byte more, terminated or not", () => {
    expect(makeLineReader(3).push(bytesOf("abc\nabc\n"))).toEqual(["abc", "abc"]);
    expect(() => makeLineReader(3).push(bytesOf("abcd\n"))).toThrow(ProviderError);
    const reader = makeLineReader(3);
    reader.push(bytesOf("abc"));
    expect(() => reader.push(bytesOf("d"))).toThrow(
      expect.objectContaining({ error: expect.objectContaining({ code: "bad_answer" }) }),
    );
  });
});
