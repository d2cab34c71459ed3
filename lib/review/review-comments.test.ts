import { describe, expect, test } from "vitest";
import type { Hunk } from "../text/diff";
import { findFileLine, formatReviewComments, isAnchored, quoteLines, type ReviewComment } from "./review-comments";

const hunk: Hunk = {
  oldStart: 7,
  oldLines: 3,
  newStart: 9,
  newLines: 2,
  lines: [
    { kind: "same", text: "a", oldLine: 7, newLine: 9 },
    { kind: "remove", text: "b", oldLine: 8 },
    { kind: "remove", text: "c", oldLine: 9 },
    { kind: "add", text: "C", newLine: 10 },
  ],
};
const commentOf = (members: Partial<ReviewComment>): ReviewComment => ({
  id: "1",
  path: "src/a.ts",
  line: 10,
  quote: ["-b", "-c", "+C"],
  text: "Why?",
  ...members,
});

test("a removed line is at the line that took its place", () => {
  expect(hunk.lines.map((line) => findFileLine(hunk, line))).toEqual([9, 10, 10, 10]);
  const whole = { ...hunk, newStart: 0, newLines: 0, lines: hunk.lines.filter(({ kind }) => kind === "remove") };
  expect(findFileLine(whole, whole.lines[0])).toBe(1);
});

describe("the place of a comment", () => {
  test("is where the quoted lines are, at any line", () => {
    expect(quoteLines(hunk.lines.slice(1))).toEqual(["-b", "-c", "+C"]);
    expect(isAnchored(commentOf({ line: 300 }), hunk.lines)).toBe(true);
  });
  test("is lost when a quoted line is gone or is not a change any more", () => {
    expect(isAnchored(commentOf({}), hunk.lines.slice(0, 3))).toBe(false);
    expect(isAnchored(commentOf({ quote: ["+a"] }), hunk.lines)).toBe(false);
  });
});

describe("the message", () => {
  test("has the place, the quoted lines and the text of each comment", () => {
    const text = formatReviewComments(
      [commentOf({}), commentOf({ path: "新.md", line: 1, quote: ["+x"], text: "Two\nlines" })],
      0,
    );
    expect(text).toBe("src/a.ts:10\n> -b\n> -c\n> +C\n\nWhy?\n\n新.md:1\n> +x\n\nTwo\nlines");
  });
  test("leaves out quotes beyond 1/32 of the window, never a comment", () => {
    const long = commentOf({ quote: ["word ".repeat(40)] });
    const text = formatReviewComments([long, long, long], 3_200);
    expect(text.match(/> word/g)).toHaveLength(2);
    expect(text.match(/Why\?/g)).toHaveLength(3);
    expect(text.endsWith("src/a.ts:10\nWhy?")).toBe(true);
  });
  test("a name cannot imitate another line", () => {
    expect(formatReviewComments([commentOf({ path: "a\nb" })], 0)).toMatch(/^"a\\nb":10\n/);
  });
});
