/** Searches, replacements and their undo in a real project, with the real ripgrep. */
import { readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asId, type ProjectId, type ReplacementId } from "@/lib/events/id";
import { type CodeSearchFile, emptyCodeSearchQuery } from "@/lib/workspace/code-search";
import { makeTestProject, type TestProject } from "@/server/workspace/__fixtures__/project";
import { makeFiles } from "@/server/workspace/files/files";
import { makeSearch } from "@/server/workspace/search/search";
import { makeReplacements } from "./replacements";

const projectId = asId<ProjectId>("p1");
const never = new AbortController().signal;

let project: TestProject;
let count = 0;
beforeEach(() => {
  project = makeTestProject();
});
afterEach(() => project.remove());

interface Options {
  readonly regex?: boolean;
  readonly wholeWord?: boolean;
  readonly caseSensitive?: boolean;
}

function setUp(bounds?: Parameters<typeof makeReplacements>[1], files = makeFiles(project.policy)) {
  const opened = {
    files,
    search: makeSearch(project.policy),
    policy: () => project.policy,
  };
  const bugs: unknown[] = [];
  const replacements = makeReplacements((error) => bugs.push(error), bounds);
  const pattern = (query: string, options: Options) => ({
    query,
    regex: false,
    wholeWord: false,
    caseSensitive: false,
    ...options,
  });
  const search = async (query: string, options: Options = {}): Promise<readonly CodeSearchFile[]> => {
    const found = new Map<string, CodeSearchFile>();
    const bounds = { maxLines: 10_000, maxContextLines: 0 };
    const request = { ...emptyCodeSearchQuery, ...pattern(query, options), ...bounds };
    const end = await opened.search.lines(
      request,
      async (files) => {
        for (const { path, lines } of files)
          found.set(path, { path, lines: [...(found.get(path)?.lines ?? []), ...lines] });
      },
      never,
    );
    if (!end.ok) throw new Error(end.error.code);
    return [...found.values()];
  };
  return {
    search,
    async replace(files: readonly CodeSearchFile[], query: string, replacement: string, options: Options = {}) {
      count += 1;
      const replacementId = asId<ReplacementId>(`r${count}`);
      const request = { ...pattern(query, options), replacementId, replacement, files };
      const answer = await replacements.replace(projectId, opened, request, never);
      if (!answer.ok) throw new Error(answer.error.code);
      return { ...answer.value, undo: () => replacements.undo(projectId, opened, replacementId) };
    },
    replacements,
    opened,
    bugs,
  };
}

const bytesOf = (path: string): Buffer => readFileSync(project.at(path));
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")]);
const utf16Big = (text: string): Buffer => Buffer.from(utf16(text)).swap16();

