import fc from "fast-check";
import { expect, test } from "vitest";
import { cutToNewest, joinOutput } from "./terminal";

test("output that follows is appended, output after a gap replaces", () => {
  expect(joinOutput({ from: 0, text: "ab" }, { from: 2, text: "c" }, 10)).toEqual({ from: 0, text: "abc" });
  expect(joinOutput({ from: 0, text: "ab" }, { from: 3, text: "c" }, 10)).toEqual({ from: 3, text: "c" });
});

test.each([
  ["begins with a line that starts near the cut", "aaaa\nbb\ncc", 5, "cc"],
  ["cuts a line that is too long", "x".repeat(10_000), 5_000, "x".repeat(5_000)],
  ["splits no surrogate pair", "😀".repeat(3), 3, "😀"],
])("the newest output %s", (_title, text, maxChars, expected) => {
  const cut = cutToNewest({ from: 7, text }, maxChars);
  expect(cut).toEqual({ from: 7 + text.length - expected.length, text: expected });
});

test("what remains is the end of the output, at its position, within the limit", () => {
  const pieces = fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { minLength: 1 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 50 }), (texts, maxChars) => {
      const all = texts.join("");
      let end = 0;
      let output = { from: 0, text: "" };
      for (const text of texts) {
        output = joinOutput(output, { from: end, text }, maxChars);
        end += text.length;
      }
      expect(output.text.length).toBeLessThanOrEqual(maxChars);
      expect(all.slice(output.from)).toBe(output.text);
    }),
  );
});
