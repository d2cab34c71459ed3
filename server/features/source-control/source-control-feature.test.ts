import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type Hash } from "@/lib/events/id";
import { discardLines } from "@/server/workspace/git/discard";
import { openProjectGit } from "@/server/workspace/git/project-git";
import { changedWhileRead, makeTestSourceControl, unwrapValue } from "./test-source-control";

type TestSource = Awaited<ReturnType<typeof makeTestSourceControl>>;

const statusLines = ({ git }: TestSource): readonly string[] =>
  git("-c", "core.quotepath=false", "status", "--porcelain", "-uall").split("\n").filter(Boolean);

async function withCommit(files: Readonly<Record<string, string | Uint8Array>>): Promise<TestSource> {
  const source = await makeTestSourceControl();
  for (const [path, content] of Object.entries(files)) source.put(path, content);
  source.git("add", "-A");
  source.git("commit", "-qm", "first", "--allow-empty");
  return source;
}

/** Stages or unstages lines of the diff as it is now. */
async function changeLines(
  source: TestSource,
  path: string,
  lines: { old?: number[]; new?: number[] },
  { side = "changed", isUntracked = false }: { side?: "changed" | "staged"; isUntracked?: boolean } = {},
) {
  const { hash } = await source.diff(path, side, isUntracked);
  const chosen = { old: lines.old ?? [], new: lines.new ?? [] };
  return source.commands["source.change_lines"]({
    projectId: source.projectId,
    path,
    side,
    isUntracked,
    hash,
    lines: chosen,
  });
}

