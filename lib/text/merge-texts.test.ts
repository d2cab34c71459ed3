import { describe, expect, test } from "vitest";
import { joinMergeParts, mergeTexts } from "./merge-texts";

const base = "a\nb\nc\nd\ne\n";
const conflicts = (from: string | null, mine: string, theirs: string) =>
  mergeTexts(from, mine, theirs).flatMap((part) => (part.kind === "conflict" ? [[part.mine, part.theirs]] : []));

describe("changes of both sides that do not overlap are merged without a question", () => {
  test.each<[name: string, from: string, mine: string, theirs: string, merged: string]>([
    ["different lines", base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n"],
    ["neighbouring lines", base, "a\nB\nc\nd\ne\n", "a\nb\nC\nd\ne\n", "a\nB\nC\nd\ne\n"],
    ["a deletion and a change below it", base, "c\nd\ne\n", "a\nb\nc\nd\nE\n", "c\nd\nE\n"],
    ["insertions at the start and the end", base, `0\n${base}`, `${base}f\n`, `0\n${base}f\n`],
    ["an insertion beside a changed line", base, "a\nB\nc\nd\ne\n", "a\nb\nnew\nc\nd\ne\n", "a\nB\nnew\nc\nd\ne\n"],
    ["an insertion before a changed line", base, "a\nnew\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "a\nnew\nB\nc\nd\ne\n"],
    ["an insertion before deleted lines, and one after", base, "0\na\nb\n1\nc\nd\ne\n", "c\nd\ne\n", "0\n1\nc\nd\ne\n"],
    ["the same change on both sides", base, "a\nX\nc\nd\ne\n", "a\nX\nc\nd\nE\n", "a\nX\nc\nd\nE\n"],
    ["a side without a change", base, base, "x\n", "x\n"],
    ["an empty base and one side", "", "mine\n", "", "mine\n"],
    ["Windows line ends", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n"],
    ["no line end at the end", "a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"],
    [
      "several changes of both",
      base.repeat(3),
      `1\n${base.repeat(3)}`.replace("e\na", "e\n2\na"),
      base.repeat(3).replace(/d/g, "D"),
      `1\n${base.repeat(3)}`.replace("e\na", "e\n2\na").replace(/d/g, "D"),
    ],
  ])("%s", (_name, from, mine, theirs, merged) => {
    expect(joinMergeParts(mergeTexts(from, mine, theirs))).toBe(merged);
    expect(joinMergeParts(mergeTexts(from, theirs, mine))).toBe(merged);
  });
});

describe("lines that both changed differently are a question, and nothing has a default", () => {
  test.each<
    [name: string, from: string | null, mine: string, theirs: string, questions: readonly (readonly string[])[]]
  >([
    ["one line", base, "a\nb\nmine\nd\ne\n", "a\nb\ntheirs\nd\ne\n", [["mine\n", "theirs\n"]]],
    [
      "two runs",
      base,
      "1\nb\nc\nd\n2\n",
      "3\nb\nc\nd\n4\n",
      [
        ["1\n", "3\n"],
        ["2\n", "4\n"],
      ],
    ],
    ["a deleted line that the other changed", base, "a\nb\nd\ne\n", "a\nb\nC\nd\ne\n", [["", "C\n"]]],
    ["insertions at one place", base, `${base}mine\n`, `${base}theirs\n`, [["mine\n", "theirs\n"]]],
    [
      "runs within one changed block",
      "a\nb\nc\n",
      "1\nsame\n2\n",
      "3\nsame\n4\n",
      [
        ["1\n", "3\n"],
        ["2\n", "4\n"],
      ],
    ],
    ["a line after the last one without a line end", "a", "", "a\nb\n", [["", "a\nb\n"]]],
    [
      "no known base: every run of lines that differs",
      null,
      "A\nb\nc\n",
      "a\nb\nC\n",
      [
        ["A\n", "a\n"],
        ["c\n", "C\n"],
      ],
    ],
  ])("%s", (_name, from, mine, theirs, questions) => {
    const parts = mergeTexts(from, mine, theirs);
    expect(conflicts(from, mine, theirs)).toEqual(questions);
    expect(joinMergeParts(parts)).toBeNull();
    expect(
      joinMergeParts(
        parts,
        questions.slice(1).map(() => "mine"),
      ),
    ).toBeNull();
    if (from !== null && questions.length > 1) return;
    expect(
      joinMergeParts(
        parts,
        questions.map(() => "mine"),
      ),
    ).toBe(mine);
    expect(
      joinMergeParts(
        parts,
        questions.map(() => "theirs"),
      ),
    ).toBe(theirs);
  });
});

test("an insertion before lines that both changed is merged, and only these lines are a question", () => {
  expect(mergeTexts(base, "c\nd\ne\n", "0\na\nB\nC\nd\ne\n")).toEqual([
    { kind: "text", text: "0\n" },
    { kind: "conflict", mine: "c\n", theirs: "a\nB\nC\n" },
    { kind: "text", text: "d\ne\n" },
  ]);
});

test("no line of either side is lost, glued or brought back without a question, whatever the edits", () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const edit = (name: string): readonly string[] =>
    Array.from({ length: 12 }, (_, line) => line).flatMap((line) => [
      ...(random(6) === 0 ? [`${name} new ${line}`] : []),
      ...(random(9) === 0 ? [] : [random(5) === 0 ? `${name} ${line}` : `line ${line}`]),
    ]);
  const toText = (lines: readonly string[]): string => lines.join("\n") + (random(3) === 0 ? "" : "\n");
  const from = Array.from({ length: 12 }, (_, line) => `line ${line}`);
  for (let round = 0; round < 2_000; round += 1) {
    const [mine, theirs] = [edit("mine"), edit("theirs")];
    const parts = mergeTexts(toText(from), toText(mine), toText(theirs));
    const lines = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [part.mine, part.theirs])).join("\n");
    const found = new Set(lines.split(/\n+/));
    const own = [...mine, ...theirs];
    expect(own.filter((line) => !line.startsWith("line") && !found.has(line))).toEqual([]);
    expect([...found].filter((line) => line !== "" && !own.includes(line))).toEqual([]);
    if (parts.some(({ kind }) => kind === "conflict")) continue;
    const shared = from.filter((line) => mine.includes(line) && theirs.includes(line));
    expect(from.filter((line) => found.has(line))).toEqual(shared);
  }
});
