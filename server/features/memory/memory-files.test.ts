/** The files of the memory: nothing is created before it is written, and other programs may edit them at any time. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ok } from "@/lib/events/error";
import { computeHash } from "@/server/base/id";
import { temporaryHome } from "@/server/store/__fixtures__/home";
import { makeMemoryFiles, memoryFileMaxBytes } from "./memory-files";

function makeTestFiles() {
  const home = temporaryHome();
  const folder = join(home, "memory");
  return { home, folder, files: makeMemoryFiles(folder) };
}

test("nothing is created before the first write, and a file is for its owner only", async () => {
  const { folder, files } = makeTestFiles();
  expect(await files.read("USER.md", "start")).toEqual(ok({ text: "", hash: null, isWhole: true }));
  expect(await files.list()).toEqual([]);
  expect(existsSync(folder)).toBe(false);
  expect(await files.write("projects/p1/MEMORY.md", "one\n", null)).toEqual(ok(undefined));
  expect(readFileSync(join(folder, "projects/p1/MEMORY.md"), "utf8")).toBe("one\n");
  expect(statSync(join(folder, "projects/p1/MEMORY.md")).mode & 0o077).toBe(0);
});

test("a file is known when its writing has ended, also to those who asked meanwhile", async () => {
  const { files } = makeTestFiles();
  const writing = files.write("USER.md", "Anna", null);
  expect(files.hasAny()).toBe(false);
  await writing;
  expect(files.hasAny()).toBe(true);
});

test("a file that another program changed is not replaced, and an empty text deletes a file", async () => {
  const { folder, files } = makeTestFiles();
  await files.write("USER.md", "mine", null);
  writeFileSync(join(folder, "USER.md"), "theirs");
  expect(await files.write("USER.md", "mine again", computeHash("mine"))).toMatchObject({
    error: { code: "changed_meanwhile" },
  });
  expect(await files.write("USER.md", "new", null)).toMatchObject({ error: { code: "changed_meanwhile" } });
  expect(await files.write("USER.md", "", computeHash("theirs"))).toEqual(ok(undefined));
  expect(await files.list()).toEqual([]);
});

test("edits and lines added at once are all in the file", async () => {
  const { files } = makeTestFiles();
  await files.write("MEMORY.md", "no line break", null);
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  await Promise.all(
    numbers.map((index) =>
      index % 2 === 0
        ? files.append("MEMORY.md", `- ${index}`)
        : files.edit("MEMORY.md", (text) => ok({ text: `${text.trimEnd()}\n- ${index}\n`, value: index })),
    ),
  );
  const read = await files.read("MEMORY.md", "start");
  const lines = read.ok ? read.value.text.split("\n") : [];
  expect(lines[0]).toBe("no line break");
  expect(lines.slice(1, -1).toSorted()).toEqual(numbers.map((index) => `- ${index}`).toSorted());
});

test("of a file that is too large its whole lines at the start or the end are read, and it is not edited", async () => {
  const { folder, files } = makeTestFiles();
  mkdirSync(folder);
  const lines = Array.from({ length: 30_000 }, (_, index) => `- line ${index} 内存`);
  writeFileSync(join(folder, "MEMORY.md"), lines.join("\n"));
  const start = await files.read("MEMORY.md", "start");
  const end = await files.read("MEMORY.md", "end");
  expect(start).toMatchObject({ value: { hash: null, isWhole: false } });
  const read = [start, end].map((one) => (one.ok ? one.value.text.split("\n") : []));
  expect(read[0]).toEqual(lines.slice(0, read[0]?.length));
  expect(read[1]).toEqual(lines.slice(-(read[1]?.length ?? 0)));
  expect(await files.edit("MEMORY.md", () => ok({ text: "", value: 0 }))).toMatchObject({
    error: { code: "too_large" },
  });
  expect(await files.append("MEMORY.md", "- more")).toMatchObject({ error: { code: "too_large" } });
  expect(await files.write("USER.md", "x".repeat(memoryFileMaxBytes + 1), null)).toMatchObject({
    error: { code: "too_large" },
  });
});

describe("a file that is not read", () => {
  test.each<readonly [reason: string, code: string, make: (folder: string, home: string) => void]>([
    ["binary", "binary", (folder) => writeFileSync(join(folder, "USER.md"), Buffer.from([65, 0, 66]))],
    ["not UTF-8", "bad_encoding", (folder) => writeFileSync(join(folder, "USER.md"), Buffer.from([0xff, 0xfe, 65]))],
    ["a folder", "not_a_file", (folder) => mkdirSync(join(folder, "USER.md"))],
    [
      "a link that leaves the folder",
      "outside",
      (folder, home) => {
        writeFileSync(join(home, "secret"), "key");
        symlinkSync(join(home, "secret"), join(folder, "USER.md"));
      },
    ],
  ])("%s", async (_reason, code, make) => {
    const { home, folder, files } = makeTestFiles();
    mkdirSync(folder);
    make(folder, home);
    expect(await files.read("USER.md", "start")).toMatchObject({ error: { code } });
    expect(await files.write("USER.md", "x", null)).toMatchObject({ error: { code } });
  });

  test("a project's folder that is a link", async () => {
    const { home, folder, files } = makeTestFiles();
    mkdirSync(join(folder, "projects"), { recursive: true });
    mkdirSync(join(home, "elsewhere"));
    symlinkSync(join(home, "elsewhere"), join(folder, "projects/p1"));
    expect(await files.append("projects/p1/MEMORY.md", "- x")).toMatchObject({ error: { code: "outside" } });
  });

  test.each([
    "../keys.json",
    "NOTES.md",
    "projects/../MEMORY.md",
    "projects/a/b/MEMORY.md",
    "2026-1-1.md",
    "2026-13-01.md",
    "2026-02-30.md",
    "user.md",
  ])("the name %s", async (name) => {
    const { files } = makeTestFiles();
    expect(await files.read(name, "start")).toMatchObject({ error: { code: "bad_path" } });
    expect(await files.write(name, "x", null)).toMatchObject({ error: { code: "bad_path" } });
  });
});