describe("the status", () => {
  test("groups paths by index and disk, with branch, upstream, stashes and unfinished work", async () => {
    const source = await withCommit({
      "a.txt": "1\n",
      "b.txt": "1\n",
      "old name.txt": "same\ncontent\n",
      "sub/c.txt": "1\n",
    });
    const { git, put, status, root } = source;
    put("a.txt", "stashed\n");
    git("stash", "-q");
    git("clone", "-q", "--bare", ".", "../remote.git");
    git("remote", "add", "origin", "../remote.git");
    git("fetch", "-q", "origin");
    git("branch", "-q", "--set-upstream-to=origin/main");
    git("commit", "-qm", "ahead", "--allow-empty");
    put("a.txt", "2\n");
    git("add", "a.txt");
    put("a.txt", "3\n");
    rmSync(join(root, "b.txt"));
    git("mv", "old name.txt", "新 名.txt");
    put("new/deep/x.txt", "x");
    expect(await status()).toMatchObject({
      branch: {
        name: "main",
        upstream: "origin/main",
        ahead: 1,
        behind: 0,
        commit: git("rev-parse", "--short=8", "HEAD").trim(),
      },
      operation: null,
      stashes: 1,
      staged: [
        { path: "a.txt", change: "modified" },
        { path: "新 名.txt", from: "old name.txt", change: "renamed" },
      ].sort((one, other) => (one.path < other.path ? -1 : 1)),
      changed: [
        { path: "a.txt", change: "modified" },
        { path: "b.txt", change: "deleted" },
      ],
      untracked: [{ path: "new/", change: "untracked" }],
      conflicts: [],
      more: 0,
      unreadable: 0,
    });
  });

  test("names a merge and a rebase with its steps, and no branch while none is checked out", async () => {
    const source = await withCommit({ "a.txt": "1\n" });
    const { git, put, status } = source;
    git("checkout", "-qb", "side");
    put("a.txt", "side\n");
    git("commit", "-qam", "side");
    git("checkout", "-q", "main");
    put("a.txt", "main\n");
    git("commit", "-qam", "main");
    expect(() => git("merge", "side")).toThrow();
    expect(await status()).toMatchObject({ operation: { kind: "merge" }, conflicts: [{ path: "a.txt" }], staged: [] });
    git("merge", "--abort");
    expect(() => git("rebase", "side")).toThrow();
    expect(await status()).toMatchObject({
      operation: { kind: "rebase", step: 1, steps: 1 },
      branch: { name: null },
      conflicts: [{ path: "a.txt", change: "conflicted" }],
    });
  });

  test("works before the first commit", async () => {
    const source = await makeTestSourceControl();
    source.put("a.txt", "a\n");
    expect(await source.status()).toMatchObject({
      branch: { name: "main", commit: null },
      untracked: [{ path: "a.txt", change: "untracked" }],
    });
    unwrapValue(await source.commands["source.stage"]({ projectId: source.projectId, paths: ["a.txt"] }));
    expect(await source.status()).toMatchObject({ staged: [{ path: "a.txt", change: "added" }], untracked: [] });
    unwrapValue(await source.commands["source.unstage"]({ projectId: source.projectId, paths: ["a.txt"] }));
    expect(await source.status()).toMatchObject({ staged: [], untracked: [{ path: "a.txt" }] });
  });

  test("without a repository, or without git, it says so and requests no trust", async () => {
    const { commands, projectId, root, environment, untrust } = await makeTestSourceControl();
    environment.PATH = "/nowhere";
    expect(await commands["source.status"]({ projectId })).toMatchObject({ value: { kind: "none", why: "no_git" } });
    rmSync(join(root, ".git"), { recursive: true });
    untrust();
    expect(await commands["source.status"]({ projectId })).toMatchObject({ value: { why: "no_repository" } });
  });

  test("in an untrusted folder nothing is read or written", async () => {
    const { commands, projectId, put, untrust } = await withCommit({ "a.txt": "1\n" });
    put("a.txt", "2\n");
    untrust();
    expect(await commands["source.status"]({ projectId })).toMatchObject({ value: { kind: "untrusted" } });
    expect(await commands["source.stage"]({ projectId, paths: ["a.txt"] })).toMatchObject({
      error: { code: "untrusted" },
    });
  });

  test("a path outside of the project is refused", async () => {
    const { commands, projectId, home } = await withCommit({ "a.txt": "1\n" });
    writeFileSync(join(home, "secret.txt"), "secret\n");
    const input = { projectId, path: "../home/secret.txt", side: "changed" as const, isUntracked: true };
    expect(await commands["source.diff"](input)).toMatchObject({ error: { code: "outside" } });
    expect(await commands["source.discard"]({ projectId, paths: ["../home/secret.txt"] })).toMatchObject({
      error: { code: "outside" },
    });
  });
});

