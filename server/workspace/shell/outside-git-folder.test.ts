/** Worktrees and submodules, made by git; folders of a repository; and projects that only pretend to be one. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findOutsideGitFolder } from "./outside-git-folder";
import { makeSandbox } from "./sandbox";
import { makeShell } from "./shell";

// Not below /tmp: the sandbox has its own.
const base = realpathSync(mkdtempSync("/var/tmp/gopi-git-folder-"));
const home = join(base, "home");
const at = (...names: readonly string[]): string => join(home, ...names);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
const environment = { PATH: process.env.PATH ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1", ...identity };
const git = (folder: string, ...words: readonly string[]) =>
  execFileSync("git", ["-C", folder, "-c", "protocol.file.allow=always", ...words], {
    env: { ...environment, NODE_ENV: "test" },
    stdio: "pipe",
    encoding: "utf8",
  });

function makeRepository(folder: string): void {
  mkdirSync(join(folder, "packages/a"), { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  writeFileSync(join(folder, "packages/a/a.txt"), "a\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
}

/** A folder with a file `.git` of this text. */
function makeLinked(name: string, text: string): string {
  mkdirSync(at(name), { recursive: true });
  writeFileSync(at(name, ".git"), text);
  return at(name);
}

beforeAll(() => {
  makeRepository(at("main"));
  makeRepository(at("library"));
  git(at("main"), "worktree", "add", "-q", at("worktree"), "-b", "side");
  git(at("main"), "submodule", "add", "-q", at("library"), "library");
});

const find = (root: string) => findOutsideGitFolder(root, home);
const closed = { writable: [], readOnly: [] };
const protectedNames = ["hooks", "modules", "worktrees", "config", "config.worktree"];

describe("the git folder outside of", () => {
  test("a worktree is what a commit changes: its own folder and the shared objects, refs and logs", () => {
    const shared = ["objects", "refs", "logs", "worktrees/worktree"].map((name) => at("main/.git", name));
    expect(find(at("worktree"))).toEqual({ writable: shared, readOnly: [] });
  });
  test("a submodule is the whole folder without what git reads as code", () => {
    const folder = at("main/.git/modules/library");
    const readOnly = protectedNames.map((name) => join(folder, name));
    expect(find(at("main/library"))).toEqual({ writable: [folder], readOnly });
    expect(readOnly.every((path) => existsSync(path))).toBe(true);
  });
  test("a repository, a folder in one or in a worktree, or a folder without one, is none", () => {
    mkdirSync(at("plain"));
    for (const name of ["main", "main/packages/a", "worktree/packages/a", "plain"])
      expect(find(at(name))).toEqual(closed);
  });
});

describe("a project gets no folder of another one", () => {
  test("by naming its worktree, its submodule or its repository", () => {
    for (const folder of [".git/worktrees/worktree", ".git/modules/library", ".git", ""])
      expect(find(makeLinked("thief", `gitdir: ${at("main", folder)}\n`))).toEqual(closed);
  });
  test("by a link", () => {
    mkdirSync(at("linked"));
    symlinkSync(at("main/.git"), at("linked/.git"));
    expect(find(at("linked"))).toEqual(closed);
  });
  test("by a folder of its own that looks like one in a worktree list", () => {
    const root = makeLinked("worktrees/mine", `gitdir: ${at("worktrees/mine/inner")}\n`);
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner/gitdir"), join(root, ".git"));
    expect(find(root)).toEqual(closed);
    writeFileSync(join(root, ".git"), `gitdir: ${root}\n`);
    writeFileSync(join(root, "gitdir"), join(root, ".git"));
    expect(find(root)).toEqual(closed);
  });
  test("by a folder that is no git folder, whatever points back", () => {
    const root = makeLinked("pretender", `gitdir: ${at("other/worktrees/x")}\n`);
    mkdirSync(at("other/worktrees/x"), { recursive: true });
    writeFileSync(at("other/worktrees/x/gitdir"), join(root, ".git"));
    expect(find(root)).toEqual(closed);
  });
  test("whose hooks are a link, which could be replaced", () => {
    git(at("main"), "submodule", "add", "-q", at("library"), "linking");
    const hooks = at("main/.git/modules/linking/hooks");
    rmSync(hooks, { recursive: true, force: true });
    mkdirSync(at("shared-hooks"));
    symlinkSync(at("shared-hooks"), hooks);
    expect(find(at("main/linking"))).toEqual(closed);
  });
  test("by an unreadable text", () => {
    for (const text of ["", "gitdir:", "gitdir: \n", "gitdir: /nowhere\n", "x".repeat(70_000)])
      expect(find(makeLinked("odd", text))).toEqual(closed);
  });
  test("because the user's home is a repository", () => {
    makeRepository(home);
    expect(find(at("plain"))).toEqual(closed);
  });
});

const trial = makeSandbox({ environment: process.env, home: "/nowhere", setting: () => null });
const { works, why } = await trial.state();

describe.skipIf(!works)(`in the real sandbox${works ? "" : ` (skipped: ${why})`}`, () => {
  const runIn = async (root: string, command: string): Promise<string> => {
    const sandbox = makeSandbox({
      environment: { ...environment, NODE_ENV: "test" },
      home: "/nowhere",
      setting: () => ({ network: false }),
    });
    const shell = makeShell({ root, environment: () => environment, sandbox: sandbox.fence });
    let output = "";
    const options = { timeoutMs: 20_000, onOutput: (text: string) => void (output += text) };
    const { sandboxed } = await shell.run(command, options, new AbortController().signal);
    expect(sandboxed).toEqual({ network: false });
    return output;
  };
  test.each(["worktree", "main/library"])("%s can be committed, but no hook is written", async (name) => {
    expect(await runIn(at(name), "date > new.txt && git add new.txt && git commit -qm second")).toBe("");
    expect(git(at(name), "log", "--format=%s", "-1")).toBe("second\n");
    const escape =
      'd=$(git rev-parse --path-format=absolute --git-common-dir); echo x > "$d/hooks/pre-commit"; echo x >> "$d/config"; mv "$d/hooks" "$d/h"';
    expect(await runIn(at(name), escape)).toMatch(/(?:.*(?:Read-only file system|resource busy).*\n){3}/);
    const folder = git(at(name), "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
    expect(existsSync(join(folder, "hooks/pre-commit"))).toBe(false);
    expect(git(at(name), "status", "--short", ".")).toBe("");
  });
  test("a folder of a repository cannot change how git runs in the repository", async () => {
    expect(await runIn(at("main/packages/a"), "echo /tmp > ../../.git/commondir")).toMatch(/Read-only file system/);
    expect(await runIn(at("main/packages/a"), "git log --format=%s && git commit --allow-empty -m x")).toMatch(
      /^first\n[^]*Read-only file system/,
    );
  });
});
