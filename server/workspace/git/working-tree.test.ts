import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PathPolicy } from "@/server/security/paths/safe-path";
import { makeTestRepository } from "../__fixtures__/repository";
import { makeFiles } from "../files/files";
import { readCommittedText } from "./committed-text";
import { parseGitStatus, readWorkingTree } from "./working-tree";

const never = new AbortController().signal;

function makeRepository(trusted = true) {
  const { home, root, put, git, environment } = makeTestRepository();
  const policy: PathPolicy = { root, protectedNames: [] };
  const readCommitted = async (path: string) => {
    const found = await readCommittedText({ root, trusted: () => trusted }, path, environment, never);
    if (!found.ok) throw new Error(found.error.code);
    return found.value;
  };
  const readTree = async (more: NodeJS.Dict<string> = {}) => {
    const files = makeFiles(policy);
    const project = { root, files, policy: () => policy, trusted: () => trusted };
    const found = await readWorkingTree(project, { ...environment, ...more }, never);
    if (!found.ok) throw new Error(`${found.error.code}: ${found.error.detail}`);
    return found.value;
  };
  return { home, root, put, git, readTree, readCommitted };
}

describe("the working tree", () => {
  test("lists differences from the last commit, staged or not, with untracked files", async () => {
    const { put, git, readTree } = makeRepository();
    git("init", "-q", "-b", "main");
    put("a.txt", "one\ntwo\n");
    put("gone.txt", "x\n");
    put("same.txt", "y\n");
    put(".gitignore", "out/\n");
    git("add", ".");
    git("commit", "-qm", "first");
    put("a.txt", "one\nthree\n");
    git("add", "a.txt");
    put("a.txt", "one\nthree\nfour\n");
    put('new folder/é "b".txt', "b\n");
    put("out/made.txt", "no\n");
    git("rm", "-q", "gone.txt");
    expect(await readTree()).toMatchObject({
      kind: "changes",
      branch: "main",
      more: 0,
      files: [
        { path: "a.txt", kind: "changed", added: 2, removed: 1 },
        { path: "gone.txt", kind: "deleted", added: 0, removed: 1 },
        { path: 'new folder/é "b".txt', kind: "created", added: 1, removed: 0 },
      ],
    });
  });

  test("lists everything as new before the first commit; binary files and links have no lines", async () => {
    const { root, put, git, readTree } = makeRepository();
    git("init", "-q", "-b", "main");
    put("a.txt", "a\n");
    put("b.bin", "a\0b");
    symlinkSync("a.txt", join(root, "link"));
    git("add", "a.txt");
    const found = await readTree();
    expect(found).toMatchObject({
      files: [
        { path: "a.txt", kind: "created", added: 1 },
        { path: "b.bin", kind: "created", why: "binary" },
        { path: "link", kind: "created" },
      ],
    });
  });

  test("is none without a repository of its own, also inside another repository", async () => {
    const { home, readTree } = makeRepository();
    execFileSync("git", ["init", "-q", home]);
    expect(await readTree()).toEqual({ kind: "none", why: "above" });
  });

  test("reports missing git", async () => {
    const { git, readTree } = makeRepository();
    git("init", "-q");
    expect(await readTree({ PATH: "/nowhere" })).toEqual({ kind: "none", why: "no_git" });
  });

  test("reads an unfinished merge by our side", () => {
    const id = "a".repeat(40);
    const ourId = "b".repeat(40);
    const text = `u UU N... 100644 100644 100644 100644 ${id} ${ourId} ${id} both files.txt\0? new\nname.txt\0`;
    expect(parseGitStatus(text)).toEqual([
      { path: "both files.txt", object: ourId },
      { path: "new\nname.txt", object: null },
    ]);
  });
});

