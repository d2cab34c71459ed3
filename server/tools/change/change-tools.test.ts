import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { computeHash } from "@/server/base/id";
import { deleteTool } from "./delete";
import { editTool } from "./edit";
import { callTool, makeTestEnvironment, type TestEnvironment } from "../core/test-environment";
import { type Tool, ToolError } from "../core/tool";
import { writeTool } from "./write";

let environment: TestEnvironment;
const pathIn = (path: string): string => `${environment.root}/${path}`;
const put = (path: string, content: string | Buffer): void => writeFileSync(pathIn(path), content);
const raw = (path: string): string => readFileSync(pathIn(path)).toString("latin1");
const call = <I>(tool: Tool<I>, input: Json) => callTool(tool, input, environment.context);
const signal = new AbortController().signal;

beforeEach(() => {
  environment = makeTestEnvironment();
  put("a.txt", "one\ntwo\nthree\n");
});
afterEach(() => environment.remove());

describe("edit", () => {
  test("edit writes the file after recording the snapshot, and returns the diff", async () => {
    const { text, result } = await call(editTool, { path: "a.txt", old_string: "two", new_string: "2" });
    expect(text).toBe("Edited a.txt (+1 -1 lines).");
    expect(raw("a.txt")).toBe("one\n2\nthree\n");
    expect(environment.recordedSnapshots).toEqual([{ path: "a.txt", before: "one\ntwo\nthree\n" }]);
    expect(result?.changes).toMatchObject([
      {
        path: "a.txt",
        added: 1,
        removed: 1,
        after: computeHash("one\n2\nthree\n"),
        before: computeHash("one\ntwo\nthree\n"),
      },
    ]);
    expect(result?.changes?.[0]?.hunks?.length).toBe(1);
  });

  test("an empty old_string creates a missing file and is refused for an existing one", async () => {
    const { text } = await call(editTool, { path: "new/b.txt", old_string: "", new_string: "one\n" });
    expect(text).toBe("Created new/b.txt (+1 -0 lines).");
    expect(raw("new/b.txt")).toBe("one\n");
    const refused = await call(editTool, { path: "a.txt", old_string: "", new_string: "x" });
    expect(refused).toMatchObject({ code: "no_match" });
  });

  test("stores the written content by its hash for later display", async () => {
    const { result } = await call(editTool, { path: "a.txt", old_string: "two", new_string: "2" });
    const after = result?.changes?.[0]?.after ?? "";
    expect([...environment.blobs].find(([id]) => id === after)?.[1].toString()).toBe("one\n2\nthree\n");
  });

  test.each<[string, Buffer, string, string, Buffer]>([
    ["CRLF", Buffer.from("a\r\nb\r\n"), "a\nb", "a\nx\nb", Buffer.from("a\r\nx\r\nb\r\n")],
    ["a byte order mark", Buffer.from("\ufeffa\nb\n"), "b", "c", Buffer.from("\ufeffa\nc\n")],
    [
      "UTF-16 little endian",
      Buffer.from("\ufeffhé\r\nb\r\n", "utf16le"),
      "b",
      "ö",
      Buffer.from("\ufeffhé\r\nö\r\n", "utf16le"),
    ],
    [
      "UTF-16 big endian",
      Buffer.from("\ufeffa\n", "utf16le").swap16(),
      "a",
      "b",
      Buffer.from("\ufeffb\n", "utf16le").swap16(),
    ],
    ["a missing final newline", Buffer.from("a\nb"), "b", "c", Buffer.from("a\nc")],
  ])("%s stays", async (_, before, oldText, newText, after) => {
    put("f", before);
    expect((await call(editTool, { path: "f", old_string: oldText, new_string: newText })).code).toBeUndefined();
    expect(readFileSync(pathIn("f"))).toEqual(after);
  });

  test("permission bits are preserved", async () => {
    chmodSync(pathIn("a.txt"), 0o750);
    await call(editTool, { path: "a.txt", old_string: "two", new_string: "2" });
    expect(statSync(pathIn("a.txt")).mode & 0o777).toBe(0o750);
  });

  test("the preview equals the result of run and marks a loose match", async () => {
    put("t.go", "\tif x {\n\t\ty()\n\t}\n");
    const input = { path: "t.go", old_string: "if x {\n    y()\n}", new_string: "if x {\n    z()\n}" };
    const { preview } =
      (await editTool.create(environment.context).preview?.(input, environment.context, signal)) ?? {};
    expect(preview).toMatchObject({
      kind: "diff",
      path: "t.go",
      created: false,
      added: 1,
      removed: 1,
      loose: "indent",
    });
    const { text, result } = await call(editTool, input);
    expect(text).toBe(
      "Edited t.go (+1 -1 lines). It matched only with indentation overlooked; the file's own were kept.",
    );
    expect(result?.facts.loose).toBe("indent");
    expect(raw("t.go")).toBe("\tif x {\n\t\tz()\n\t}\n");
  });

  test("a list of edits is applied in order, each to the previous result", async () => {
    const edits = [
      { old_string: "one", new_string: "1" },
      { old_string: "1\ntwo", new_string: "1\n2" },
    ];
    expect((await call(editTool, { path: "a.txt", edits })).text).toBe("Edited a.txt (+2 -2 lines, 2 places).");
    expect(raw("a.txt")).toBe("1\n2\nthree\n");
  });

  test("if one edit of a list fails, none is applied", async () => {
    const edits = [
      { old_string: "one", new_string: "1" },
      { old_string: "zwei", new_string: "2" },
    ];
    const refused = await call(editTool, { path: "a.txt", edits });
    expect(refused).toMatchObject({ code: "no_match" });
    expect(refused.text).toContain("a.txt, edit 2 of 2 (none was made): old_string was not found.");
    expect(raw("a.txt")).toBe("one\ntwo\nthree\n");
    expect(environment.recordedSnapshots).toEqual([]);
  });

  test("a file that changed after the preview is not written", async () => {
    const input = { path: "a.txt", old_string: "two", new_string: "2" };
    const runner = editTool.create(environment.context);
    const shown = await runner.preview?.(input, environment.context, signal);
    put("a.txt", "one\ntwo\nthree\nfour\n");
    await expect(runner.run(input, environment.context, signal, shown?.seen)).rejects.toMatchObject({
      code: "changed_meanwhile",
    });
    expect(raw("a.txt")).toBe("one\ntwo\nthree\nfour\n");
    expect(environment.recordedSnapshots).toEqual([]);
  });

  test("a file that changes between the snapshot and the write is not written", async () => {
    const input = { path: "a.txt", old_string: "two", new_string: "2" };
    const context = {
      ...environment.context,
      recordBeforeWrite: async () => {
        put("a.txt", "someone else\n");
        return null;
      },
    };
    await expect(editTool.create(context).run(input, context, signal)).rejects.toMatchObject({
      code: "changed_meanwhile",
    });
    expect(raw("a.txt")).toBe("someone else\n");
  });

  test("an abort before the write leaves the file unchanged", async () => {
    const input = { path: "a.txt", old_string: "two", new_string: "2" };
    await expect(
      editTool.create(environment.context).run(input, environment.context, AbortSignal.abort()),
    ).rejects.toThrow();
    expect(raw("a.txt")).toBe("one\ntwo\nthree\n");
    expect(environment.recordedSnapshots).toEqual([]);
  });
});

