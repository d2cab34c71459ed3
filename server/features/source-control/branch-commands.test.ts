import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands as schemas } from "@/lib/protocol/command";
import { asId } from "@/lib/events/id";
import { makeTestSourceControl, unwrapValue } from "./test-source-control";

async function withCommit(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }) {
  const source = await makeTestSourceControl();
  const { commands, projectId, git, put } = source;
  git("config", "--global", "user.name", "a");
  git("config", "--global", "user.email", "a@b");
  const commit = (message: string, changed: Readonly<Record<string, string>>): string => {
    for (const [path, content] of Object.entries(changed)) put(path, content);
    git("add", "-A");
    git("commit", "-qm", message, "--allow-empty");
    return git("rev-parse", "HEAD").trim();
  };
  const first = commit("first", files);
  return {
    ...source,
    first,
    commit,
    /** Creates a branch with a commit, and returns to main. */
    branch(name: string, changed: Readonly<Record<string, string>>): string {
      git("checkout", "-qb", name);
      const id = commit(`on ${name}`, changed);
      git("checkout", "-q", "main");
      return id;
    },
    branches: async () => unwrapValue(await commands["source.branches"]({ projectId })).branches,
    switchTo: (branch: string, from?: string) => commands["source.switch"]({ projectId, branch, from }),
    merge: (branch: string) => commands["source.merge"]({ projectId, branch }),
    remove: (branch: string, force = false) => commands["source.delete_branch"]({ projectId, branch, force }),
    stash: (input: { message?: string; stagedOnly?: boolean; includeUntracked?: boolean } = {}) =>
      commands["source.stash"]({ projectId, message: "", stagedOnly: false, includeUntracked: true, ...input }),
    stashes: async () => unwrapValue(await commands["source.stashes"]({ projectId })).stashes,
    step: (step: "continue" | "skip" | "abort") => commands["source.step"]({ projectId, step }),
    take: (path: string, side: "base" | "ours" | "theirs") => commands["source.take_side"]({ projectId, path, side }),
    statusText: () => git("-c", "core.quotepath=false", "status", "--porcelain", "-uall").trimEnd(),
  };
}

const failsWith = (code: string, facts: object = {}) => ({ ok: false, error: { code, facts } });
const refusedWith = (code: string) => ({ ok: false, error: { code } });

