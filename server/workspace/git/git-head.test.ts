import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { hasGitCommit, readGitBranch } from "./git-head";

let project: TestProject;
beforeEach(() => {
  project = makeTestProject();
});
afterEach(() => project.remove());

const commit = "0123456789abcdef0123456789abcdef01234567";

test.each([
  ["a branch", "ref: refs/heads/main\n", "main"],
  ["a branch with slashes", "ref: refs/heads/feature/a b\n", "feature/a b"],
  ["a ref that is not a branch", "ref: refs/remotes/origin/x\n", "refs/remotes/origin/x"],
  ["a detached commit", `${commit}\n`, "01234567"],
  ["garbage", "hello\n", null],
  ["nothing", "", null],
])("%s", async (_name, head, expected) => {
  project.put(".git/HEAD", head);
  expect(await readGitBranch(project.root)).toBe(expected);
});

test("resolves a worktree's pointer to its HEAD, relative or absolute", async () => {
  project.put("main/.git/worktrees/w/HEAD", "ref: refs/heads/side\n");
  project.put("w/.git", "gitdir: ../main/.git/worktrees/w\n");
  project.put("v/.git", `gitdir: ${project.at("main/.git/worktrees/w")}\n`);
  expect(await readGitBranch(project.at("w"))).toBe("side");
  expect(await readGitBranch(project.at("v"))).toBe("side");
});

test("a repository has a commit once its log has a line, in a worktree in that of its own", async () => {
  project.put(".git/HEAD", "ref: refs/heads/main\n");
  expect(await hasGitCommit(project.root)).toBe(false);
  project.put(".git/logs/HEAD", `${"0".repeat(40)} ${commit} A <a@b> 1 +0000\tcommit (initial): a\n`);
  expect(await hasGitCommit(project.root)).toBe(true);
  project.put("w/.git", "gitdir: ../.git/worktrees/w\n");
  expect(await hasGitCommit(project.at("w"))).toBe(false);
  project.put(".git/worktrees/w/logs/HEAD", "x\n");
  expect(await hasGitCommit(project.at("w"))).toBe(true);
});

test("returns null without a repository, for a broken pointer and for a HEAD that is a pipe", async () => {
  expect(await readGitBranch(project.root)).toBeNull();
  project.put("w/.git", "gitdir: ../nowhere\n");
  expect(await readGitBranch(project.at("w"))).toBeNull();
  project.put("p/.git/x", "");
  execFileSync("mkfifo", [project.at("p/.git/HEAD")]);
  expect(await readGitBranch(project.at("p"))).toBeNull();
});