describe("a repository that tries to run programs", () => {
  /** Every git setting that names a program; each would leave a file in `marks` if it ran. */
  function plant() {
    const repository = makeRepository();
    const { home, root, put, git } = repository;
    const marks = join(home, "marks");
    mkdirSync(marks);
    const program = (name: string): string => {
      const path = join(home, `${name.replaceAll(/\W/g, "_")}.sh`);
      writeFileSync(path, `#!/bin/sh\ntouch '${marks}/${name}'\ncat\n`);
      chmodSync(path, 0o755);
      return path;
    };
    git("init", "-q", "-b", "main");
    put("a.txt", "one\n");
    put("sub/b.txt", "one\n");
    git("add", ".");
    git("commit", "-qm", "first");
    const attributes = ["*.txt diff=evil filter=evil", "a.txt filter=a=b", "sub/*.txt filter=included"];
    put(".gitattributes", `${attributes.join("\n")}\n`);
    const config = (text: string): void => appendFileSync(join(root, ".git/config"), text);
    config(
      `[core]\n\tfsmonitor = ${program("fsmonitor")}\n\tpager = ${program("pager")}\n\thooksPath = ${root}/hooks\n`,
    );
    config(`\tsshCommand = ${program("ssh")}\n\tworktree = ${home}\n`);
    config(`[diff]\n\texternal = ${program("external")}\n[diff "evil"]\n\ttextconv = ${program("textconv")}\n`);
    config(`\tcommand = ${program("command")}\n[filter "evil"]\n\tclean = ${program("clean")}\n\trequired\n`);
    config(`\tprocess = ${program("process")}\n[filter "a=b"]\n\tclean = ${program("equals")}\n`);
    config(`[alias]\n\tstatus = !${program("alias")}\n\tcat-file = !${program("alias2")}\n`);
    config(
      `[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = ${home}/included\n[pager]\n\tstatus = ${program("p2")}\n`,
    );
    writeFileSync(join(home, "included"), `[filter "included"]\n\tclean = ${program("included")}\n`);
    writeFileSync(
      join(root, ".git/config.worktree"),
      `[core]\n\tfsmonitor = ${program("worktree")}\n[filter "evil"]\n\tclean = ${program("clean2")}\n`,
    );
    for (const hook of ["post-index-change", "pre-commit", "post-checkout"]) {
      put(`hooks/${hook}`, `#!/bin/sh\ntouch '${marks}/${hook}'\n`);
      chmodSync(join(root, "hooks", hook), 0o755);
      writeFileSync(join(root, ".git/hooks", hook), `#!/bin/sh\ntouch '${marks}/own-${hook}'\n`, { mode: 0o755 });
    }
    put("a.txt", "two\n");
    put("sub/b.txt", "two\n");
    return { ...repository, marks };
  }

  test("runs nothing and is listed correctly", async () => {
    const { marks, readTree } = plant();
    const found = await readTree();
    expect(readdirSync(marks)).toEqual([]);
    expect(found).toMatchObject({ kind: "changes" });
    if (found.kind !== "changes") return;
    expect(found.files.map(({ path }) => path)).toEqual([
      ".gitattributes",
      "a.txt",
      "hooks/post-checkout",
      "hooks/post-index-change",
      "hooks/pre-commit",
      "sub/b.txt",
    ]);
    expect(found.files[1]).toMatchObject({ kind: "changed", added: 1, removed: 1 });
  });

  test("the same repository does run its programs under plain git, so the test is valid", () => {
    const { marks, git } = plant();
    expect(() => git("--work-tree=.", "status")).not.toThrow();
    expect(readdirSync(marks).length).toBeGreaterThan(0);
  });

  test("a missing object is not fetched", async () => {
    const { home, root, git, put, readTree } = makeRepository();
    git("init", "-q", "-b", "main");
    put("a.txt", "one\n");
    git("add", ".");
    git("commit", "-qm", "first");
    const object = git("rev-parse", "HEAD:a.txt").trim();
    rmSync(join(root, ".git/objects", object.slice(0, 2), object.slice(2)));
    writeFileSync(join(home, "fetch.sh"), `#!/bin/sh\ntouch ${home}/mark\n`, { mode: 0o755 });
    appendFileSync(
      join(root, ".git/config"),
      `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\tpromisor = true\n` +
        `\turl = ext::${home}/fetch.sh\n[protocol "ext"]\n\tallow = always\n`,
    );
    put("a.txt", "two\n");
    const found = await readTree().catch((error: unknown) => error);
    expect(readdirSync(home)).not.toContain("mark");
    expect(found).toBeDefined();
  });

  test("git variables in the environment have no effect", async () => {
    const { home, git, put, readTree } = makeRepository();
    git("init", "-q", "-b", "main");
    put("a.txt", "a\n");
    const found = await readTree({
      GIT_DIR: "/nowhere",
      GIT_WORK_TREE: home,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: `touch ${home}/mark`,
      GIT_EXTERNAL_DIFF: "false",
    });
    expect(found).toMatchObject({ files: [{ path: "a.txt" }] });
    expect(readdirSync(home)).not.toContain("mark");
  });

  test("git is not run in an untrusted folder", async () => {
    const { root, git, readTree } = makeRepository(false);
    git("init", "-q");
    expect(await readTree({ PATH: root })).toEqual({ kind: "untrusted" });
  });
});

describe("the committed text of a file", () => {
  test("is that of the last commit, without filters of the repository", async () => {
    const { root, put, git, readCommitted } = makeRepository();
    git("init", "-q", "-b", "main");
    put("src/a b.txt", "one\n");
    put("bytes.bin", "\0\0\0");
    git("add", ".");
    git("commit", "-qm", "first");
    put("src/a b.txt", "two\n");
    put("new.txt", "x");
    put(".gitattributes", "*.txt filter=evil\n");
    git("config", "filter.evil.smudge", "touch evil");
    expect(await readCommitted("src/a b.txt")).toBe("one\n");
    expect(await readCommitted("new.txt")).toBeNull();
    expect(await readCommitted("src")).toBeNull();
    expect(await readCommitted("bytes.bin")).toBeNull();
    expect(await readCommitted("new.txt\nHEAD:src/a b.txt")).toBeNull();
    expect(readdirSync(root)).not.toContain("evil");
  });

  test("is not read without a repository, before the first commit, and in an untrusted folder", async () => {
    const { put, git, readCommitted } = makeRepository();
    put("a.txt", "one");
    expect(await readCommitted("a.txt")).toBeNull();
    git("init", "-q", "-b", "main");
    expect(await readCommitted("a.txt")).toBeNull();
    const other = makeRepository(false);
    other.git("init", "-q", "-b", "main");
    other.put("a.txt", "one");
    other.git("add", ".");
    other.git("commit", "-qm", "first");
    expect(await other.readCommitted("a.txt")).toBeNull();
  });
});
