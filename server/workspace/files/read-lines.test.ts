/** Ranges of lines of files of any size, in every encoding and across chunk boundaries. */
import { closeSync, openSync, truncateSync, writeSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import type { Result } from "@/lib/events/error";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "./files";
import type { FileLines } from "./read-lines";
import { encodeText } from "../encoding/text-encoding";

const never = new AbortController().signal;
let project: TestProject;
afterEach(() => project.remove());

const lines = (from: number, count: number, signal = never): Promise<Result<FileLines>> =>
  makeFiles(project.policy).readLines(project.model("big.txt"), { from, count, maxLineBytes: 100 }, signal);
const textsOf = (read: Result<FileLines>): readonly string[] =>
  read.ok ? read.value.lines.map(({ text }) => text) : [];

test.each([
  [1, 2, ["line 1 é", "line 2 é"]],
  [49_999, 5, ["line 49999 é", "line 50000 é"]],
  [50_001, 1, []],
])("from %i, %i lines", async (from, count, expected) => {
  project = makeTestProject({
    "big.txt": Array.from({ length: 50_000 }, (_, line) => `line ${line + 1} é\r\n`).join(""),
  });
  const read = await lines(from, count);
  expect(textsOf(read)).toEqual(expected);
  expect(read).toMatchObject({ ok: true, value: { total: 50_000 } });
});

test("returns only the start of a line of many megabytes, cut between characters", async () => {
  project = makeTestProject({ "big.txt": `a${"中".repeat(1_500_000)}\nend` });
  const read = await lines(1, 2);
  expect(read).toMatchObject({
    ok: true,
    value: {
      lines: [
        { text: `a${"中".repeat(33)}`, bytes: 4_500_001, isCut: true },
        { text: "end", isCut: false },
      ],
      total: 2,
    },
  });
});

test.each(["utf16le", "utf16be", "utf16le-bare", "utf16be-bare", "gbk", "utf8-bom"] as const)(
  "%s",
  async (encoding) => {
    const text = Array.from({ length: 40_000 }, (_, line) =>
      `${line + 1}: 你好，世界。Ċ\n`.replace("Ċ", encoding === "gbk" ? "" : "Ċ"),
    );
    const bytes = encodeText(text.join(""), encoding);
    project = makeTestProject();
    project.put("big.txt", bytes.ok ? bytes.value : "");
    expect(textsOf(await lines(39_999, 9))).toEqual(text.slice(39_998).map((line) => line.trimEnd()));
  },
);

test("detects a legacy encoding after a long ASCII beginning", async () => {
  project = makeTestProject();
  project.put("big.txt", Buffer.concat([Buffer.from("plain\n".repeat(30_000)), Buffer.from("caf\xe9\n", "latin1")]));
  expect(textsOf(await lines(30_000, 2))).toEqual(["plain", "café"]);
});

test("a file of three gigabytes is neither read to its end nor held in memory", async () => {
  project = makeTestProject({ "big.txt": "" });
  const file = openSync(project.at("big.txt"), "w");
  writeSync(file, "first\nsecond\n".repeat(10_000));
  // Far behind it; the hole between takes no disk space.
  truncateSync(project.at("big.txt"), 3_000_000_000);
  closeSync(file);
  const before = process.memoryUsage().arrayBuffers;
  const read = await lines(1, 2);
  expect(read).toMatchObject({ ok: true, value: { lines: [{ text: "first" }, { text: "second" }], total: null } });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64_000_000);
});

test("stops on abort; refuses content that is not text", async () => {
  project = makeTestProject({ "big.txt": "a\n" });
  expect(await lines(1, 1, AbortSignal.abort())).toMatchObject({ ok: false, error: { code: "aborted" } });
  project.put("big.txt", Buffer.alloc(3_000_000));
  expect(await lines(1, 1)).toMatchObject({ ok: false, error: { code: "binary", facts: { bytes: 3_000_000 } } });
});
