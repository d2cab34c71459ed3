import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ok } from "@/lib/events/error";
import { makeTestProject, type TestProject } from "@/server/workspace/__fixtures__/project";
import { makeSearch, type Search } from "@/server/workspace/search/search";
import { createFileFinder } from "./file-finder";

let project: TestProject;
const never = new AbortController().signal;
const request = (typed: string, refresh = false) => ({ typed, max: 20, refresh });

beforeEach(() => {
  project = makeTestProject({ "src/a.ts": "", "src/b.ts": "", ".env": "x", "out/c.ts": "", ".gitignore": "out/\n" });
});
afterEach(() => project.remove());

const finderOf = (search: Pick<Search, "list">, signal = never) =>
  createFileFinder({ search, now: () => 1_000, signal });
async function paths(finder: ReturnType<typeof finderOf>, typed: string, refresh = false) {
  let found = await finder.find(request(typed, refresh));
  while (found.ok && !found.value.isComplete) found = await finder.find(request(typed));
  return found.ok ? [...found.value.paths].sort() : found.error.code;
}

test("finds the owner's files without ignored ones", async () => {
  expect(await paths(finderOf(makeSearch(project.policy)), "")).toEqual([".env", ".gitignore", "src/a.ts", "src/b.ts"]);
});

test("a new file is found after a refresh", async () => {
  const finder = finderOf(makeSearch(project.policy));
  expect(await paths(finder, "new")).toEqual([]);
  writeFileSync(join(project.root, "src/new.ts"), "");
  rmSync(join(project.root, "src/b.ts"));
  expect(await paths(finder, "new")).toEqual([]);
  expect(await paths(finder, "new", true)).toEqual(["src/new.ts"]);
  expect(await paths(finder, "b.ts")).toEqual([]);
});

test("a slow list answers with the files listed so far", async () => {
  let finish = (): void => {};
  const finder = finderOf({
    list: (record) => {
      record("first.ts");
      return new Promise((resolve) => {
        finish = () => {
          record("second.ts");
          resolve(ok(null));
        };
      });
    },
  });
  expect(await finder.find(request("ts"))).toEqual(ok({ paths: ["first.ts"], files: 1, isComplete: false }));
  finish();
  expect(await finder.find(request("ts"))).toEqual(
    ok({ paths: ["first.ts", "second.ts"], files: 2, isComplete: true }),
  );
});

test("a failed list is an error, and the next query tries again", async () => {
  let isBroken = true;
  const finder = finderOf({
    list: async (record) => {
      if (isBroken) return { ok: false, error: { code: "search_failed" } };
      record("a.ts");
      return ok(null);
    },
  });
  expect(await paths(finder, "a")).toBe("search_failed");
  isBroken = false;
  expect(await paths(finder, "a")).toEqual(["a.ts"]);
});

test("a failed refresh leaves the last list in use", async () => {
  let isBroken = false;
  const finder = finderOf({
    list: async (record) => {
      if (isBroken) return { ok: false, error: { code: "search_failed" } };
      record("a.ts");
      return ok(null);
    },
  });
  await finder.find(request(""));
  isBroken = true;
  expect(await paths(finder, "a", true)).toEqual(["a.ts"]);
});