describe("append", () => {
  test.each<[name: string, before: Buffer | null, content: string, after: Buffer]>([
    ["after the last line", Buffer.from("one\n"), "two\n", Buffer.from("one\ntwo\n")],
    ["on a line of its own", Buffer.from("one"), "two\n", Buffer.from("one\ntwo\n")],
    ["with the line ends of the file", Buffer.from("one\r\n"), "two\nthree\n", Buffer.from("one\r\ntwo\r\nthree\r\n")],
    ["in its encoding", Buffer.from("\ufeffhé\n", "utf16le"), "ö\n", Buffer.from("\ufeffhé\nö\n", "utf16le")],
    ["to an empty file", Buffer.from(""), "one\n", Buffer.from("one\n")],
    ["to a missing file", null, "one\n", Buffer.from("one\n")],
  ])("%s", async (_, before, content, after) => {
    if (before !== null) put("f", before);
    const { text, result } = await call(writeTool, { path: "f", content, mode: "append" });
    expect(text).toMatch(before === null ? /^Created f/ : /^Appended to f/);
    expect(result?.changes).toMatchObject([{ removed: before?.toString() === "one" ? 1 : 0 }]);
    expect(readFileSync(pathIn("f"))).toEqual(after);
  });
});

test("delete with recursive:false refuses a folder that is not empty", async () => {
  mkdirSync(pathIn("full"));
  put("full/a", "x");
  mkdirSync(pathIn("empty"));
  expect((await call(deleteTool, { path: "full", recursive: false })).code).toBe("not_allowed");
  expect(existsSync(pathIn("full/a"))).toBe(true);
  expect((await call(deleteTool, { path: "empty", recursive: false })).code).toBeUndefined();
  expect(existsSync(pathIn("empty"))).toBe(false);
});

