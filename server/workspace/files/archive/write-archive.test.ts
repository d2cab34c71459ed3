/** Archives of files that change while they are read, and archives with 64-bit fields; read back by the program `unzip`. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeTestProject } from "../../__fixtures__/project";
import { makeFiles } from "../files";
import { makeZipWriter } from "./zip-writer";

/** The methods of all open files. */
async function fileMethods(): Promise<Pick<FileHandle, "stat" | "readFile">> {
  const handle = await open(tmpdir());
  await handle.close();
  return Object.getPrototypeOf(handle);
}

/** Returns names and contents; throws if the archive is not valid. */
function readArchive(pieces: readonly Uint8Array[], names: readonly string[]): readonly Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), "gopi-archive-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.zip");
  writeFileSync(file, Buffer.concat(pieces));
  execFileSync("unzip", ["-tq", file]);
  expect(execFileSync("unzip", ["-Z1", file], { encoding: "utf8" }).trim().split("\n")).toEqual(names);
  return names
    .filter((name) => !name.endsWith("/"))
    .map((name) => execFileSync("unzip", ["-p", file, name], { maxBuffer: 10_000_000 }));
}

test("a file that becomes shorter has what was read, and one that vanishes is left out", async () => {
  const content = randomBytes(2_000_000);
  const project = makeTestProject({ "a/2.txt": "2", "a/3.txt": "3" });
  onTestFinished(() => project.remove());
  writeFileSync(project.at("a/1.bin"), content);
  const pieces: Uint8Array[] = [];
  const write = async (bytes: Uint8Array): Promise<void> => {
    pieces.push(bytes);
    if (pieces.length > 1) return;
    truncateSync(project.at("a/1.bin"), 300_000);
    rmSync(project.at("a/2.txt"));
  };
  const request = { entries: [{ path: project.owner("a"), name: "a" }], hidesDotFiles: false, hidesIgnored: false };
  await makeFiles(project.policy).archive(request, write, new AbortController().signal);
  const [first = Buffer.alloc(0), second] = readArchive(pieces, ["a/", "a/1.bin", "a/3.txt"]);
  expect(first.length).toBeLessThan(content.length);
  expect(content.subarray(0, first.length).equals(first)).toBe(true);
  expect(String(second)).toBe("3");
});

/** Archives a folder with `1.txt` and `2.txt`, of which the first one fails to open. */
async function archiveWithFailure(error: Error): Promise<readonly Buffer[]> {
  const project = makeTestProject({ "a/1.txt": "1", "a/2.txt": "2" });
  onTestFinished(() => project.remove());
  vi.spyOn(await fileMethods(), "stat").mockRejectedValueOnce(error);
  const pieces: Uint8Array[] = [];
  const request = { entries: [{ path: project.owner("a"), name: "a" }], hidesDotFiles: false, hidesIgnored: false };
  const write = async (bytes: Uint8Array): Promise<void> => void pieces.push(bytes);
  await makeFiles(project.policy).archive(request, write, new AbortController().signal);
  return readArchive(pieces, ["a/", "a/2.txt"]);
}

const systemError = (code: string): Error => Object.assign(new Error(`${code}: open`), { code, syscall: "open" });

test.each(["EBUSY", "EIO", "ESTALE", "EACCES"])("a file whose opening fails with %s is left out", async (code) => {
  expect((await archiveWithFailure(systemError(code))).map(String)).toEqual(["2"]);
});

test.each([
  systemError("EMFILE"),
  systemError("ENFILE"),
  Object.assign(new TypeError("a bug"), { code: "ERR_INVALID_ARG_TYPE" }),
])("%s ends the archive", async (error) => {
  await expect(archiveWithFailure(error)).rejects.toBe(error);
});

