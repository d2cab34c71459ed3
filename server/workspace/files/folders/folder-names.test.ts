import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listFolderNames } from "./folder-names";

function makeFolder(...folders: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-folders-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  return root;
}

async function namesOf(typed: string, home?: string): Promise<readonly string[]> {
  const listed = await listFolderNames(typed, home);
  if (!listed.ok) throw new Error(listed.error.code);
  return listed.value.names;
}

test("lists matching folders in order, without files", async () => {
  const root = makeFolder("src", "Scripts", "docs", "s10", "s9");
  writeFileSync(join(root, "story.md"), "");
  expect(await namesOf(`${root}/`)).toEqual(["docs", "s9", "s10", "Scripts", "src"]);
  expect(await namesOf(`${root}/s`)).toEqual(["s9", "s10", "Scripts", "src"]);
  expect(await namesOf(`${root}/SC`)).toEqual(["Scripts"]);
  expect(await namesOf(`${root}/none`)).toEqual([]);
});

test("lists hidden folders if the typed part begins with a dot", async () => {
  const root = makeFolder(".config", ".cache", "code");
  expect(await namesOf(`${root}/`)).toEqual(["code"]);
  expect(await namesOf(`${root}/c`)).toEqual(["code"]);
  expect(await namesOf(`${root}/.`)).toEqual([".cache", ".config"]);
  expect(await namesOf(`${root}/.co`)).toEqual([".config"]);
});

test("includes links to folders", async () => {
  const root = makeFolder("real");
  symlinkSync(join(root, "real"), join(root, "to-folder"));
  symlinkSync(join(root, "gone"), join(root, "to-nothing"));
  writeFileSync(join(root, "file"), "");
  symlinkSync(join(root, "file"), join(root, "to-file"));
  expect(await namesOf(`${root}/`)).toEqual(["real", "to-folder"]);
});

test("expands ~ and returns the parent except at the root", async () => {
  const home = makeFolder("code/shop");
  expect(await namesOf("~", home)).toEqual(["code"]);
  expect(await listFolderNames("~/code/sh", home)).toEqual({
    ok: true,
    value: { folder: "~/code/", parent: `${home}/`, names: ["shop"], more: false },
  });
  expect(await listFolderNames("~/", home)).toMatchObject({ value: { folder: "~/", parent: `${dirname(home)}/` } });
  expect(await listFolderNames("/", home)).toMatchObject({ value: { folder: "/", parent: null } });
  expect(await listFolderNames(`${home}/code/../co`, home)).toMatchObject({ value: { names: ["code"] } });
});

test("returns at most 200 folders and reports that there are more", async () => {
  const root = makeFolder(...Array.from({ length: 201 }, (_, index) => `f${index}`));
  const all = await listFolderNames(`${root}/`);
  expect(all).toMatchObject({ ok: true, value: { more: true } });
  expect(all.ok && all.value.names.length).toBe(200);
  expect(await listFolderNames(`${root}/f20`)).toMatchObject({ value: { names: ["f20", "f200"], more: false } });
});

test("omits names that cannot be typed", async () => {
  const root = makeFolder("two\nlines", "你好", "tab\there");
  expect(await namesOf(`${root}/`)).toEqual(["你好"]);
});

test("fails with the reason if the path is not a folder", async () => {
  const root = makeFolder();
  writeFileSync(join(root, "file"), "");
  const codeOf = async (typed: string) => {
    const listed = await listFolderNames(typed);
    return listed.ok ? "ok" : listed.error.code;
  };
  expect(await codeOf("relative/")).toBe("bad_path");
  expect(await codeOf("/\0/")).toBe("bad_path");
  expect(await codeOf(`${root}/gone/`)).toBe("not_found");
  expect(await codeOf(`${root}/file/`)).toBe("not_folder");
});
