/** Searches by real ripgrep in real files. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CodeSearchFile, type CodeSearchLine, emptyCodeSearchQuery } from "@/lib/workspace/code-search";
import { makeTestProject, type TestProject } from "../../__fixtures__/project";
import type { LineSearchRequest } from "./line-search";
import { makeSearch } from "../search";

let project: TestProject;
beforeEach(() => {
  project = makeTestProject();
});
afterEach(() => project.remove());

const plain: LineSearchRequest = {
  ...emptyCodeSearchQuery,
  query: "needle",
  maxLines: 1_000,
  maxContextLines: 1_000,
};

async function search(request: Partial<LineSearchRequest> = {}, signal = new AbortController().signal) {
  const files: CodeSearchFile[] = [];
  const end = await makeSearch(project.policy).lines(
    { ...plain, ...request },
    async (found) => void files.push(...found),
    signal,
  );
  return { files, end };
}

async function linesOf(request: Partial<LineSearchRequest> = {}): Promise<readonly CodeSearchLine[]> {
  return (await search(request)).files.flatMap(({ lines }) => lines);
}
const pathsOf = async (request: Partial<LineSearchRequest> = {}): Promise<readonly string[]> =>
  (await search(request)).files.map(({ path }) => path).sort();
/** Marked parts of the lines. */
const marked = (lines: readonly CodeSearchLine[]): readonly string[] =>
  lines.flatMap(({ text, marks }) => marks.map(([start, end]) => text.slice(start, end)));

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
const bigEndian = (text: string): Buffer => utf16(text).swap16();

describe("positions", () => {
  test.each([
    [
      "ASCII",
      "a needle and a needle\n",
      [
        [2, 8],
        [15, 21],
      ],
    ],
    [
      "Chinese before it",
      "中文 needle 中文 needle\n",
      [
        [3, 9],
        [13, 19],
      ],
    ],
    ["emoji before it", "😀👍🏽 needle\n", [[7, 13]]],
    ["a line end of CRLF", "一needle\r\n", [[1, 7]]],
    ["no line end", "needle", [[0, 6]]],
    ["a byte order mark", "\ufeff一 needle\n", [[2, 8]]],
    ["UTF-16, little endian", utf16("first\n一😀 needle\r\n"), [[4, 10]]],
    ["UTF-16, big endian", bigEndian("first\n一😀 needle\r\n"), [[4, 10]]],
  ])("are UTF-16 units: %s", async (_title, content, marks) => {
    project.put("a.txt", content);
    const [line] = await linesOf();
    expect(line?.marks).toEqual(marks);
    expect(line?.text).not.toMatch(/[\r\n\ufeff]/);
    expect(new Set(marked(await linesOf()))).toEqual(new Set(["needle"]));
  });

  test.each([
    ["at the start", "needle".padEnd(5_000, "一")],
    ["in the middle", `${"一".repeat(2_001)}needle${"😀".repeat(2_000)}`],
    ["at the end", `${"😀".repeat(2_000)}needle`],
  ])("a long line is cut around a match %s", async (_title, content) => {
    project.put("a.txt", content);
    const [line] = await linesOf();
    expect(line?.text.length).toBeLessThanOrEqual(300);
    expect(line?.text).toBe(content.slice(line?.offset).slice(0, line?.text.length));
    expect(line?.text).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
    expect(marked(line === undefined ? [] : [line])).toEqual(["needle"]);
  });

  test("a line that is too long to hold is left out, and that is reported", async () => {
    project.put("a.txt", `${"x".repeat(1_200_000)}needle\n`);
    project.put("b.txt", "needle\n");
    expect(await pathsOf()).toEqual(["b.txt"]);
    expect((await search()).end).toMatchObject({ value: { hasLongLines: true, isLimited: false } });
  });
});