test("rules are read for chosen folders, not for chosen files", async () => {
  const project = makeTestProject({ ".gitignore": "*.log", "a/1.txt": "1", "a/2.log": "2", "b/3.log": "3" });
  onTestFinished(() => project.remove());
  // Only rules are read as a whole.
  const readFile = vi.spyOn(await fileMethods(), "readFile");
  const archive = async (paths: readonly string[]): Promise<readonly Uint8Array[]> => {
    const pieces: Uint8Array[] = [];
    const entries = paths.map((path) => ({ path: project.owner(path), name: path }));
    const write = async (bytes: Uint8Array): Promise<void> => void pieces.push(bytes);
    const request = { entries, hidesDotFiles: false, hidesIgnored: true };
    await makeFiles(project.policy).archive(request, write, new AbortController().signal);
    return pieces;
  };
  readArchive(await archive(["a/1.txt", "a/2.log"]), ["a/1.txt", "a/2.log"]);
  expect(readFile).not.toHaveBeenCalled();
  readArchive(await archive(["a", "b/3.log"]), ["a/", "a/1.txt", "b/3.log"]);
  expect(readFile).toHaveBeenCalled();
});

test("names that are not UTF-8 are listed in the archive", async () => {
  const project = makeTestProject({ "a/1.txt": "1", "a/\ufffd.txt": "readable" });
  onTestFinished(() => project.remove());
  const inside = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${project.at("a")}/`), Buffer.from(name, "latin1")]);
  writeFileSync(inside("b\xe9.txt"), "2");
  mkdirSync(inside("c\xe9"));
  symlinkSync("1.txt", inside("d\xe9"));
  const pieces: Uint8Array[] = [];
  const entries = ["a", "a/1.txt"].map((path) => ({
    path: project.owner(path),
    name: path.replace("a/1", "not-in-this-archive"),
  }));
  const request = { entries, hidesDotFiles: false, hidesIgnored: false };
  const write = async (bytes: Uint8Array): Promise<void> => void pieces.push(bytes);
  await makeFiles(project.policy).archive(request, write, new AbortController().signal);
  const names = ["a/", "a/1.txt", "a/\ufffd.txt", "not-in-this-archive.txt", "_not-in-this-archive.txt"];
  const contents = readArchive(pieces, names).map(String);
  expect(contents.slice(1, 3)).toEqual(["readable", "1"]);
  for (const name of ["a/b\ufffd.txt", "a/c\ufffd", "a/d\ufffd"]) expect(contents[3]?.split("\n")).toContain(name);
});

test("an aborted archive rejects with the reason", async () => {
  const project = makeTestProject({ "a/1.txt": "1" });
  onTestFinished(() => project.remove());
  const request = { entries: [{ path: project.owner("a"), name: "a" }], hidesDotFiles: false, hidesIgnored: false };
  const reason = new Error("left");
  const archive = makeFiles(project.policy).archive(request, async () => {}, AbortSignal.abort(reason));
  await expect(archive).rejects.toBe(reason);
});

async function* onePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const entryOf = (name: string, content: string) => ({
  name,
  kind: "file" as const,
  modifiedAt: 0,
  mode: 0o644,
  maxBytes: content.length,
  content: onePiece(content),
});

test("large files and positions are written in 64 bits", async () => {
  const pieces: Uint8Array[] = [];
  const zip = makeZipWriter(async (bytes) => void pieces.push(bytes), 20);
  await zip.add(entryOf("large", "x".repeat(100)));
  await zip.add(entryOf("small", "y"));
  await zip.end();
  expect(readArchive(pieces, ["large", "small"]).map(String)).toEqual(["x".repeat(100), "y"]);
});

test("an archive may have more entries than 16 bits count", async () => {
  const pieces: Uint8Array[] = [];
  const zip = makeZipWriter(async (bytes) => void pieces.push(bytes));
  for (let index = 0; index < 66_000; index += 1) await zip.add({ ...entryOf(`${index}`, ""), kind: "folder" });
  await zip.end();
  readArchive(
    pieces,
    Array.from({ length: 66_000 }, (_, index) => `${index}/`),
  );
});
