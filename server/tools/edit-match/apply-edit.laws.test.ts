import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { applyEdit, applyEditSteps } from "./apply-edit";

const edited = (file: string, oldText: string, newText: string, eol = "\n") =>
  applyEdit(file, { oldText, newText, replaceAll: false }, eol);

describe("properties of the matching steps", () => {
  const line = fc.constantFrom("a", "  b", "\tc", "", "x = 1;  ", "it\u2019s", "\u201cq\u201d", "}", "    deep", "的");
  const lines = fc.array(line, { minLength: 1, maxLength: 12 });

  test("a unique part is replaced and nothing else changes", () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom("\n", "\r\n"), (before, after, eol) => {
        const head = `${before.join(eol)}${eol}`;
        const tail = `${eol}${after.join(eol)}`;
        expect(edited(`${head}UNIQUE line${tail}`, "UNIQUE line", "other", eol)).toEqual({
          ok: true,
          text: `${head}other${tail}`,
          places: 1,
        });
      }),
    );
  });

  test("lines outside the match are unchanged byte for byte", () => {
    const typed = (text: string): string => text.replaceAll(/[\u201c\u201d]/g, '"').replaceAll("\u2019", "'");
    fc.assert(
      fc.property(lines, lines, lines, fc.constantFrom("\n", "\r\n"), (before, middle, after, eol) => {
        const file = ["HEAD", ...before, "START", ...middle, "END", ...after, "TAIL"].join(eol);
        const wanted = ["START", ...middle.map((one) => typed(one).trimEnd()), "END"].join("\n");
        const outcome = edited(file, wanted, wanted.replace(/END$/, "DONE"), eol);
        expect(outcome.ok && outcome.text).toBe(
          ["HEAD", ...before, "START", ...middle, "DONE", ...after, "TAIL"].join(eol),
        );
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test("uniformly shifted lines are found and the new ones are shifted along", () => {
    const body = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.constantFrom("a", "b();", "{", "}")), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(body, fc.constantFrom("  ", "    ", "\t"), fc.integer({ min: 1, max: 3 }), (rows, unit, levels) => {
        const documentWith = (shift: number, mark: string): string =>
          ["START", ...rows.map(([, text]) => text), mark]
            .map((text, index) => unit.repeat((rows[index - 1]?.[0] ?? 0) + shift) + text)
            .join("\n");
        const file = `top\n${documentWith(levels, "END")}\nbottom\n`;
        expect(edited(file, `${documentWith(0, "END")}\n`, `${documentWith(0, "DONE")}\n`)).toEqual({
          ok: true,
          text: `top\n${documentWith(levels, "DONE")}\nbottom\n`,
          places: 1,
          loose: "indent",
        });
      }),
    );
  });
});

test("an edit of a large file yields often, with and without a match", () => {
  const lines = Array.from({ length: 45_000 }, (_, line) => `  const value${line} = compute(${line}, "text"); // note`);
  const file = `${lines.join("\n")}\n`;
  const wanted = lines.slice(30_000, 30_010);
  const requests = [wanted.map((line) => `  ${line}`).join("\n"), wanted.join("\n").replace("compute", "compile")];
  for (const oldText of requests) {
    let pauses = 0;
    for (const _step of applyEditSteps(file, { oldText, newText: "x", replaceAll: false }, "\n")) pauses += 1;
    // Each of the several passes over the file is split into steps of 64 kB or 2,048 lines.
    expect(pauses).toBeGreaterThan((3 * file.length) / 65_536);
  }
});
