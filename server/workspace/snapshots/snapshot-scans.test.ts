/** A full scan runs only if something may have changed. Counts how often the whole index is read. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { asId, type CallId, type SessionId } from "@/lib/events/id";
import { computeBlobId } from "@/server/base/id";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import type { SnapshotIndex, IndexedFile } from "./snapshot-scans";
import { type FileSnapshots, makeFileSnapshots } from "./file-snapshots";

const command = { sessionId: asId<SessionId>("s"), callId: asId<CallId>("c") };
let project: TestProject;
let snapshots: FileSnapshots;
let scanCount = 0;
let protectedNames: readonly string[] = [];

/** An in-memory index that counts full reads: one per scan. */
function memoryIndex(): SnapshotIndex {
  const files = new Map<string, IndexedFile>();
  return {
    *pages() {
      scanCount += 1;
      yield [...files.values()];
    },
    get: (path) => files.get(path),
    update({ put, drop }) {
      const rows = put.map(({ image, kept }) => ({
        ...image,
        blob: kept instanceof Uint8Array ? computeBlobId(kept) : kept,
      }));
      for (const row of rows) files.set(row.path, row);
      for (const path of drop) files.delete(path);
      return rows;
    },
    commandStarted: () => {},
    commandEnded: () => {},
    openCommands: () => [],
    storeBlob: (bytes) => computeBlobId(bytes),
  };
}

beforeEach(() => {
  project = makeTestProject({
    "a.txt": "one\n",
    "deep/er/b.txt": "two\n",
    ".gitignore": "ignored\n",
    "ignored/c.txt": "x",
  });
  protectedNames = [];
  const policy = {
    root: project.root,
    get protectedNames() {
      return protectedNames;
    },
    ignoredFolders: ["node_modules", ".venv", "build"],
  };
  snapshots = makeFileSnapshots({
    policy,
    index: memoryIndex(),
    onLostChanges: () => {},
    onError: () => {},
    now: () => Date.now(),
  });
});
afterEach(() => project.remove());

/** Runs a command between two scans; returns its changes and the number of scans. */
async function run(
  work: () => void = () => {},
): Promise<{ readonly changed: readonly string[]; readonly looks: number; readonly skipped: readonly string[] }> {
  const before = scanCount;
  const { found } = await snapshots.trackFileChanges(command, async () => work());
  return { changed: found.changes.map(({ path }) => path), looks: scanCount - before, skipped: found.skipped ?? [] };
}
const isLinux = process.platform === "linux";

test("the folders that are ignored by name are not kept, and those that a command changed are named", async () => {
  const skippedBy = async (work?: () => void) => {
    const { changed, skipped } = await run(work);
    expect(changed).toEqual([]);
    return skipped;
  };
  expect(await skippedBy()).toEqual([]);
  expect(await skippedBy(() => project.put("node_modules/a/index.js", "1"))).toEqual(["node_modules"]);
  expect(await skippedBy(() => project.put("deep/.venv/out.py", "1"))).toEqual(["deep/.venv"]);
  expect(await skippedBy(() => project.put("node_modules/a/index.js", "22"))).toEqual(["node_modules"]);
  expect(await skippedBy(() => rmSync(project.at("node_modules"), { recursive: true }))).toEqual(["node_modules"]);
  expect(await skippedBy(() => project.put("ignored/d.txt", "x"))).toEqual([]);
});

test.each([
  ["that a .gitignore includes again", "!.venv/", ".venv/run.sh"],
  ["that may hold sources", "", "deep/build/run.sh"],
])("a folder %s is kept", async (_name, rules, file) => {
  project.put(".gitignore", rules);
  await run();
  expect(await run(() => project.put(file, "1"))).toMatchObject({ changed: [file], skipped: [] });
});

describe.runIf(isLinux)("between two commands", () => {
  test("without changes, only the scan after the command runs", async () => {
    await run();
    for (const content of ["2", "3", "4"]) {
      const { changed, looks: count } = await run(() => project.put("a.txt", content));
      expect(changed).toEqual(["a.txt"]);
      expect(count).toBe(1);
    }
  });

  test.each<[string, () => void]>([
    ["a file was written in place", () => appendFileSync(project.at("deep/er/b.txt"), "more")],
    ["a file was created", () => project.put("deep/new.txt", "x")],
    ["a file was replaced", () => [project.put("x.tmp", "y"), renameSync(project.at("x.tmp"), project.at("a.txt"))]],
    ["a file was deleted", () => rmSync(project.at("a.txt"))],
    ["permissions were changed", () => chmodSync(project.at("a.txt"), 0o755)],
    ["a folder was created with files", () => project.put("n/e/w/x.txt", "x")],
    ["a folder was moved", () => renameSync(project.at("deep"), project.at("shallow"))],
    [
      "a folder was deleted and recreated",
      () => [rmSync(project.at("deep"), { recursive: true }), project.put("deep/er/b.txt", "2")],
    ],
    ["another program wrote", () => execFileSync("bash", ["-c", "echo x >> deep/er/b.txt"], { cwd: project.root })],
    ["the protected names changed", () => (protectedNames = ["a.txt"])],
    ["the ignore rules changed", () => project.put(".gitignore", "")],
  ])("%s: the files are looked at before the next one, which is not blamed for it", async (_name, change) => {
    await run();
    change();
    const { changed, looks: count } = await run();
    expect(count).toBe(1);
    expect(changed).toEqual([]);
    // A further command needs no scan before it.
    expect((await run()).looks).toBe(0);
  });

  test("a folder replaced by another of the same name is watched", async () => {
    await run();
    mkdirSync(project.at("other"));
    writeFileSync(project.at("other/b.txt"), "3");
    renameSync(project.at("deep"), project.at("old"));
    renameSync(project.at("other"), project.at("deep"));
    await run();
    appendFileSync(project.at("deep/b.txt"), "4");
    const { changed, looks: count } = await run();
    expect(count).toBe(1);
    expect(changed).toEqual([]);
  });

  test("changes in a new folder belong to the command that made it, later ones not to the next command", async () => {
    await run();
    expect((await run(() => project.put("made/x.txt", "1"))).changed).toEqual(["made/x.txt"]);
    appendFileSync(project.at("made/x.txt"), "2");
    expect(await run(() => project.put("made/y.txt", "1"))).toMatchObject({ changed: ["made/y.txt"], looks: 2 });
  });

  test("writes in ignored folders cause no scan", async () => {
    await run();
    project.put("ignored/d.txt", "x");
    expect((await run()).looks).toBe(0);
  });
});

