import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changedSince, existingPaths, markChecked } from "./checked.mjs";

function makeRepository() {
  const folder = mkdtempSync(join(tmpdir(), "gopi-checked-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args) => spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@t", ...args], { cwd: folder });
  const write = (path, text) => writeFileSync(join(folder, path), text);
  const commit = () => {
    git("add", "-A");
    git("commit", "-qm", "test: change");
  };
  git("init", "-q");
  mkdirSync(join(folder, ".ci"));
  for (const name of ["kept.ts", "edited.ts", "deleted.ts", "committed later.ts"]) write(name, name);
  commit();
  return { folder, write, commit };
}

test("what changed since a part passed is committed, edited, new and deleted files", () => {
  const { folder, write, commit } = makeRepository();
  markChecked("lint", folder);
  expect(changedSince("lint", folder)).toEqual([".ci/checked.json"]);
  commit();
  write("committed later.ts", "2");
  commit();
  write("edited.ts", "2");
  write("nü.ts", "2");
  rmSync(join(folder, "deleted.ts"));
  const changed = changedSince("lint", folder);
  expect(changed?.toSorted()).toEqual([".ci/checked.json", "committed later.ts", "deleted.ts", "edited.ts", "nü.ts"]);
  expect(existingPaths(changed ?? [], folder)).not.toContain("deleted.ts");
});

test("everything is checked without a record, without its commit and without a repository", () => {
  const { folder, write } = makeRepository();
  expect(changedSince("lint", folder)).toBeNull();
  write(".ci/checked.json", JSON.stringify({ lint: "0".repeat(40) }));
  expect(changedSince("lint", folder)).toBeNull();
  write(".ci/checked.json", "{");
  expect(changedSince("lint", folder)).toBeNull();
  const elsewhere = mkdtempSync(join(tmpdir(), "gopi-checked-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  expect(changedSince("lint", elsewhere)).toBeNull();
});

test("a tree with uncommitted changes is not recorded", () => {
  const { folder, write } = makeRepository();
  write("edited.ts", "2");
  markChecked("lint", folder);
  expect(changedSince("lint", folder)).toBeNull();
});
