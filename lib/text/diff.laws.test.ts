import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../testing/law-runs";
import { diffLines, diffLinesSteps, type Hunk } from "./diff";

/** Rebuilds the new text from the old one and the hunks; throws when a hunk does not fit the old text. */
function applyHunks(before: string, hunks: readonly Hunk[]): string {
  const lines = before.split("\n").map((line, index, all) => (index === all.length - 1 ? line : `${line}\n`));
  if (lines.at(-1) === "") lines.pop();
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    out.push(...lines.slice(at, start));
    at = start;
    for (const line of hunk.lines) {
      const text = line.noNewline ? line.text : `${line.text}\n`;
      if (line.kind !== "add") {
        if (lines[at] !== text || line.oldLine !== at + 1) throw new Error(`hunk does not fit at line ${at + 1}`);
        at++;
      }
      if (line.kind !== "remove") {
        out.push(text);
        if (line.newLine !== out.length) throw new Error(`new line ${line.newLine} is at ${out.length}`);
      }
    }
  }
  return [...out, ...lines.slice(at)].join("");
}

const line = fc.constantFrom("a", "b", "c", "", "  x", "}", "a\r", "的", "let a = 1;", "let a = 2;");
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, end]) => lines.join("\n") + (end ? "\n" : ""));

/** Length of the longest common subsequence, by dynamic programming. */
function commonLines(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const old of before) {
    const next = [0];
    for (const [column, now] of after.entries())
      next.push(old === now ? (row[column] ?? 0) + 1 : Math.max(row[column + 1] ?? 0, next[column] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe("diffLines", () => {
  test("applying the hunks to the old text gives the new one, whatever the context", () => {
    fc.assert(
      fc.property(text, text, fc.nat({ max: 4 }), (before, after, context) => {
        expect(applyHunks(before, diffLines(before, after, { context }).hunks ?? [])).toBe(after);
      }),
      { numRuns: lawRuns(1_500) },
    );
  });

  test("the number of changed lines is minimal", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (before, after) => {
        const { added, removed } = diffLines(
          before.map((one) => `${one}\n`).join(""),
          after.map((one) => `${one}\n`).join(""),
        );
        const common = commonLines(before, after);
        expect({ added, removed }).toEqual({ added: after.length - common, removed: before.length - common });
      }),
      { numRuns: lawRuns(1_500) },
    );
  });

  test("counts, headers and line numbers agree with the lines of the hunks", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { added, removed, hunks } = diffLines(before, after);
        const lines = (hunks ?? []).flatMap((hunk) => hunk.lines);
        expect(lines.filter((one) => one.kind === "add").length).toBe(added);
        expect(lines.filter((one) => one.kind === "remove").length).toBe(removed);
        for (const hunk of hunks ?? []) {
          expect(hunk.lines.filter((one) => one.kind !== "add").length).toBe(hunk.oldLines);
          expect(hunk.lines.filter((one) => one.kind !== "remove").length).toBe(hunk.newLines);
        }
      }),
    );
  });

  test("marks are ordered, within their line, and never split a surrogate pair", () => {
    const word = fc.constantFrom("foo", "bar", "你", "好", "😀", "é", " ", "  ", "(", ")", "=");
    const phrase = fc.array(word, { maxLength: 12 }).map((words) => words.join(""));
    fc.assert(
      fc.property(phrase, phrase, (before, after) => {
        for (const { text: content, marks } of (diffLines(`${before}\n`, `${after}\n`).hunks ?? []).flatMap(
          (hunk) => hunk.lines,
        )) {
          let last = -1;
          for (const [start, end] of marks ?? []) {
            expect(start).toBeGreaterThan(last);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(content.length);
            expect(encodeURIComponent(content.slice(start, end))).not.toBe("");
            last = end;
          }
        }
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test.each<[string, (index: number) => string]>([
    ["every line is new", (index) => `new ${index}\n`],
    ["the lines are in reverse order", (index) => `line ${19_999 - index}\n`],
    ["every line is one of three", (index) => `line ${(index * index * 7) % 3}\n`],
    ["every third line changed", (index) => (index % 3 === 0 ? `changed ${index}\n` : `line ${index}\n`)],
  ])("20,000 lines are compared within bounded steps when %s", (_, line) => {
    const before = Array.from(
      { length: 20_000 },
      (_unused, index) => `line ${index % 2 === 0 ? index : index % 3}\n`,
    ).join("");
    const after = Array.from({ length: 20_000 }, (_unused, index) => line(index)).join("");
    expect(applyHunks(before, diffLines(before, after).hunks ?? [])).toBe(after);
  });

  test.each<[string, (index: number) => string]>([
    ["the first and the last line changed", (index) => (index % 99_999 === 0 ? "changed\n" : `line ${index}\n`)],
    ["every line is new", (index) => `new ${index}\n`],
    ["every hundredth line changed", (index) => (index % 100 === 0 ? `changed ${index}\n` : `line ${index}\n`)],
    ["every line is one of three", (index) => `line ${(index * index * 7) % 3}\n`],
  ])("100,000 lines are compared in slices of some thousand lines when %s", (_, line) => {
    const before = Array.from({ length: 100_000 }, (_unused, index) => `line ${index}\n`).join("");
    const after = Array.from({ length: 100_000 }, (_unused, index) => line(index)).join("");
    let slices = 1;
    for (const _pause of diffLinesSteps(before, after)) slices += 1;
    // Each text is processed twice: split into lines, then numbered or compared with the other's head and tail.
    expect((4 * 100_000) / slices).toBeLessThan(5_000);
  });
});
