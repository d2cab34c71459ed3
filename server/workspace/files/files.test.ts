import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Result } from "@/lib/events/error";
import { computeHash } from "@/server/base/id";
import { fixtureScript, makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "./files";
import type { Files } from "../workspace";

const isRoot = process.getuid?.() === 0;
let project: TestProject;
let files: Files;

beforeEach(() => {
  project = makeTestProject();
  files = makeFiles(project.policy);
});
afterEach(() => project.remove());

const codeOf = (result: Result<unknown>): string => (result.ok ? "ok" : result.error.code);
function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ""}`);
  return result.value;
}
const temporaryFiles = (folder = ""): string[] =>
  readdirSync(project.at(folder)).filter((name) => name.endsWith(".tmp"));

describe("reading text", () => {
  const big = Buffer.from("\ufeffä\r\nb\n", "utf16le").swap16();
  test.each([
    ["plain", Buffer.from("a\nb\n"), { text: "a\nb\n", encoding: "utf8", eol: "\n", finalNewline: true }],
    ["no final newline", Buffer.from("a\nb"), { text: "a\nb", eol: "\n", finalNewline: false }],
    ["empty", Buffer.from(""), { text: "", encoding: "utf8", eol: "\n", finalNewline: false }],
    ["Windows line ends", Buffer.from("a\r\nb\r\n"), { text: "a\r\nb\r\n", eol: "\r\n", finalNewline: true }],
    ["mostly Windows line ends", Buffer.from("a\r\nb\r\nc\n"), { eol: "\r\n" }],
    ["as many of both", Buffer.from("a\r\nb\n"), { eol: "\n" }],
    ["a BOM", Buffer.from("\ufeffa\n"), { text: "a\n", encoding: "utf8-bom" }],
    ["UTF-16 LE", Buffer.from("\ufeffä日\r\n", "utf16le"), { text: "ä日\r\n", encoding: "utf16le", eol: "\r\n" }],
    ["UTF-16 BE", big, { text: "ä\r\nb\n", encoding: "utf16be", eol: "\n" }],
    [
      "half a surrogate pair in UTF-16",
      Buffer.from("\ufeffa\ud800b", "utf16le"),
      { text: "a\ud800b", encoding: "utf16le" },
    ],
    ["colours", Buffer.from("\x1b[1mx\x1b[0m\n"), { text: "\x1b[1mx\x1b[0m\n" }],
    ["a second BOM in the text", Buffer.from("\ufeff\ufeffa"), { text: "\ufeffa", encoding: "utf8-bom" }],
  ])("%s is read as it is and written back byte by byte", async (_name, bytes, expected) => {
    project.put("a.txt", bytes);
    const path = project.model("a.txt", "write");
    const file = valueOf(await files.readText(path, 1_000));
    expect(file).toMatchObject({ ...expected, hash: computeHash(bytes), size: bytes.length });
    const written = valueOf(await files.write(path, file.text, file.hash, file));
    expect(readFileSync(project.at("a.txt"))).toEqual(bytes);
    expect(written.hash).toBe(file.hash);
  });

  test.each([
    ["a NUL", Buffer.from("a\0b"), "binary", "application/octet-stream"],
    ["a picture", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), "binary", "image/png"],
    ["a PDF with binary parts", Buffer.from("%PDF-1.4\n\0\0", "latin1"), "binary", "application/pdf"],
    ["many control bytes", Buffer.from("\x01\x02\x03\x04ab"), "binary", "application/octet-stream"],
    ["UTF-32", Buffer.from("\xff\xfe\0\0a\0\0\0", "latin1"), "binary", "application/octet-stream"],
    [
      "UTF-8 with a broken place",
      Buffer.concat([Buffer.from("äöü 中文\n"), Buffer.of(0xe4, 0x0a)]),
      "bad_encoding",
      undefined,
    ],
    [
      "bytes that are not text in any encoding",
      Buffer.from("a\xff\x81\x8d\xff\x90\x9d", "latin1"),
      "bad_encoding",
      undefined,
    ],
    ["a surrogate in UTF-8", Buffer.from("a\xed\xa0\x80", "latin1"), "bad_encoding", undefined],
    ["odd UTF-16", Buffer.from("\xff\xfea\0b", "latin1"), "bad_encoding", undefined],
  ])("%s is refused, with size and type", async (_name, bytes, code, type) => {
    project.put("a.bin", bytes);
    const result = await files.readText(project.model("a.bin"), 1_000);
    expect(codeOf(result)).toBe(code);
    expect(result.ok ? null : result.error.facts).toMatchObject({
      path: "a.bin",
      bytes: bytes.length,
      ...(type && { type }),
    });
    expect(valueOf(await files.readBytes(project.model("a.bin"), 1_000))).toEqual(bytes);
  });

  test("an error that the user of the bytes throws is not a failure of opening the file", async () => {
    project.put("sent.bin", "1");
    const error = Object.assign(new Error("i/o error"), { code: "EIO" });
    const failing = files.withBytes(project.model("sent.bin"), () => Promise.reject(error));
    await expect(failing).rejects.toBe(error);
  });

  test("a huge sparse file is refused by its size without reading it", async () => {
    project.put("huge", "text");
    // Reading it would exceed the time limit of any test.
    const bytes = 4_000_000_000_000;
    truncateSync(project.at("huge"), bytes);
    const result = await files.readText(project.model("huge"), 2_000_000);
    expect(result).toMatchObject({ ok: false, error: { code: "too_large", facts: { bytes } } });
  });

  test("reads exactly the limit, refuses one byte more", async () => {
    project.put("a", "x".repeat(10));
    expect(codeOf(await files.readText(project.model("a"), 10))).toBe("ok");
    expect(codeOf(await files.readText(project.model("a"), 9))).toBe("too_large");
  });
});

describe("entries that are not files", () => {
  test("a named pipe and a socket are refused without waiting", async () => {
    execFileSync("mkfifo", [project.at("pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(project.at("socket"), resolve));
    for (const name of ["pipe", "socket"]) {
      expect(codeOf(await files.readText(project.model(name), 1_000))).toBe("not_a_file");
      expect(codeOf(await files.write(project.model(name, "write"), "x", computeHash("")))).toBe("not_a_file");
      expect(valueOf(await files.info(project.model(name))).kind).toBe("other");
    }
    await new Promise((resolve) => server.close(resolve));
  });

  test("a folder, a missing file and a path below a file fail with distinct codes", async () => {
    mkdirSync(project.at("folder"));
    project.put("file", "x");
    expect(codeOf(await files.readText(project.model("folder"), 9))).toBe("is_folder");
    expect(codeOf(await files.write(project.model("folder", "write"), "x", null))).toBe("is_folder");
    expect(codeOf(await files.readText(project.model("missing"), 9))).toBe("not_found");
    expect(codeOf(await files.readText(project.model("file/below"), 9))).toBe("not_folder");
    expect(codeOf(await files.write(project.model("file/below", "write"), "x", null))).toBe("not_folder");
    expect(codeOf(await files.list(project.model("file"), 9))).toBe("not_folder");
  });

  test("a file replaced by a link after the check is not followed", async () => {
    const outside = join(tmpdir(), `gopi-outside-${process.pid}`);
    writeFileSync(outside, "secret");
    project.put("a.txt", "a");
    const path = project.model("a.txt", "write");
    rmSync(project.at("a.txt"));
    symlinkSync(outside, project.at("a.txt"));
    expect(codeOf(await files.readText(path, 1_000))).toBe("changed_meanwhile");
    expect(codeOf(await files.write(path, "mine", computeHash("secret")))).toBe("changed_meanwhile");
    expect(codeOf(await files.write(path, "mine", null))).toBe("changed_meanwhile");
    expect(readFileSync(outside, "utf8")).toBe("secret");
    rmSync(outside);
  });

  test("a parent folder replaced by a link after the check is not followed", async () => {
    const outside = makeTestProject({ "a.txt": "secret" });
    project.put("sub/a.txt", "a");
    const path = project.model("sub/a.txt", "write");
    const fresh = project.model("sub/fresh.txt", "write");
    const folder = project.model("sub");
    renameSync(project.at("sub"), project.at("moved"));
    symlinkSync(outside.root, project.at("sub"));
    const trash = project.at("trash");
    for (const result of [
      await files.readText(path, 1_000),
      await files.write(path, "mine", computeHash("secret")),
      await files.write(fresh, "mine", null),
      await files.list(folder, 10),
      await files.moveOut(path, trash),
    ]) {
      expect(result.ok).toBe(false);
    }
    expect(readdirSync(outside.root)).toEqual(["a.txt"]);
    expect(readFileSync(outside.at("a.txt"), "utf8")).toBe("secret");
    outside.remove();
  });
});

describe("writing", () => {
  test("creates parents, applies the default mode and leaves no temporary file", async () => {
    const result = await files.write(project.model("a/b/c.txt", "write"), "hi\n", null);
    expect(valueOf(result).hash).toBe(computeHash("hi\n"));
    expect(readFileSync(project.at("a/b/c.txt"), "utf8")).toBe("hi\n");
    expect(statSync(project.at("a/b/c.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(temporaryFiles("a/b")).toEqual([]);
  });

  test("preserves the mode and replaces the inode, so that readers never see a partial file", async () => {
    project.put("run.sh", "old");
    chmodSync(project.at("run.sh"), 0o755);
    const before = statSync(project.at("run.sh"));
    valueOf(await files.write(project.model("run.sh", "write"), "new", computeHash("old")));
    const after = statSync(project.at("run.sh"));
    expect(after.mode & 0o777).toBe(0o755);
    expect(after.ino).not.toBe(before.ino);
    expect(readFileSync(project.at("run.sh"), "utf8")).toBe("new");
  });

  test("a file with other names (hard links) keeps them, its mode, and leaves no temporary file", async () => {
    project.put("a.txt", "old and long");
    mkdirSync(project.at("sub"));
    linkSync(project.at("a.txt"), project.at("sub/b.txt"));
    chmodSync(project.at("a.txt"), 0o640);
    const before = statSync(project.at("a.txt"));
    valueOf(await files.write(project.model("a.txt", "write"), "new", computeHash("old and long")));
    expect(["a.txt", "sub/b.txt"].map((path) => readFileSync(project.at(path), "utf8"))).toEqual(["new", "new"]);
    expect(statSync(project.at("sub/b.txt"))).toMatchObject({ ino: before.ino, nlink: 2, mode: before.mode });
    expect(temporaryFiles(".")).toEqual([]);
    expect(codeOf(await files.write(project.model("sub/b.txt", "write"), "x", computeHash("old")))).toBe(
      "changed_meanwhile",
    );
  });

  test("a read-only file is not replaced without that purpose, not even by root", async () => {
    project.put("a.txt", "old");
    chmodSync(project.at("a.txt"), 0o444);
    const path = project.model("a.txt", "write");
    expect(codeOf(await files.write(path, "new", computeHash("old")))).toBe("no_permission");
    expect(codeOf(await files.writeBytes(path, Buffer.from("new"), computeHash("old"), undefined))).toBe(
      "no_permission",
    );
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe("old");
  });

  test("a read-only file stays read-only when it is replaced on purpose", async () => {
    for (const name of ["one.txt", "two.txt"]) {
      project.put(name, "old");
      if (name === "two.txt") linkSync(project.at(name), project.at("other.txt"));
      chmodSync(project.at(name), 0o444);
      const keep = { encoding: "utf8" as const, mode: 0o444 };
      valueOf(await files.write(project.model(name, "write"), "new", computeHash("old"), keep));
      expect(readFileSync(project.at(name), "utf8")).toBe("new");
      expect(statSync(project.at(name)).mode & 0o777).toBe(0o444);
    }
    expect(readFileSync(project.at("other.txt"), "utf8")).toBe("new");
  });

  test.skipIf(!isRoot)("preserves the owner (needs root)", async () => {
    project.put("a.txt", "old");
    chownSync(project.at("a.txt"), 1234, 1234);
    valueOf(await files.write(project.model("a.txt", "write"), "new", computeHash("old")));
    expect(statSync(project.at("a.txt")).uid).toBe(1234);
  });

  test("fails if the file was changed or deleted meanwhile", async () => {
    project.put("a.txt", "theirs");
    const path = project.model("a.txt", "write");
    expect(codeOf(await files.write(path, "mine", computeHash("seen")))).toBe("changed_meanwhile");
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe("theirs");
    rmSync(project.at("a.txt"));
    expect(codeOf(await files.write(path, "mine", computeHash("seen")))).toBe("changed_meanwhile");
    expect(readdirSync(project.root)).toEqual([]);
  });

  test("a new file never replaces an existing one", async () => {
    project.put("a.txt", "theirs");
    expect(codeOf(await files.write(project.model("a.txt", "write"), "mine", null))).toBe("exists");
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe("theirs");
    expect(temporaryFiles()).toEqual([]);
  });

  test("of concurrent creations without a shared lock, one succeeds", async () => {
    const path = project.model("a.txt", "write");
    const instances = Array.from({ length: 8 }, () => makeFiles(project.policy));
    const results = await Promise.all(instances.map((files, index) => files.write(path, `${index}`, null)));
    expect(results.map(codeOf).sort()).toEqual([...Array(7).fill("exists"), "ok"]);
    const winner = results.findIndex((result) => result.ok);
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe(`${winner}`);
    expect(temporaryFiles()).toEqual([]);
  });

  test("of concurrent changes of one version, one succeeds", async () => {
    project.put("a.txt", "0");
    const path = project.model("a.txt", "write");
    const results = await Promise.all([1, 2, 3, 4].map((index) => files.write(path, `${index}`, computeHash("0"))));
    expect(results.map(codeOf).sort()).toEqual(["changed_meanwhile", "changed_meanwhile", "changed_meanwhile", "ok"]);
  });

  test("refuses text its encoding cannot represent and preserves the file", async () => {
    project.put("a.txt", "old");
    expect(codeOf(await files.write(project.model("a.txt", "write"), "\ud800", computeHash("old")))).toBe(
      "bad_encoding",
    );
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe("old");
  });

  test("writes a name of maximum length", async () => {
    const name = "x".repeat(255);
    expect(codeOf(await files.write(project.model(name, "write"), "x", null))).toBe("ok");
  });

  test("fails without permission and preserves the file", () => {
    project.put("locked.txt", "old");
    project.put("unreadable.txt", "old");
    project.put("folder/a.txt", "old");
    chmodSync(project.root, 0o777);
    chmodSync(project.at("locked.txt"), 0o444);
    chmodSync(project.at("unreadable.txt"), 0o000);
    chmodSync(project.at("folder"), 0o555);
    expect(writeUnprivileged(project.root)).toEqual({
      readUnreadable: "no_permission",
      writeLocked: "no_permission",
      writeInFolder: "no_permission",
      createInFolder: "no_permission",
      moveFromFolder: "no_permission",
      createInRoot: "ok",
    });
    expect(readFileSync(project.at("locked.txt"), "utf8")).toBe("old");
    expect(readdirSync(project.at("folder"))).toEqual(["a.txt"]);
  });
});

function writeUnprivileged(root: string): unknown {
  const script = fixtureScript("write-as-nobody.ts");
  return JSON.parse(
    execFileSync(process.execPath, ["--import", "tsx", script, root], { encoding: "utf8", stdio: "pipe" }),
  );
}

const fullDisk = smallDisk();
afterAll(() => {
  if (fullDisk === null) return;
  execFileSync("umount", [fullDisk]);
  rmSync(fullDisk, { recursive: true });
});
describe.skipIf(fullDisk === null)("on a second, small disk (needs permission to mount)", () => {
  afterEach(() => {
    for (const name of readdirSync(fullDisk ?? "")) rmSync(join(fullDisk ?? "", name), { recursive: true });
  });

  test("a full disk preserves the old file and leaves no temporary file or new folder", async () => {
    const root = fullDisk ?? "";
    const small = makeFiles({ root, protectedNames: [] });
    const disk = { ...project.policy, root };
    writeFileSync(join(root, "a.txt"), "old");
    const { modelPath } = await import("@/server/security/paths/safe-path");
    const old = valueOf(modelPath("a.txt", "write", disk));
    const fresh = valueOf(modelPath("x/y/b.txt", "write", disk));
    expect(codeOf(await small.write(old, "x".repeat(200_000), computeHash("old")))).toBe("disk_full");
    expect(codeOf(await small.write(fresh, "x".repeat(200_000), null))).toBe("disk_full");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old");
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  test("moves a folder to the file trash and back across disks with links and modes", async () => {
    project.put("sub/deep/a.sh", "hello");
    chmodSync(project.at("sub/deep/a.sh"), 0o755);
    symlinkSync("/nowhere", project.at("sub/link"));
    const trash = join(fullDisk ?? "", "t1");
    const path = project.model("sub", "write");
    expect(valueOf(await files.moveOut(path, trash))).toMatchObject({ files: 2 });
    expect(existsSync(project.at("sub"))).toBe(false);
    valueOf(await files.moveBack(trash, path));
    expect(readFileSync(project.at("sub/deep/a.sh"), "utf8")).toBe("hello");
    expect(statSync(project.at("sub/deep/a.sh")).mode & 0o777).toBe(0o755);
    expect(lstatSync(project.at("sub/link")).isSymbolicLink()).toBe(true);
  });

  test("moves a file to the other disk and back", async () => {
    project.put("a.txt", "x");
    const trash = join(fullDisk ?? "", "t3");
    const path = project.model("a.txt", "write");
    expect(valueOf(await files.moveOut(path, trash))).toEqual({ files: 1, bytes: 1 });
    expect(readdirSync(trash)).toEqual(["a.txt"]);
    valueOf(await files.moveBack(trash, path));
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe("x");
    expect(readdirSync(trash)).toEqual([]);
  });

  test("a move that does not fit preserves the source and cleans up the target", async () => {
    project.put("sub/a", "x");
    project.put("sub/b", "x".repeat(200_000));
    const trash = join(fullDisk ?? "", "t2");
    expect(codeOf(await files.moveOut(project.model("sub", "write"), trash))).toBe("disk_full");
    expect(readdirSync(project.at("sub")).sort()).toEqual(["a", "b"]);
    expect(existsSync(trash)).toBe(false);
  });
});

/** Mounts a disk of 64 KB; null where that is not permitted. */
function smallDisk(): string | null {
  const folder = makeTestProject().root;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

describe("moving", () => {
  let elsewhere: TestProject;
  let trash: string;
  beforeEach(() => {
    elsewhere = makeTestProject();
    trash = elsewhere.at("item");
  });
  afterEach(() => elsewhere.remove());

  test("moves a folder out and back unchanged", async () => {
    project.put("sub/a.txt", "12345");
    project.put("sub/.hidden/b", "1");
    const path = project.model("sub", "write");
    expect(valueOf(await files.moveOut(path, trash))).toEqual({ files: 2, bytes: 6 });
    expect(readdirSync(trash)).toEqual(["sub"]);
    expect(existsSync(project.at("sub"))).toBe(false);
    valueOf(await files.moveBack(trash, path));
    expect(readFileSync(project.at("sub/a.txt"), "utf8")).toBe("12345");
    expect(readdirSync(trash)).toEqual([]);
  });

  test("never overwrites an existing entry, not even an empty folder", async () => {
    project.put("a.txt", "old");
    mkdirSync(project.at("folder"));
    for (const name of ["a.txt", "folder"]) {
      const place = join(trash, name);
      const path = project.model(name, "write");
      valueOf(await files.moveOut(path, place));
      if (name === "folder") mkdirSync(project.at(name));
      else project.put(name, "new");
      expect(codeOf(await files.moveBack(place, path))).toBe("exists");
      expect(readdirSync(place)).toEqual([name]);
    }
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe("new");
  });

  test("recreates missing parents when moving back", async () => {
    project.put("a/b/c.txt", "x");
    const path = project.model("a/b/c.txt", "write");
    valueOf(await files.moveOut(path, trash));
    rmSync(project.at("a"), { recursive: true });
    valueOf(await files.moveBack(trash, path));
    expect(readFileSync(project.at("a/b/c.txt"), "utf8")).toBe("x");
  });

  test("refuses to move the project itself, or into a non-empty trash folder", async () => {
    project.put("a", "x");
    expect(codeOf(await files.moveOut(project.owner(".", "write"), trash))).toBe("not_allowed");
    mkdirSync(trash);
    writeFileSync(join(trash, "other"), "");
    expect(codeOf(await files.moveOut(project.model("a", "write"), trash))).toBe("exists");
    expect(existsSync(project.at("a"))).toBe(true);
  });

  test("rename moves files and folders, creates parents, and never overwrites", async () => {
    project.put("a.txt", "a");
    project.put("b.txt", "b");
    project.put("dir/c.txt", "c");
    mkdirSync(project.at("empty"));
    const write = (text: string) => project.owner(text, "write");
    expect(codeOf(await files.rename(write("a.txt"), write("b.txt")))).toBe("exists");
    expect(codeOf(await files.rename(write("dir"), write("empty")))).toBe("exists");
    expect(codeOf(await files.rename(write("dir"), write("dir/inner")))).toBe("bad_path");
    expect(codeOf(await files.rename(write("missing"), write("x")))).toBe("not_found");
    valueOf(await files.rename(write("a.txt"), write("new/a2.txt")));
    valueOf(await files.rename(write("dir"), write("dir2")));
    expect(readFileSync(project.at("new/a2.txt"), "utf8")).toBe("a");
    expect(readFileSync(project.at("dir2/c.txt"), "utf8")).toBe("c");
    expect(readFileSync(project.at("b.txt"), "utf8")).toBe("b");
    expect(existsSync(project.at("dir"))).toBe(false);
  });

  test("makeFolder creates parents and refuses an existing path", async () => {
    valueOf(await files.makeFolder(project.owner("x/y", "write")));
    expect(statSync(project.at("x/y")).isDirectory()).toBe(true);
    expect(codeOf(await files.makeFolder(project.owner("x/y", "write")))).toBe("exists");
  });
});

describe("listing", () => {
  test("lists folders first in natural order, marks ignored and hides protected entries from the model", async () => {
    for (const name of ["b10.txt", "b9.txt", ".env", ".env.example", "node_modules/x.js", "src/a.ts", "debug.log"]) {
      project.put(name, "12");
    }
    project.put(".gitignore", "node_modules/\n*.log\n");
    symlinkSync("src", project.at("link"));
    mkdirSync(project.at(".git"));
    const model = valueOf(await files.list(project.model("."), 100));
    expect(model.entries.map((entry) => `${entry.name}${entry.ignored ? " ignored" : ""}`)).toEqual([
      "node_modules ignored",
      "src",
      ".env.example",
      ".gitignore",
      "b9.txt",
      "b10.txt",
      "debug.log ignored",
      "link",
    ]);
    expect(model.entries.find((entry) => entry.name === "link")?.kind).toBe("link");
    const owner = valueOf(await files.list(project.owner("."), 3));
    expect(owner.entries.map((entry) => entry.name)).toEqual([".git", "node_modules", "src"]);
    expect(owner.total).toBe(10);
    expect(valueOf(await files.list(project.model("node_modules"), 3)).entries[0]?.ignored).toBe(true);
  });

  test("info returns kind, size and mode", async () => {
    project.put("a", "123");
    chmodSync(project.at("a"), 0o640);
    expect(valueOf(await files.info(project.model("a")))).toMatchObject({ kind: "file", size: 3, mode: 0o640 });
    expect(valueOf(await files.info(project.model(".")))).toMatchObject({ kind: "folder" });
    expect(codeOf(await files.info(project.model("none")))).toBe("not_found");
  });
});
