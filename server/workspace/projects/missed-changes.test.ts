import { utimesSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { makeTestProject } from "../__fixtures__/project";
import { findMissedChanges } from "./missed-changes";

test("changed files and entries are found by their time; files of a large folder are not compared", async () => {
  const project = makeTestProject({ "a.txt": "a", "b.txt": "b" });
  onTestFinished(() => project.remove());
  const since = 1_000_000_000_000;
  for (const path of ["a.txt", "."]) utimesSync(project.at(path), since / 1_000 - 1, since / 1_000 - 1);
  expect(await findMissedChanges(project.root, since)).toEqual({ hasNewEntries: false, names: ["b.txt"] });
  for (let index = 0; index < 2_000; index += 1) project.put(`${index}.txt`);
  expect(await findMissedChanges(project.root, since)).toEqual({ hasNewEntries: true, names: [] });
});

test("a missing folder rejects: nothing is reported of it, above all not that it exists", async () => {
  const project = makeTestProject();
  project.remove();
  await expect(findMissedChanges(project.root, 0)).rejects.toThrow("ENOENT");
});
