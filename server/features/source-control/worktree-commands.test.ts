import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId } from "@/lib/events/id";
import { measureFolder } from "@/server/workspace/git/worktrees/folder-size";
import { makeTestSourceControl, unwrapValue } from "./test-source-control";

async function withCommit() {
  const source = await makeTestSourceControl();
  source.git("config", "user.name", "a");
  source.git("config", "user.email", "a@b");
  source.put("a.txt", "one\n");
  source.put(".gitignore", ".env\nbuild/\nlocal.json\n");
  source.git("add", "-A");
  source.git("commit", "-qm", "first");
  const { commands, projectId } = source;
  return {
    ...source,
    create: async (name: string, files: string[] = []) =>
      unwrapValue(await commands["worktree.create"]({ projectId, name, files })),
    list: async () => unwrapValue(await commands["worktree.list"]({ projectId })),
    remove: (name: string, confirmed?: string) => commands["worktree.remove"]({ projectId, name, confirmed }),
    merge: (name: string, from = projectId) => commands["worktree.merge"]({ projectId: from, name }),
    /** Commits all files of a work tree. */
    commitIn(path: string, files: Readonly<Record<string, string>>): void {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
      source.git("-C", path, "add", "-A");
      source.git("-C", path, "commit", "-qm", "in a work tree");
    },
  };
}

test("a work tree is a trusted project of its own, with the chosen ignored files", async () => {
  const source = await withCommit();
  const { put, root, list, create, status } = source;
  put(".env", "KEY=secret\n");
  put("local.json", "{}\n");
  put("build/out.js", "x\n");
  chmodSync(join(root, "local.json"), 0o600);
  const listed = await list();
  expect(listed).toEqual({
    worktrees: [],
    into: "main",
    orphans: [],
    ignored: [
      { path: ".env", isProtected: true },
      { path: "local.json", isProtected: false },
    ],
  });
  const { view, uncopied } = await create("Fix: the 价格 Parser!", ["local.json", "missing.txt", "../outside"]);
  const { path, id, trustedAt } = view.project;
  expect(uncopied).toMatchObject([
    { path: "missing.txt", code: "not_found" },
    { path: "../outside", code: "outside" },
  ]);
  expect(trustedAt).toEqual(expect.any(Number));
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("one\n");
  expect(statSync(join(path, "local.json")).mode & 0o777).toBe(0o600);
  expect(existsSync(join(path, ".env"))).toBe(false);
  expect(view.branch).toBe("gopi/fix-the-价格-parser");
  expect((await list()).worktrees).toMatchObject([
    { path, name: "fix-the-价格-parser", projectId: id, changes: 0, commits: 0, sessions: 0 },
  ]);
  writeFileSync(join(path, "a.txt"), "two\n");
  expect(await status()).toMatchObject({ changed: [], branch: { name: "main" } });
  const inside = unwrapValue(await source.commands["source.status"]({ projectId: id }));
  expect(inside).toMatchObject({ changed: [{ path: "a.txt" }], branch: { name: "gopi/fix-the-价格-parser" } });
});

