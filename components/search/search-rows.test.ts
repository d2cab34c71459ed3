import { describe, expect, test } from "vitest";
import type { CodeSearchLine } from "@/lib/workspace/code-search";
import { moveInTree } from "../ui/layout/tree-keys";
import { buildSearchRows, countFoundMatches, lineParts, shapeOfResult } from "./search-rows";

const line = (at: number, text: string, marks: CodeSearchLine["marks"], more: Partial<CodeSearchLine> = {}) => ({
  line: at,
  offset: 0,
  text,
  isCut: false,
  marks,
  digest: "",
  ...more,
});
const files = [
  {
    path: "a.ts",
    lines: [
      line(1, "x x", [
        [0, 1],
        [2, 3],
      ]),
      line(4, "x", [[0, 1]]),
    ],
  },
  { path: "b/c.ts", lines: [line(2, "x", [[0, 1]])] },
];
const keys = (collapsed: readonly string[]): readonly string[] =>
  buildSearchRows(files, new Set(collapsed)).map(({ key }) => key.replace("\n", ":"));

test("the rows are the files with the lines of those that are not collapsed", () => {
  expect(keys([])).toEqual(["a.ts", "a.ts:1", "a.ts:4", "b/c.ts", "b/c.ts:2"]);
  expect(keys(["a.ts"])).toEqual(["a.ts", "b/c.ts", "b/c.ts:2"]);
  expect(countFoundMatches(files)).toBe(4);
});

test.each([
  [0, "ArrowDown", { kind: "focus", index: 1 }],
  [0, "ArrowUp", null],
  [2, "ArrowUp", { kind: "focus", index: 1 }],
  [4, "ArrowDown", null],
  [2, "Home", { kind: "focus", index: 0 }],
  [2, "End", { kind: "focus", index: 4 }],
  [0, "ArrowRight", { kind: "focus", index: 1 }],
  [0, "ArrowLeft", { kind: "close" }],
  [2, "ArrowLeft", { kind: "focus", index: 0 }],
  [2, "ArrowRight", null],
  [2, "x", null],
])("at row %d %s does %j", (at, key, move) => {
  expect(moveInTree(buildSearchRows(files, new Set()), at, key, shapeOfResult)).toEqual(move);
});

describe("with context", () => {
  const near = (at: number, text = "x") => ({ line: at, text, isCut: false });
  const shown = (lines: readonly number[], context: readonly number[], around: number): readonly string[] =>
    buildSearchRows(
      [
        {
          path: "a",
          lines: lines.map((at) => line(at, "x", [[0, 1]])),
          context: context.map((at) => near(at)),
        },
      ],
      new Set(),
      around,
    )
      .slice(1)
      .map((row) => `${row.kind !== "file" && row.gutter?.isAfterGap === true ? "| " : ""}${row.key.slice(2)}`);

  test("lines around each match are shown once, in blocks of adjacent lines", () => {
    expect(shown([3, 5, 20], [1, 2, 4, 6, 7, 18, 19, 21, 22], 2)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "| 18",
      "19",
      "20",
      "21",
      "22",
    ]);
  });

  test("lines around a dismissed match are not shown", () => {
    expect(shown([3], [2, 4, 19, 21], 1)).toEqual(["2", "3", "4"]);
  });

  test("the keys pass over the lines of context", () => {
    const rows = buildSearchRows(
      [{ path: "a", lines: [line(2, "x", [[0, 1]]), line(4, "x", [[0, 1]])], context: [near(1), near(3), near(5)] }],
      new Set(),
      1,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(["file", "context", "line", "context", "line", "context"]);
    const to = (at: number, key: string) => moveInTree(rows, at, key, shapeOfResult);
    expect([to(0, "ArrowDown"), to(2, "ArrowDown"), to(4, "ArrowUp"), to(2, "ArrowUp"), to(0, "End")]).toEqual(
      [2, 4, 2, 0, 4].map((index) => ({ kind: "focus", index })),
    );
    expect(to(4, "ArrowDown")).toBeNull();
    expect(to(0, "ArrowRight")).toEqual({ kind: "focus", index: 2 });
  });

  test("the indentation that all lines of a block have is left out", () => {
    const rows = buildSearchRows(
      [{ path: "a", lines: [line(2, "    x", [[4, 5]])], context: [near(1, "  a"), near(3, ""), near(9, "b")] }],
      new Set(),
      1,
    );
    expect(rows.map((row) => (row.kind === "file" ? null : row.gutter?.indent))).toEqual([null, 2, 2, 2]);
    expect(lineParts(line(2, "    x", [[4, 5]]), null, 2).map(({ text }) => text)).toEqual(["  ", "x"]);
  });
});

test("the right arrow opens a collapsed file", () => {
  expect(moveInTree(buildSearchRows(files, new Set(["a.ts"])), 0, "ArrowRight", shapeOfResult)).toEqual({
    kind: "open",
  });
});

describe("the drawn line", () => {
  const drawn = (one: CodeSearchLine): string =>
    lineParts(one)
      .map(({ text, kind }) => (kind === "text" ? text : `[${text}]`))
      .join("");
  test.each([
    [
      "has its matches marked",
      line(1, "a x b x", [
        [2, 3],
        [6, 7],
      ]),
      "a [x] b [x]",
    ],
    ["has no indentation", line(1, "\t  x y", [[3, 4]]), "[x] y"],
    ["keeps blanks that are part of a match", line(1, "  x", [[1, 3]]), "[ x]"],
    ["begins near a match that is far", line(1, `${"a".repeat(60)}x`, [[60, 61]]), `…${"a".repeat(14)}[x]`],
    ["begins with a whole word", line(1, "const menu = the cart and the total.", [[32, 35]]), "…and the to[tal]."],
    ["splits no surrogate pair", line(1, `${"😀".repeat(30)}-x`, [[61, 62]]), `…${"😀".repeat(6)}-[x]`],
    ["shows where it was cut", line(1, "a x", [[2, 3]], { offset: 40, isCut: true }), "…a [x]…"],
    ["shows an empty match as text", line(1, "abc", [[0, 0]]), "abc"],
  ])("%s", (_title, one, expected) => {
    expect(drawn(one)).toBe(expected);
  });
  test.each([
    [
      "follows each match",
      line(1, "a x b x", [
        [2, 3],
        [6, 7],
      ]),
      "a -x-+x0+ b -x-+x1+",
    ],
    ["is inserted at an empty match", line(1, "abc", [[0, 0]]), "+0+abc"],
    ["is shown where the line is cut", line(1, "a x", [[2, 3]], { isCut: true }), "a -x-+x0+…"],
    ["leaves space for what is before", line(1, `${"a ".repeat(20)}x`, [[40, 41]]), `…${"a ".repeat(7)}-x-+x0+`],
    [
      "takes the space it needs",
      line(1, `${"a ".repeat(20)}${"x".repeat(12)}`, [[40, 52]]),
      `…${"a ".repeat(3)}-${"x".repeat(12)}-+${"x".repeat(12)}0+`,
    ],
  ])("a replacement %s", (_title, one, expected) => {
    const parts = lineParts(one, (index) => `${one.text.slice(...(one.marks[index] ?? [0, 0]))}${index}`);
    const signs = { text: "", match: "?", replaced: "-", replacement: "+" };
    expect(parts.map(({ text, kind }) => `${signs[kind]}${text}${signs[kind]}`).join("")).toBe(expected);
    // The positions are the keys of the parts.
    expect(new Set(parts.map(({ from }) => from)).size).toBe(parts.length);
  });
});
