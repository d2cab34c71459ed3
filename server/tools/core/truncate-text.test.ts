import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { truncateText } from "./truncate-text";

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("truncate", () => {
  test("returns a text within the limits unchanged", () => {
    expect(truncateText("a\nb\n", { bytes: 4, keep: "head" }, 4)).toEqual({ text: "a\nb\n", shown: 4, total: 4 });
  });

  test("cuts the head at a line end and notes the omitted part", () => {
    const { text, shown, total } = truncateText(lines(500), { bytes: 1_000, keep: "head" }, 10_000);
    const kept = text.split("\n").slice(0, -1);
    expect(total).toBe(lines(500).length);
    expect(shown).toBe(`${kept.join("\n")}\n`.length);
    expect(lines(500).startsWith(`${kept.join("\n")}\n`)).toBe(true);
    expect(text.split("\n").at(-1)).toBe(
      `[cut here: ${total - shown} of ${total} bytes, about ${500 - kept.length} lines left out; ask for a smaller part]`,
    );
  });

  test("retains head and tail with a note between them", () => {
    const { text } = truncateText(lines(500), { bytes: 1_000, keep: "both" }, 10_000);
    expect(text).toMatch(
      /^line 1\nline 2\n[^]*line \d+\n\[\.\.\. left out here: \d+ of \d+ bytes, about \d+ lines \.\.\.]\nline \d+\n[^]*line 500\n$/,
    );
  });

  test("applies the character limit if it is smaller than the tool's limit", () => {
    expect(truncateText(lines(500), { bytes: 100_000, keep: "head" }, 600).text.length).toBeLessThanOrEqual(600);
  });

  test("cuts without a note if the limit is very small", () => {
    expect(truncateText("abcdef", { bytes: 3, keep: "head" }, 100)).toEqual({ text: "abc", shown: 3, total: 6 });
    expect(truncateText("a😀b", { bytes: 4, keep: "head" }, 100)).toEqual({ text: "a", shown: 1, total: 6 });
    expect(truncateText("a😀b", { bytes: 4, keep: "both" }, 100).text).toBe("ab");
  });

  test("never exceeds the limits, splits a character or changes head and tail", () => {
    const text = fc
      .array(fc.constantFrom("a", "\n", "é", "的", "😀", "word ", "longer words\n"), { maxLength: 400 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text,
        fc.nat({ max: 1_200 }),
        fc.nat({ max: 1_200 }),
        fc.constantFrom("head" as const, "both" as const),
        (original, bytes, chars, keep) => {
          const cut = truncateText(original, { bytes, keep }, chars);
          expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(bytes);
          expect(cut.text.length).toBeLessThanOrEqual(chars);
          expect(cut.text).not.toMatch(/\p{Surrogate}/u);
          expect(cut.total).toBe(Buffer.byteLength(original));
          const [head = "", tail = ""] = cut.text.split(/\n?\[(?:\.\.\. left out|cut) here: [^\]]*\]\n?/);
          if (keep === "head" || cut.text.includes("[")) expect(original.startsWith(head)).toBe(true);
          if (cut.text.includes("[")) expect(original.endsWith(tail)).toBe(true);
        },
      ),
      { numRuns: 1_000, examples: [["", 0, 0, "both"]] },
    );
  });
});