describe("write", () => {
  test("creates a file and its folders", async () => {
    const { text, result } = await call(writeTool, { path: "x/y/z.txt", content: "a\nb\n" });
    expect(text).toBe("Created x/y/z.txt (+2 -0 lines).");
    expect(raw("x/y/z.txt")).toBe("a\nb\n");
    expect(environment.recordedSnapshots).toEqual([{ path: "x/y/z.txt", before: null }]);
    expect(result?.changes).toMatchObject([{ before: null, after: computeHash("a\nb\n"), added: 2, removed: 0 }]);
  });

  test("replaces a file and preserves encoding and line ends", async () => {
    put("w.txt", Buffer.from("\ufeffä\r\nb\r\n", "utf16le"));
    expect((await call(writeTool, { path: "w.txt", content: "ö\nc\n" })).text).toBe("Replaced w.txt (+2 -2 lines).");
    expect(readFileSync(pathIn("w.txt"))).toEqual(Buffer.from("\ufeffö\r\nc\r\n", "utf16le"));
  });

  const gbk = {
    // "你好\n世界\n" and "你好\n世间\n"
    before: Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0xca, 0xc0, 0xbd, 0xe7, 0x0a]),
    after: Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0xca, 0xc0, 0xbc, 0xe4, 0x0a]),
  };

  test("edit and write preserve a legacy encoding and store both versions", async () => {
    put("g.txt", gbk.before);
    const edited = await call(editTool, { path: "g.txt", old_string: "世界", new_string: "世间" });
    expect(readFileSync(pathIn("g.txt"))).toEqual(gbk.after);
    expect(edited.result?.changes).toMatchObject([{ after: computeHash(gbk.after) }]);
    await call(writeTool, { path: "g.txt", content: "你好\n世界\n" });
    expect(readFileSync(pathIn("g.txt"))).toEqual(gbk.before);
  });

  test("refuses characters missing in the file's encoding before approval, with advice", async () => {
    put("g.txt", gbk.before);
    const input = { path: "g.txt", content: "你好\n😀\n" };
    await expect(
      writeTool.create(environment.context).preview?.(input, environment.context, signal),
    ).rejects.toMatchObject({
      code: "unencodable",
    });
    const refused = await call(editTool, { path: "g.txt", old_string: "世界", new_string: "😀" });
    expect(refused.code).toBe("unencodable");
    expect(refused.text).toMatch(/kept in gbk.*"😀" \(line 2.*UTF-8 with bash first/);
    expect(readFileSync(pathIn("g.txt"))).toEqual(gbk.before);
    expect(environment.recordedSnapshots).toEqual([]);
  });

  test("writes an empty file", async () => {
    expect((await call(writeTool, { path: "empty", content: "" })).code).toBeUndefined();
    expect(raw("empty")).toBe("");
  });

  test("the preview of a new file shows its lines, limited for a large file", async () => {
    const content = "line\n".repeat(5_000);
    const { preview, seen } =
      (await writeTool.create(environment.context).preview?.({ path: "n", content }, environment.context, signal)) ??
      {};
    expect(seen).toEqual({ hash: null });
    expect(preview).toMatchObject({ kind: "diff", created: true, added: 5_000, removed: 0 });
    expect(preview?.kind === "diff" && preview.hunks[0]?.lines.length).toBe(2_000);
    expect(existsSync(pathIn("n"))).toBe(false);
  });

  test("a file created after the preview is not overwritten", async () => {
    const input = { path: "n", content: "mine" };
    const runner = writeTool.create(environment.context);
    const shown = await runner.preview?.(input, environment.context, signal);
    put("n", "theirs");
    await expect(runner.run(input, environment.context, signal, shown?.seen)).rejects.toBeInstanceOf(ToolError);
    expect(raw("n")).toBe("theirs");
  });
});

