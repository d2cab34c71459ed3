/** Projects with more files than a snapshot holds: with git, old contents come from its objects; without, it is said. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { asId, type BlobId, type CallId, type SessionId } from "@/lib/events/id";
import { computeBlobId } from "@/server/base/id";
import { makeTestRepository } from "../__fixtures__/repository";
import { openProjectGit } from "../git/project-git";
import { type FileSnapshots, makeFileSnapshots } from "./file-snapshots";
import type { IndexedFile } from "./snapshot-scans";

const command = { sessionId: asId<SessionId>("s"), callId: asId<CallId>("c") };
let repository: ReturnType<typeof makeTestRepository>;
let blobs: Map<BlobId, string>;
let isTrusted: boolean;

beforeEach(() => {
  repository = makeTestRepository();
  blobs = new Map();
  isTrusted = true;
  for (let number = 0; number < 50; number += 1) {
    const [folder, file] = [Math.floor(number / 10), number % 10];
    put(`part${folder}/${file}.txt`, `${folder} ${file}\n`);
  }
});

/** Snapshots over an index in memory; `stored` counts the files that were put into it. */
function makeSnapshots(): { readonly snapshots: FileSnapshots; readonly stored: () => number } {
  const files = new Map<string, IndexedFile>();
  const storeBlob = (bytes: Uint8Array): BlobId => {
    const id = computeBlobId(bytes);
    blobs.set(id, Buffer.from(bytes).toString());
    return id;
  };
  const indexFile = join(repository.home, "snapshots", "p.index");
  const { root, environment } = repository;
  const snapshots = makeFileSnapshots({
    policy: { root, protectedNames: [".env"] },
    index: {
      *pages() {
        yield [...files.values()];
      },
      get: (path) => files.get(path),
      update({ put, drop }) {
        const rows = put.map(({ image, kept }) => ({
          ...image,
          blob: kept instanceof Uint8Array ? storeBlob(kept) : kept,
        }));
        for (const row of rows) files.set(row.path, row);
        for (const path of drop) files.delete(path);
        return rows;
      },
      commandStarted: () => {},
      commandEnded: () => {},
      openCommands: () => [],
      storeBlob,
    },
    git: {
      indexFile,
      async open(signal) {
        const git = await openProjectGit({ root, trusted: () => isTrusted }, environment, signal, indexFile);
        return git.ok && typeof git.value !== "string" ? git.value : null;
      },
    },
    maxFiles: 40,
    onLostChanges: () => {},
    onError: (error) => {
      throw error;
    },
    now: () => Date.now(),
  });
  return { snapshots, stored: () => files.size };
}