test.each<[string, string | Buffer, string, string, Options, string | Buffer]>([
  ["several matches in a line", "a b a\nb\na", "a", "xyz", {}, "xyz b xyz\nb\nxyz"],
  ["a text without replacement", "a b a\n", "a ", "", {}, "b a\n"],
  ["lines that end with CR LF", "one a\r\na\r\n", "a", "b", {}, "one b\r\nb\r\n"],
  ["the end of such lines", "a\r\nb\r\n", "$", ";", { regex: true }, "a;\r\nb;\r\n"],
  ["mixed line ends", "a\r\na\na", "a", "b", {}, "b\r\nb\nb"],
  ["a byte order mark", "\uFEFFa a\n", "a", "ä", {}, "\uFEFFä ä\n"],
  ["UTF-16", utf16("a 中 a\r\n"), "a", "😀", {}, utf16("😀 中 😀\r\n")],
  ["UTF-16 of the other byte order", utf16Big("中 a\n"), "中", "a", {}, utf16Big("a a\n")],
  ["Chinese and emoji", "中文 😀 文a 😀\n", "文", "字🎉", {}, "中字🎉 😀 字🎉a 😀\n"],
  ["an emoji", "中😀文😀\n", "😀", "中", {}, "中中文中\n"],
  [
    "Windows-1252",
    Buffer.from("caf\xe9 na\xefve caf\xe9 d\xe9j\xe0 vu\n", "latin1"),
    "vu",
    "lu",
    {},
    Buffer.from("caf\xe9 na\xefve caf\xe9 d\xe9j\xe0 lu\n", "latin1"),
  ],
  ["matches that would overlap", "aaaa aa\n", "aa", "a", {}, "aa a\n"],
  ["empty matches", "abc\n\nx\n", "^", "> ", { regex: true }, "> abc\n> \n> x\n"],
  ["empty matches in a line", "ab\n", "z*", "-", { regex: true }, "-a-b-\n"],
  ["a dollar sign in plain text", "cost\n", "cost", "$1 $& $$", {}, "$1 $& $$\n"],
  ["groups", "f(a, b) f(c, d)\n", "f\\((\\w), (\\w)\\)", "g($2, $1)", { regex: true }, "g(b, a) g(d, c)\n"],
  ["named groups", "2026-11\n", "(?<y>\\d+)-(?<m>\\d+)", "$<m>/$<y> $$", { regex: true }, "11/2026 $\n"],
  [
    "groups with names in Unicode",
    "2026-11\n",
    "(?<yé>\\d+)-(?<m>\\d+)",
    "$<m>/$2/$1",
    { regex: true },
    "11/11/2026\n",
  ],
  [
    "a legacy encoding that becomes ASCII",
    Buffer.from("caf\xe9 na\xefve caf\xe9 d\xe9j\xe0 vu\n", "latin1"),
    "(?-u:[\\x80-\\xff])",
    "e",
    { regex: true },
    "cafe naeve cafe deje vu\n",
  ],
  ["the match", "ab\n", "\\w+", "<$&>", { regex: true }, "<ab>\n"],
  ["a group without text", "ac bc\n", "(a)?(b)?c", "[$1|$2]", { regex: true }, "[a|] [|b]\n"],
  ["a group in Unicode", "née 中文\n", "(\\w)(\\w+)", "$2$1", { regex: true }, "éen 文中\n"],
  ["whole words only", "cat concat cat\n", "(c)at", "$1ow", { regex: true, wholeWord: true }, "cow concat cow\n"],
  ["the case only as asked", "Cat cat\n", "cat", "dog", { caseSensitive: true }, "Cat dog\n"],
  ["any case", "Cat cat\n", "cat", "dog", {}, "dog dog\n"],
])("a replacement changes %s, and its undo restores the bytes", async (_title, before, query, text, options, after) => {
  const { search, replace } = setUp();
  project.put("f.txt", before);
  const { files, failed, undo } = await replace(await search(query, options), query, text, options);
  expect(failed).toEqual([]);
  expect(files).toHaveLength(1);
  expect(bytesOf("f.txt")).toEqual(Buffer.from(after));
  expect(await undo()).toMatchObject({ value: { files, failed: [] } });
  expect(bytesOf("f.txt")).toEqual(Buffer.from(before));
});

test("only the chosen lines change; the permissions of the file stay", async () => {
  const { search, replace } = setUp();
  project.put("a.sh", "x\nx x\nx\n");
  const [found] = await search("x");
  const lines = (found?.lines ?? []).filter(({ line }) => line !== 2);
  const mode = statSync(project.at("a.sh")).mode;
  const { files } = await replace([{ path: "a.sh", lines }], "x", "y");
  expect(files).toEqual([{ path: "a.sh", matches: 2 }]);
  expect(bytesOf("a.sh").toString()).toBe("y\nx x\ny\n");
  expect(statSync(project.at("a.sh")).mode).toBe(mode);
});

test("a file in which a line changed since the search stays as it is and is named", async () => {
  const { search, replace } = setUp();
  project.put("same.txt", "x\n");
  project.put("moved.txt", "x\n");
  project.put("edited.txt", "x\nx 1\n");
  project.put("gone.txt", "x\n");
  const found = await search("x");
  project.put("moved.txt", "new line\nx\n");
  project.put("edited.txt", "x\nx 2\n");
  renameSync(project.at("gone.txt"), project.at("other"));
  const { files, failed } = await replace(found, "x", "y");
  expect(files).toEqual([{ path: "same.txt", matches: 1 }]);
  expect(new Set(failed.map(({ path, code }) => `${path} ${code}`))).toEqual(
    new Set(["moved.txt changed_meanwhile", "edited.txt changed_meanwhile", "gone.txt changed_meanwhile"]),
  );
  expect(bytesOf("edited.txt").toString()).toBe("x\nx 2\n");
});

test("undo leaves a file that changed since, and names it", async () => {
  const { search, replace } = setUp();
  project.put("a.txt", "x\n");
  project.put("b.txt", "x\n");
  const { undo } = await replace(await search("x"), "x", "y");
  project.put("b.txt", "y, and more\n");
  const expected = {
    ok: true,
    value: { files: [{ path: "a.txt", matches: 1 }], failed: [{ path: "b.txt", code: "changed_meanwhile" }] },
  };
  expect(await undo()).toEqual(expected);
  expect(bytesOf("a.txt").toString()).toBe("x\n");
  expect(bytesOf("b.txt").toString()).toBe("y, and more\n");
  // The same request again, by a new connection, is answered and changes nothing.
  project.put("a.txt", "y\n");
  expect(await undo()).toEqual(expected);
  expect(bytesOf("a.txt").toString()).toBe("y\n");
});