describe("one file", () => {
  test("is searched whatever the globs and ignore rules are, and no other one", async () => {
    for (const path of ["[id].tsx", "(id).tsx", "i.tsx", "x/[id].tsx"]) project.put(path, "needle\n");
    project.put(".gitignore", "*.log\n");
    project.put("big.log", "needle\n");
    expect(await pathsOf({ file: "[id].tsx", include: "*.md", exclude: "*.tsx" })).toEqual(["[id].tsx"]);
    expect(await pathsOf({ file: "big.log" })).toEqual(["big.log"]);
    expect(await pathsOf()).not.toContain("big.log");
  });

  test("that is gone, or outside the project, is an error", async () => {
    expect((await search({ file: "gone.ts" })).end).toMatchObject({ ok: false, error: { code: "not_found" } });
    expect((await search({ file: "../other.ts" })).end).toMatchObject({ ok: false });
  });

  test("with more matching lines than the maximum is reported as limited", async () => {
    project.put("a.txt", "needle\n".repeat(30));
    const { files, end } = await search({ maxLines: 20 });
    expect(files.flatMap(({ lines }) => lines)).toHaveLength(20);
    expect(end).toMatchObject({ value: { isLimited: true } });
  });
});

describe("the query", () => {
  beforeEach(() => project.put("a.txt", "Needle\nneedles\na.b\na+b\nfoo 12 中文\n"));

  test.each<[Partial<LineSearchRequest>, readonly string[]]>([
    [{}, ["Needle", "needle"]],
    [{ caseSensitive: true }, ["needle"]],
    [{ wholeWord: true }, ["Needle"]],
    [{ query: "a.b" }, ["a.b"]],
    [{ query: "a.b", regex: true }, ["a.b", "a+b"]],
    [{ query: "\\d+$|文$", regex: true }, ["文"]],
    [{ query: "--version" }, []],
  ])("%j", async (request, expected) => {
    expect(marked(await linesOf(request))).toEqual(expected);
  });

  test.each(["(", "[", "a{2,1}", "\\p{Nope}"])("an invalid expression fails with the reason: %s", async (query) => {
    const { end } = await search({ query, regex: true });
    // One line, without the pattern that ripgrep was started with.
    expect(end).toMatchObject({
      ok: false,
      error: { code: "bad_regex", detail: expect.stringMatching(/^[\w ,<=-]+$/) },
    });
  });

  test("an invalid expression is plain text otherwise", async () => {
    project.put("b.txt", "f(x\n");
    expect(marked(await linesOf({ query: "f(" }))).toEqual(["f("]);
  });
});

describe("the files", () => {
  beforeEach(() => {
    for (const path of ["a.ts", "src/b.ts", "src/deep/c.md", "ignored/d.ts", ".hidden/e.ts", ".env", ".git/config"])
      project.put(path, "needle\n");
    project.put(".gitignore", "ignored/\n");
  });

  test("ignored files and the folder of git are left out, the owner's protected ones are not", async () => {
    expect(await pathsOf()).toEqual([".env", ".hidden/e.ts", "a.ts", "src/b.ts", "src/deep/c.md"]);
  });

  test("are those that the globs select", async () => {
    expect(await pathsOf({ include: "src, *.ts", exclude: "deep" })).toEqual([".hidden/e.ts", "a.ts", "src/b.ts"]);
  });

  test("are no binary ones, also when a match is before the first NUL", async () => {
    project.put("start.bin", `needle\n${"x\n".repeat(100_000)}\0`);
    project.put("all.bin", "needle\n\0needle\n");
    expect(await pathsOf({ include: "*.bin" })).toEqual([]);
  });
});

test("the limit ends the search and is reported", async () => {
  for (let index = 0; index < 20; index += 1) project.put(`f${index}.txt`, "needle\n".repeat(10));
  const found = await search({ maxLines: 95 });
  expect(found.files.flatMap(({ lines }) => lines)).toHaveLength(95);
  expect(found.end).toMatchObject({ value: { isLimited: true } });
  expect((await search({ maxLines: 200 })).end).toMatchObject({ value: { isLimited: false } });
});

