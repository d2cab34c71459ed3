/** Content that is read of a referenced file: whole lines up to the limit, from small and large files. */
import { afterEach, expect, test } from "vitest";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "./files";
import { readFileReference } from "./read-reference";

let project: TestProject;
afterEach(() => project.remove());

const read = (content: string, lines?: { first: number; last: number }, maxChars = 1_000) => {
  project = makeTestProject({ "a.txt": content });
  const files = makeFiles(project.policy);
  const opened = { files, policy: () => project.policy, tree: () => Promise.reject(new Error("no tree is read")) };
  return readFileReference(opened, "a.txt", lines, maxChars, new AbortController().signal);
};

test.each<readonly [string, string, { first: number; last: number } | undefined, string, number]>([
  ["an empty file", "", undefined, "", 0],
  ["a file without a last line end", "a\nb", undefined, "a\nb", 2],
  ["carriage returns are left out at line ends only", "a\r\nb\rc\r\n", undefined, "a\nb\rc", 2],
  ["an empty last line", "a\n\n", undefined, "a\n", 2],
  ["an empty line", "a\n\nb", { first: 2, last: 2 }, "", 1],
  ["lines up to the end", "a\nb\nc\n", { first: 2, last: 9 }, "b\nc", 2],
])("%s", async (_what, content, lines, text, count) => {
  expect(await read(content, lines)).toEqual({
    ok: true,
    value: { path: "a.txt", first: lines?.first ?? 1, text, count, isCut: false, chars: expect.any(Number) },
  });
});

test("lines behind the end are refused with the number of lines", async () => {
  const refused = await read("a\nb\n", { first: 3, last: 4 });
  expect(refused).toEqual({ ok: false, error: { code: "bad_input", facts: { path: "a.txt", totalLines: 2 } } });
});

test.each([
  ["that is read whole", 1_000_000],
  ["that is read by lines", 3_000_000],
])("of a file %s only what fits is returned, with the length of the whole", async (_what, chars) => {
  const result = await read(`${"x".repeat(9)}\n`.repeat(chars / 10));
  if (!result.ok) throw new Error(result.error.code);
  expect([result.value.text.length, result.value.isCut, result.value.count > 50]).toEqual([1_000, true, true]);
  expect(Math.abs(result.value.chars - chars)).toBeLessThan(10);
});

test("a line of a large file is returned whole if it fits", async () => {
  const line = "中".repeat(3_000);
  const content = `a\n${line}\n${"b\n".repeat(1_100_000)}`;
  expect(await read(content, { first: 2, last: 2 }, 3_000)).toMatchObject({ value: { text: line, isCut: false } });
  expect(await read(content, { first: 2, last: 3 }, 2_999)).toMatchObject({ value: { isCut: true } });
});