const mapName = "a memory map";

/**
 * Ways to write a file that its folder does not report. Each returns a function that writes a content of four
 * letters.
 */
const unreportedWrites: readonly [string, (path: string) => Promise<(content: string) => Promise<void>>][] = [
  [
    "an existing hard link",
    async (path) => {
      const link = linkTo(path);
      return async (content) => writeFileSync(link, content);
    },
  ],
  ["a hard link created later", async (path) => async (content) => writeFileSync(linkTo(path), content)],
  [
    "a hard link in an ignored folder",
    async (path) => {
      const link = project.at("ignored/link");
      linkSync(path, link);
      return async (content) => writeFileSync(link, content);
    },
  ],
  [mapName, makeMapWriter],
];

function linkTo(path: string): string {
  const outside = mkdtempSync(join(tmpdir(), "gopi-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  linkSync(path, join(outside, "link"));
  return join(outside, "link");
}

function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import mmap"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const mapper = `
import mmap, sys
for line in sys.stdin:
    with open(sys.argv[1], "r+b") as file, mmap.mmap(file.fileno(), 4) as area:
        area[0:4] = line[0:4].encode()
    print("written", flush=True)
`;

async function makeMapWriter(path: string): Promise<(content: string) => Promise<void>> {
  const program = spawn("python3", ["-c", mapper, path], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void program.kill());
  // Whole lines: with PYTHONUNBUFFERED, Python writes the text and the end of a line separately.
  const answers = createInterface({ input: program.stdout });
  return async (content) => {
    const written = once(answers, "line");
    program.stdin.write(`${content}\n`);
    await written;
  };
}

describe.runIf(isLinux).each(unreportedWrites.filter(([name]) => name !== mapName || hasPython()))(
  "through %s",
  (_name, way) => {
    test("a write between two commands is not attributed to the next one", async () => {
      project.put("a.txt", "one!");
      const write = await way(project.at("a.txt"));
      await run();
      await run();
      await write("two!");
      expect((await run()).changed).toEqual([]);
      await write("four");
      const { found } = await snapshots.trackFileChanges(command, async () => project.put("a.txt", "five"));
      expect(found.changes.map(({ before }) => before?.blob)).toEqual([computeBlobId(Buffer.from("four"))]);
    });

    test("a command's write is attributed to it and can be undone", async () => {
      project.put("a.txt", "one!");
      const write = await way(project.at("a.txt"));
      await run();
      for (const [before, after] of [
        ["one!", "two!"],
        ["two!", "four"],
      ] as const) {
        const { found } = await snapshots.trackFileChanges(command, () => write(after));
        expect(found.changes.map((change) => change.before?.blob)).toEqual([computeBlobId(Buffer.from(before))]);
      }
    });
  },
);

test.runIf(isLinux)("changes of files whose names are not UTF-8 are counted as not kept", async () => {
  const bytes = (path: string): Buffer => Buffer.from(`${project.root}/${path}`, "latin1");
  const notKept = async (work: () => void): Promise<number> =>
    (await snapshots.trackFileChanges(command, async () => work())).found.notKept;
  expect(await notKept(() => writeFileSync(bytes("caf\u00e9.txt"), "1"))).toBe(1);
  expect(await notKept(() => project.put("a.txt", "2"))).toBe(0);
  expect(await notKept(() => [mkdirSync(bytes("d\u00e9")), writeFileSync(bytes("d\u00e9/in.txt"), "1")])).toBe(1);
  expect(await notKept(() => appendFileSync(bytes("d\u00e9/in.txt"), "2"))).toBe(1);
  expect(await notKept(() => rmSync(bytes("caf\u00e9.txt")))).toBe(1);
});

test.runIf(isLinux)("a command without changes does not read the index", async () => {
  await run();
  expect(await run()).toEqual({ changed: [], looks: 0, skipped: [] });
});
