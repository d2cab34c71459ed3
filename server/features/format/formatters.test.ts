import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { chooseFormatter } from "./formatters";

let root = "";
let outside = "";

beforeEach(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "gopi-format-")));
  root = join(folder, "project");
  outside = join(folder, "programs");
});
afterEach(() => rm(dirname(root), { recursive: true }));

async function addFile(path: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "");
  await chmod(path, mode);
}

const addProgram = (path: string) => addFile(path, 0o755);
const choose = (path: string) => chooseFormatter(root, join(root, path), `relative:${outside}`);

describe("the formatter of a file", () => {
  it.each([
    ["a.ts", "node_modules/.bin/prettier", "prettier"],
    ["src/deep/a.md", "node_modules/.bin/prettier", "prettier"],
    ["src/A.TS", "node_modules/.bin/prettier", "prettier"],
    ["a.py", ".venv/bin/ruff", "ruff"],
    ["a.py", "venv/bin/black", "black"],
  ])("of %s is the project's own %s", async (file, program, name) => {
    await addProgram(join(root, program));
    expect(await choose(file)).toMatchObject({ name, program: join(root, program), cwd: root });
  });

  it.each([
    ["a.go", "gofmt"],
    ["a.rs", "rustfmt"],
    ["a.sh", "shfmt"],
    ["a.toml", "taplo"],
    ["a.css", "prettier"],
  ])("of %s is the user's %s", async (file, name) => {
    await addProgram(join(outside, name));
    expect(await choose(file)).toMatchObject({ name, program: join(outside, name), cwd: root });
  });

  it("needs a configuration if it formats nothing without one by default", async () => {
    await addProgram(join(outside, "clang-format"));
    expect(await choose("src/a.cpp")).toBeNull();
    await addFile(join(root, ".clang-format"));
    expect(await choose("src/a.cpp")).toMatchObject({ name: "clang-format", cwd: root });
  });

  it("is the configured one where two are installed", async () => {
    await addProgram(join(root, "node_modules/.bin/prettier"));
    await addProgram(join(root, "node_modules/.bin/biome"));
    expect(await choose("web/a.ts")).toMatchObject({ name: "prettier" });
    await addFile(join(root, "web/biome.json"));
    expect(await choose("web/a.ts")).toMatchObject({ name: "biome", cwd: join(root, "web") });
    expect(await choose("a.ts")).toMatchObject({ name: "prettier" });
  });

  it("is that of the nearest folder in a repository of several packages", async () => {
    await addProgram(join(root, "node_modules/.bin/prettier"));
    await addProgram(join(root, "packages/one/node_modules/.bin/prettier"));
    expect(await choose("packages/one/src/a.ts")).toMatchObject({ cwd: join(root, "packages/one") });
    expect(await choose("packages/two/src/a.ts")).toMatchObject({ cwd: root });
  });

  it.each([
    { name: "no formatter is installed", file: "a.ts", add: async () => {} },
    { name: "nothing formats such files", file: "a.unknown", add: () => addProgram(join(outside, "prettier")) },
    { name: "the file has no extension", file: "Makefile", add: () => addProgram(join(outside, "prettier")) },
    { name: "the program may not be executed", file: "a.go", add: () => addFile(join(outside, "gofmt")) },
    {
      name: "a folder has the name of the program",
      file: "a.go",
      add: async () => void (await mkdir(join(outside, "gofmt"), { recursive: true })),
    },
    {
      name: "only a folder above the project has one",
      file: "a.ts",
      add: () => addProgram(join(dirname(root), "node_modules/.bin/prettier")),
    },
  ])("is none while $name", async ({ file, add }) => {
    await add();
    expect(await choose(file)).toBeNull();
  });
});
