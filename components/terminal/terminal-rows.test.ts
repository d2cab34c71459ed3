// @vitest-environment happy-dom
import { Terminal } from "@xterm/xterm";
import { expect, test } from "vitest";
import { chooseMatch, findCellRanges } from "./terminal-rows";

const columns = 10;

async function findIn(output: string, pattern: RegExp, max = 100) {
  const terminal = new Terminal({ cols: columns, rows: 4, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const ranges = findCellRanges(terminal.buffer.active, columns, pattern, max);
  terminal.dispose();
  return ranges.map(({ from, to }) => [from, to]);
}

test("matches are listed from the top, with those above the screen", async () => {
  expect(await findIn("a\r\nb\r\na a\r\n\r\n\r\na", /a/gu)).toEqual([
    [0, 1],
    [20, 21],
    [22, 23],
    [50, 51],
  ]);
});

test("a line that wraps is one line", async () => {
  expect(await findIn("12345678abcd-abcd", /abcd/gu)).toEqual([
    [8, 12],
    [13, 17],
  ]);
  expect(await findIn("12345678abcd-abcd", /^./gu)).toEqual([[0, 1]]);
  expect(await findIn("12345678abcd-abcd", /.$/gu)).toEqual([[16, 17]]);
});

test("wide and composed characters take their cells", async () => {
  expect(await findIn("中文a中", /中/gu)).toEqual([
    [0, 2],
    [5, 7],
  ]);
  expect(await findIn("e\u0301a", /a/gu)).toEqual([[1, 2]]);
  // The wide character does not fit into the last column.
  expect(await findIn("123456789中a", /9中a/gu)).toEqual([[8, 13]]);
});

test("empty matches are left out", async () => {
  expect(await findIn("baab", /a*/gu)).toEqual([[1, 3]]);
  expect(await findIn("baab", /$/gu)).toEqual([]);
});

test("of too many matches the last lines are searched", async () => {
  expect(await findIn("a\r\na\r\na\r\na", /a/gu, 1)).toEqual([
    [20, 21],
    [30, 31],
  ]);
});

const matches = [
  { from: 10, to: 12 },
  { from: 20, to: 22 },
  { from: 30, to: 32 },
];

test.each([
  [null, "previous", true, 2],
  [null, "next", true, 0],
  [{ from: 20, to: 21 }, "previous", true, 1],
  [{ from: 20, to: 22 }, "previous", false, 0],
  [{ from: 20, to: 22 }, "next", false, 2],
  [{ from: 10, to: 12 }, "previous", false, 2],
  [{ from: 30, to: 32 }, "next", false, 0],
  [{ from: 25, to: 26 }, "previous", true, 1],
  [{ from: 25, to: 26 }, "next", true, 2],
] as const)("from %o to the %s match (new query: %s) is %i", (selected, direction, isNew, index) => {
  expect(chooseMatch(matches, selected, direction, isNew)).toBe(index);
  expect(chooseMatch([], selected, direction, isNew)).toBe(-1);
});
