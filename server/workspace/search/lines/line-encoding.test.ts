/** Text and columns of matches that real ripgrep finds in files of several encodings, compared with the editor's text. */
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TextEncoding } from "@/lib/workspace/project-files";
import { type CodeSearchFile, emptyCodeSearchQuery } from "@/lib/workspace/code-search";
import { makeTestProject, type TestProject } from "../../__fixtures__/project";
import { encodeText } from "../../encoding/text-encoding";
import { makeFiles } from "../../files/files";
import { makeSearch } from "../search";

let project: TestProject;
beforeEach(() => {
  project = makeTestProject();
});
afterEach(() => project.remove());

function encode(text: string, encoding: TextEncoding): Buffer {
  const bytes = encodeText(text, encoding);
  if (!bytes.ok) throw new Error(bytes.error.code);
  return bytes.value;
}

async function search(query: string, more: { readonly regex?: boolean; readonly context?: number } = {}) {
  const files: CodeSearchFile[] = [];
  const request = { ...emptyCodeSearchQuery, query, caseSensitive: true };
  const end = await makeSearch(project.policy).lines(
    { ...request, maxLines: 10_000, maxContextLines: 1_000, ...more },
    async (found) => void files.push(...found),
    new AbortController().signal,
  );
  expect(end).toMatchObject({ ok: true });
  return files;
}

const chinese = "// 这是一个测试文件，用来检查中文的搜索结果\r\n函数 needle(参数) 返回 needle;\r\n// 结束的一行\r\n";
const western = "// Café déjà vu, naïve façade à côté\nété needle élève needle\n// où ça\n";
const texts: readonly (readonly [TextEncoding, string])[] = [
  ["utf8", chinese],
  ["utf8-bom", chinese],
  ["utf16le", `${chinese}😀 needle`],
  ["utf16be", `${chinese}😀 needle`],
  ["gbk", chinese],
  ["gb18030", chinese.replace("返回", "返回 𠀀€ ")],
  ["windows-1252", western],
  ["shift-jis", "// 日本語の設定を読込みます。表示する名前\nテスト needle の結果 needle\n// 実行を終了\n"],
  ["windows-1251", "// Поиск по файлам проекта на русском языке\nслово needle ещё needle\n// конец\n"],
];

describe.each(texts)("in a file in %s", (encoding, text) => {
  beforeEach(() => project.put("a.txt", encode(text, encoding)));

  test("lines and columns are those of the editor", async () => {
    const read = await makeFiles(project.policy).readText(project.owner("a.txt"), 1_000_000);
    if (!read.ok) throw new Error(read.error.code);
    expect(read.value.encoding).toBe(encoding);
    const shown = read.value.text.split(/\r?\n/);
    const found = (await search("needle")).flatMap(({ lines }) => lines);
    expect(found.map(({ line }) => line)).toEqual(
      shown.flatMap((line, index) => (line.includes("needle") ? [index + 1] : [])),
    );
    for (const { line, text: listed, marks, offset } of found) {
      expect(listed).toBe(shown[line - 1]);
      expect(offset).toBe(0);
      const columns = [...listed.matchAll(/needle/g)].map(({ index }) => [index, index + 6]);
      expect(marks).toEqual(columns);
    }
  });

  test("lines of context and groups are those of the editor", async () => {
    const [file] = await search("n(e+)d(l)e(?: |\\(|;)", { regex: true, context: 1 });
    const shown = text.split(/\r?\n/);
    expect(file?.context?.map((one) => one.text)).toEqual([shown[0], shown[2]]);
    expect(file?.lines[0]?.captures?.[0]).toEqual(["ee", "l"]);
  });
});

test("a long line of a legacy encoding is cut around its match, between characters", async () => {
  const line = `${"中文测试".repeat(200)}needle${"的是".repeat(400)}`;
  project.put("a.txt", encode(`// 这是一个测试文件\n${line}\n`, "gbk"));
  const [found] = (await search("needle")).flatMap(({ lines }) => lines);
  const { text = "", offset = 0, marks: [mark] = [] } = found ?? {};
  expect(text).toHaveLength(300);
  expect(line.slice(offset, offset + 300)).toBe(text);
  expect(text.slice(...(mark ?? []))).toBe("needle");
});

test("bytes that are no text in any encoding are shown as replaced characters", async () => {
  project.put("a.txt", Buffer.concat([Buffer.from("中文字符 很多 很多\n".repeat(3)), Buffer.from("ff20", "hex")]));
  writeFileSync(project.at("a.txt"), "needle\n", { flag: "a" });
  const [found] = (await search("needle")).flatMap(({ lines }) => lines);
  expect(found).toMatchObject({ line: 4, text: "\uFFFD needle", marks: [[2, 8]] });
});

test("many lines of a legacy encoding are delivered in parts, between which the event loop turns", async () => {
  const line = "needle 这是一个测试文件 函数 返回 参数\n";
  project.put("a.txt", encode(line.repeat(9_000), "gbk"));
  let turns = 0;
  let isDone = false;
  const countTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  countTurn();
  const found = (await search("needle")).flatMap(({ lines }) => lines);
  isDone = true;
  expect(found).toHaveLength(9_000);
  expect(new Set(found.map(({ text }) => text))).toEqual(new Set([line.trim()]));
  expect(turns).toBeGreaterThan(45);
});
