import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixtureScript, makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "../files/files";
import { type FolderChange, makeFolderWatcher, type FolderWatcher } from "./watch";

let project: TestProject;
let watcher: FolderWatcher;
let changes: FolderChange[];
let wake: () => void;
let goneCount: number;

beforeEach(() => {
  project = makeTestProject({ "sub/a.txt": "a", "sub/deep/x.txt": "x", "b.txt": "b" });
  changes = [];
  goneCount = 0;
  wake = () => {};
  watcher = makeFolderWatcher(project.root, {
    onChange(change) {
      changes.push(change);
      wake();
    },
    onGone() {
      goneCount += 1;
      wake();
    },
  });
});
afterEach(async () => {
  await watcher.dispose();
  project.remove();
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
/** The descriptor of the list itself is gone. */
const readIfExists = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
const isReported = (path: string): boolean => changes.some((change) => change.paths.includes(path));

test("reports created, changed and deleted entries of an open folder, by folder and relative path", async () => {
  await watcher.open("sub");
  writeFileSync(project.at("sub/new.txt"), "n");
  await until(() => isReported("sub/new.txt"));
  writeFileSync(project.at("sub/a.txt"), "changed");
  await until(() => isReported("sub/a.txt"));
  renameSync(project.at("sub/new.txt"), project.at("sub/newer.txt"));
  await until(() => isReported("sub/newer.txt"));
  expect(new Set(changes.map((change) => change.folder))).toEqual(new Set(["sub"]));
});

test("does not report folders that are not open or levels below open ones", async () => {
  await watcher.open(".");
  writeFileSync(project.at("sub/deep/x.txt"), "changed");
  writeFileSync(project.at("sub/a.txt"), "changed");
  writeFileSync(project.at("b.txt"), "changed");
  await until(() => isReported("b.txt"));
  expect(isReported("sub/a.txt")).toBe(false);
  expect(isReported("sub/deep/x.txt")).toBe(false);
});

test("batches simultaneous changes into one call", async () => {
  await watcher.open(".");
  for (let index = 0; index < 50; index += 1) writeFileSync(project.at(`n${index}`), "");
  await until(() => new Set(changes.flatMap((change) => change.paths)).size >= 50);
  expect(changes.length).toBeLessThan(10);
});

test("a change in the moment after a file was replaced is reported", async () => {
  await watcher.open(".");
  for (let round = 0; round < 5; round += 1) {
    changes = [];
    writeFileSync(project.at("b.new"), `own ${round}`);
    renameSync(project.at("b.new"), project.at("b.txt"));
    await until(() => isReported("b.txt"));
    changes = [];
    writeFileSync(project.at("b.txt"), `of another program ${round}`);
    await until(() => isReported("b.txt"));
  }
});

test("an atomic write reports the file and never its temporary file", async () => {
  await watcher.open(".");
  const result = await makeFiles(project.policy).write(project.owner("fresh.txt", "write"), "x", null);
  expect(result.ok).toBe(true);
  await until(() => isReported("fresh.txt"));
  expect(changes.flatMap((change) => change.paths).filter((path) => path.endsWith(".tmp"))).toEqual([]);
});

test("a closed folder reports nothing", async () => {
  await watcher.open("sub");
  await watcher.open(".");
  watcher.close("sub");
  writeFileSync(project.at("sub/a.txt"), "changed");
  mkdirSync(project.at("marker"));
  await until(() => isReported("marker"));
  expect(isReported("sub/a.txt")).toBe(false);
});

test("a deleted and recreated folder can be opened again", async () => {
  await watcher.open("sub");
  watcher.close("sub");
  await watcher.open("sub");
  writeFileSync(project.at("sub/again.txt"), "");
  await until(() => isReported("sub/again.txt"));
});

test("reports the deletion of the project once", async () => {
  await watcher.open(".");
  rmSync(project.root, { recursive: true });
  await until(() => goneCount > 0);
  expect(goneCount).toBe(1);
});

test("an open folder that is replaced is still watched", async () => {
  await watcher.open(".");
  await watcher.open("sub");
  rmSync(project.at("sub"), { recursive: true });
  mkdirSync(project.at("sub"));
  await until(() => changes.some(({ folder, paths }) => folder === "sub" && paths.includes("sub")));
  writeFileSync(project.at("sub/again.txt"), "");
  await until(() => isReported("sub/again.txt"));
});

test("reports whether entries were added or removed, or only content has changed", async () => {
  await watcher.open(".");
  writeFileSync(project.at("b.txt"), "changed");
  await until(() => isReported("b.txt"));
  expect(changes.map(({ hasNewEntries }) => hasNewEntries)).not.toContain(true);
  writeFileSync(project.at(".gitignore"), "b.txt");
  await until(() => isReported(".gitignore"));
  changes = [];
  writeFileSync(project.at(".gitignore"), "");
  await until(() => isReported(".gitignore"));
  expect(changes.map(({ hasNewEntries }) => hasNewEntries)).not.toContain(false);
});

test.skipIf(process.platform !== "linux")("a folder of many entries takes one watch of the system", async () => {
  for (let index = 0; index < 2_001; index += 1) writeFileSync(project.at(`sub/n${index}`), "");
  const watches = (): number =>
    readdirSync("/proc/self/fdinfo")
      .map((fd) => readIfExists(`/proc/self/fdinfo/${fd}`))
      .join("")
      .split("inotify wd:").length - 1;
  const before = watches();
  await watcher.open("sub");
  expect(watches() - before).toBe(1);
});

test("opening a missing folder is not an error, and after dispose nothing is reported", async () => {
  await watcher.open("nowhere");
  await watcher.dispose();
  await watcher.open(".");
  writeFileSync(project.at("late.txt"), "");
  expect(changes).toEqual([]);
});

/** A user namespace has its own number of watches: the system's is unaffected. */
const starved = "echo 0 > /proc/sys/user/max_inotify_watches && exec";
const canStarve = spawnSync("unshare", ["-U", "-r", "sh", "-c", `${starved} true`]).status === 0;

/** Returns what a script prints that runs without watches left. */
const runStarved = (name: string): unknown => {
  for (let index = 0; index < 5; index += 1) project.put(`n${index}`, "");
  const command = `${starved} "$0" --import tsx "$1" "$2"`;
  const words = ["-U", "-r", "sh", "-c", command, process.execPath, fixtureScript(name), project.root];
  return JSON.parse(execFileSync("unshare", words, { encoding: "utf8", timeout: 100_000 }));
};

test.skipIf(!canStarve)("without watches left it reports the fallback once and polls (needs user namespaces)", () => {
  expect(runStarved("watch-exhausted.ts")).toEqual({
    fallbacks: 1,
    change: { folder: ".", paths: ["late.txt"], hasNewEntries: true },
  });
});

test.skipIf(!canStarve)(
  "without watches left clients are informed, and get the changes (needs user namespaces)",
  () => {
    expect(runStarved("projects-exhausted.ts")).toEqual([
      { paths: [], isPolled: true },
      { paths: ["late.txt"], isPolled: true },
      { paths: ["again.txt"] },
    ]);
  },
);
