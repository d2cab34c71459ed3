import { describe, expect, test } from "vitest";
import { parseFenceFile, parseLineFile, findFileReferences, parseFileReference } from "./file-reference";

const formatReferences = (text: string): string =>
  findFileReferences(text)
    .map(({ path, line = "", column = "", endLine = "" }) => [path, line, column, endLine].join(" ").trim())
    .join(" | ");

describe("file references in prose", () => {
  test.each([
    ["See src/app.ts:10 for it.", "src/app.ts 10"],
    ["See src/app.ts:10:5.", "src/app.ts 10 5"],
    ["At (src/app.ts:10).", "src/app.ts 10"],
    ["src/app.ts:10-20 is wrong", "src/app.ts 10  20"],
    ["src/app.ts#L10 and src/b.ts#L3-L9", "src/app.ts 10 | src/b.ts 3  9"],
    ["src/app.ts lines 10–20", "src/app.ts 10  20"],
    ["src/app.ts, lines 10 to 20", "src/app.ts 10  20"],
    ["src/app.ts line 7", "src/app.ts 7"],
    ["src/app.ts(12,3): error TS2304", "src/app.ts 12 3"],
    ["    at run (src/app.ts:1:2)", "src/app.ts 1 2"],
    ["./src/app.ts:3", "./src/app.ts 3"],
    ["/home/me/p/src/app.ts:3", "/home/me/p/src/app.ts 3"],
    ["参见 src/应用.ts:3。", "src/应用.ts 3"],
    ["src/app.ts 第 3 行", "src/app.ts 3"],
    ["src/app.ts 第3到9行", "src/app.ts 3  9"],
    ["Makefile:4: *** missing separator", "Makefile 4"],
    ["app/[id]/page.tsx:8", "app/[id]/page.tsx 8"],
    ["a_b-c.test.tsx:1, d.py:2", "a_b-c.test.tsx 1 | d.py 2"],
    ["src/a.ts:1\nsrc/b.ts:2", "src/a.ts 1 | src/b.ts 2"],
  ])("%j", (text, expected) => expect(formatReferences(text)).toBe(expected));

  test.each([
    "http://localhost:3000",
    "https://example.com/a.html:80",
    "127.0.0.1:8080",
    "example.com:443",
    "at 10:30",
    "v1.2.3:4",
    "a.ts",
    "ratio 3.5:1",
    "foo:10",
    "key: value.length:3",
    "src/app.ts:10x",
    "user@host.de:22",
    "",
  ])("%j has none", (text) => expect(formatReferences(text)).toBe(""));

  test("hostile text is scanned in linear time", () => {
    for (const text of ["a/".repeat(10_000), "a.".repeat(10_000), `${"a".repeat(19_000)}.ts`, "(".repeat(20_000)])
      expect(findFileReferences(text)).toEqual([]);
  });
});

test.each([
  ["src/app.ts", { path: "src/app.ts" }],
  ["app.ts", { path: "app.ts" }],
  ["src/app.ts:3", { path: "src/app.ts", line: 3 }],
  ["src/app.ts:3:4", { path: "src/app.ts", line: 3, column: 4 }],
  ["src/app.ts:0", { path: "src/app.ts" }],
  ["npm test", null],
  ["array.length", null],
  ["foo", null],
  ["a.ts b.ts", null],
] as const)("code %j", (text, expected) => expect(parseFileReference(text)).toEqual(expected));

test.each([
  ["ts title=src/a.ts", "src/a.ts"],
  ['ts title="src/a b.ts"', "src/a b.ts"],
  ["ts {file: 'src/a.ts'}", "src/a.ts"],
  ["ts src/a.ts", "src/a.ts"],
  ["ts ./src/a.ts", "src/a.ts"],
  ["ts:src/a.ts", "src/a.ts"],
  ["src/a.ts", "src/a.ts"],
  ["12:30:src/a.ts", "src/a.ts"],
  ["ts", null],
  ["", null],
  ["diff", null],
  ["ts title=Example", null],
  ["console $ npm", null],
])("fence %j", (info, expected) => expect(parseFenceFile(info)).toBe(expected));

test.each([
  ["`src/a.ts`", "src/a.ts"],
  ["`src/a.ts`:", "src/a.ts"],
  ["**src/my_file.ts**", "src/my_file.ts"],
  ["### src/a.ts", "src/a.ts"],
  ["File: `src/a.ts`", "src/a.ts"],
  ["文件：`src/a.ts`", "src/a.ts"],
  ["1. `src/a.ts`", "src/a.ts"],
  ["Change src/a.ts like this:", null],
  ["Here it is:", null],
])("line %j", (line, expected) => expect(parseLineFile(line)).toBe(expected));
