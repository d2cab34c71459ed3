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

test.each([
  [200, ["id", "title", "updated", "folder"]],
  [80, ["id", "title", "updated", "folder"]],
  [50, ["id", "title", "updated"]],
  [27, ["id", "title"]],
])("a line fits a terminal with %i columns, without the last ones where they do not fit", (width, shown) => {
  const head = ["id", "title", "updated", "folder"];
  const row = [
    "s-0123456789",
    "修好失败的测试，然后写一份很长的说明",
    "2026-11-29 07:05",
    "/home/someone/code/shop/web",
  ];
  const lines = textTable([head, row], width);
  expect(lines[0]?.split(/ +/)).toEqual(shown);
  expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
  expect(lines[1]?.startsWith("s-0123456789  修好失")).toBe(true);
  expect(lines[1]?.includes("…")).toBe(width < 90);
});

test("the first column and the beginning of the second are shown in any width", () => {
  const lines = textTable(
    [
      ["id", "title", "model"],
      ["s-0123456789", "Fix the failing test", "m:8b"],
    ],
    10,
  );
  expect(lines).toEqual(["id            title", "s-0123456789  Fix the fai…"]);
});

test("control characters of foreign text are escaped", () => {
  expect(textTable([["title"], ["a\u001b[31m\nb"]], null)).toEqual(["title", "a\\u{1b}[31m\\u{a}b"]);
});