describe("staging", () => {
  test("stages whole paths of any kind, and unstages them", async () => {
    const source = await withCommit({
      "mode.sh": "x\n",
      "gone.txt": "1\n",
      "utf16.txt": Buffer.from("\ufeffa\n", "utf16le"),
    });
    const { put, root, commands, projectId } = source;
    chmodSync(join(root, "mode.sh"), 0o755);
    rmSync(join(root, "gone.txt"));
    put("utf16.txt", Buffer.from("\ufeffb\n", "utf16le"));
    symlinkSync("mode.sh", join(root, "link"));
    put("中文/名.txt", "x\n");
    put("*.txt", "a name, not a pattern\n");
    put("other.txt", "x\n");
    const paths = ["mode.sh", "gone.txt", "utf16.txt", "link", "中文/", "*.txt"];
    unwrapValue(await commands["source.stage"]({ projectId, paths }));
    const staged = [
      "A  *.txt",
      "D  gone.txt",
      "A  link",
      "M  mode.sh",
      "M  utf16.txt",
      'A  "中文/名.txt"',
      "?? other.txt",
    ];
    const text = (lines: readonly string[]) =>
      lines.map((one) => Buffer.from(one, "latin1").toString().replaceAll('"', "")).sort();
    expect(text(statusLines(source))).toEqual(staged.map((one) => one.replaceAll('"', "")).sort());
    unwrapValue(
      await commands["source.unstage"]({
        projectId,
        paths: ["mode.sh", "gone.txt", "utf16.txt", "link", "中文/名.txt", "*.txt"],
      }),
    );
    expect(statusLines(source).filter((one) => !one.startsWith("??") && one.slice(0, 1) !== " ")).toEqual([]);
  });

  test("lines of an untracked file create it in the index", async () => {
    const source = await withCommit({});
    source.put("new.txt", "one\ntwo\nthree\n");
    unwrapValue(await changeLines(source, "new.txt", { new: [1, 3] }, { isUntracked: true }));
    expect(source.staged("new.txt")).toBe("one\nthree\n");
    unwrapValue(await changeLines(source, "new.txt", { new: [2] }, { side: "staged" }));
    expect(source.staged("new.txt")).toBe("one\n");
    unwrapValue(await changeLines(source, "new.txt", { new: [1] }, { side: "staged" }));
    expect(statusLines(source)).toEqual(["?? new.txt"]);
  });

  test("lines of a deleted file are removed one by one, and come back", async () => {
    const source = await withCommit({ "a.txt": "one\ntwo\n" });
    rmSync(join(source.root, "a.txt"));
    unwrapValue(await changeLines(source, "a.txt", { old: [1] }));
    expect(source.staged("a.txt")).toBe("two\n");
    unwrapValue(await changeLines(source, "a.txt", { old: [1] }));
    expect(statusLines(source)).toEqual(["D  a.txt"]);
    unwrapValue(await changeLines(source, "a.txt", { old: [2] }, { side: "staged" }));
    expect(source.staged("a.txt")).toBe("two\n");
  });

  test("removal and addition at an end without a newline are one choice", async () => {
    const source = await withCommit({ "a.txt": "one\ntwo" });
    source.put("a.txt", "one\ntwo\nthree\n");
    unwrapValue(await changeLines(source, "a.txt", { new: [3] }));
    expect(source.staged("a.txt")).toBe("one\ntwo\nthree\n");
  });

  test("the mode stays while only some lines are staged", async () => {
    const source = await withCommit({ "a.sh": "one\ntwo\n" });
    source.put("a.sh", "one\nTWO\nthree\n");
    chmodSync(join(source.root, "a.sh"), 0o755);
    expect(await source.diff("a.sh", "changed")).toMatchObject({ mode: { old: "100644", new: "100755" } });
    unwrapValue(await changeLines(source, "a.sh", { new: [3] }));
    expect(source.git("ls-files", "--stage", "a.sh")).toContain("100644");
    unwrapValue(await changeLines(source, "a.sh", { old: [2], new: [2] }));
    expect(source.git("ls-files", "--stage", "a.sh")).toContain("100755");
    expect(statusLines(source)).toEqual(["M  a.sh"]);
  });

  test("line ends follow the attributes of the path", async () => {
    const source = await withCommit({ ".gitattributes": "* text=auto\n", "a.txt": "one\r\ntwo\r\n" });
    source.put("a.txt", "one\r\nTWO\r\nthree\r\n");
    const diff = await source.diff("a.txt", "changed");
    expect(diff).toMatchObject({ added: 2, removed: 1 });
    unwrapValue(await changeLines(source, "a.txt", { new: [3] }));
    expect(source.staged("a.txt")).toBe("one\ntwo\nthree\n");
    const { hash } = await source.diff("a.txt", "changed");
    const order = { projectId: source.projectId, path: "a.txt", hash, lines: { old: [2], new: [2] } };
    unwrapValue(await source.commands["source.discard_lines"](order));
    expect(source.read("a.txt").toString()).toBe("one\r\ntwo\r\nthree\r\n");
  });

  test("the user's settings of git do not change what is applied", async () => {
    const source = await withCommit({ "a.txt": "one\n\ntwo\n" });
    for (const setting of [
      "diff.noprefix=true",
      "diff.mnemonicPrefix=true",
      "diff.suppressBlankEmpty=true",
      "color.ui=always",
    ])
      source.git("config", ...setting.split("="));
    for (const setting of [
      "apply.ignoreWhitespace=change",
      "apply.whitespace=fix",
      "diff.context=0",
      "core.safecrlf=true",
    ])
      source.git("config", ...setting.split("="));
    source.put("a.txt", "one\n\ntwo  \nthree \n");
    unwrapValue(await changeLines(source, "a.txt", { old: [3], new: [3] }));
    expect(source.staged("a.txt")).toBe("one\n\ntwo  \n");
  });

  test("lines of a diff that is out of date change nothing", async () => {
    const source = await withCommit({ "a.txt": "one\n" });
    source.put("a.txt", "one\ntwo\n");
    const { hash } = await source.diff("a.txt", "changed");
    source.put("a.txt", "zero\none\ntwo\n");
    const order = { projectId: source.projectId, path: "a.txt", hash, lines: { old: [], new: [2] } };
    const input = { ...order, side: "changed" as const, isUntracked: false };
    expect(await source.commands["source.change_lines"](input)).toMatchObject({ error: { code: "changed_meanwhile" } });
    expect(await source.commands["source.discard_lines"](order)).toMatchObject({
      error: { code: "changed_meanwhile" },
    });
    expect(statusLines(source)).toEqual([" M a.txt"]);
    expect(source.read("a.txt").toString()).toBe("zero\none\ntwo\n");
  });

  test("an index with another content than requested is put back", async () => {
    const source = await withCommit({ "a.txt": "one\n" });
    source.put("a.txt", "one\ntwo\nthree\n");
    const before = source.git("ls-files", "--stage", "a.txt");
    const { hash } = await source.diff("a.txt", "changed");
    // A git that applies another line than the patch has.
    const bin = join(source.home, "bin");
    mkdirSync(bin);
    const script = `#!/bin/sh\nPATH="${process.env.PATH}"\ncase "$*" in *apply*) sed s/two/2/ | exec git "$@";; *) exec git "$@";; esac\n`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });
    source.environment.PATH = `${bin}:${process.env.PATH ?? ""}`;
    const order = { projectId: source.projectId, path: "a.txt", side: "changed" as const, isUntracked: false, hash };
    const answer = await source.commands["source.change_lines"]({ ...order, lines: { old: [], new: [2] } });
    expect(answer).toMatchObject({ ok: false, error: { code: "tool_failed" } });
    expect(source.git("ls-files", "--stage", "a.txt")).toBe(before);
  });

  test("a file with a filter of the repository is refused, one with the user's filter is converted by it", async () => {
    const source = await withCommit({ "a.txt": "one\n" });
    const { commands, projectId, git, put } = source;
    put(".gitattributes", "secret/*.key filter=vault\n*.up filter=upper\n");
    git("config", "filter.vault.clean", "sed s/plain/hidden/");
    git("config", "--global", "filter.upper.clean", "tr a-z A-Z");
    put("secret/a.key", "plain\n");
    put("b.up", "text\n");
    const refused = { ok: false, error: { code: "filter_off", facts: { path: "secret/a.key", name: "vault" } } };
    expect(await commands["source.stage"]({ projectId, paths: ["b.up", "secret/"] })).toMatchObject(refused);
    expect(await changeLines(source, "secret/a.key", { new: [1] }, { isUntracked: true })).toMatchObject(refused);
    unwrapValue(await commands["source.stage"]({ projectId, paths: ["b.up"] }));
    expect(source.staged("b.up")).toBe("TEXT\n");
    expect(statusLines(source)).toContain("?? secret/a.key");
  });

  test("hooks that settings name, which newer git runs, are off", async () => {
    const { git, project, environment } = await makeTestSourceControl();
    git("config", "hook.post.status.event", "post-index-change");
    git("config", "hook.post.status.enabled", "true");
    const opened = unwrapValue(await openProjectGit(project, environment, new AbortController().signal));
    if (typeof opened === "string") throw new Error(opened);
    const enabled = await opened.run(["config", "--get", "hook.post.status.enabled"], { maxBytes: 100 });
    expect(unwrapValue(enabled).toString()).toBe("false\n");
  });

  test("a filter that the repository defines later is noticed, also in an included file that did not exist", async () => {
    const source = await withCommit({ "a.key": "one\n", ".gitattributes": "*.key filter=late\n" });
    const { commands, projectId, git, put, root, diff } = source;
    put("a.key", "two\n");
    git("config", "include.path", "later");
    const program = `touch '${join(root, "mark")}'; cat`;
    expect(await diff("a.key", "changed")).toMatchObject({ added: 1 });
    writeFileSync(join(root, ".git/later"), `[filter "late"]\n\tclean = "${program}"\n`);
    expect(await diff("a.key", "changed")).toMatchObject({ added: 1 });
    git("config", "--unset", "include.path");
    expect(await diff("a.key", "changed")).toMatchObject({ added: 1 });
    git("config", "filter.late.clean", program);
    expect(await diff("a.key", "changed")).toMatchObject({ added: 1 });
    expect(await commands["source.stage"]({ projectId, paths: ["a.key"] })).toMatchObject({
      error: { code: "filter_off" },
    });
    expect(existsSync(join(root, "mark"))).toBe(false);
  });

  test("a lock of another program is waited for, then named; reading continues", async () => {
    const source = await withCommit({ "a.txt": "one\n" });
    const { commands, projectId, put, root, status } = source;
    put("a.txt", "two\n");
    const lock = join(root, ".git/index.lock");
    writeFileSync(lock, "");
    const waiting = commands["source.stage"]({ projectId, paths: ["a.txt"] });
    expect(await status()).toMatchObject({ changed: [{ path: "a.txt" }], staged: [] });
    rmSync(lock);
    unwrapValue(await waiting);
    expect(await status()).toMatchObject({ changed: [], staged: [{ path: "a.txt" }] });
    writeFileSync(lock, "");
    expect(await commands["source.unstage"]({ projectId, paths: ["a.txt"] })).toMatchObject({
      error: { code: "git_locked", facts: { path: lock, seconds: expect.any(Number) } },
    });
    expect(existsSync(lock)).toBe(true);
  });
});

