/** Copies of real files, folders and links. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { computeHash } from "@/server/base/id";
import { errnoName } from "@/server/base/system-errors";
import { copyMissing, copyToNewPath } from "./copy-tree";
import { FileRefusal } from "./file-errors";
import { measureEntry, moveEntry } from "./move-entry";

function makeFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "gopi-copy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Creates a folder with every kind of entry that can be copied. */
function makeTree(folder: string): void {
  put(join(folder, "a.txt"), "a");
  put(join(folder, "run.sh"), "#!/bin/sh\n");
  put(join(folder, "locked/deep/er/b.txt"), "b");
  put(join(folder, "large.bin"), randomBytes(5_000_000));
  mkdirSync(join(folder, "empty"));
  symlinkSync("a.txt", join(folder, "link"));
  symlinkSync("../nowhere", join(folder, "broken"));
  symlinkSync("locked", join(folder, "link-to-folder"));
  chmodSync(join(folder, "run.sh"), 0o751);
  chmodSync(join(folder, "locked/deep/er/b.txt"), 0o444);
  chmodSync(join(folder, "locked/deep"), 0o555);
  for (const path of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    if (!lstatSync(join(folder, path)).isSymbolicLink())
      utimesSync(join(folder, path), 1_600_000_000, 1_600_000_000.25 + path.length);
}

/** Every entry with what a copy preserves. */
const describeTree = (folder: string): readonly (readonly (string | number)[])[] =>
  ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()].map((path) => {
    const place = join(folder, path);
    const stats = lstatSync(place);
    if (stats.isSymbolicLink()) return [path, "link", readlinkSync(place)];
    const content = stats.isFile() ? computeHash(readFileSync(place)) : "folder";
    return [path, content, (stats.mode & 0o7777).toString(8), stats.mtimeMs];
  });

async function codeOf(work: Promise<void>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => {
      if (error instanceof FileRefusal && !error.result.ok) return error.result.error.code;
      return errnoName(error);
    },
  );
}

test("a copy has the content, modes, times, links and empty folders of the original", async () => {
  const folder = makeFolder();
  makeTree(join(folder, "from"));
  const expected = describeTree(join(folder, "from"));
  await copyToNewPath(join(folder, "from"), join(folder, "to"));
  expect(describeTree(join(folder, "to"))).toEqual(expected);
  expect(describeTree(join(folder, "from"))).toEqual(expected);
});

test.skipIf(process.platform !== "linux")(
  "names and targets of links that are not UTF-8 are copied as they are",
  async () => {
    const folder = makeFolder();
    const bytes = (text: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(text, "latin1")]);
    for (const path of ["from", "from/caf\xe9"]) mkdirSync(bytes(path));
    for (const path of ["from/\xfc.txt", "from/caf\xe9/\xff", "from/caf\xe9/a"]) writeFileSync(bytes(path), "x");
    symlinkSync(Buffer.from("caf\xe9/a", "latin1"), bytes("from/link\xe9"));
    const names = (path: string) =>
      readdirSync(bytes(path), { encoding: "buffer" })
        .map((name) => name.toString("latin1"))
        .sort();
    await copyToNewPath(join(folder, "from"), join(folder, "to"));
    rmSync(bytes("to/caf\xe9/\xff"));
    await copyMissing(join(folder, "from"), join(folder, "to"));
    expect([names("to"), names("to/caf\xe9")]).toEqual([
      ["caf\xe9", "link\xe9", "\xfc.txt"],
      ["a", "\xff"],
    ]);
    expect(readFileSync(bytes("to/link\xe9"), "utf8")).toBe("x");
    expect(await measureEntry(join(folder, "to"), 100)).toMatchObject({ files: 4 });
  },
);

