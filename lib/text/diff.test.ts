import { describe, expect, test } from "vitest";
import { diffLines, type Hunk } from "./diff";

const hunksOf = (before: string, after: string): readonly Hunk[] =>
  diffLines(before, after, { context: 3 }).hunks ?? [];

const drawn = (hunks: readonly Hunk[]): string[] =>
  hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map(
      (line) => `${{ same: " ", add: "+", remove: "-" }[line.kind]}${line.text}${line.noNewline ? "\\" : ""}`,
    ),
  ]);

describe("diffLines", () => {
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
});
