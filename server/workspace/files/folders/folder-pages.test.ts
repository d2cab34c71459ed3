/** Pages of real folders. */
import { renameSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FolderPosition } from "@/lib/workspace/project-files";
import { makeTestProject, type TestProject } from "../../__fixtures__/project";
import { makeFiles } from "../files";
import { compareFoldersFirst, mergeRuns, readFirstEntries } from "./folder-entries";
import { folderPageMaxChars } from "./folder-pages";

let project: TestProject;
beforeEach(() => {
  project = makeTestProject({ ".gitignore": "*.log\n" });
});
afterEach(() => project.remove());

const positionOf = (name: string, isFolder = false): FolderPosition => ({ name, isFolder });

async function readPage(files: ReturnType<typeof makeFiles>, max: number, after?: FolderPosition) {
  const page = await files.listPage(project.owner("many"), max, after);
  if (!page.ok) throw new Error(page.error.code);
  return page.value;
}

test("pages follow each other in the order of the list, folders first and numbers by value", async () => {
  for (let index = 0; index < 25; index += 1) project.put(`many/file${index}.txt`, "");
  for (const folder of ["z", "a"]) project.put(`many/${folder}/x`, "");
  project.put("many/last.log", "");
  const files = makeFiles(project.policy);
  const names: string[] = [];
  for (let after: FolderPosition | undefined; ; ) {
    const page = await readPage(files, 10, after);
    expect(page.total).toBe(28);
    const last = page.entries.at(-1);
    if (last === undefined) break;
    names.push(...page.entries.map(({ name }) => name));
    after = { name: last.name, isFolder: last.kind === "folder" };
  }
  expect(names).toEqual(["a", "z", ...Array.from({ length: 25 }, (_, index) => `file${index}.txt`), "last.log"]);
  const last = await readPage(files, 10, positionOf("file24.txt"));
  expect(last.entries).toEqual([{ name: "last.log", kind: "file", ignored: true }]);
});

test("a position needs no entry, and a list that was read to its end is read again", async () => {
  for (const name of ["a1", "a2", "a3"]) project.put(`many/${name}`, "");
  const files = makeFiles(project.policy);
  const names = async (after: FolderPosition) => (await readPage(files, 10, after)).entries.map(({ name }) => name);
  expect(await names(positionOf("a2b"))).toEqual(["a3"]);
  renameSync(project.at("many/a3"), project.at("many/a4"));
  expect(await names(positionOf("a2"))).toEqual(["a4"]);
  expect(await names(positionOf("a2", true))).toEqual(["a1", "a2", "a4"]);
});

test("a page has at most the text of one message", async () => {
  const name = "n".repeat(200);
  for (let index = 0; index < 6_000; index += 1) project.put(`many/${name}${index}`, "");
  const { entries, total } = await readPage(makeFiles(project.policy), 10_000, positionOf("a"));
  expect(total).toBe(6_000);
  expect(entries.length).toBeLessThan(6_000);
  const chars = JSON.stringify(entries).length + entries.length * name.length;
  expect(chars).toBeLessThan(1.5 * folderPageMaxChars);
});

test("reading and sorting 20,000 entries let the event loop run after each run of 512", async () => {
  for (let index = 0; index < 20_000; index += 1) project.put(`many/${index % 977}-${index}`, "");
  let turn = 0;
  let isOver = false;
  const countTurn = (): void => {
    turn += 1;
    if (!isOver) setImmediate(countTurn);
  };
  countTurn();
  const readInTurn = new Map<number, number>();
  const { entries } = await readFirstEntries(project.at("many"), Number.POSITIVE_INFINITY, () => {
    readInTurn.set(turn, (readInTurn.get(turn) ?? 0) + 1);
    return true;
  });
  isOver = true;
  expect(Math.max(...readInTurn.values())).toBeLessThanOrEqual(2 * 512);
  expect(entries).toHaveLength(20_000);
  expect(entries).toEqual([...entries].sort(compareFoldersFirst));
});

test("merging runs compares at most 512 pairs between two steps", () => {
  let compared = 0;
  const makeEntry = (name: string) => ({
    name,
    isDirectory: () => {
      compared += 1;
      return false;
    },
  });
  const runs = Array.from({ length: 20 }, (_, run) =>
    Array.from({ length: 500 }, (_unused, index) => makeEntry(`${run}`.padEnd(index % 7, "x") + index)).sort(
      compareFoldersFirst,
    ),
  );
  const steps = mergeRuns(runs);
  let longest = 0;
  for (;;) {
    compared = 0;
    const step = steps.next();
    // Each comparison asks both entries.
    longest = Math.max(longest, compared / 2);
    if (step.done !== true) continue;
    expect(step.value).toHaveLength(10_000);
    break;
  }
  expect(longest).toBeLessThanOrEqual(512);
});
