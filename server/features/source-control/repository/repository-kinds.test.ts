import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import { makeTestSourceControl, unwrapValue } from "../test-source-control";

const client = { id: asId<ClientId>("c1"), access: "owner" as const, join() {}, leave() {} };

/** A repository with a commit, and a function that opens another folder as a trusted project. */
async function withCommit() {
  const source = await makeTestSourceControl();
  const { put, git, core, top, environment } = source;
  put("a.txt", "1\n2\n3\n4\n");
  put("dir/b.txt", "b\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  const openAt = async (root: string) => {
    const opened = unwrapValue(await core.projects.open(root));
    const projectId: ProjectId = opened.project.id;
    core.store.projects.setTrust(projectId, 1);
    const gitThere = (...words: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        ...{ cwd: root, env: environment, encoding: "utf8" as const, stdio: ["ignore", "pipe", "ignore"] as const },
      });
    return { root, projectId, opened, git: gitThere };
  };
  return { ...source, openAt, beside: join(top, "..") };
}

type TestSource = Awaited<ReturnType<typeof withCommit>>;
type Other = Awaited<ReturnType<TestSource["openAt"]>>;

/** Stages a line, commits, stashes, switches, and reads history and blame, all in one project. */
async function useEverything({ commands }: TestSource, { projectId, root, git }: Other): Promise<void> {
  git("config", "user.name", "a");
  git("config", "user.email", "a@b");
  const path = "a.txt";
  const target = { projectId, path, isUntracked: false };
  writeFileSync(join(root, path), "1\ntwo\n3\nfour\n");
  const { hash } = unwrapValue(await commands["source.diff"]({ ...target, side: "changed" }));
  const lines = { old: [2], new: [2] };
  unwrapValue(await commands["source.change_lines"]({ ...target, side: "changed", hash, lines }));
  expect(git("show", ":a.txt")).toBe("1\ntwo\n3\n4\n");
  const form = { projectId, message: "second", amend: false, signOff: false, hooks: "skip" as const };
  const { commit } = unwrapValue(await commands["source.commit"](form));
  expect(git("rev-parse", "HEAD").trim()).toBe(commit);
  const order = { projectId, message: "", stagedOnly: false, includeUntracked: false };
  const { id } = unwrapValue(await commands["source.stash"](order));
  unwrapValue(await commands["source.switch"]({ projectId, branch: "from-here", from: "HEAD" }));
  unwrapValue(await commands["source.stash_pop"]({ projectId, id }));
  unwrapValue(await commands["source.discard"]({ projectId, paths: [path] }));
  expect(readFileSync(join(root, path), "utf8")).toBe("1\ntwo\n3\n4\n");
  unwrapValue(await commands["source.discard"]({ projectId, paths: [path] }));
  expect(unwrapValue(await commands["source.status"]({ projectId }))).toMatchObject({
    branch: { name: "from-here" },
    changed: [],
    staged: [],
    stashes: 0,
  });
  git("mv", "a.txt", "moved.txt");
  git("commit", "-qm", "moved");
  const log = unwrapValue(await commands["source.log"]({ projectId, file: "moved.txt" }, client));
  expect(log.commits.map((one) => [one.subject, one.path])).toEqual([
    ["moved", "moved.txt"],
    ["second", "a.txt"],
    ["first", "a.txt"],
  ]);
  const blame = unwrapValue(await commands["source.blame"]({ projectId, path: "moved.txt" }));
  expect(blame.runs.map((run) => blame.commits[run.commit ?? 0]?.subject)).toEqual(["first", "second", "first"]);
}