test("names that are taken get a number; the hooks and filters of the repository are not run; at most eight", async () => {
  const { root, home, git, create, commands, projectId } = await withCommit();
  const mark = join(home, "mark");
  writeFileSync(join(root, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  git("config", "filter.evil.smudge", `touch '${mark}'; cat`);
  writeFileSync(join(root, ".git/info/attributes"), "*.txt filter=evil\n");
  const names: (string | null)[] = [];
  for (let count = 0; count < 8; count += 1) names.push((await create(count === 7 ? "--" : "same")).view.branch);
  expect(names).toEqual(["gopi/same", ...[2, 3, 4, 5, 6, 7].map((number) => `gopi/same-${number}`), "gopi/work"]);
  expect(existsSync(mark)).toBe(false);
  expect(await commands["worktree.create"]({ projectId, name: "ninth", files: [] })).toMatchObject({
    error: { code: "too_many" },
  });
});

test("one without changes and commits goes with its branch", async () => {
  const { create, remove, list, git } = await withCommit();
  const { view } = await create("done");
  mkdirSync(join(view.project.path, "build"));
  writeFileSync(join(view.project.path, "build/out.js"), "ignored\n");
  expect(unwrapValue(await remove("done"))).toEqual({ isStashed: false });
  expect([(await list()).worktrees, existsSync(view.project.path)]).toEqual([[], false]);
  expect(git("branch", "--list", "gopi/*")).toBe("");
});

test("the work tree of the project itself is not removed", async () => {
  const { create, commands } = await withCommit();
  const { view } = await create("here");
  const input = { projectId: view.project.id, name: "here" };
  expect(await commands["worktree.remove"](input)).toMatchObject({ error: { code: "busy" } });
  expect(existsSync(view.project.path)).toBe(true);
});

test("changes and commits need the name; then changes are stashed and the branch stays", async () => {
  const { create, remove, list, git } = await withCommit();
  const { view } = await create("busy");
  const { path } = view.project;
  writeFileSync(join(path, "a.txt"), "two\n");
  writeFileSync(join(path, "new 文件.txt"), "new\n");
  git("-C", path, "commit", "-qm", "own", "--allow-empty");
  const refused = { error: { code: "not_merged", facts: { files: 2, commits: 1 } } };
  expect(await remove("busy")).toMatchObject(refused);
  expect(await remove("busy", "other")).toMatchObject(refused);
  expect(unwrapValue(await remove("busy", "busy"))).toEqual({ isStashed: true });
  expect([(await list()).worktrees, existsSync(path)]).toEqual([[], false]);
  expect(git("branch", "--list", "gopi/*").trim()).toBe("gopi/busy");
  git("checkout", "-q", "gopi/busy");
  git("stash", "pop", "-q");
  expect(git("status", "--porcelain", "-z").split("\0").length).toBe(3);
});

test("a work tree whose folder is gone is listed and can be removed; others are not touched", async () => {
  const { create, remove, list, git, home } = await withCommit();
  const { view } = await create("gone");
  rmSync(view.project.path, { recursive: true });
  git("worktree", "add", "-q", "-b", "mine", join(home, "mine"));
  expect((await list()).worktrees).toMatchObject([{ name: "gone", changes: null, createdAt: null }]);
  expect(await remove("mine")).toMatchObject({ error: { code: "not_found" } });
  unwrapValue(await remove("gone"));
  expect((await list()).worktrees).toEqual([]);
});

test("an untrusted project and one without a commit have none", async () => {
  const { commands, projectId, untrust } = await makeTestSourceControl();
  const input = { projectId, name: "x", files: [] };
  expect(await commands["worktree.create"](input)).toMatchObject({ error: { code: "no_commit" } });
  untrust();
  expect(await commands["worktree.create"](input)).toMatchObject({ error: { code: "untrusted" } });
  expect(await commands["worktree.list"]({ projectId })).toMatchObject({ error: { code: "untrusted" } });
});

test("is merged into the branch of the project, also from its own project; conflicts are there", async () => {
  const { create, list, merge, commitIn, read, git, projectId, status, runs, core } = await withCommit();
  const [first, second] = [(await create("first")).view.project, (await create("second")).view.project];
  commitIn(first.path, { "a.txt": "first\n" });
  commitIn(second.path, { "a.txt": "second\n" });
  const [row] = (await list()).worktrees;
  expect(row).toMatchObject({
    commits: 1,
    fork: git("rev-parse", "HEAD").trim(),
    head: git("rev-parse", "gopi/first").trim(),
  });
  writeFileSync(join(first.path, "b.txt"), "not committed\n");
  expect(await merge("first")).toMatchObject({ error: { code: "local_changes", facts: { path: "b.txt" } } });
  rmSync(join(first.path, "b.txt"));
  const created = unwrapValue(await core.sessions.create({ projectId, commandId: asId("k1") }, { id: asId("client") }));
  runs.push(created.row.id);
  expect(await merge("first")).toMatchObject({ error: { code: "busy" } });
  runs.length = 0;
  expect(unwrapValue(await merge("first", first.id))).toEqual({ conflicts: 0, operation: null, projectId });
  expect(read("a.txt").toString()).toBe("first\n");
  expect(unwrapValue(await merge("second", first.id))).toMatchObject({ conflicts: 1, operation: { kind: "merge" } });
  expect(await status()).toMatchObject({ conflicts: [{ path: "a.txt" }] });
  expect(await merge("second")).toMatchObject({ error: { code: "git_unfinished" } });
  expect(await merge("third")).toMatchObject({ error: { code: "not_found" } });
  expect(readFileSync(join(second.path, "a.txt"), "utf8")).toBe("second\n");
});

test("the session that was used last and the size are known", async () => {
  const { create, list, core, commands, projectId } = await withCommit();
  const { project } = (await create("sized")).view;
  const made = await core.sessions.create({ projectId: project.id, commandId: asId("k1") }, { id: asId("client") });
  const { row } = unwrapValue(made);
  expect((await list()).worktrees).toMatchObject([{ sessions: 1, session: { id: row.id } }]);
  writeFileSync(join(project.path, "large"), "x".repeat(100_000));
  const { sizes } = unwrapValue(await commands["worktree.sizes"]({ projectId }));
  expect(sizes).toEqual([{ name: "sized", bytes: expect.any(Number), isPartial: false }]);
  expect(sizes[0]?.bytes).toBeGreaterThan(100_000);
  expect(sizes[0]?.bytes).toBeLessThan(101_000);
  const measured = await measureFolder(project.path, new AbortController().signal, 1);
  expect(measured.isPartial).toBe(true);
});

test("folders that no repository has any more are named, and stay as they are", async () => {
  const { create, list, root, home } = await withCommit();
  const { path } = (await create("lost")).view.project;
  await create("kept");
  writeFileSync(join(path, "work.txt"), "hours\n");
  rmSync(join(root, ".git/worktrees/lost"), { recursive: true });
  mkdirSync(join(home, "worktrees/0123/other 树"), { recursive: true });
  const { orphans, worktrees } = await list();
  expect(orphans.map(({ path: folder }) => folder).sort()).toEqual(
    [join(home, "worktrees/0123/other 树"), path].sort(),
  );
  expect(worktrees.map(({ name }) => name)).toEqual(["kept"]);
  expect(readFileSync(join(path, "work.txt"), "utf8")).toBe("hours\n");
});

test("commits without a branch are own commits of a work tree, and not removed unasked", async () => {
  const { create, list, remove, commitIn, git } = await withCommit();
  const { path } = (await create("detached")).view.project;
  git("-C", path, "switch", "-q", "--detach");
  commitIn(path, { "a.txt": "two\n" });
  expect((await list()).worktrees).toMatchObject([{ branch: null, commits: 1 }]);
  expect(await remove("detached")).toMatchObject({ error: { code: "not_merged", facts: { files: 0, commits: 1 } } });
  expect(existsSync(path)).toBe(true);
  const commit = git("-C", path, "rev-parse", "HEAD").trim();
  unwrapValue(await remove("detached", "detached"));
  expect(git("branch", "--contains", commit).trim()).toBe(`detached-${commit.slice(0, 10)}`);
});
