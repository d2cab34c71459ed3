import { describe, expect, test } from "vitest";
import type { Hunk } from "@/lib/text/diff";
import { languageOfFence, languageOfPath } from "./code/code-language";
import { pairDiffRows, toDiffRows, sideText } from "./code/diff-rows";
import { toCodeSegments } from "./code/code-line";
import { nextMenuRow } from "./controls/menu-navigation";
import { floatingPosition } from "./overlays/use-floating";
import { isFollowingAfter } from "./layout/use-follow-end";

describe("nextMenuRow", () => {
  const labels = ["Ask", "Accept edits", "Plan", "Full access"];
  const none = { text: "", at: 0 };
  const go = (key: string, current: number, typed = none, now = 10_000): number | undefined =>
    nextMenuRow(key, current, labels, typed, now)?.index;
  test("arrows wrap around; Home and End go to the ends", () => {
    expect([
      go("ArrowDown", 3),
      go("ArrowUp", 0),
      go("ArrowUp", -1),
      go("ArrowDown", -1),
      go("Home", 2),
      go("End", 0),
    ]).toEqual([0, 3, 3, 0, 0, 3]);
  });
  test("a repeated letter moves to the next match, several letters select the row", () => {
    expect([
      go("a", -1),
      go("a", 0, { text: "a", at: 9_900 }),
      go("c", 0, { text: "a", at: 9_900 }),
      go("f", 1, { text: "a", at: 0 }),
    ]).toEqual([0, 1, 1, 3]);
  });
  test("other keys do not move the focus", () => {
    expect(nextMenuRow("Tab", 0, labels, none, 0)).toBeNull();
    expect(nextMenuRow("ArrowDown", 0, [], none, 0)).toBeNull();
  });
});

describe("floatingPosition", () => {
  const view = { width: 1000, height: 800 };
  const size = { width: 200, height: 300 };
  test.each([
    [
      "below",
      { left: 100, top: 100, width: 50, height: 30 },
      "below",
      "start",
      { left: 100, top: 134, maxHeight: 658 },
    ],
    [
      "above if there is no space below",
      { left: 100, top: 700, width: 50, height: 30 },
      "below",
      "start",
      { left: 100, top: 396, maxHeight: 688 },
    ],
    [
      "inside the window's edge",
      { left: 980, top: 100, width: 16, height: 16 },
      "below",
      "start",
      { left: 792, top: 120, maxHeight: 672 },
    ],
    [
      "at the anchor's end",
      { left: 500, top: 100, width: 50, height: 30 },
      "below",
      "end",
      { left: 350, top: 134, maxHeight: 658 },
    ],
  ] as const)("%s", (_, anchor, side, align, expected) =>
    expect(floatingPosition(anchor, size, view, side, align, 4)).toEqual(expected),
  );
  test.each([
    ["over the point if it fits on neither side", 500, { top: 292, maxHeight: 784 }],
    ["in the whole window if it is taller", 900, { top: 8, maxHeight: 784 }],
  ])("of a menu at a point: %s", (_, height, expected) => {
    const point = { left: 100, top: 400, width: 0, height: 0 };
    expect(floatingPosition(point, { width: 200, height }, view, "below", "start", 4)).toMatchObject(expected);
  });
});

describe("diff rows", () => {
  const hunk: Hunk = {
    oldStart: 1,
    oldLines: 4,
    newStart: 1,
    newLines: 4,
    lines: [
      { kind: "same", text: "a", oldLine: 1, newLine: 1 },
      { kind: "remove", text: "b", oldLine: 2 },
      { kind: "add", text: "B", newLine: 2 },
      { kind: "add", text: "B2", newLine: 3 },
      { kind: "same", text: "c", oldLine: 3, newLine: 4 },
      { kind: "remove", text: "d", oldLine: 4 },
    ],
  };
  test("every line has its index on its side", () => {
    expect(toDiffRows([hunk]).map(({ line, at }) => `${line.kind} ${line.text} ${at}`)).toEqual([
      "same a 0",
      "remove b 1",
      "add B 1",
      "add B2 2",
      "same c 3",
      "remove d 3",
    ]);
  });
  test("side by side, removed lines are paired with added lines", () => {
    const pairs = pairDiffRows(toDiffRows([hunk])).map(({ left, right }) => [
      left?.line.text ?? null,
      right?.line.text ?? null,
    ]);
    expect(pairs).toEqual([
      ["a", "a"],
      ["b", "B"],
      [null, "B2"],
      ["c", "c"],
      ["d", null],
    ]);
  });
  test("the text of each side has only its lines", () => {
    expect([sideText(hunk, "old"), sideText(hunk, "new")]).toEqual(["a\nb\nc\nd", "a\nB\nB2\nc"]);
  });
});

test("a line is split where colour, mark or hidden characters change, and its joined segments equal the line", () => {
  const line = "let\u200b x = 1";
  const segments = toCodeSegments(
    line,
    [
      [3, "red"],
      [7, ""],
    ],
    [[5, 6]],
  );
  expect(segments.map(({ part, colour, marked }) => [part.text, part.kind, colour, marked])).toEqual([
    ["let", "text", "red", false],
    ["\u200b", "invisible", undefined, false],
    [" ", "text", undefined, false],
    ["x", "text", undefined, true],
    [" = 1", "text", undefined, false],
  ]);
  expect(segments.map(({ part }) => part.text).join("")).toBe(line);
});

test.each([
  ["ts", "typescript"],
  ["TypeScript {1,3}", "typescript"],
  ["c++", "cpp"],
  ["bash", "shellscript"],
  ["", null],
  ["nonsense", null],
  ["constructor", null],
  ["__proto__", null],
] as const)("the fence %j has the language %s", (info, expected) => expect(languageOfFence(info)).toBe(expected));
test.each([
  ["src/a.tsx", "tsx"],
  ["Makefile", "make"],
  ["deploy/Dockerfile", "docker"],
  ["a.b.py", "python"],
  ["LICENSE", null],
  [".env", null],
] as const)("the file %s has the language %s", (path, expected) => expect(languageOfPath(path)).toBe(expected));

test.each([
  ["content added below is followed", true, [500, 900, 400], [500, 1_000, 400], false, true],
  ["scrolling up by any amount stops following", true, [500, 900, 400], [495, 900, 400], false, false],
  ["scrolling up while content is added stops following", true, [500, 900, 400], [490, 1_040, 400], true, false],
  ["a shortened list is still followed", true, [500, 900, 400], [300, 700, 400], false, true],
  ["a list that was shorter for a moment is still followed", true, [500, 900, 400], [480, 916, 400], false, true],
  ["a box that grew is still followed", true, [64, 665, 601], [40, 681, 625], false, true],
  ["a grown box does not hide that the reader scrolls up", true, [64, 665, 601], [40, 681, 625], true, false],
  ["content added below does not resume following", false, [200, 900, 400], [200, 1_000, 400], false, false],
  ["scrolling down to near the end resumes following", false, [400, 900, 400], [480, 900, 400], true, true],
  ["scrolling down less does not resume following", false, [200, 900, 400], [400, 900, 400], true, false],
  ["shrinking content near the end does not resume following", false, [480, 1_300, 400], [480, 900, 400], false, false],
] as const)("isFollowingAfter: %s", (_name, wasFollowing, before, now, isByInput, expected) => {
  const place = ([top, content, box]: readonly [number, number, number]) => ({ top, content, box });
  expect(isFollowingAfter(wasFollowing, place(before), place(now), { nearPx: 24, isByInput, isSettling: false })).toBe(
    expected,
  );
});
