/** A look at all files is made when something may have changed, and only then. Counts work: folders read and files of the index. */
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asId, type CallId, type SessionId } from "@/lib/id";
import { blobIdOf } from "../base/id";
import { makeProject, type Project } from "./__fixtures__/project";
import type { ImageIndex, KeptFile } from "./image-look";
import { type Images, makeImages } from "./images";

const command = { sessionId: asId<SessionId>("s"), callId: asId<CallId>("c") };
let project: Project;
let images: Images;
let looks = 0;
let protectedNames: readonly string[] = [];

/** An index in memory that counts how often it is read whole: once a look. */
function memoryIndex(): ImageIndex {
  const files = new Map<string, KeptFile>();
  return {
    *pages() {
      looks += 1;
      yield [...files.values()];
    },
    get: (path) => files.get(path),
    update({ put, drop }) {
      const rows = put.map(({ image, kept }) => ({
        ...image,
        blob: kept instanceof Uint8Array ? blobIdOf(kept) : kept,
      }));
      for (const row of rows) files.set(row.path, row);
      for (const path of drop) files.delete(path);
      return rows;
    },
    opened: () => {},
    closed: () => {},
    open: () => [],
    keep: (bytes) => blobIdOf(bytes),
  };
}

beforeEach(() => {
  project = makeProject({
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
  };
  images = makeImages({ policy, index: memoryIndex(), lost: () => {}, trouble: () => {}, now: () => Date.now() });
});
afterEach(() => project.remove());

/** A command between two looks: what it changed, and how many looks it took. */
async function run(
  work: () => void = () => {},
): Promise<{ readonly changed: readonly string[]; readonly looks: number }> {
  const before = looks;
  const { found } = await images.around(command, async () => work());
  return { changed: found.changes.map(({ path }) => path), looks: looks - before };
}
const isLinux = process.platform === "linux";

describe.runIf(isLinux)("between two commands", () => {
  test("nothing happened: only the look after the command is made", async () => {
    await run();
    for (const content of ["2", "3", "4"]) {
      const { changed, looks: count } = await run(() => project.put("a.txt", content));
      expect(changed).toEqual(["a.txt"]);
      expect(count).toBe(1);
    }
  });

  test.each<[string, () => void]>([
    ["a file was written in its place", () => appendFileSync(project.at("deep/er/b.txt"), "more")],
    ["a file was made", () => project.put("deep/new.txt", "x")],
    ["a file was replaced", () => [project.put("x.tmp", "y"), renameSync(project.at("x.tmp"), project.at("a.txt"))]],
    ["a file was removed", () => rmSync(project.at("a.txt"))],
    ["permissions were changed", () => chmodSync(project.at("a.txt"), 0o755)],
    ["a folder was made with files in it", () => project.put("n/e/w/x.txt", "x")],
    ["a folder was moved", () => renameSync(project.at("deep"), project.at("shallow"))],
    [
      "a folder was removed and made anew",
      () => [rmSync(project.at("deep"), { recursive: true }), project.put("deep/er/b.txt", "2")],
    ],
    ["another program wrote", () => execFileSync("bash", ["-c", "echo x >> deep/er/b.txt"], { cwd: project.root })],
    ["the names that are protected changed", () => (protectedNames = ["a.txt"])],
    ["what is ignored changed", () => project.put(".gitignore", "")],
  ])("%s: the files are looked at before the next one, which is not blamed for it", async (_name, change) => {
    await run();
    change();
    const { changed, looks: count } = await run();
    expect(count).toBe(2);
    expect(changed).toEqual([]);
    // And then all is known again.
    expect((await run()).looks).toBe(1);
  });

  test("a folder that was swapped for another of its name is watched like the first", async () => {
    await run();
    mkdirSync(project.at("other"));
    writeFileSync(project.at("other/b.txt"), "3");
    renameSync(project.at("deep"), project.at("old"));
    renameSync(project.at("other"), project.at("deep"));
    await run();
    appendFileSync(project.at("deep/b.txt"), "4");
    const { changed, looks: count } = await run();
    expect(count).toBe(2);
    expect(changed).toEqual([]);
  });

  test("what a command changes in a folder it made is its own, and what comes after it is not the next one's", async () => {
    await run();
    expect((await run(() => project.put("made/x.txt", "1"))).changed).toEqual(["made/x.txt"]);
    appendFileSync(project.at("made/x.txt"), "2");
    expect(await run(() => project.put("made/y.txt", "1"))).toEqual({ changed: ["made/y.txt"], looks: 2 });
  });

  test("writes in ignored folders cost no look", async () => {
    await run();
    project.put("ignored/d.txt", "x");
    expect((await run()).looks).toBe(1);
  });
});
