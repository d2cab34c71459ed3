import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { computeHash } from "@/server/base/id";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeFiles } from "../files/files";
import { type CleanupJournal, makeCleanupJournal, temporaryPrefix } from "./cleanup-journal";
import { makeShell } from "./shell";
import { isTemporaryName } from "../files/write-file";

let project: TestProject;
let home: string;
let cleanup: CleanupJournal;

beforeEach(() => {
  project = makeTestProject();
  home = mkdtempSync(join(tmpdir(), "gopi-leftovers-"));
  cleanup = makeCleanupJournal(home, isTemporaryName);
});
afterEach(() => {
  project.remove();
  rmSync(home, { recursive: true, force: true });
});

/** Runs the cleanup of the next start. */
const cleanUpAtNextStart = (): Promise<number> => makeCleanupJournal(home, isTemporaryName).cleanUp();
const entryNames = (): readonly string[] =>
  existsSync(join(home, "leftovers")) ? readdirSync(join(home, "leftovers")) : [];
const isAlive = (pid: string): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
};
const signal = new AbortController().signal;
const environment = () => ({ PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: home });
const temporary = `.gopi-${"a1".repeat(9)}.tmp`;

describe("leftovers of a crash", () => {
  test.skipIf(process.platform !== "linux")(
    "ends a command's processes at the next start, also in their own session or with an empty environment",
    async () => {
      const shell = makeShell({ root: project.root, environment, cleanup });
      let printed = "";
      let running = (): void => {};
      const started = new Promise<void>((resolve) => {
        running = resolve;
      });
      const done = shell.run(
        "setsid sleep 60 & echo $!; env -i sleep 60 & echo $!; echo $$; wait",
        {
          timeoutMs: 60_000,
          onOutput(text) {
            printed += text;
            if (printed.trim().split("\n").length === 3) running();
          },
        },
        signal,
      );
      await started;
      const pids = printed.trim().split("\n");
      expect(pids.map(isAlive)).toEqual([true, true, true]);
      expect(entryNames()).toHaveLength(1);
      expect(await cleanUpAtNextStart()).toBeGreaterThanOrEqual(3);
      expect(await done).toMatchObject({ exit: null, signal: "SIGKILL" });
      expect(pids.map(isAlive)).toEqual([false, false, false]);
      expect(entryNames()).toEqual([]);
    },
  );

  test("deletes the temporary file of a write, but nothing else at its path", async () => {
    writeFileSync(project.at(temporary), "half");
    writeFileSync(project.at("mine.txt"), "mine");
    mkdirSync(project.at("folder"));
    mkdirSync(project.at(`folder/${temporary}`));
    mkdirSync(project.at("linked"));
    symlinkSync(project.at("mine.txt"), project.at(`linked/${temporary}`));
    cleanup.record({ file: project.at(temporary) });
    cleanup.record({ file: project.at("mine.txt") });
    cleanup.record({ file: project.at(`folder/${temporary}`) });
    cleanup.record({ file: project.at(`linked/${temporary}`) });
    cleanup.record({ file: project.at(`gone/${temporary}`) });
    cleanup.record({ folder: project.at("folder") });
    await cleanUpAtNextStart();
    expect(existsSync(project.at(temporary))).toBe(false);
    expect(readFileSync(project.at("mine.txt"), "utf8")).toBe("mine");
    expect(readdirSync(project.at("folder"))).toEqual([temporary]);
    expect(readdirSync(project.at("linked"))).toEqual([temporary]);
    expect(entryNames()).toEqual([]);
  });

  test("completes the write of a file with hard links, but not over a later change", async () => {
    const copies = ["half.txt", "later.txt", "elsewhere/other.txt"];
    mkdirSync(project.at("elsewhere"));
    for (const [index, path] of copies.entries()) {
      project.put(path, "new te\nold tail");
      const whole = `.gopi-${`${index}b`.repeat(9)}.tmp`;
      writeFileSync(project.at(whole), "new text");
      cleanup.record({ file: project.at(whole) });
      cleanup.record({ file: project.at(whole), target: project.at(path), hash: computeHash("new text") });
    }
    linkSync(project.at("half.txt"), project.at("link.txt"));
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(project.at("later.txt"), later, later);
    await cleanUpAtNextStart();
    expect([...copies, "link.txt"].map((path) => readFileSync(project.at(path), "utf8"))).toEqual([
      "new text",
      "new te\nold tail",
      "new te\nold tail",
      "new text",
    ]);
    expect(readdirSync(project.root).filter(isTemporaryName)).toEqual([]);
    expect(entryNames()).toEqual([]);
  });

  test("deletes a temporary folder of the program with its content, and no other folder", async () => {
    const [own, other] = [temporaryPrefix, "not-gopi-"].map((prefix) => mkdtempSync(join(tmpdir(), prefix)));
    if (own === undefined || other === undefined) throw new Error("no folders");
    onTestFinished(() => rmSync(other, { recursive: true }));
    writeFileSync(join(own, "file"), "text");
    for (const folder of [own, other, `${own}/..`]) cleanup.record({ folder });
    await cleanUpAtNextStart();
    expect([own, other].map((folder) => existsSync(folder))).toEqual([false, true]);
  });

  test("deletes unreadable entries", async () => {
    cleanup.record({ file: project.at(temporary) })();
    writeFileSync(join(home, "leftovers", "half"), '{"file":"/et');
    writeFileSync(join(home, "leftovers", "strange"), '{"file":7}');
    expect(await cleanUpAtNextStart()).toBe(0);
    expect(entryNames()).toEqual([]);
  });
});

describe("normal completion", () => {
  test("a write and a command leave no entry", async () => {
    const files = makeFiles(project.policy, undefined, cleanup);
    expect((await files.write(project.owner("a.txt", "write"), "text", null)).ok).toBe(true);
    expect((await files.write(project.owner("a.txt", "write"), "other", null)).ok).toBe(false);
    const shell = makeShell({ root: project.root, environment, cleanup });
    expect(await shell.run("true", { timeoutMs: 5_000, onOutput: () => {} }, signal)).toMatchObject({ exit: 0 });
    expect(existsSync(join(home, "leftovers"))).toBe(true);
    expect(entryNames()).toEqual([]);
  });

  test("the work is done even if no entry can be written", async () => {
    writeFileSync(join(home, "leftovers"), "a file in its place");
    const files = makeFiles(project.policy, undefined, cleanup);
    expect((await files.write(project.owner("a.txt", "write"), "text", null)).ok).toBe(true);
    expect(readFileSync(project.at("a.txt"), "utf8")).toBe("text");
    expect(await cleanUpAtNextStart()).toBe(0);
  });
});