describe("branches", () => {
  test("commits of a detached HEAD get a branch when another one is checked out, unless something else has them", async () => {
    const { git, commit, branch, switchTo, first } = await withCommit();
    branch("other", { "b.txt": "b\n" });
    git("checkout", "-q", "--detach");
    expect(unwrapValue(await switchTo("other"))).toEqual({ kept: null });
    git("checkout", "-q", "--detach", first);
    const own = commit("own", { "c.txt": "c\n" });
    expect(unwrapValue(await switchTo("mine", "HEAD"))).toEqual({ kept: null });
    git("checkout", "-q", "--detach");
    git("branch", "-qD", "mine");
    const expected = `detached-${own.slice(0, 10)}`;
    expect(unwrapValue(await switchTo("main"))).toEqual({ kept: expected });
    expect(git("rev-parse", expected).trim()).toBe(own);
  });

  test("are listed with upstream, distance and work tree, the newest first", async () => {
    const { git, branches, branch, root, commit } = await withCommit();
    branch("功能/价格", { "b.txt": "b\n" });
    git("clone", "-q", "--bare", ".", "../remote.git");
    git("remote", "add", "origin", "../remote.git");
    git("fetch", "-q", "origin");
    git("remote", "set-head", "origin", "main");
    git("branch", "-q", "--set-upstream-to=origin/main");
    git("branch", "-q", "gone", "--track", "origin/main");
    git("config", "branch.gone.merge", "refs/heads/deleted");
    git("worktree", "add", "-q", "-b", "linked", "../linked\n树");
    commit("second", { "c.txt": "c\n" });
    const listed = await branches();
    expect(listed.find(({ name }) => name === "main")).toMatchObject({
      isCurrent: true,
      isRemote: false,
      upstream: "origin/main",
      ahead: 1,
      behind: 0,
      subject: "second",
      at: Number(git("log", "-1", "--format=%ct")) * 1_000,
      commit: git("rev-parse", "main").trim(),
    });
    expect(listed.find(({ name }) => name === "gone")).toMatchObject({ isUpstreamGone: true, isCurrent: false });
    expect(listed.find(({ name }) => name === "linked")).toMatchObject({ worktree: join(root, "../linked\n树") });
    expect(
      listed
        .filter(({ isRemote }) => isRemote)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["origin/main", "origin/功能/价格"]);
  });

  test("at most 1,000 are listed", async () => {
    const { git, commands, projectId, first, root, environment } = await withCommit();
    const refs = Array.from({ length: 1_050 }, (_, at) => `create refs/heads/b${at} ${first}\n`).join("");
    execFileSync("git", ["update-ref", "--stdin"], { cwd: root, env: environment, input: refs });
    expect(git("branch").split("\n").length).toBeGreaterThan(1_050);
    const listed = unwrapValue(await commands["source.branches"]({ projectId }));
    expect([listed.branches.length, listed.more]).toEqual([1_000, true]);
  });

  test("are switched and created, also from a remote one, which becomes the upstream", async () => {
    const { git, branch, switchTo, status, first, commands, projectId } = await withCommit();
    branch("side", { "b.txt": "b\n" });
    git("clone", "-q", "--bare", ".", "../remote.git");
    git("remote", "add", "origin", "../remote.git");
    git("fetch", "-q", "origin");
    unwrapValue(await switchTo("side"));
    expect(await status()).toMatchObject({ branch: { name: "side" } });
    unwrapValue(await switchTo("新", "origin/main"));
    expect(await status()).toMatchObject({ branch: { name: "新", upstream: "origin/main" } });
    unwrapValue(await switchTo("from-id", first));
    unwrapValue(await switchTo("from-head", "HEAD"));
    expect(git("branch", "--show-current").trim()).toBe("from-head");
    unwrapValue(await commands["source.create_branch"]({ projectId, branch: "other", from: "side" }));
    expect(git("rev-parse", "other")).toBe(git("rev-parse", "side"));
    expect(await switchTo("side", "HEAD")).toMatchObject(failsWith("exists", { name: "side" }));
    expect(await switchTo("missing")).toMatchObject(refusedWith("not_found"));
    expect(await switchTo("x", "missing")).toMatchObject(refusedWith("not_found"));
    expect(await switchTo("a..b", "HEAD")).toMatchObject(failsWith("bad_input", { field: "branch" }));
    expect(await switchTo("HEAD", "HEAD")).toMatchObject(failsWith("bad_input", { field: "branch" }));
  });

  test("names that git could take for options or expressions are refused at the border", () => {
    const schema = schemas["source.switch"].input;
    for (const name of ["-f", "@{-1}", "HEAD~1", "a b", "a\0b", "a:b", "^x", "", "@"])
      expect(schema.safeParse({ projectId: "p1", branch: name }).success, name).toBe(false);
    for (const name of ["main", "功能/价格", "a@b", "v1.0-x"])
      expect(schema.safeParse({ projectId: "p1", branch: name }).success, name).toBe(true);
  });

  test("a switch overwrites neither changes nor untracked nor ignored files", async () => {
    const { put, branch, switchTo, statusText, read, root } = await withCommit();
    branch("side", { "a.txt": "side\n", "new 名.txt": "side\n", "ignored.log": "side\n" });
    put("a.txt", "mine\n");
    expect(await switchTo("side")).toMatchObject(failsWith("local_changes", { path: "a.txt" }));
    put("a.txt", "one\n");
    put("new 名.txt", "mine\n");
    expect(await switchTo("side")).toMatchObject(failsWith("local_changes", { path: "new 名.txt" }));
    rmSync(join(root, "new 名.txt"));
    put(".git/info/exclude", "*.log\n");
    put("ignored.log", "mine\n");
    expect(await switchTo("side")).toMatchObject(failsWith("local_changes", { path: "ignored.log" }));
    expect(read("ignored.log").toString()).toBe("mine\n");
    expect(statusText()).toBe("");
  });

  test("are renamed and deleted; one that is not merged only on request, and it can be created again", async () => {
    const { git, branch, commands, projectId, remove, first } = await withCommit();
    const id = branch("side", { "b.txt": "b\n" });
    git("branch", "merged");
    const rename = (name: string, to: string) => commands["source.rename_branch"]({ projectId, branch: name, to });
    expect(await rename("side", "merged")).toMatchObject(failsWith("exists", { name: "merged" }));
    unwrapValue(await rename("side", "边"));
    unwrapValue(await rename("main", "trunk"));
    expect(unwrapValue(await remove("merged"))).toEqual({ commit: first });
    expect(await remove("边")).toMatchObject(failsWith("not_merged", { commits: 1 }));
    expect(await remove("trunk", true)).toMatchObject(refusedWith("tool_failed"));
    expect(unwrapValue(await remove("边", true))).toEqual({ commit: id });
    unwrapValue(await commands["source.create_branch"]({ projectId, branch: "边", from: id }));
    expect(git("rev-parse", "边").trim()).toBe(id);
  });

  test("are merged: forward, with a commit, with conflicts, and not over local changes", async () => {
    const { git, branch, commit, merge, put, switchTo } = await withCommit({ "a.txt": "one\n", "b.txt": "one\n" });
    branch("forward", { "f.txt": "f\n" });
    expect(unwrapValue(await merge("forward"))).toEqual({ conflicts: 0, operation: null });
    branch("side", { "s.txt": "s\n" });
    branch("clash", { "a.txt": "clash\n" });
    commit("main", { "a.txt": "main\n" });
    expect(unwrapValue(await merge("side"))).toEqual({ conflicts: 0, operation: null });
    expect(git("log", "-1", "--format=%s").trim()).toBe("Merge branch 'side'");
    put("a.txt", "mine\n");
    expect(await merge("clash")).toMatchObject(failsWith("local_changes", { path: "a.txt" }));
    git("checkout", "-q", "--", "a.txt");
    expect(unwrapValue(await merge("clash"))).toEqual({ conflicts: 1, operation: { kind: "merge" } });
    expect(await merge("side")).toMatchObject(refusedWith("git_unfinished"));
    expect(await switchTo("side")).toMatchObject(refusedWith("git_unfinished"));
  });

  test("a file that a filter of the repository converts is not switched or merged", async () => {
    const { git, branch, switchTo, merge, stash, put } = await withCommit({ "a.txt": "one\n", "k.key": "one\n" });
    branch("side", { "k.key": "two\n" });
    branch("plain", { "a.txt": "two\n" });
    branch("attributes", { ".gitattributes": "* text\n" });
    git("config", "filter.vault.smudge", "cat");
    put(".git/info/attributes", "*.key filter=vault\n");
    expect(await switchTo("side")).toMatchObject(failsWith("filter_off", { path: "k.key", name: "vault" }));
    expect(await merge("side")).toMatchObject(failsWith("filter_off", { path: "k.key" }));
    expect(await switchTo("attributes")).toMatchObject(failsWith("filter_off", { path: ".gitattributes" }));
    unwrapValue(await switchTo("plain"));
    put("k.key", "mine\n");
    expect(await stash()).toMatchObject(failsWith("filter_off", { path: "k.key" }));
  });

  test("before the first commit there is nothing to switch to", async () => {
    const { commands, projectId } = await makeTestSourceControl();
    expect(await commands["source.switch"]({ projectId, branch: "x", from: "HEAD" })).toMatchObject(
      refusedWith("no_commit"),
    );
    const input = { projectId, message: "", stagedOnly: false, includeUntracked: true };
    expect(await commands["source.stash"](input)).toMatchObject(refusedWith("no_commit"));
    expect(unwrapValue(await commands["source.branches"]({ projectId }))).toEqual({ branches: [], more: false });
    expect(unwrapValue(await commands["source.stashes"]({ projectId }))).toEqual({ stashes: [] });
  });
});

