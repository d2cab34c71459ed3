/** Checks of folders that a model left in any state. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { neverAborted } from "@/server/base/abort";
import { noCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { checkTask } from "./check-task";
import type { EvalCheck } from "./eval-task";
import { copyTaskFiles } from "./task-files";

const environment = { PATH: process.env.PATH, NODE_ENV: "test" } as const;
const sandbox = { fence: () => Promise.resolve(null) };

/** The folder of the model, the files of the task, and a folder outside of both. */
function makeFolders() {
  const all = realpathSync(mkdtempSync(join(tmpdir(), "gopi-eval-files-")));
  onTestFinished(() => rmSync(all, { recursive: true, force: true }));
  const [root, folder, outside] = [join(all, "root"), join(all, "task"), join(all, "outside")];
  for (const path of [root, folder, outside]) mkdirSync(path);
  const check = (wanted: EvalCheck) =>
    checkTask(
      { check: wanted, folder },
      { root, answer: "", environment, leftovers: noCleanupJournal, sandbox },
      neverAborted,
    );
  return { root, folder, outside, check };
}

describe("a file that is expected to contain a text", () => {
  test.each<[what: string, place: (path: string, outside: string) => void]>([
    ["is a folder", (path) => mkdirSync(path)],
    ["is a pipe that no program writes to", (path) => void execFileSync("mkfifo", [path])],
    ["is a link to a device without end", (path) => symlinkSync("/dev/zero", path)],
    ["is a link to a file outside", (path, outside) => symlinkSync(join(outside, "x"), path)],
    ["is a link to nothing", (path) => symlinkSync("nothing", path)],
  ])("is not as expected if it %s", async (_what, place) => {
    const { root, outside, check } = makeFolders();
    writeFileSync(join(outside, "x"), "text");
    place(join(root, "a"), outside);
    expect(await check({ files: { a: { contains: ["text"] } } })).toEqual({ why: "files", detail: "a" });
  });

  test("is one that does not exist if its folder is a file", async () => {
    const { root, check } = makeFolders();
    writeFileSync(join(root, "src"), "");
    expect(await check({ files: { "src/a": { contains: ["text"] } } })).toEqual({ why: "files", detail: "src/a" });
    expect(await check({ files: { "src/a": { missing: true } } })).toBeNull();
  });
});

describe("a file that is set back to the start", () => {
  test.each<[what: string, place: (path: string, outside: string) => void]>([
    ["a link that leads outside", (path, outside) => symlinkSync(outside, path)],
    ["a file", (path) => writeFileSync(path, "")],
  ])("replaces %s in the place of its folder", async (_what, place) => {
    const { root, folder, outside, check } = makeFolders();
    mkdirSync(join(folder, "test"));
    writeFileSync(join(folder, "test/a.js"), "start");
    place(join(root, "test"), outside);
    expect(await check({ restore: ["test/a.js"], files: { "test/a.js": { contains: ["start"] } } })).toBeNull();
    expect(existsSync(join(outside, "a.js"))).toBe(false);
  });

  test("replaces a link to a file outside, which keeps its content", async () => {
    const { root, folder, outside, check } = makeFolders();
    writeFileSync(join(folder, "a.js"), "start");
    writeFileSync(join(outside, "a.js"), "own");
    symlinkSync(join(outside, "a.js"), join(root, "a.js"));
    expect(await check({ restore: ["a.js"], files: { "a.js": { contains: ["start"] } } })).toBeNull();
    expect(readFileSync(join(outside, "a.js"), "utf8")).toBe("own");
  });
});

test("a folder that was removed is a failed check", async () => {
  const { root, check } = makeFolders();
  rmSync(root, { recursive: true });
  expect(await check({ script: "process.exit(0)" })).toMatchObject({ why: "check" });
});

test("links and pipes of a task are not copied", async () => {
  const { root, folder, outside } = makeFolders();
  writeFileSync(join(folder, "a.js"), "start");
  symlinkSync(outside, join(folder, "out"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await copyTaskFiles(folder, root, neverAborted);
  expect([existsSync(join(root, "a.js")), existsSync(join(root, "out")), existsSync(join(root, "pipe"))]).toEqual([
    true,
    false,
    false,
  ]);
});
