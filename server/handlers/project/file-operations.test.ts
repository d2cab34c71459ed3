import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "@/lib/settings/settings";
import { copyLimits } from "@/server/workspace/files/copy-entry";
import { makeTestServices } from "@/server/session/testing/test-services";
import { copyNames } from "@/server/workspace/files/copy-entry";
import { fileOperationHandlers } from "./file-operations";

/** Opens a project with these files, each with its path as text, and with links to the given targets. */
async function makeRig(files: readonly string[], links: Readonly<Record<string, string>> = {}) {
  const { root, services } = makeTestServices();
  const core = services();
  const { projects, toolEnvironments } = core;
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (path.endsWith("/")) mkdirSync(join(root, path));
    else writeFileSync(join(root, path), path);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  const opened = await projects.open(root);
  if (!opened.ok) throw new Error(opened.error.code);
  const projectId = opened.value.project.id;
  const table = fileOperationHandlers(core);
  return {
    root,
    trash: toolEnvironments.trash,
    remove: (paths: readonly string[]) => table["files.delete"]({ projectId, paths: [...paths] }),
    duplicate: (path: string, folder?: string) => table["files.duplicate"]({ projectId, path, folder }),
    move: (paths: readonly string[], folder: string) => table["files.move"]({ projectId, paths: [...paths], folder }),
    existing: (paths: readonly string[]) => table["files.existing"]({ projectId, paths: [...paths] }),
    rename: (path: string, to: string) => table["files.rename"]({ projectId, path, to }),
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    has: (path: string) => existsSync(join(root, path)),
  };
}

test("deleted files and folders are in the trash, as the user's, and can be restored", async () => {
  const { remove, trash, read, has } = await makeRig(["a.txt", "src/b.txt", "src/deep/c.txt", "left.txt"]);
  const answer = await remove(["a.txt", "src", "src/deep/c.txt"]);
  if (!answer.ok) throw new Error(answer.error.code);
  expect(answer.value.deleted.map(({ path }) => path)).toEqual(["a.txt", "src"]);
  expect(answer.value.failed).toEqual([]);
  expect([has("a.txt"), has("src"), has("left.txt")]).toEqual([false, false, true]);
  const { entries } = await trash.list({});
  expect(entries.map(({ path, sessionId, files }) => ({ path, sessionId, files }))).toEqual(
    expect.arrayContaining([
      { path: "a.txt", sessionId: null, files: 1 },
      { path: "src", sessionId: null, files: 2 },
    ]),
  );
  for (const { trashId } of answer.value.deleted) expect(await trash.restore(trashId)).toMatchObject({ ok: true });
  expect(read("src/deep/c.txt")).toBe("src/deep/c.txt");
});

test("a link is deleted, moved and copied itself; its target stays", async () => {
  const links = { link: "target.txt", away: "/etc", broken: "nowhere" };
  const { root, remove, move, duplicate, read } = await makeRig(["target.txt", "folder/"], links);
  expect(await duplicate("away")).toEqual({ ok: true, value: { path: "away copy" } });
  expect(readlinkSync(join(root, "away copy"))).toBe("/etc");
  expect(await move(["away"], "folder")).toMatchObject({ value: { moved: [{ path: "away", to: "folder/away" }] } });
  expect(readlinkSync(join(root, "folder/away"))).toBe("/etc");
  expect(await remove(["link", "broken"])).toMatchObject({ value: { failed: [] } });
  expect(readdirSync(root).sort()).toEqual(["away copy", "folder", "target.txt"]);
  expect(read("target.txt")).toBe("target.txt");
});