describe("a stash", () => {
  test("keeps staged, changed and untracked files, and is popped as it was", async () => {
    const { put, git, stash, stashes, commands, projectId, statusText, first } = await withCommit({
      "a.txt": "one\n",
      "b.txt": "one\n",
    });
    put("a.txt", "staged\n");
    git("add", "a.txt");
    put("b.txt", "changed\n");
    put("新/c.txt", "untracked\n");
    const before = statusText();
    const { id } = unwrapValue(await stash({ message: "my 工作: half" }));
    expect(statusText()).toBe("");
    const [one] = await stashes();
    expect(one).toMatchObject({ id, parent: first, branch: "main", message: "my 工作: half" });
    expect(git("ls-tree", "-r", "-z", "--name-only", one?.untracked ?? "")).toContain("c.txt");
    expect(unwrapValue(await commands["source.stash_pop"]({ projectId, id }))).toEqual({
      conflicts: 0,
      operation: null,
    });
    expect(statusText()).toBe(before);
    expect(await stashes()).toEqual([]);
    expect(await commands["source.stash_pop"]({ projectId, id })).toMatchObject(refusedWith("not_found"));
  });

  test("is named by its id when others were added, and a dropped one is put back", async () => {
    const { put, git, stash, stashes, commands, projectId, read } = await withCommit();
    put("a.txt", "first\n");
    const { id } = unwrapValue(await stash({ message: "first" }));
    put("a.txt", "second\n");
    git("stash", "push", "-q", "-m", "second");
    const dropped = unwrapValue(await commands["source.stash_drop"]({ projectId, id }));
    expect((await stashes()).map(({ message }) => message)).toEqual(["second"]);
    unwrapValue(await commands["source.stash_store"]({ projectId, ...dropped }));
    expect((await stashes()).map(({ message, branch }) => [message, branch])).toEqual([
      ["first", "main"],
      ["second", "main"],
    ]);
    unwrapValue(await commands["source.stash_apply"]({ projectId, id }));
    expect(read("a.txt").toString()).toBe("first\n");
    expect(await stashes()).toHaveLength(2);
    const notStash = { projectId, id: git("rev-parse", "HEAD").trim(), message: "x" };
    expect(await commands["source.stash_store"](notStash)).toMatchObject(refusedWith("not_found"));
  });

  test("of staged changes is refused for a file that has others", async () => {
    const { put, git, stash, statusText } = await withCommit({ "a.txt": "one\n", "b.txt": "one\n" });
    put("a.txt", "staged\n");
    put("b.txt", "changed\n");
    git("add", "a.txt");
    put("a.txt", "staged and changed\n");
    expect(await stash({ stagedOnly: true })).toMatchObject(failsWith("local_changes", { path: "a.txt" }));
    put("a.txt", "staged\n");
    unwrapValue(await stash({ stagedOnly: true }));
    expect(statusText()).toBe(" M b.txt");
    expect(await stash({ stagedOnly: true })).toMatchObject(refusedWith("no_changes"));
  });

  test("is applied whole or not at all", async () => {
    const { put, root, stash, stashes, commands, projectId, statusText, commit } = await withCommit();
    put("a.txt", "stashed\n");
    put("new.txt", "stashed\n");
    const { id } = unwrapValue(await stash());
    const apply = () => commands["source.stash_pop"]({ projectId, id });
    put("a.txt", "mine\n");
    expect(await apply()).toMatchObject(failsWith("local_changes", { path: "a.txt" }));
    put("a.txt", "one\n");
    symlinkSync("nowhere", join(root, "new.txt"));
    expect(await apply()).toMatchObject(failsWith("local_changes", { path: "new.txt" }));
    rmSync(join(root, "new.txt"));
    expect(statusText()).toBe("");
    commit("other", { "a.txt": "other\n" });
    expect(unwrapValue(await apply())).toEqual({ conflicts: 1, operation: null });
    expect(await stashes()).toHaveLength(1);
    expect(await apply()).toMatchObject(refusedWith("conflicts_left"));
  });
});