test("a lock that a killed git left is removed when it is old and no process has it open", async () => {
  const { commands, projectId, root } = await withCommit({ "a.txt": "one\n" });
  const remove = () => commands["source.remove_lock"]({ projectId });
  const lock = join(root, ".git/index.lock");
  expect(await remove()).toMatchObject({ error: { code: "not_found" } });
  writeFileSync(lock, "");
  expect(await remove()).toMatchObject({ error: { code: "git_locked", facts: { path: lock, seconds: 0 } } });
  utimesSync(lock, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));
  const handle = openSync(lock, "r");
  expect(await remove()).toMatchObject({ error: { code: "git_locked" } });
  closeSync(handle);
  unwrapValue(await remove());
  expect(existsSync(lock)).toBe(false);
});

test("old locks of branches, the last commit and settings are removed as well, all or none", async () => {
  const { commands, projectId, root } = await withCommit({ "a.txt": "one\n" });
  const form = { projectId, branch: "new/one", from: "HEAD" };
  const locks = ["HEAD.lock", "refs/heads/new/one.lock", "config.lock", "packed-refs.lock"].map((name) =>
    join(root, ".git", name),
  );
  mkdirSync(join(root, ".git/refs/heads/new"));
  const old = new Date(Date.now() - 120_000);
  for (const lock of locks) {
    writeFileSync(lock, "");
    if (lock !== locks[1]) utimesSync(lock, old, old);
  }
  const blocked = { error: { code: "git_locked", facts: { path: locks[1] } } };
  expect(await commands["source.create_branch"](form)).toMatchObject(blocked);
  expect(await commands["source.remove_lock"]({ projectId })).toMatchObject(blocked);
  expect(locks.every((lock) => existsSync(lock))).toBe(true);
  utimesSync(locks[1] ?? "", old, old);
  unwrapValue(await commands["source.remove_lock"]({ projectId }));
  unwrapValue(await commands["source.create_branch"](form));
});

