import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

const hunksOf = (before: string, after: string, context = 3): readonly Hunk[] =>
  diffLines(before, after, { context }).hunks ?? [];
const drawn = (hunks: readonly Hunk[]): string[] =>
  hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map(
      (line) => `${{ same: " ", add: "+", remove: "-" }[line.kind]}${line.text}${line.noNewline ? "\\" : ""}`,
    ),
  ]);

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
        expect(applyHunks(before, hunksOf(before, after, context))).toBe(after);
      }),
      { numRuns: 1_500 },
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
      { numRuns: 1_500 },
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
        for (const { text: content, marks } of hunksOf(`${before}\n`, `${after}\n`).flatMap((hunk) => hunk.lines)) {
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
      { numRuns: 500 },
    );
  });

  test.each<[string, string, string, string[]]>([
    [
      "one changed line keeps three lines of context",
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
      ["@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+X", " 6", " 7", " 8"],
    ],
    ["a new file has no old line", "", "a\nb\n", ["@@ -0,0 +1,2 @@", "+a", "+b"]],
    ["an emptied file has no new line", "a\n", "", ["@@ -1,1 +0,0 @@", "-a"]],
    ["a lost final newline is a change", "a\nb\n", "a\nb", ["@@ -1,2 +1,2 @@", " a", "-b", "+b\\"]],
    [
      "a change of line ends is a change of every line",
      "a\r\nb\r\n",
      "a\nb\n",
      ["@@ -1,2 +1,2 @@", "-a\r", "-b\r", "+a", "+b"],
    ],
    [
      "an added function is one block, after the empty line",
      "f() {\n}\n\nh() {\n}\n",
      "f() {\n}\n\ng() {\n}\n\nh() {\n}\n",
      ["@@ -1,5 +1,8 @@", " f() {", " }", " ", "+g() {", "+}", "+", " h() {", " }"],
    ],
    ["a repeated line is added below", "a\na\nb\n", "a\na\na\nb\n", ["@@ -1,3 +1,4 @@", " a", " a", "+a", " b"]],
  ])("%s", (_, before, after, expected) => {
    expect(drawn(hunksOf(before, after))).toEqual(expected);
  });

  test("changes with touching contexts share a hunk, others do not", () => {
    const before = Array.from({ length: 30 }, (_, index) => `${index}\n`);
    const near = before.map((one, index) => (index === 5 || index === 12 ? "x\n" : one)).join("");
    const far = before.map((one, index) => (index === 5 || index === 13 ? "x\n" : one)).join("");
    expect(hunksOf(before.join(""), near).length).toBe(1);
    expect(hunksOf(before.join(""), far).length).toBe(2);
  });

  test("equal texts have no hunks", () => {
    expect(diffLines("a\n", "a\n")).toEqual({ added: 0, removed: 0, hunks: [] });
  });

  test("more than maxLines lines give the counts and no hunks", () => {
    const before = "a\n".repeat(10);
    expect(diffLines(before, `${before}${"b\n".repeat(10)}`, { maxLines: 13 }).hunks?.length).toBe(1);
    expect(diffLines(before, `${before}${"b\n".repeat(10)}`, { maxLines: 12 })).toEqual({
      added: 10,
      removed: 0,
      hunks: null,
    });
  });

  test.each<[string, string, string, string[], string[]]>([
    ["only a renamed word is marked", "const total = sum(items);", "const count = sum(items);", ["total"], ["count"]],
    ["an added argument is marked on the new side only", "call(first)", "call(first, second)", [], [", second"]],
    ["Chinese is marked character by character", "模型服务器没有回答", "模型服务器已经回答", ["没有"], ["已经"]],
    ["dissimilar lines have no marks", "return parse(input);", "throw new TypeError(name);", [], []],
    ["an emoji is marked as one character", "status: 😀 fine", "status: 😁 fine", ["😀"], ["😁"]],
  ])("%s", (_, before, after, oldMarks, newMarks) => {
    const lines = hunksOf(`${before}\n`, `${after}\n`).flatMap((hunk) => hunk.lines);
    const marked = (kind: "add" | "remove"): string[] =>
      lines
        .filter((one) => one.kind === kind)
        .flatMap((one) => (one.marks ?? []).map(([start, end]) => one.text.slice(start, end)));
    expect({ old: marked("remove"), now: marked("add") }).toEqual({ old: oldMarks, now: newMarks });
  });

  test("a changed line is paired with its counterpart although lines were added above it", () => {
    const lines = hunksOf("let total = 1;\n", "// one more\n// comment\nlet total = 2;\n").flatMap(
      (hunk) => hunk.lines,
    );
    expect(lines.find((one) => one.newLine === 3)?.marks).toEqual([[12, 13]]);
    expect(lines.find((one) => one.newLine === 1)?.marks).toBeUndefined();
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