describe("unfinished work", () => {
  async function withMerge() {
    const source = await withCommit({ "a.txt": "base\n", "gone.txt": "base\n", "link.txt": "base\n" });
    const { branch, commit, merge, git, root } = source;
    git("rm", "-q", "gone.txt");
    rmSync(join(root, "link.txt"));
    symlinkSync("main", join(root, "link.txt"));
    commit("main", { "a.txt": "main\n" });
    git("checkout", "-qb", "side", "HEAD~1");
    rmSync(join(root, "link.txt"));
    symlinkSync("side", join(root, "link.txt"));
    commit("side", { "a.txt": "side\r\n", "gone.txt": "side\n" });
    git("checkout", "-q", "main");
    expect(unwrapValue(await merge("side"))).toEqual({ conflicts: 3, operation: { kind: "merge" } });
    return { ...source, branch };
  }

  test("sides are taken with an undo, and a merge is continued when all are staged", async () => {
    const { take, step, read, root, trash, commands, projectId, git, put } = await withMerge();
    put("a.txt", "my own resolution\n");
    const { saved } = unwrapValue(await take("a.txt", "theirs"));
    expect(read("a.txt").toString()).toBe("side\r\n");
    unwrapValue(await trash.restore(saved[0] ?? asId(""), true));
    expect(read("a.txt").toString()).toBe("my own resolution\n");
    unwrapValue(await take("a.txt", "base"));
    expect(read("a.txt").toString()).toBe("base\n");
    unwrapValue(await take("a.txt", "ours"));
    unwrapValue(await take("gone.txt", "ours"));
    expect(await take("gone.txt", "ours")).toEqual({ ok: true, value: { saved: [], failed: [] } });
    expect(existsSync(join(root, "gone.txt"))).toBe(false);
    unwrapValue(await take("link.txt", "theirs"));
    expect(await step("continue")).toMatchObject({ error: { code: "conflicts_left" } });
    expect(await step("skip")).toMatchObject(failsWith("bad_input", { field: "step" }));
    unwrapValue(await commands["source.stage"]({ projectId, paths: ["a.txt", "gone.txt", "link.txt"] }));
    expect(await take("a.txt", "ours")).toMatchObject(refusedWith("not_found"));
    expect(unwrapValue(await step("continue"))).toEqual({ conflicts: 0, operation: null, saved: [] });
    expect(git("log", "-1", "--format=%s").trim()).toBe("Merge branch 'side'");
    expect(git("show", "HEAD:link.txt")).toBe("side");
    expect(git("ls-tree", "--name-only", "HEAD").trim().split("\n")).toEqual(["a.txt", "link.txt"]);
    expect(await step("abort")).toMatchObject(refusedWith("not_found"));
  });

  test("an abort keeps a copy of the files that it resets", async () => {
    const { step, put, read, trash, projectId, statusText } = await withMerge();
    put("a.txt", "hours of work\n");
    const { saved, ...outcome } = unwrapValue(await step("abort"));
    expect(outcome).toEqual({ conflicts: 0, operation: null });
    expect([read("a.txt").toString(), statusText()]).toEqual(["main\n", ""]);
    const { entries } = await trash.list({ projectId });
    const entry = entries.find(({ path }) => path === "a.txt");
    expect(saved).toContain(entry?.id);
    unwrapValue(await trash.restore(entry?.id ?? asId(""), true));
    expect(read("a.txt").toString()).toBe("hours of work\n");
  });

  test("an abort keeps no copy of files that the other branch has, also of more than 500", async () => {
    const { branch, commit, merge, step, put, trash, projectId, statusText } = await withCommit({ "a.txt": "base\n" });
    const many = Array.from({ length: 501 }, (_, index) => [`many/${index}.txt`, "side\n"] as const);
    branch("side", { "a.txt": "side\n", ...Object.fromEntries(many) });
    commit("main", { "a.txt": "main\n" });
    unwrapValue(await merge("side"));
    put("a.txt", "hours of work\n");
    expect(unwrapValue(await step("abort")).saved).toHaveLength(1);
    expect((await trash.list({ projectId })).entries).toMatchObject([{ path: "a.txt" }]);
    expect(statusText()).toBe("");
  });

  test("a rebase stops at each conflict, is skipped and continued", async () => {
    const { git, branch, commit, step, commands, projectId, take, put } = await withCommit({ "a.txt": "base\n" });
    branch("side", { "a.txt": "side\n" });
    commit("one", { "a.txt": "one\n" });
    commit("two", { "a.txt": "two\n" });
    commit("three", { "b.txt": "three\n" });
    expect(() => git("rebase", "side")).toThrow();
    const skipped = unwrapValue(await step("skip"));
    expect(skipped).toMatchObject({ conflicts: 1, operation: { kind: "rebase", step: 2, steps: 3 } });
    unwrapValue(await take("a.txt", "theirs"));
    unwrapValue(await commands["source.stage"]({ projectId, paths: ["a.txt"] }));
    put("untracked.txt", "x\n");
    expect(unwrapValue(await step("continue"))).toMatchObject({ conflicts: 0, operation: null });
    expect(git("log", "--format=%s").trim().split("\n")).toEqual(["three", "two", "on side", "first"]);
    expect(git("branch", "--show-current").trim()).toBe("main");
  });

  test("a cherry-pick and a revert are continued and aborted", async () => {
    const { git, branch, commit, step, commands, projectId, put, first } = await withCommit({ "a.txt": "base\n" });
    branch("side", { "a.txt": "side\n" });
    const main = commit("main", { "a.txt": "main\n" });
    expect(() => git("cherry-pick", "side")).toThrow();
    put("a.txt", "picked\n");
    unwrapValue(await commands["source.stage"]({ projectId, paths: ["a.txt"] }));
    expect(unwrapValue(await step("continue"))).toMatchObject({ operation: null });
    expect(git("log", "-1", "--format=%s").trim()).toBe("on side");
    expect(() => git("revert", main)).toThrow();
    expect(unwrapValue(await step("abort"))).toMatchObject({ operation: null });
    expect(first).toBeTruthy();
  });

  test("a rebase with commands to execute needs a terminal", async () => {
    const { git, commit, step, root, environment } = await withCommit();
    commit("two", { "a.txt": "two\n" });
    const mark = join(root, "mark");
    const editor = `f() { printf 'break\\nexec touch mark\\n' > "$1"; }; f`;
    const env = { ...environment, GIT_SEQUENCE_EDITOR: editor };
    execFileSync("git", ["rebase", "-i", "HEAD~1"], { cwd: root, env, stdio: "ignore" });
    expect(await step("continue")).toMatchObject(failsWith("needs_terminal", { command: "git rebase --continue" }));
    expect(existsSync(mark)).toBe(false);
    unwrapValue(await step("abort"));
    expect(git("log", "-1", "--format=%s").trim()).toBe("two");
  });
});