test("an existing file, folder, link or broken link is left as it is", async () => {
  const folder = makeFolder();
  makeTree(folder);
  mkdirSync(join(folder, "source/inner"), { recursive: true });
  for (const from of ["a.txt", "source", "link"])
    for (const to of ["run.sh", "empty", "locked", "link", "broken", "link-to-folder"]) {
      const before = describeTree(folder);
      expect([from, to, await codeOf(copyToNewPath(join(folder, from), join(folder, to)))]).toEqual([
        from,
        to,
        "EEXIST",
      ]);
      expect(describeTree(folder)).toEqual(before);
    }
});

test("of copies to one name at the same time one is made, complete, and the others find it", async () => {
  const folder = makeFolder();
  for (const name of ["1", "2", "3", "4"]) for (const file of ["x", "y/z"]) put(join(folder, name, file), name);
  const codes = await Promise.all(
    ["1", "2", "3", "4"].map((name) => codeOf(copyToNewPath(join(folder, name), join(folder, "to")))),
  );
  expect(codes.filter((code) => code === "EEXIST")).toHaveLength(3);
  const winner = String(codes.indexOf("") + 1);
  expect(["x", "y/z"].map((file) => readFileSync(join(folder, "to", file), "utf8"))).toEqual([winner, winner]);
});

test.skipIf(process.platform === "win32")("a special file in a folder ends the copy and nothing is left", async () => {
  const folder = makeFolder();
  makeTree(join(folder, "from"));
  execFileSync("mkfifo", [join(folder, "from/locked/pipe")]);
  expect(await codeOf(copyToNewPath(join(folder, "from"), join(folder, "to")))).toBe("not_a_file");
  expect(await codeOf(copyToNewPath(join(folder, "from/locked/pipe"), join(folder, "to")))).toBe("not_a_file");
  expect(readdirSync(folder)).toEqual(["from"]);
});

test("a program that writes into the unfinished copy ends it, and the name does not count as taken", async () => {
  const folder = makeFolder();
  const names = Array.from({ length: 200 }, (_, index) => `${index}.txt`);
  for (const name of names) put(join(folder, "from", name), name);
  const copied = codeOf(copyToNewPath(join(folder, "from"), join(folder, "to")));
  while (!existsSync(join(folder, "to"))) await new Promise(setImmediate);
  for (const name of names) writeFileSync(join(folder, "to", name), "other");
  expect(await copied).toBe("changed_meanwhile");
  expect(readdirSync(folder)).toEqual(["from"]);
});

test("what is missing in a folder is copied into it, and the rest of it stays", async () => {
  const folder = makeFolder();
  makeTree(join(folder, "from"));
  await copyToNewPath(join(folder, "from"), join(folder, "to"));
  const expected = describeTree(join(folder, "to"));
  for (const path of ["run.sh", "link", "locked/deep", "empty"])
    rmSync(join(folder, "to", path), { recursive: true, force: true });
  await copyMissing(join(folder, "from"), join(folder, "to"));
  const withoutTimes = (tree: typeof expected) => tree.map(([path, content, mode]) => [path, content, mode]);
  expect(withoutTimes(describeTree(join(folder, "to")))).toEqual(withoutTimes(expected));
  writeFileSync(join(folder, "to/a.txt"), "newer");
  await copyMissing(join(folder, "from"), join(folder, "to"));
  expect(readFileSync(join(folder, "to/a.txt"), "utf8")).toBe("newer");
});

const otherDevice = "/dev/shm";
const hasOtherDevice = existsSync(otherDevice) && lstatSync(otherDevice).dev !== lstatSync(tmpdir()).dev;

test.skipIf(!hasOtherDevice)("a folder is moved to another device complete, and never onto something", async () => {
  const [here, there] = [makeFolder(), makeFolder(otherDevice)];
  makeTree(join(here, "from"));
  const expected = describeTree(join(here, "from"));
  mkdirSync(join(there, "taken"));
  expect(await codeOf(moveEntry(join(here, "from"), join(there, "taken")))).toBe("EEXIST");
  await moveEntry(join(here, "from"), join(there, "to"));
  expect(describeTree(join(there, "to"))).toEqual(expected);
  expect(readdirSync(here)).toEqual([]);
});
