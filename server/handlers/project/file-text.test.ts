/** Files that the editor reads and writes in an encoding that the user chose. */
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TextEncoding } from "@/lib/workspace/project-files";
import { computeHash } from "@/server/base/id";
import { ownerPath } from "@/server/security/paths/safe-path";
import { makeTestServices } from "@/server/session/testing/test-services";
import { readProjectFile, writeInEncoding } from "./file-text";

const path = "a.txt";

async function makeRig(bytes: Buffer) {
  const { root, services } = makeTestServices();
  writeFileSync(join(root, path), bytes);
  const opened = await services().projects.open(root);
  if (!opened.ok) throw new Error(opened.error.code);
  const project = opened.value;
  const safe = ownerPath(path, "write", project.policy());
  if (!safe.ok) throw new Error(safe.error.code);
  return {
    file: join(root, path),
    read: (encoding: TextEncoding) => readProjectFile(project, safe.value, encoding),
    write: (text: string, encoding: TextEncoding) =>
      writeInEncoding(project, safe.value, { text, expect: computeHash(bytes), encoding }),
  };
}

test.each([
  ["utf8", "e4bda0", "e4bda0"],
  ["utf8-bom", "e4bda0", "efbbbfe4bda0"],
  ["utf16le", "e4bda0", "fffe604f"],
  ["utf16be", "e4bda0", "feff4f60"],
  ["utf16le-bare", "e4bda0", "604f"],
  ["utf16be-bare", "e4bda0", "4f60"],
  ["gb18030", "e4bda0", "c4e3"],
  ["gbk", "e4bda0", "c4e3"],
  ["big5", "e4bda0", "a741"],
  ["shift-jis", "e38182", "82a0"],
  ["euc-kr", "ea b080".replace(" ", ""), "b0a1"],
  ["windows-1252", "c3a9", "e9"],
  ["windows-1251", "d0bf", "ef"],
] as const)("a text is written in %s and read in it again", async (encoding, utf8, bytes) => {
  const text = Buffer.from(utf8, "hex").toString("utf8");
  const { file, read, write } = await makeRig(Buffer.from("old"));
  chmodSync(file, 0o640);
  expect(await write(text, encoding)).toMatchObject({ ok: true });
  expect(readFileSync(file).toString("hex")).toBe(bytes);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(await read(encoding)).toMatchObject({ value: { text, encoding } });
});

test("a file without any permission to write cannot be edited, not even by root", async () => {
  const { file, read, write } = await makeRig(Buffer.from("old"));
  chmodSync(file, 0o444);
  expect(await read("utf8")).toMatchObject({ value: { readOnly: "no_permission" } });
  expect(await write("new", "utf8")).toMatchObject({ ok: false, error: { code: "no_permission" } });
  expect(readFileSync(file, "utf8")).toBe("old");
  chmodSync(file, 0o644);
  expect(await read("utf8")).toMatchObject({ value: { readOnly: null } });
  expect(await write("new", "utf8")).toMatchObject({ ok: true });
});

test("a chosen encoding is with or without a byte order mark, as the file is", async () => {
  const { read } = await makeRig(Buffer.from("efbbbf41", "hex"));
  expect(await read("utf8")).toMatchObject({ value: { text: "A", encoding: "utf8-bom" } });
  const bare = await makeRig(Buffer.from("604f", "hex"));
  expect(await bare.read("utf16le")).toMatchObject({ value: { text: "你", encoding: "utf16le-bare" } });
});

test("a character that the encoding lacks is named with its line, and the file stays as it is", async () => {
  const { file, write } = await makeRig(Buffer.from("old"));
  expect(await write("one\ntwo 中 文\n", "windows-1252")).toMatchObject({
    error: { code: "unencodable", facts: { encoding: "windows-1252", character: "中", line: 2 } },
  });
  expect(readFileSync(file, "utf8")).toBe("old");
});

test.each([
  ["utf8", { encoding: "utf8", line: 2 }],
  ["shift-jis", { encoding: "shift-jis", line: 2 }],
  ["utf16le", { encoding: "utf16le-bare", line: null }],
] as const)("bytes that are not %s are refused with the first line", async (encoding, facts) => {
  const { read } = await makeRig(
    Buffer.concat([Buffer.from("one\n"), Buffer.from("80ff0a", "hex"), Buffer.from("th")]),
  );
  expect(await read(encoding)).toMatchObject({ error: { code: "bad_encoding", facts } });
});

test("the first line that is no text is found at every position, also among millions of lines", async () => {
  const lines = ["a\n", "\n", "\n", "b\n", "c"];
  for (const [index] of lines.entries()) {
    const bytes = lines.map((line, at) => Buffer.from(at >= index ? `\xff${line}` : line, "latin1"));
    const { read } = await makeRig(Buffer.concat(bytes));
    expect(await read("utf8")).toMatchObject({ error: { code: "bad_encoding", facts: { line: index + 1 } } });
  }
  const { read } = await makeRig(Buffer.from(`${"\n".repeat(4_000_000)}\xff`, "latin1"));
  expect(await read("utf8")).toMatchObject({ error: { code: "bad_encoding", facts: { line: 4_000_001 } } });
});

test.each([
  ["plain", "gbk", false],
  ["// 读取配置文件\n", "gbk", false],
  ["é", "shift-jis", null],
  ["锘", "gbk", true],
  ["中文", "utf16le", false],
] as const)(
  "saving %j as %s reports whether it would be detected as another text: %s",
  async (text, encoding, misread) => {
    const { write } = await makeRig(Buffer.from("old"));
    const answer = await write(text, encoding);
    expect(answer.ok ? answer.value.isMisread : null).toBe(misread);
  },
);