describe("discarding", () => {
  test("a discarded file can be restored, also over what is there now", async () => {
    const source = await withCommit({ "a.txt": "one\n", "run.sh": "x\n" });
    const { commands, projectId, put, root, trash, read } = source;
    put("a.txt", "mine\n");
    chmodSync(join(root, "run.sh"), 0o755);
    const report = unwrapValue(await commands["source.discard"]({ projectId, paths: ["a.txt", "run.sh"] }));
    expect(report).toMatchObject({ failed: [], saved: [expect.any(String), expect.any(String)] });
    expect(read("a.txt").toString()).toBe("one\n");
    expect(statSync(join(root, "run.sh")).mode & 0o111).toBe(0);
    const saved = report.saved[0] ?? asId("");
    expect(await trash.restore(saved)).toMatchObject({ error: { code: "exists" } });
    unwrapValue(await trash.restore(saved, true));
    expect(read("a.txt").toString()).toBe("mine\n");
    const { entries } = await trash.list({ projectId });
    expect(entries.map(({ path }) => path)).toEqual(["a.txt", "run.sh"]);
    unwrapValue(await trash.restore(entries[0]?.id ?? asId(""), true));
    expect(read("a.txt").toString()).toBe("one\n");
  });

  test("lines of a file that changes while they are discarded are not", async () => {
    const { put, git, diff, read, project, trash, environment } = await makeTestSourceControl();
    put("a.txt", "one\n");
    git("add", "-A");
    git("commit", "-qm", "first");
    put("a.txt", "one\ntwo\n");
    const { hash } = await diff("a.txt", "changed");
    const opened = unwrapValue(await openProjectGit(project, environment, new AbortController().signal));
    if (typeof opened === "string" || hash === undefined) throw new Error("nothing to discard");
    const changed = changedWhileRead(project, () => put("a.txt", "one\ntwo\nthree\n"));
    const place = { git: opened, project: changed, trash };
    const discarded = await discardLines(place, { path: "a.txt", hash, lines: { old: [], new: [2] } });
    expect(discarded).toMatchObject({ error: { code: "changed_meanwhile" } });
    expect(read("a.txt").toString()).toBe("one\ntwo\nthree\n");
  });

  test("deleted files and links come back, and what is in their place moves to the trash", async () => {
    const source = await withCommit({ "a.txt": "one\n", "exec.sh": "x\n" });
    const { commands, projectId, root, git, read, put, trash } = source;
    symlinkSync("a.txt", join(root, "link"));
    chmodSync(join(root, "exec.sh"), 0o755);
    git("add", "-A");
    git("commit", "-qm", "link");
    rmSync(join(root, "a.txt"));
    rmSync(join(root, "exec.sh"));
    rmSync(join(root, "link"));
    put("link", "a file now\n");
    expect(
      unwrapValue(await commands["source.discard"]({ projectId, paths: ["a.txt", "exec.sh", "link"] })),
    ).toMatchObject({ failed: [] });
    expect(read("a.txt").toString()).toBe("one\n");
    expect(statSync(join(root, "exec.sh")).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(root, "link"))).toBe("a.txt");
    expect(statusLines(source)).toEqual([]);
    expect((await trash.list({ projectId })).entries.map(({ path }) => path)).toEqual(["link"]);
  });

  test("untracked files move to the trash, and ignored ones in their folder stay", async () => {
    const source = await withCommit({ ".gitignore": "*.log\n" });
    const { commands, projectId, put, root, trash } = source;
    put("new/a.txt", "a");
    put("new/deep/b.txt", "b");
    put("new/keep.log", "log");
    put("plain/c.txt", "c");
    put("d.txt", "d");
    unwrapValue(await commands["source.discard"]({ projectId, paths: ["new/", "plain/", "d.txt"] }));
    expect(readFileSync(join(root, "new/keep.log"), "utf8")).toBe("log");
    expect([existsSync(join(root, "plain")), existsSync(join(root, "new/a.txt"))]).toEqual([false, false]);
    const { entries } = await trash.list({ projectId });
    expect(entries.map(({ path }) => path).sort()).toEqual(["d.txt", "new/a.txt", "new/deep/b.txt", "plain"]);
    for (const { id } of entries) unwrapValue(await trash.restore(id));
    expect(readFileSync(join(root, "new/deep/b.txt"), "utf8")).toBe("b");
  });

  test("what cannot be discarded is named, and the rest is discarded", async () => {
    const source = await withCommit({ ".gitattributes": "*.key filter=vault\n", "a.key": "x\n", "b.txt": "1\n" });
    const { commands, projectId, put, git, read } = source;
    git("config", "filter.vault.clean", "cat");
    put("a.key", "y\n");
    put("b.txt", "2\n");
    const report = unwrapValue(await commands["source.discard"]({ projectId, paths: ["a.key", "b.txt"] }));
    expect(report.failed).toMatchObject([{ path: "a.key", error: { code: "filter_off" } }]);
    expect([read("a.key").toString(), read("b.txt").toString()]).toEqual(["y\n", "1\n"]);
  });
});