test("the same replacement is made once, and one too long ago cannot be undone", async () => {
  const { search, replacements, opened, replace } = setUp();
  project.put("a.txt", "x\n");
  const request = {
    ...{ query: "x", regex: false, wholeWord: false, caseSensitive: false },
    replacementId: asId<ReplacementId>("first"),
    replacement: "xx",
    files: await search("x"),
  };
  const first = await replacements.replace(projectId, opened, request, never);
  expect(await replacements.replace(projectId, opened, request, never)).toEqual(first);
  expect(bytesOf("a.txt").toString()).toBe("xx\n");
  const other = asId<ProjectId>("p2");
  expect(await replacements.undo(other, opened, request.replacementId)).toMatchObject({ error: { code: "not_kept" } });
  for (let index = 0; index < 20; index += 1) await replace([], "x", "y");
  expect(await replacements.undo(projectId, opened, request.replacementId)).toMatchObject({
    error: { code: "not_kept" },
  });
});

test("no path leads out of the project or into Git's folder", async () => {
  const { search, replace } = setUp();
  const outside = makeTestProject({ "f.txt": "x\n" });
  project.put("in/f.txt", "x\n");
  project.put(".git/config", "x\n");
  const lines = (await search("x")).flatMap((file) => file.lines);
  renameSync(project.at("in"), project.at("was"));
  symlinkSync(outside.root, project.at("in"));
  const paths = ["in/f.txt", ".git/config", `${outside.root}/f.txt`, "../f.txt", "-x", "was/../was/f.txt"];
  const { files, failed } = await replace(
    paths.map((path) => ({ path, lines })),
    "x",
    "y",
  );
  expect(files).toEqual([]);
  expect(failed.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
  expect(failed.find(({ path }) => path === ".git/config")).toMatchObject({ code: "protected" });
  expect(readFileSync(`${outside.root}/f.txt`, "utf8")).toBe("x\n");
  outside.remove();
});

test("a file that would need a character its encoding lacks, or half of one, stays as it is", async () => {
  const { search, replace } = setUp();
  const latin = Buffer.from("caf\xe9 na\xefve caf\xe9 d\xe9j\xe0 vu\n", "latin1");
  project.put("latin.txt", latin);
  const { failed } = await replace(await search("vu"), "vu", "中");
  expect(failed).toEqual([{ path: "latin.txt", code: "unencodable" }]);
  expect(bytesOf("latin.txt")).toEqual(latin);
  // The second byte of 丄 in GBK is a letter; ripgrep finds it there.
  const gbk = Buffer.concat([
    Buffer.from("d6d0b9fac8cbc3f1b4f3cbb5b5c4bba7bfe2ced2c3c7cac7d2bbb8f6", "hex"),
    Buffer.from("8141", "hex"),
    Buffer.from("\n"),
  ]);
  project.put("gbk.txt", gbk);
  const found = await search("\\x81A|A", { caseSensitive: true, regex: true });
  expect(found).toEqual([]);
});

test("halves of characters in a line are neither listed nor replaced, its other matches are", async () => {
  const { search, replace } = setUp();
  const gbk = (text: string): Buffer => Buffer.from(text.replaceAll("丄", "\x81A"), "latin1");
  const chinese = Buffer.from("d6d0b9fac8cbc3f1b4f3cbb5b5c4bba7bfe2ced2c3c7cac7d2bbb8f60a", "hex");
  project.put("gbk.txt", Buffer.concat([chinese, gbk("丄A丄A丄丄\n")]));
  const found = await search("A", { caseSensitive: true });
  expect(found).toMatchObject([
    {
      lines: [
        {
          line: 2,
          text: "丄A丄A丄丄",
          marks: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    },
  ]);
  const { files, failed, undo } = await replace(found, "A", "B", { caseSensitive: true });
  expect([files, failed]).toEqual([[{ path: "gbk.txt", matches: 2 }], []]);
  expect(bytesOf("gbk.txt")).toEqual(Buffer.concat([chinese, gbk("丄B丄B丄丄\n")]));
  expect(await undo()).toMatchObject({ value: { files } });
});

test("an exception in one file is its failure: the others are replaced and can be undone", async () => {
  const files = makeFiles(project.policy);
  let isBroken = true;
  const { search, replace, bugs } = setUp(undefined, {
    ...files,
    async writeBytes(path, ...input) {
      if (isBroken && path.relative === "b.txt") throw new RangeError("Invalid string length");
      return files.writeBytes(path, ...input);
    },
  });
  for (const name of ["a.txt", "b.txt", "c.txt"]) project.put(name, "x\n");
  const { files: replaced, failed, undo } = await replace(await search("x"), "x", "y");
  isBroken = false;
  expect(new Set(replaced.map(({ path }) => path))).toEqual(new Set(["a.txt", "c.txt"]));
  expect(failed).toEqual([{ path: "b.txt", code: "internal" }]);
  expect(bugs).toHaveLength(1);
  expect(await undo()).toMatchObject({ value: { files: replaced, failed: [] } });
  expect(bytesOf("a.txt").toString()).toBe("x\n");
});

test("an undo that failed in a file is repeated for it alone", async () => {
  const { search, replace } = setUp();
  project.put("a.txt", "x\n");
  project.put("b.txt", "x\n");
  const { undo } = await replace(await search("x"), "x", "y");
  renameSync(project.at("b.txt"), project.at("away"));
  expect(await undo()).toMatchObject({ value: { files: [{ path: "a.txt" }], failed: [{ path: "b.txt" }] } });
  renameSync(project.at("away"), project.at("b.txt"));
  project.put("a.txt", "y\n");
  expect(await undo()).toEqual({
    ok: true,
    value: {
      files: [
        { path: "a.txt", matches: 1 },
        { path: "b.txt", matches: 1 },
      ],
      failed: [],
    },
  });
  expect(bytesOf("a.txt").toString()).toBe("y\n");
  expect(bytesOf("b.txt").toString()).toBe("x\n");
});

test.each([
  ["too large", "(x+)", "$1".repeat(1_000), "x".repeat(6_000), "too_large"],
  ["larger than a string can be", "(x+)", "$1".repeat(2_000), "x".repeat(300_000), "too_large"],
  ["binary", "x", "\u0001", "xxab", "binary"],
  ["a file with a byte order mark", "x", "\uFEFF", "x y", "bad_encoding"],
])("a file that would become %s stays as it is", async (_title, query, text, content, code) => {
  const { search, replace } = setUp();
  project.put("f.txt", `${content}\n`);
  const { files, failed } = await replace(await search(query, { regex: true }), query, text, { regex: true });
  expect([files, failed]).toEqual([[], [{ path: "f.txt", code }]]);
  expect(bytesOf("f.txt").toString()).toBe(`${content}\n`);
});

test("a file with more matches than a replacement may have stays as it is", async () => {
  const { search, replace } = setUp({ maxMatches: 5, maxUndoBytes: 1_000 });
  project.put("a.txt", "x x x\nx x x\n");
  project.put("b.txt", "x\n");
  const { files, failed } = await replace(await search("x"), "x", "y");
  expect(files).toEqual([{ path: "b.txt", matches: 1 }]);
  expect(failed).toEqual([{ path: "a.txt", code: "too_many" }]);
});

test("files too large to keep for the undo are refused before one is written; the oldest undo is dropped", async () => {
  const { search, replace } = setUp({ maxMatches: 100, maxUndoBytes: 10 });
  project.put("a.txt", "x 345\n");
  project.put("b.txt", "x 345\n");
  const found = await search("x");
  await expect(replace(found, "x", "y")).rejects.toThrow("too_large");
  expect([bytesOf("a.txt"), bytesOf("b.txt")].map(String)).toEqual(["x 345\n", "x 345\n"]);
  const undos = [];
  for (const file of found) undos.push((await replace([file], "x", "y")).undo);
  expect(await undos[0]?.()).toMatchObject({ error: { code: "not_kept" } });
  expect(await undos[1]?.()).toMatchObject({ value: { failed: [] } });
});

test("100,000 matches in one file do not hold the event loop", async () => {
  const { search, replace } = setUp();
  const text = `${"e".repeat(1_000)}\n`.repeat(100);
  project.put("f.txt", text);
  const found = await search("e");
  let turns = 0;
  let isDone = false;
  const countTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  countTurn();
  const { files, undo } = await replace(found, "e", "xy");
  isDone = true;
  expect(files).toEqual([{ path: "f.txt", matches: 100_000 }]);
  expect(turns).toBeGreaterThan(20);
  expect(bytesOf("f.txt").toString()).toBe(text.replaceAll("e", "xy"));
  expect(await undo()).toMatchObject({ value: { failed: [] } });
  expect(bytesOf("f.txt").toString()).toBe(text);
});

test("5,000 matches in 500 files do not hold the event loop", async () => {
  const { search, replace } = setUp();
  const text = "const needle = 1;\nsomething else 中文\n".repeat(10);
  for (let index = 0; index < 500; index += 1) project.put(`src/f${index}.ts`, text);
  const found = await search("needle");
  let turns = 0;
  let isDone = false;
  const countTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  countTurn();
  const { files } = await replace(found, "needle", "thread");
  isDone = true;
  expect(files.reduce((sum, { matches }) => sum + matches, 0)).toBe(5_000);
  // The check, the read and the write of each file are turns of their own.
  expect(turns).toBeGreaterThan(3 * 500);
  expect(bytesOf("src/f499.ts").toString()).toBe(text.replaceAll("needle", "thread"));
});