describe("a project that is", () => {
  test("a linked work tree has an index and a branch of its own, and the commits of the repository", async () => {
    const source = await withCommit();
    source.git("worktree", "add", "-q", "-b", "side", join(source.beside, "树"));
    await useEverything(source, await source.openAt(join(source.beside, "树")));
    expect((await source.status()).branch.name).toBe("main");
    expect(source.git("rev-parse", "from-here^").trim()).toBe(source.git("rev-parse", "side").trim());
    const lock = join(source.top, ".git/worktrees/树/index.lock");
    writeFileSync(lock, "");
    const tree = await source.openAt(join(source.beside, "树"));
    writeFileSync(join(tree.root, "new.txt"), "");
    const refused = await source.commands["source.stage"]({ projectId: tree.projectId, paths: ["new.txt"] });
    expect(refused).toMatchObject({ error: { code: "git_locked", facts: { path: lock } } });
    source.put("new.txt", "");
    unwrapValue(await source.commands["source.stage"]({ projectId: source.projectId, paths: ["new.txt"] }));
  });

  test("a submodule is a repository of its own", async () => {
    const source = await withCommit();
    source.git("clone", "-q", source.top, join(source.beside, "library"));
    source.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", join(source.beside, "library"), "库");
    source.git("commit", "-qm", "submodule");
    await useEverything(source, await source.openAt(join(source.top, "库")));
    expect((await source.status()).changed).toEqual([{ path: "库", change: "modified", isSubmodule: true }]);
  });

  test("a repository with SHA-256 is used like any other", async () => {
    const source = await withCommit();
    const root = join(source.beside, "sha256");
    mkdirSync(root);
    const other = await source.openAt(root);
    other.git("init", "-q", "-b", "main", "--object-format=sha256");
    writeFileSync(join(root, "a.txt"), "1\n2\n3\n4\n");
    other.git("add", "-A");
    other.git("commit", "-qm", "first");
    await useEverything(source, other);
    expect(other.git("rev-parse", "HEAD").trim()).toHaveLength(64);
  });

  test("a bare repository says so, whatever is above it", async () => {
    const source = await withCommit();
    source.git("clone", "-q", "--bare", source.top, join(source.top, "bare.git"));
    const { projectId } = await source.openAt(join(source.top, "bare.git"));
    expect(unwrapValue(await source.commands["source.status"]({ projectId }))).toEqual({ kind: "none", why: "bare" });
  });

  test("a sparse checkout lists no file that is not checked out, and git's text says why one is not staged", async () => {
    const { git, put, status, commands, projectId, root } = await withCommit();
    git("sparse-checkout", "set", "--cone", "other");
    expect(await status()).toMatchObject({ changed: [], staged: [] });
    mkdirSync(join(root, "dir"));
    put("dir/new.txt", "n\n");
    expect(await commands["source.stage"]({ projectId, paths: ["dir/new.txt"] })).toMatchObject({
      error: { code: "tool_failed", detail: expect.stringMatching(/sparse-checkout/) },
    });
  });
});

const hasLfs = spawnSync("git", ["lfs", "version"]).status === 0;

// Needs Git LFS, whose filter is in the user's settings.
test.skipIf(!hasLfs)("a file of Git LFS is staged as the pointer that git itself stores", async () => {
  const { git, put, commands, projectId, staged } = await withCommit();
  git("lfs", "install", "--skip-repo");
  put(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
  put("a.bin", "content\n");
  put("b.bin", "content\n");
  unwrapValue(await commands["source.stage"]({ projectId, paths: [".gitattributes", "a.bin"] }));
  git("add", "b.bin");
  expect(staged("a.bin")).toBe(staged("b.bin"));
  expect(staged("a.bin")).toContain("git-lfs.github.com/spec");
});

test("in a repository of another user git's text names the command that allows its hooks, and nothing else is hindered", async () => {
  const source = await makeTestSourceControl();
  const { git, put, commands, projectId, settings, environment, top } = source;
  git("config", "user.name", "a");
  git("config", "user.email", "a@b");
  put("a.txt", "1\n");
  writeFileSync(join(top, ".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
  // Git's own switch for its tests.
  Object.assign(environment, { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
  settings.current = { ...settings.current, shellEnvironment: ["GIT_TEST_ASSUME_DIFFERENT_OWNER"] };
  unwrapValue(await commands["source.stage"]({ projectId, paths: ["a.txt"] }));
  const { hooksHash } = unwrapValue(await commands["source.commit_facts"]({ projectId }));
  const form = { projectId, message: "x", amend: false, signOff: false };
  expect(await commands["source.commit"]({ ...form, hooks: "run", hooksHash })).toMatchObject({
    error: { code: "tool_failed", detail: expect.stringMatching(/git config --global --add safe\.directory/) },
  });
  unwrapValue(await commands["source.commit"]({ ...form, hooks: "skip" }));
});