test("the diff of a renamed file is that from its old path", async () => {
  const source = await withCommit({ "old name.txt": "one\ntwo\nthree\nfour\nfive\n" });
  source.git("mv", "old name.txt", "new.txt");
  source.put("new.txt", "one\ntwo\nthree\nfour\nFIVE\n");
  source.git("add", "-A");
  const input = { projectId: source.projectId, path: "new.txt", side: "staged" as const, isUntracked: false };
  const renamed = await source.commands["source.diff"]({ ...input, from: "old name.txt" });
  expect(unwrapValue(renamed)).toMatchObject({ added: 1, removed: 1 });
});

test("a diff without lines says why", async () => {
  const source = await withCommit({ "bin.dat": "a\0b", "mode.sh": "x\n", "same.txt": "1\n", "long.txt": "x\n" });
  source.put("bin.dat", "a\0c");
  source.put("long.txt", `${"y".repeat(30_000)}\n`);
  source.put("huge.txt", "z\n".repeat(1_100_000));
  chmodSync(join(source.root, "mode.sh"), 0o755);
  expect(await source.diff("bin.dat", "changed")).toMatchObject({ why: "binary" });
  expect(await source.diff("mode.sh", "changed")).toMatchObject({ hunks: [], mode: { old: "100644", new: "100755" } });
  expect(await source.diff("same.txt", "changed")).toMatchObject({ hunks: [] });
  expect(await source.diff("long.txt", "changed")).toMatchObject({ why: "too_large" });
  expect(await source.diff("huge.txt", "changed", true)).toMatchObject({ why: "too_large" });
  const order = { projectId: source.projectId, path: "bin.dat", side: "changed" as const, isUntracked: false };
  const { hash } = await source.diff("bin.dat", "changed");
  const lines = { old: [1], new: [] };
  expect(await source.commands["source.change_lines"]({ ...order, hash, lines })).toMatchObject({
    error: { code: "bad_input" },
  });
  const wrong = asId<Hash>("0".repeat(64));
  expect(await source.commands["source.change_lines"]({ ...order, hash: wrong, lines })).toMatchObject({
    error: { code: "changed_meanwhile" },
  });
});