const at = (path: string): string => join(repository.root, path);
const put = (path: string, text: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
/** Runs a command; returns what changed: path, the text before, and whether there is one after. */
async function run(snapshots: FileSnapshots, work: () => void) {
  const { found } = await snapshots.trackFileChanges(command, async () => work());
  const changes = found.changes.map(({ path, before, after }) => [
    path,
    before === null ? null : before.blob === null ? "lost" : blobs.get(before.blob),
    after !== null,
  ]);
  return { changes, notKept: found.notKept, gap: found.gap };
}

describe("without git", () => {
  test.each([
    ["no repository", false],
    ["a folder that is not trusted", true],
  ])("%s: nothing is stored or found, and the gap is named", async (_name, isRepository) => {
    if (isRepository) repository.git("init");
    isTrusted = !isRepository;
    const { snapshots, stored } = makeSnapshots();
    expect(await run(snapshots, () => put("part0/0.txt", "new"))).toEqual({
      changes: [],
      notKept: 0,
      gap: "too_many_files",
    });
    expect([await snapshots.canUndo(), stored()]).toEqual([false, 0]);
  });

  test("another repository in the work tree or submodules: git does not list all files", async () => {
    repository.git("init");
    repository.git("add", "-A");
    repository.git("init", at("nested"));
    put("nested/a.txt", "a");
    const { snapshots } = makeSnapshots();
    expect((await run(snapshots, () => {})).gap).toBe("too_many_files");
    rmSync(at("nested"), { recursive: true });
    put(".gitmodules", '[submodule "x"]\n');
    expect((await run(snapshots, () => {})).gap).toBe("too_many_files");
    expect(await snapshots.canUndo()).toBe(false);
  });
});

test("a command that makes the project too large: its changes are found, and the gap is named", async () => {
  rmSync(at("part4"), { recursive: true });
  rmSync(at("part3"), { recursive: true });
  const { snapshots } = makeSnapshots();
  const { changes, gap } = await run(snapshots, () => {
    put("part0/0.txt", "new");
    for (let file = 0; file < 20; file += 1) put(`part3/${file}.txt`, "x");
  });
  expect(gap).toBe("too_many_files");
  expect(changes[0]).toEqual(["part0/0.txt", "0 0\n", true]);
});

describe("in a trusted git repository", () => {
  let snapshots: FileSnapshots;
  beforeEach(() => {
    repository.git("init");
    repository.git("config", "core.autocrlf", "input");
    put(".gitignore", "ignored/\n");
    put("run.sh", "#!/bin/sh\n");
    chmodSync(at("run.sh"), 0o755);
    put("unix.txt", "a\nb\n");
    put("dos.txt", "a\r\nb\r\n");
    put("marked.txt", "marked\n");
    repository.git("add", "-A");
    repository.git("commit", "-m", "all");
    repository.git("update-index", "--assume-unchanged", "marked.txt");
    put("ignored/secret.txt", "mine\n");
    ({ snapshots } = makeSnapshots());
  });

  test("tracked files have the content of git, others what was read before the command", async () => {
    put("part1/1.txt", "edited before\n");
    put("own.txt", "untracked\n");
    rmSync(at("part2/2.txt"));
    const { changes, notKept, gap } = await run(snapshots, () => {
      put("part0/0.txt", "new\n");
      put("part1/1.txt", "again\n");
      put("own.txt", "overwritten\n");
      put("made/new.txt", "new\n");
      put("marked.txt", "changed\n");
      put(".env", "secret\n");
      rmSync(at("part3/3.txt"));
      renameSync(at("part4"), at("moved"));
    });
    expect([notKept, gap]).toEqual([0, null]);
    expect(changes.filter(([path]) => !/^(?:part4|moved)/.test(String(path)))).toEqual([
      ["made/new.txt", null, true],
      ["marked.txt", "marked\n", true],
      ["own.txt", "untracked\n", true],
      ["part0/0.txt", "0 0\n", true],
      ["part1/1.txt", "edited before\n", true],
      ["part3/3.txt", "3 3\n", false],
    ]);
    expect(changes.filter(([path, before]) => /^part4/.test(String(path)) && before !== null)).toHaveLength(10);
    expect(changes.filter(([path, before]) => /^moved/.test(String(path)) && before === null)).toHaveLength(10);
  });

  test("changes between two commands belong to neither, and each command has its own", async () => {
    expect((await run(snapshots, () => put("part0/0.txt", "one\n"))).changes).toEqual([["part0/0.txt", "0 0\n", true]]);
    put("part0/0.txt", "by hand\n");
    put("part0/1.txt", "by hand\n");
    expect((await run(snapshots, () => put("part0/0.txt", "two\n"))).changes).toEqual([
      ["part0/0.txt", "by hand\n", true],
    ]);
    expect(await run(snapshots, () => {})).toEqual({ changes: [], notKept: 0, gap: null });
    expect((await run(snapshots, () => put("part0/0.txt", "0 0\n"))).changes).toEqual([["part0/0.txt", "two\n", true]]);
  });

  test("git commands that change the index or the commit are undone like others", async () => {
    put("part0/0.txt", "work\n");
    const { changes } = await run(snapshots, () => {
      repository.git("checkout", "--", "part0/0.txt");
      repository.git("rm", "-q", "part0/1.txt");
      repository.git("commit", "-qm", "gone");
    });
    expect(changes).toEqual([
      ["part0/0.txt", "work\n", true],
      ["part0/1.txt", "0 1\n", false],
    ]);
    expect((await run(snapshots, () => put("part0/2.txt", "x\n"))).changes).toEqual([["part0/2.txt", "0 2\n", true]]);
  });

  test("permissions are restored, and a file whose bytes git converted counts as not kept", async () => {
    chmodSync(at("unix.txt"), 0o600);
    const { found } = await snapshots.trackFileChanges(command, async () => {
      chmodSync(at("run.sh"), 0o644);
      appendFileSync(at("unix.txt"), "c\n");
      put("dos.txt", "x");
    });
    expect(found.changes.map(({ path, before }) => [path, before?.mode])).toMatchObject([
      ["dos.txt", expect.any(Number)],
      ["run.sh", 0o777 & ~process.umask()],
      ["unix.txt", 0o600],
    ]);
    expect([found.changes[0]?.before?.blob, found.notKept]).toEqual([null, 1]);
  });

  test("files that were ignored before do not count as made by the command that changes the rules", async () => {
    const { changes } = await run(snapshots, () => put(".gitignore", "\n"));
    expect(changes).toEqual([[".gitignore", "ignored/\n", true]]);
    expect(readFileSync(at("ignored/secret.txt"), "utf8")).toBe("mine\n");
  });

  test("changes of files whose names are not UTF-8 are counted as not kept", async () => {
    const name = Buffer.from(`${at("caf")}\u00e9.txt`, "latin1");
    expect(await run(snapshots, () => writeFileSync(name, "1"))).toMatchObject({ changes: [], notKept: 1 });
    expect(await run(snapshots, () => {})).toMatchObject({ notKept: 0 });
    expect(await run(snapshots, () => rmSync(name))).toMatchObject({ changes: [], notKept: 1 });
  });

  test("two commands at once: each finds its changes, and git's own index is not written", async () => {
    const own = statSync(at(".git/index")).mtimeMs;
    let begin = (): void => {};
    const isRunning = new Promise<void>((resolve) => (begin = resolve));
    let end = (): void => {};
    const first = snapshots.trackFileChanges(command, async () => {
      put("part0/0.txt", "first\n");
      begin();
      await new Promise<void>((resolve) => (end = resolve));
      put("part0/1.txt", "first\n");
    });
    await isRunning;
    expect((await run(snapshots, () => put("part0/2.txt", "second\n"))).changes).toEqual([
      ["part0/2.txt", "0 2\n", true],
    ]);
    end();
    const { found } = await first;
    expect(found.changes.map(({ path, before }) => [path, blobs.get(before?.blob ?? asId<BlobId>(""))])).toEqual([
      ["part0/0.txt", "0 0\n"],
      ["part0/1.txt", "0 1\n"],
      ["part0/2.txt", "0 2\n"],
    ]);
    expect(statSync(at(".git/index")).mtimeMs).toBe(own);
  });
});
