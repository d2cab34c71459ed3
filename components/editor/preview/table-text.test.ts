import { expect, test } from "vitest";
import { type Delimiter, detectDelimiter, indexRows, readTableFields } from "./table-text";

function readTable(text: string, delimiter: Delimiter = ",", maxRows = 1_000) {
  const steps = indexRows(text, delimiter, maxRows, 3);
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    const { starts, columns, isCut } = step.value;
    return { rows: starts.map((start) => readTableFields(text, start, delimiter)), columns, isCut };
  }
}

test.each([
  [
    "plain rows",
    "a,b\n1,2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "no line break at the end",
    "a,b\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "CRLF",
    "a,b\r\n1,2\r\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "quoted fields with separators, quotes and line breaks",
    '"a,b","say ""hi""","two\r\nlines"\n1,2,3',
    [
      ["a,b", 'say "hi"', "two\r\nlines"],
      ["1", "2", "3"],
    ],
  ],
  ["a quote within a field is text", 'a"b,5" pipe\n', [['a"b', '5" pipe']]],
  ["text after a closing quote stays", '"a"b,c', [["ab", "c"]]],
  [
    "empty fields",
    ',"",\n,,',
    [
      ["", "", ""],
      ["", "", ""],
    ],
  ],
  ["ragged rows and an empty row", "a,b,c\n\n1\n", [["a", "b", "c"], [""], ["1"]]],
  ["a quote that is never closed takes the rest", 'a\n"b\nc', [["a"], ["b\nc"]]],
  ["no text", "", []],
  [
    "Chinese and emoji",
    "名称,值\n🙂,二",
    [
      ["名称", "值"],
      ["🙂", "二"],
    ],
  ],
])("%s", (_name, text, rows) => {
  const table = readTable(text);
  expect(table.rows).toEqual(rows);
  expect(table.columns).toBe(Math.max(0, ...rows.map(({ length }) => length)));
});

test("rows after the maximum are reported, fields and characters after theirs left out", () => {
  expect(readTable("1\n2\n3\n", ",", 2)).toMatchObject({ rows: [["1"], ["2"]], isCut: true });
  expect(readTable("1\n2\n", ",", 2)).toMatchObject({ isCut: false });
  expect(readTableFields("abc,defg,h", 0, ",", 2, 3)).toEqual(["abc", "def"]);
});

test.each([
  ["a.csv", "a,b,c\n1,2,3\n", ","],
  ["a.csv", "name;price\nx;1,5\ny;2,25\n", ";"],
  ["a.csv", "a\tb\n1,5\t2\n", "\t"],
  ["a.csv", '"a;b;c",d\n"e;f;g",h\n', ","],
  ["a.csv", "one column\n", ","],
  ["a.csv", "", ","],
  ["a.TSV", "a,b\nc,d\n", "\t"],
])("the delimiter of %s with %j is %j", (path, text, delimiter) => {
  expect(detectDelimiter(path, text)).toBe(delimiter);
});