test("a receiver that is slow stops the search; nothing is lost", async () => {
  for (let index = 0; index < 300; index += 1) project.put(`f${index}.txt`, `needle ${"x".repeat(200)}\n`.repeat(50));
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let count = 0;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = makeSearch(project.policy).lines(
    { ...plain, maxLines: 100_000 },
    async (files) => {
      count += files.flatMap(({ lines }) => lines).length;
      begin();
      await gate;
    },
    new AbortController().signal,
  );
  await begun;
  expect(count).toBeLessThanOrEqual(200);
  release();
  expect(await ended).toMatchObject({ ok: true });
  expect(count).toBe(15_000);
});

test("an abort ends the search; nothing is delivered after it", async () => {
  for (let index = 0; index < 300; index += 1) project.put(`f${index}.txt`, "needle\n".repeat(50));
  const stop = new AbortController();
  let calls = 0;
  const end = await makeSearch(project.policy).lines(
    plain,
    async () => {
      calls += 1;
      stop.abort();
    },
    stop.signal,
  );
  expect(end).toMatchObject({ ok: false, error: { code: "aborted" } });
  expect(calls).toBe(1);
});

describe("context", () => {
  const contextOf = async (request: Partial<LineSearchRequest>) =>
    (await search(request)).files.flatMap(({ context = [] }) => context.map(({ line, text }) => `${line} ${text}`));

  test("is the lines before and after each match, each once and without the matches", async () => {
    project.put("a.txt", "1\n2\nneedle\n4\nneedle\n  6\r\n7\n");
    expect(await contextOf({ context: 1 })).toEqual(["2 2", "4 4", "6   6"]);
    expect(await contextOf({ context: 5 })).toEqual(["1 1", "2 2", "4 4", "6   6", "7 7"]);
    expect(await contextOf({ context: 0 })).toEqual([]);
    expect((await linesOf({ context: 5 })).map(({ line }) => line)).toEqual([3, 5]);
  });

  test("has a limit for all files, beyond which matches are still found", async () => {
    for (const name of ["a", "b", "c"]) project.put(`${name}.txt`, "x\nneedle\ny\n".repeat(10));
    const limited = await search({ context: 1, maxContextLines: 25 });
    const context = limited.files.flatMap((file) => file.context ?? []);
    expect(context).toHaveLength(25);
    expect(limited.files.flatMap(({ lines }) => lines)).toHaveLength(30);
    expect(limited.end).toMatchObject({ value: { isContextCut: true, isLimited: false } });
    expect((await search({ context: 1, maxContextLines: 60 })).end).toMatchObject({ value: { isContextCut: false } });
  });

  test("of a binary file is dropped with its matches, and does not count", async () => {
    project.put("a.bin", `x\nneedle\n${"x\n".repeat(100_000)}\0`);
    project.put("b.txt", "one\nneedle\n");
    expect(await contextOf({ context: 2, maxContextLines: 1 })).toEqual(["1 one"]);
  });

  test("of a binary file beyond the limit is not reported as cut, nor are its long lines", async () => {
    project.put("a.bin", `x\nneedle\ny\nneedle ${"x".repeat(1_100_000)}\n${"x\n".repeat(100_000)}\0`);
    const { files, end } = await search({ context: 2, maxContextLines: 1 });
    expect(files).toEqual([]);
    expect(end).toMatchObject({ value: { isContextCut: false, hasLongLines: false } });
  });

  test("is cut at the same length as a match, and splits no character", async () => {
    project.put("a.txt", `${"😀".repeat(1_000)}\nneedle\nx${"😀".repeat(1_000)}`);
    const [file] = (await search({ context: 1 })).files;
    expect(file?.context).toEqual([
      { line: 1, text: "😀".repeat(150), isCut: true },
      { line: 3, text: `x${"😀".repeat(149)}`, isCut: true },
    ]);
  });

  test("is in the file that the search read", async () => {
    project.put("a.txt", Buffer.from("\ufeffone\nneedle\nthree 中\n", "utf16le"));
    expect(await contextOf({ context: 1 })).toEqual(["1 one", "3 three 中"]);
  });
});