test.each([
  ["../other.txt", "outside"],
  ["/etc/hostname", "outside"],
  ["away/hostname", "outside"],
  [".git/config", "protected"],
  [".git", "protected"],
  ["sub/.GIT/config", "protected"],
  ["alias/config", "protected"],
  ["", "bad_path"],
  [".", "bad_path"],
  ["sub/..", "bad_path"],
  ["missing.txt", "not_found"],
  ["file.txt/x", "not_folder"],
])("no operation touches %j: %s", async (path, code) => {
  const links = { away: "/etc", alias: ".git" };
  const { remove, move, duplicate, read } = await makeRig([".git/config", "sub/.git/config", "file.txt"], links);
  expect(await remove([path])).toEqual({ ok: true, value: { deleted: [], failed: [{ path, code }] } });
  expect(await move([path], "sub")).toEqual({ ok: true, value: { moved: [], failed: [{ path, code }] } });
  expect(await duplicate(path)).toMatchObject({ ok: false, error: { code } });
  expect(read(".git/config")).toBe(".git/config");
});

test("a move overwrites nothing, enters no folder of its own, and reports each path", async () => {
  const { move, read, has } = await makeRig(["a.txt", "b.txt", "in/a.txt", "in/deep/x.txt"]);
  expect(await move(["a.txt", "b.txt", "in"], "in/deep")).toEqual({
    ok: true,
    value: {
      moved: [
        { path: "a.txt", to: "in/deep/a.txt" },
        { path: "b.txt", to: "in/deep/b.txt" },
      ],
      failed: [{ path: "in", code: "bad_path" }],
    },
  });
  expect(await move(["in/deep/a.txt"], "in")).toMatchObject({
    value: { moved: [], failed: [{ path: "in/deep/a.txt", code: "exists" }] },
  });
  expect([read("in/a.txt"), read("in/deep/a.txt")]).toEqual(["in/a.txt", "a.txt"]);
  expect(await move(["in/deep"], "")).toMatchObject({ value: { moved: [{ path: "in/deep", to: "deep" }] } });
  expect([has("deep/x.txt"), has("in/deep")]).toEqual([true, false]);
});

test.each([
  ["missing", "not_found"],
  ["a.txt", "not_folder"],
  ["..", "outside"],
  ["away", "outside"],
])("a move to %j fails with %s", async (folder, code) => {
  const { move, duplicate, has } = await makeRig(["a.txt", "b.txt"], { away: "/tmp" });
  expect(await move(["b.txt"], folder)).toMatchObject({ ok: false, error: { code } });
  expect(await duplicate("b.txt", folder)).toMatchObject({ ok: false, error: { code } });
  expect(has("b.txt")).toBe(true);
});

test.each([
  ["notes.txt", false, ["notes copy.txt", "notes copy 2.txt", "notes copy 3.txt"]],
  ["notes copy.txt", false, ["notes copy 2.txt", "notes copy 3.txt"]],
  ["notes copy 9.txt", false, ["notes copy 10.txt"]],
  ["Makefile", false, ["Makefile copy"]],
  [".env", false, [".env copy"]],
  ["a.test.ts", false, ["a.test copy.ts"]],
  ["v1.2", true, ["v1.2 copy"]],
  ["说明.md", false, ["说明 copy.md"]],
])("a copy of %j is named", (name, isFolder, expected) => {
  const names = copyNames(name, isFolder);
  expect(names.next().value).toBe(name);
  expect(expected.map(() => names.next().value)).toEqual(expected);
});

test("a link is renamed itself", async () => {
  const { root, rename, read } = await makeRig(["target.txt"], { link: "target.txt" });
  expect(await rename("link", "other")).toEqual({ ok: true, value: null });
  expect(readlinkSync(join(root, "other"))).toBe("target.txt");
  expect(await rename("other", "target.txt")).toMatchObject({ ok: false, error: { code: "exists" } });
  expect(read("target.txt")).toBe("target.txt");
});

