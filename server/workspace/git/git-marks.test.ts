import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTestRepository } from "../__fixtures__/repository";
import { parseGitMarks, readGitMarks } from "./git-marks";

const never = new AbortController().signal;

function setUp({ trusted = true } = {}) {
  const repository = makeTestRepository();
  const { root, environment } = repository;
  return {
    ...repository,
    async read(more: NodeJS.Dict<string> = {}) {
      const marks = await readGitMarks({ root, trusted: () => trusted }, { ...environment, ...more }, never);
      if (!marks.ok) throw new Error(`${marks.error.code}: ${marks.error.detail}`);
      return marks.value === null ? null : Object.fromEntries(marks.value.map(({ path, mark }) => [path, mark]));
    },
  };
}

test("each kind of difference has its mark, and nothing else is marked", async () => {
  const { root, put, git, read } = setUp();
  git("init", "-q", "-b", "main");
  for (const path of ["same.txt", "changed.txt", "staged.txt", "gone.txt", "unstaged.txt", "中文 😀.txt", "both.txt"])
    put(path, "one\n");
  put(".gitignore", "out/\n");
  git("add", ".");
  git("commit", "-qm", "first");
  git("checkout", "-qb", "side");
  put("both.txt", "side\n");
  git("commit", "-qam", "side");
  git("checkout", "-q", "main");
  put("both.txt", "main\n");
  git("commit", "-qam", "main");
  expect(() => git("merge", "side")).toThrow();
  for (const path of ["changed.txt", "staged.txt", "中文 😀.txt", "added.txt", "new/deep/file.txt", "out/x"])
    put(path, "two\n");
  git("add", "staged.txt", "added.txt");
  git("rm", "-q", "gone.txt");
  rmSync(join(root, "unstaged.txt"));
  expect(await read()).toEqual({
    "changed.txt": "modified",
    "staged.txt": "modified",
    "中文 😀.txt": "modified",
    "added.txt": "added",
    "gone.txt": "deleted",
    "unstaged.txt": "deleted",
    "both.txt": "conflicted",
    new: "untracked",
  });
});

test("a folder without a repository, an untrusted one and a system without git have no marks", async () => {
  const plain = setUp();
  plain.put("a.txt", "x");
  expect(await plain.read()).toBeNull();
  const untrusted = setUp({ trusted: false });
  untrusted.git("init", "-q");
  untrusted.put("a.txt", "x");
  expect(await untrusted.read()).toBeNull();
  const repository = setUp();
  repository.git("init", "-q");
  expect(await repository.read({ PATH: repository.home })).toBeNull();
  expect(await repository.read()).toEqual({});
});

test("no program of the repository runs, and its index is not written", async () => {
  const { home, root, put, git, read } = setUp();
  git("init", "-q");
  put("a.txt", "one\n");
  put("run.sh", `#!/bin/sh\ntouch ${home}/ran\n`);
  git("add", ".");
  git("commit", "-qm", "first");
  for (const name of ["core.fsmonitor", "filter.x.clean"]) git("config", name, `sh ${root}/run.sh`);
  put(".gitattributes", "* filter=x\n");
  put("a.txt", "two\n");
  expect(await read()).toMatchObject({ "a.txt": "modified" });
  expect(existsSync(join(home, "ran"))).toBe(false);
  expect(existsSync(join(root, ".git/index.lock"))).toBe(false);
});

test.each([
  ["1 A. N... 000000 100644 100644 0 1 a b.txt", "a b.txt", "added"],
  ["1 .A N... 000000 000000 100644 0 0 intent.txt", "intent.txt", "added"],
  ["1 AD N... 000000 100644 000000 0 1 x", "x", "deleted"],
  ["1 MM N... 100644 100644 100644 1 2 x", "x", "modified"],
  ["1 .T N... 100644 100644 120000 1 1 x", "x", "modified"],
  ["u UU N... 100644 100644 100644 100644 1 2 3 a b", "a b", "conflicted"],
  ["? dir/sub/", "dir/sub", "untracked"],
  ["? line\nbreak", "line\nbreak", "untracked"],
])("%s marks %s as %s", (line, path, mark) => {
  expect(parseGitMarks(`${line}\0`)).toEqual([{ path, mark }]);
});

test("the marks of a very long status end at their limit", () => {
  expect(parseGitMarks("? a\0".repeat(6_000))).toHaveLength(5_000);
});