describe("refusals of edit, write and delete", () => {
  test.each<[name: string, tool: Tool, input: Json, code: string, says: string]>([
    [
      "edit of a missing file",
      editTool,
      { path: "no.txt", old_string: "a", new_string: "b" },
      "not_found",
      "Use write to create it",
    ],
    ["edit of a folder", editTool, { path: "dir", old_string: "a", new_string: "b" }, "is_folder", "dir is a folder"],
    [
      "edit of a binary file",
      editTool,
      { path: "bin", old_string: "a", new_string: "b" },
      "binary",
      "bin is a binary file",
    ],
    [
      "edit with an ambiguous string",
      editTool,
      { path: "a.txt", old_string: "e", new_string: "b" },
      "ambiguous",
      "a.txt: old_string fits 3 places",
    ],
    ["edit outside", editTool, { path: "../x", old_string: "a", new_string: "b" }, "outside", "outside the project"],
    ["write of a folder", writeTool, { path: "dir", content: "a" }, "is_folder", "dir is a folder"],
    [
      "write to a name with a slash at its end",
      writeTool,
      { path: "new/", content: "a" },
      "is_folder",
      "names a folder",
    ],
    ["write below a file", writeTool, { path: "a.txt/b", content: "a" }, "not_folder", "a part of its path is a file"],
    ["write over a binary file", writeTool, { path: "bin", content: "a" }, "binary", "bin is a binary file"],
    [
      "write of the same content",
      writeTool,
      { path: "a.txt", content: "one\ntwo\nthree\n" },
      "no_change",
      "already reads exactly like that",
    ],
    [
      "write with a placeholder over code",
      writeTool,
      { path: "a.txt", content: "zero\n// ... rest of code unchanged ...\n" },
      "placeholder",
      "rest of code unchanged",
    ],
    ["write of a protected file", writeTool, { path: ".env", content: "a" }, "protected", ".env is protected"],
    [
      "write of half a surrogate pair",
      writeTool,
      { path: "n", content: "\ud800" },
      "bad_encoding",
      "half a surrogate pair",
    ],
    [
      "write of too large content",
      writeTool,
      { path: "n", content: "x".repeat(2_000_001) },
      "too_large",
      "write takes at most 2.0 MB",
    ],
    ["delete of the project", deleteTool, { path: "." }, "not_allowed", "project folder itself cannot be deleted"],
    [
      "delete of the project by a detour",
      deleteTool,
      { path: "dir/.." },
      "not_allowed",
      "project folder itself cannot be deleted",
    ],
    ["delete of a missing file", deleteTool, { path: "no.txt" }, "not_found", "no.txt does not exist"],
    ["delete through a link", deleteTool, { path: "link" }, "not_a_file", "link goes through a link to a.txt"],
    ["delete of a protected folder", deleteTool, { path: ".git" }, "protected", ".git is protected"],
  ])("%s", async (_, tool, input, code, expected) => {
    mkdirSync(pathIn("dir"));
    mkdirSync(pathIn(".git"));
    put("bin", Buffer.from([0, 1, 2]));
    symlinkSync("a.txt", pathIn("link"));
    const before = readdirSync(environment.root).sort();
    const refused = await call(tool, input);
    expect(refused.code).toBe(code);
    expect(refused.text).toContain(expected);
    expect(readdirSync(environment.root).sort()).toEqual(before);
    expect(raw("a.txt")).toBe("one\ntwo\nthree\n");
    expect(environment.recordedSnapshots).toEqual([]);
  });

  test("a placeholder is permitted in a new file", async () => {
    expect((await call(writeTool, { path: "doc.md", content: "// ... existing code ...\n" })).code).toBeUndefined();
  });
});

describe("delete", () => {
  test("moves a file to the file trash", async () => {
    const { text, result } = await call(deleteTool, { path: "./a.txt" });
    expect(text).toBe("Moved a.txt (14 B) to the trash. The user can restore it.");
    expect(existsSync(pathIn("a.txt"))).toBe(false);
    expect(readFileSync(`${environment.trashFolder}/t1/a.txt`, "utf8")).toBe("one\ntwo\nthree\n");
    expect(result?.changes).toMatchObject([{ path: "a.txt", after: null, trash: "t1" }]);
  });

  test("moves a folder with its content; the preview counts files and bytes", async () => {
    mkdirSync(pathIn("dir/deep"), { recursive: true });
    put("dir/x", "123");
    put("dir/deep/y", "4567");
    const shown = await deleteTool.create(environment.context).preview?.({ path: "dir" }, environment.context, signal);
    expect(shown?.preview).toEqual({ kind: "delete", path: "dir", folder: true, files: 2, bytes: 7 });
    expect((await call(deleteTool, { path: "dir/" })).text).toBe(
      "Moved folder dir (2 files, 7 B) to the trash. The user can restore it.",
    );
    expect(existsSync(pathIn("dir"))).toBe(false);
  });
});