test("a duplicate gets the next free name, with the content and mode of the original", async () => {
  const { root, duplicate, read } = await makeRig(["run.sh", "src/a.txt", "other/"]);
  writeFileSync(join(root, "tool"), "x", { mode: 0o755 });
  expect(await duplicate("run.sh")).toEqual({ ok: true, value: { path: "run copy.sh" } });
  expect(await duplicate("run.sh")).toEqual({ ok: true, value: { path: "run copy 2.sh" } });
  expect(await duplicate("tool")).toEqual({ ok: true, value: { path: "tool copy" } });
  expect(lstatSync(join(root, "tool copy")).mode & 0o777).toBe(0o755);
  expect(await duplicate("src")).toEqual({ ok: true, value: { path: "src copy" } });
  expect(read("src copy/a.txt")).toBe("src/a.txt");
  expect(await duplicate("run.sh", "other")).toEqual({ ok: true, value: { path: "other/run.sh" } });
  expect(await duplicate("src", "src")).toMatchObject({ ok: false, error: { code: "bad_path" } });
});

test("a folder is duplicated and pasted with what it contains, and a failed copy leaves no folder", async () => {
  const { root, duplicate, read } = await makeRig(["src/a.txt", "src/deep/er/b.txt", "other/"], {
    "src/link": "a.txt",
  });
  chmodSync(join(root, "src/deep"), 0o555);
  expect(await duplicate("src")).toEqual({ ok: true, value: { path: "src copy" } });
  expect(await duplicate("src")).toEqual({ ok: true, value: { path: "src copy 2" } });
  expect(await duplicate("src copy", "other")).toEqual({ ok: true, value: { path: "other/src copy" } });
  for (const copy of ["src copy", "src copy 2", "other/src copy"]) {
    expect(read(`${copy}/deep/er/b.txt`)).toBe("src/deep/er/b.txt");
    expect(readlinkSync(join(root, copy, "link"))).toBe("a.txt");
    expect(lstatSync(join(root, copy, "deep")).mode & 0o777).toBe(0o555);
  }
  execFileSync("mkfifo", [join(root, "src/deep/pipe")]);
  const before = readdirSync(root);
  expect(await duplicate("src")).toMatchObject({ ok: false, error: { code: "not_a_file" } });
  expect(readdirSync(root)).toEqual(before);
});

test("a copy that is too large fails with the limits and leaves nothing", async () => {
  const { root, duplicate } = await makeRig(["big.bin"]);
  truncateSync(join(root, "big.bin"), copyLimits.bytes + 1);
  expect(await duplicate("big.bin")).toMatchObject({
    ok: false,
    error: { code: "too_large", facts: { maxBytes: copyLimits.bytes, maxFiles: copyLimits.files } },
  });
  expect(readdirSync(root)).toEqual(["big.bin"]);
});

test("as many files as a folder lists can be moved and deleted at once", async () => {
  const paths = Array.from({ length: limits.folderEntries }, (_, index) => `many/${index}.txt`);
  const { root, move, remove } = await makeRig([...paths, "to/"]);
  const moved = await move(paths, "to");
  expect(moved).toMatchObject({ ok: true, value: { failed: [] } });
  expect(readdirSync(join(root, "to"))).toHaveLength(paths.length);
  const deleted = await remove(paths.map((path) => path.replace("many", "to")));
  expect(deleted).toMatchObject({ ok: true, value: { failed: [] } });
  expect(readdirSync(join(root, "to"))).toEqual([]);
});

test("of the paths, those that exist are listed, also a broken link", async () => {
  const { existing } = await makeRig(["a.txt", "src/b.txt"], { link: "missing" });
  const version = expect.stringMatching(/^[\d.a-z]+-[\da-z]+$/);
  expect(await existing(["a.txt", "none", "src", "src/b.txt", "link", "../x"])).toEqual({
    ok: true,
    value: {
      existing: [
        { path: "a.txt", isFolder: false, version },
        { path: "src", isFolder: true, version },
        { path: "src/b.txt", isFolder: false, version },
        { path: "link", isFolder: false, version },
      ],
    },
  });
});