test("while a session of the project runs, nothing that changes its files is done", async () => {
  const { branch, commands, projectId, put, core, runs, switchTo, merge, stash, step } = await withCommit();
  branch("side", { "b.txt": "b\n" });
  put("a.txt", "mine\n");
  const { id } = unwrapValue(await stash());
  const created = unwrapValue(await core.sessions.create({ projectId, commandId: asId("k1") }, { id: asId("client") }));
  runs.push(created.row.id);
  const answers = [
    ...[await switchTo("side"), await merge("side"), await stash(), await step("abort")],
    ...[await commands["source.stash_apply"]({ projectId, id }), await commands["source.stash_pop"]({ projectId, id })],
  ];
  for (const answer of answers) expect(answer).toMatchObject(failsWith("busy", { sessionId: created.row.id }));
  runs.length = 0;
  unwrapValue(await switchTo("side"));
});

test("another program's lock is named by each command, which has changed nothing", async () => {
  const { branch, commands, projectId, put, root, git, switchTo, merge, stash, remove, statusText } =
    await withCommit();
  branch("side", { "b.txt": "b\n" });
  put("a.txt", "stashed\n");
  const { id } = unwrapValue(await stash());
  put("c.txt", "mine\n");
  git("add", "c.txt");
  const before = statusText();
  writeFileSync(join(root, ".git/index.lock"), "");
  const commit = { projectId, message: "x", amend: false, signOff: false, hooks: "skip" as const };
  const locked = [
    ...[await switchTo("side"), await merge("side"), await stash(), await commands["source.commit"](commit)],
    await commands["source.stash_pop"]({ projectId, id }),
  ];
  for (const answer of locked) expect(answer).toMatchObject(refusedWith("git_locked"));
  rmSync(join(root, ".git/index.lock"));
  writeFileSync(join(root, ".git/packed-refs.lock"), "");
  expect(await remove("side", true)).toMatchObject(refusedWith("git_locked"));
  rmSync(join(root, ".git/packed-refs.lock"));
  expect(statusText()).toBe(before);
  expect(readdirSync(join(root, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

test("no program of the repository leaves a mark on any of the commands, also in a submodule", async () => {
  const source = await withCommit({ "a.txt": "base\n", "b.txt": "base\n" });
  const { git, root, commit, branch, commands, projectId, put, switchTo, merge, stash, step, take, remove, marks } =
    source;
  mkdirSync(join(root, "sub"));
  git("init", "-q", "sub");
  git("-C", "sub", "commit", "-qm", "sub", "--allow-empty");
  commit("submodule", { ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n' });
  branch("side", { "a.txt": "side\n" });
  branch("clean", { "c.txt": "c\n" });
  commit("main", { "a.txt": "main\n" });
  const mark = source.plant();
  git("config", "submodule.recurse", "true");
  git("config", "submodule.sub.active", "true");
  git("-C", "sub", "config", "core.fsmonitor", mark("submodule"));
  rmSync(join(root, "../home/marks"), { recursive: true });
  mkdirSync(join(root, "../home/marks"));
  put("sub/dirty.txt", "x\n");
  unwrapValue(await switchTo("new", "HEAD"));
  unwrapValue(await switchTo("main"));
  unwrapValue(await commands["source.branches"]({ projectId }));
  unwrapValue(await merge("clean"));
  put("b.txt", "changed\n");
  put("untracked.txt", "x\n");
  const { id } = unwrapValue(await stash({ message: "x" }));
  unwrapValue(await commands["source.stashes"]({ projectId }));
  unwrapValue(await commands["source.stash_apply"]({ projectId, id }));
  unwrapValue(await commands["source.discard"]({ projectId, paths: ["b.txt", "untracked.txt"] }));
  unwrapValue(await commands["source.stash_pop"]({ projectId, id }));
  unwrapValue(await commands["source.discard"]({ projectId, paths: ["b.txt", "untracked.txt"] }));
  const driverRan = unwrapValue(await merge("side"));
  expect(driverRan).toMatchObject({ conflicts: 1 });
  expect(source.read("a.txt").toString()).toContain("<<<<<<< ours\nmain\n=======\nside\n>>>>>>> theirs\n");
  unwrapValue(await take("a.txt", "theirs"));
  unwrapValue(await step("abort"));
  unwrapValue(await merge("side"));
  unwrapValue(await take("a.txt", "theirs"));
  unwrapValue(await commands["source.stage"]({ projectId, paths: ["a.txt"] }));
  unwrapValue(await step("continue"));
  unwrapValue(await commands["source.rename_branch"]({ projectId, branch: "side", to: "done" }));
  unwrapValue(await remove("done"));
  expect(marks()).toEqual([]);
});
