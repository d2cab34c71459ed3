import { expect, test } from "vitest";
import { cellWidth } from "@/lib/text/cell-width";
import { textTable } from "./table";

const widthOf = (line: string): number => [...line].reduce((sum, char) => sum + cellWidth(char), 0);

test("columns are aligned by their width on the terminal, without spaces at the end", () => {
  const rows = [
    ["id", "title", "model"],
    ["s1", "修好失败的测试", "m:8b"],
    ["s22", "Fix it", ""],
  ];
  expect(textTable(rows, null)).toEqual(["id   title           model", "s1   修好失败的测试  m:8b", "s22  Fix it"]);
});

test.each([60, 40, 25])("a line fits a terminal with %i columns, and the first column is whole", (width) => {
  const rows = [
    ["id", "title", "model", "folder"],
    ["s-0123456789", "修好失败的测试，然后写一份很长的说明", "qwen3-coder:30b", "/home/someone/code/shop"],
  ];
  const lines = textTable(rows, width);
  expect(lines.map(widthOf).filter((each) => each > Math.max(width, 12 + 3 * 8))).toEqual([]);
  expect(lines[1]?.startsWith("s-0123456789  修")).toBe(true);
  expect(lines[1]).toContain("…");
});

test("control characters of foreign text are escaped", () => {
  expect(textTable([["title"], ["a\u001b[31m\nb"]], null)).toEqual(["title", "a\\u{1b}[31m\\u{a}b"]);
});
