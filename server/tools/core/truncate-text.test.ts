import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { truncateText } from "./truncate-text";

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("truncate", () => {
  test("returns a text within the limits unchanged", () => {
    expect(truncateText("a\nb\n", { bytes: 4, keep: "head" }, 4)).toMatchObject({ text: "a\nb\n", shown: 4, total: 4 });
  });

  test("cuts the head at a line end and notes the omitted part", () => {
    const { text, shown, total } = truncateText(lines(500), { bytes: 1_000, keep: "head" }, 10_000);
    const expectedLines = text.split("\n").slice(0, -1);
    expect(total).toBe(lines(500).length);
    expect(shown).toBe(`${expectedLines.join("\n")}\n`.length);
    expect(lines(500).startsWith(`${expectedLines.join("\n")}\n`)).toBe(true);
    expect(text.split("\n").at(-1)).toBe(
      `[cut here: ${total - shown} of ${total} bytes, about ${500 - expectedLines.length} lines left out; ask for a smaller part]`,
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
    expect(truncateText("abcdef", { bytes: 3, keep: "head" }, 100)).toMatchObject({ text: "abc", shown: 3, total: 6 });
    expect(truncateText("a😀b", { bytes: 4, keep: "head" }, 100)).toMatchObject({ text: "a", shown: 1, total: 6 });
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

  test("moves the positions of cuts with their text, and records its own note", () => {
    const text = fc
      .array(fc.constantFrom("a", "|", "\n", "的", "😀", "word ", "longer words\n"), { minLength: 60, maxLength: 400 })
      .map((parts) => parts.join(""));
    const barPositions = (whole: string): number[] => Array.from(whole.matchAll(/\|/g), ({ index }) => index);
    const limit = fc.nat({ max: 900 });
    fc.assert(
      fc.property(text, limit, fc.constantFrom("head" as const, "both" as const), (original, bytes, keep) => {
        const lines = barPositions(original).map((at) => ({ at, lost: "after" as const }));
        const cut = truncateText(original, { bytes, keep }, original.length, undefined, { lines });
        const { note } = cut.cutPositions;
        if (note === undefined) {
          expect(cut).toMatchObject({ shown: cut.total, cutPositions: { lines } });
          return;
        }
        const { from, to } = note;
        expect(original.startsWith(cut.text.slice(0, from))).toBe(true);
        expect(original.endsWith(cut.text.slice(to))).toBe(true);
        expect(cut.text.slice(from, to)).toMatch(/^(?:\n?\[(?:\.\.\. left out|cut) here: [^\]]*\]\n?)?$/);
        const places = cut.cutPositions.lines?.map(({ at }) => at).filter((at) => at < from || at >= to);
        expect(places).toEqual(barPositions(cut.text).filter((at) => at < from || at >= to));
      }),
      { numRuns: 500 },
    );
  });

  test("of a text that has a note, replaces it and what is between by one note", () => {
    const first = truncateText(lines(2_000), { bytes: 8_000, keep: "both" }, 8_000);
    const uneven = first.text.slice(2_500);
    const shifted = {
      from: (first.cutPositions.note?.from ?? 0) - 2_500,
      to: (first.cutPositions.note?.to ?? 0) - 2_500,
    };
    const { text } = truncateText(uneven, { bytes: 5_000, keep: "both" }, 5_000, undefined, { note: shifted });
    expect(text.match(/left out here/g)).toHaveLength(1);
    expect(text.endsWith("line 2000\n")).toBe(true);
  });

  test("moves the position of the ending, and drops one that is left out", () => {
    const text = `${"word ".repeat(400)}\n[exit code 0]`;
    const ending = text.lastIndexOf("\n");
    const shown = truncateText(text, { bytes: 600, keep: "both" }, 600, undefined, { ending });
    expect(shown.text.slice(shown.cutPositions.ending)).toBe("\n[exit code 0]");
    expect(truncateText(text, { bytes: 600, keep: "head" }, 600, undefined, { ending }).cutPositions.ending).toBe(
      undefined,
    );
  });

  describe("of a failed command", () => {
    const failing = (before: number, after: number): string =>
      `${lines(before)}src/a.ts\nthe test\nError: expected 1\n${lines(after)}`;
    const limits = { bytes: 1_000, keep: "failure" } as const;

    test("begins at the first failure in the omitted middle, with a note for each omitted part", () => {
      const { text, shown, total, cutPositions } = truncateText(failing(300, 300), limits, 10_000);
      expect(text).toMatch(
        /^\[\.\.\. left out before: \d+ bytes, about 300 lines \.\.\.\]\nsrc\/a\.ts\nthe test\nError: expected 1\n[^]*\[\.\.\. left out here: [^\n]*\]\n[^]*line 300\n$/,
      );
      expect(text.slice(cutPositions.start).startsWith("src/a.ts\n")).toBe(true);
      expect(text.slice(cutPositions.note?.from, cutPositions.note?.to)).toMatch(/^\[\.\.\. left out here: .*\]\n$/);
      expect(shown).toBeLessThan(total);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000);
    });

    test.each([
      ["its start has the failure", failing(2, 300)],
      ["its end has the failure", failing(300, 2)],
      ["it has none", lines(300)],
      ["it fits", failing(2, 2)],
    ])("keeps start and end if %s", (_name, text) => {
      expect(truncateText(text, limits, 10_000)).toEqual(truncateText(text, { ...limits, keep: "both" }, 10_000));
    });

    test("cut again, keeps the failure, both notes and the positions", () => {
      const first = truncateText(`${failing(300, 300)}[exit code 1]`, limits, 10_000, undefined, {
        ending: failing(300, 300).length - 1,
      });
      const { text, cutPositions } = truncateText(first.text, limits, 500, undefined, first.cutPositions);
      expect(text.match(/left out (?:before|here)/g)).toEqual(["left out before", "left out here"]);
      expect(text.slice(cutPositions.start).startsWith("src/a.ts\n")).toBe(true);
      expect(text.slice(cutPositions.ending)).toBe("\n[exit code 1]");
      expect(text.length).toBeLessThanOrEqual(500);
    });

    test("cut again, begins at a failure late in the head or early in the tail", () => {
      for (const text of [failing(45, 300), failing(300, 30)]) {
        const first = truncateText(text, limits, 10_000);
        const { text: again } = truncateText(first.text, limits, 600, undefined, first.cutPositions);
        expect(first.text.startsWith("line 1\n")).toBe(true);
        expect(again).toMatch(/^\[\.\.\. left out before: [^\n]*\]\n(?:[^\n]*\n)?[^\n]*\n[^\n]*\nError: expected 1\n/);
      }
    });
  });
});
