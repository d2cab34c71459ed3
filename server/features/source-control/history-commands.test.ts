import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type ClientId } from "@/lib/events/id";
import { makeTestSourceControl, unwrapValue } from "./test-source-control";

type TestSource = Awaited<ReturnType<typeof makeTestSourceControl>>;
type LogInput = Parameters<TestSource["commands"]["source.log"]>[0];

const client = (disconnected?: AbortSignal) => ({
  id: asId<ClientId>("c1"),
  access: "owner" as const,
  join() {},
  leave() {},
  ...(disconnected === undefined ? {} : { disconnected }),
});

async function withHistory() {
  const source = await makeTestSourceControl();
  const { git, put, projectId, commands } = source;
  let minute = 0;
  const commit = (message: string, files: Readonly<Record<string, string | Uint8Array | null>> = {}): string => {
    for (const [path, content] of Object.entries(files))
      if (content === null) rmSync(join(source.root, path));
      else put(path, content);
    git("add", "-A");
    minute += 1;
    const date = `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`;
    Object.assign(source.environment, { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date });
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD").trim();
  };
  const log = async (input: Omit<LogInput, "projectId"> = {}) =>
    unwrapValue(await commands["source.log"]({ projectId, ...input }, client()));
  const subjects = async (input: Omit<LogInput, "projectId">) => (await log(input)).commits.map((one) => one.subject);
  return { ...source, commit, log, subjects };
}

describe("the log", () => {
  test("has parents, author, time and refs of each commit, and those of other branches on request", async () => {
    const { commit, git, log, subjects } = await withHistory();
    const first = commit("first\n\nbody");
    git("tag", "-a", "v1,0", "-m", "tag");
    git("update-ref", "refs/remotes/origin/main", first);
    git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    git("update-ref", "refs/gopi/own", first);
    git("checkout", "-qb", "侧");
    const side = commit("side");
    git("checkout", "-q", "main");
    const second = commit("second 中");
    git("merge", "-q", "-m", "merge", "侧");
    git("checkout", "-q", "-b", "ahead");
    commit("ahead");
    git("checkout", "-q", "--detach", "main");
    const { commits, next } = await log();
    expect(next).toBeNull();
    expect(commits.map(({ subject }) => subject)).toEqual(["merge", "second 中", "side", "first"]);
    expect(commits[0]).toMatchObject({
      parents: [second, side],
      refs: [
        { kind: "head", name: "HEAD" },
        { kind: "branch", name: "main" },
      ],
    });
    expect(commits[2]).toMatchObject({ refs: [{ kind: "branch", name: "侧" }] });
    expect(commits[3]).toEqual({
      id: first,
      parents: [],
      author: "a",
      time: Date.parse("2026-01-01T00:01:00Z"),
      subject: "first",
      refs: [
        { kind: "tag", name: "v1,0" },
        { kind: "remote", name: "origin/main" },
      ],
    });
    expect(await subjects({ all: true })).toEqual(["ahead", "merge", "second 中", "side", "first"]);
    git("checkout", "-q", "main");
    expect((await log()).commits[0]?.refs).toEqual([{ kind: "head", name: "main" }]);
  });

  test("comes in pages that stay in place when a commit is added", async () => {
    const { git, environment, log, root } = await withHistory();
    const stream = Array.from({ length: 450 }, (_, index) =>
      [
        "commit refs/heads/main",
        `committer a <a@b> ${index + 1} +0000`,
        `data ${`n${index}`.length}`,
        `n${index}`,
        "M 100644 inline a.txt",
        `data ${String(index).length}`,
        String(index),
      ].join("\n"),
    ).join("\n");
    writeFileSync(join(root, "../stream"), `${stream}\n`);
    environment.STREAM = join(root, "../stream");
    git("-c", 'alias.load=!git fast-import --quiet < "$STREAM"', "load");
    for (const query of [{}, { author: "A@B" }, { content: "4" }, { file: "a.txt" }, { all: true }]) {
      const subjects: string[] = [];
      for (let after: LogInput["after"]; ; ) {
        const { commits, next } = await log({ ...query, after });
        subjects.push(...commits.map(({ subject }) => subject));
        if (next === null) break;
        git("commit", "-q", "--allow-empty", "-m", "new");
        after = next;
      }
      const shown = subjects.filter((one) => one !== "new");
      expect(new Set(shown).size).toBe(shown.length);
      if (!("content" in query)) expect(shown.length).toBe(450);
      expect(shown.at(-1)).toBe("content" in query ? "n4" : "n0");
    }
  });

  test("is searched in messages, authors, paths and changed lines, each as plain text", async () => {
    const { commit, subjects } = await withHistory();
    commit("Add a.*b", { "src/Deep/Name[1].ts": "const needle = '-x';\n" });
    commit("aXb", { "src/other.ts": "nothing\n" });
    commit("move", { "src/Deep/Name[1].ts": "nothing\n" });
    expect(await subjects({ text: "A.*B" })).toEqual(["Add a.*b"]);
    expect(await subjects({ text: "-" })).toEqual([]);
    expect(await subjects({ author: "A@b" })).toHaveLength(3);
    expect(await subjects({ author: "nobody" })).toEqual([]);
    expect(await subjects({ path: "deep/name[" })).toEqual(["move", "Add a.*b"]);
    expect(await subjects({ path: "name?" })).toEqual([]);
    expect(await subjects({ content: "needle = '-x'" })).toEqual(["move", "Add a.*b"]);
    expect(await subjects({ content: "needle", text: "add", path: "src" })).toEqual(["Add a.*b"]);
  });

  test("of one file follows its renames", async () => {
    const { commit, git, log } = await withHistory();
    commit("create", { "old name.txt": "1\n2\n3\n4\n5\n", "b.txt": "x\n" });
    git("mv", "old name.txt", "*新.txt");
    commit("rename");
    commit("edit", { "*新.txt": "1\n2\n3\n4\n5\n6\n" });
    commit("other", { "b.txt": "y\n" });
    expect((await log({ file: "*新.txt" })).commits.map(({ subject, path }) => [subject, path])).toEqual([
      ["edit", "*新.txt"],
      ["rename", "*新.txt"],
      ["create", "old name.txt"],
    ]);
  });

  test("is empty before the first commit", async () => {
    const { log } = await withHistory();
    for (const query of [{}, { all: true }, { text: "x" }])
      expect(await log(query)).toEqual({ commits: [], next: null });
  });

  test("of a shallow clone ends where the clone does", async () => {
    const { commit, git, root, environment, log } = await withHistory();
    commit("one");
    const last = commit("two");
    git("clone", "-q", "--depth=1", `file://${root}`, "../shallow");
    environment.SHALLOW = join(root, "../shallow/.git");
    git("-c", 'alias.take=!rm -rf .git && cp -r "$SHALLOW" .git', "take");
    expect(await log()).toMatchObject({ commits: [{ id: last, parents: [] }], ended: "shallow" });
  });

  test("a search that is stopped answers with what it has found", async () => {
    const { commit, commands, environment, home, projectId } = await withHistory();
    commit("found", { "a.txt": "needle\n" });
    // A git that prints the first commit and then compares files for a long time.
    const bin = join(home, "bin");
    mkdirSync(bin);
    const started = join(home, "started");
    const slow = `git "$@"; touch '${started}'; exec sleep 60`;
    const script = `#!/bin/sh\nPATH="${process.env.PATH}"\ncase "$*" in *-Sneedle*) ${slow};; *) exec git "$@";; esac\n`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });
    environment.PATH = `${bin}:${process.env.PATH ?? ""}`;
    const gone = new AbortController();
    for (const stop of [() => void commands["source.stop_log"]({ searchId: "s1" }, client()), () => gone.abort()]) {
      rmSync(started, { force: true });
      const search = commands["source.log"]({ projectId, content: "needle", searchId: "s1" }, client(gone.signal));
      await expect.poll(() => existsSync(started)).toBe(true);
      // Git had printed the commit before: it is read in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      stop();
      expect(unwrapValue(await search)).toMatchObject({
        commits: [{ subject: "found" }],
        next: null,
        ended: "stopped",
      });
    }
  });
});

describe("a commit", () => {
  test("has its message, people, and files with counts of lines", async () => {
    const { commit, git, commands, projectId } = await withHistory();
    const first = commit("first", { "a.txt": "1\n2\n3\n4\n", "gone.txt": "x\n", "bin.dat": "a\0b" });
    git("mv", "a.txt", "名 前.txt");
    const second = commit("second\n\nBody line\n", {
      "名 前.txt": "1\n2\n3\n4\n5\n",
      "gone.txt": null,
      "bin.dat": "a\0c",
      "new.txt": "n\n",
    });
    const view = unwrapValue(await commands["source.commit_view"]({ projectId, commit: second }));
    expect(view).toMatchObject({
      id: second,
      parents: [first],
      message: "second\n\nBody line",
      author: { name: "a", mail: "a@b", time: Date.parse("2026-01-01T00:02:00Z") },
      refs: [{ kind: "head", name: "main" }],
      more: 0,
    });
    expect([...view.files].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: "bin.dat", change: "modified", added: null, removed: null },
      { path: "gone.txt", change: "deleted", added: 0, removed: 1 },
      { path: "new.txt", change: "added", added: 1, removed: 0 },
      { path: "名 前.txt", from: "a.txt", change: "renamed", added: 1, removed: 0 },
    ]);
    const root = unwrapValue(await commands["source.commit_view"]({ projectId, commit: first }));
    expect(root.files).toHaveLength(3);
    const back = unwrapValue(await commands["source.compare"]({ projectId, from: second, to: first }));
    expect(back.files.find(({ path }) => path === "a.txt")).toMatchObject({ from: "名 前.txt", removed: 1 });
  });

  test("of a merge is compared with the first parent", async () => {
    const { commit, git, commands, projectId } = await withHistory();
    commit("first", { "a.txt": "1\n" });
    git("checkout", "-qb", "side");
    commit("side", { "side.txt": "1\n" });
    git("checkout", "-q", "main");
    commit("main", { "main.txt": "1\n" });
    git("merge", "-q", "-m", "merge", "side");
    const id = git("rev-parse", "HEAD").trim();
    const { files } = unwrapValue(await commands["source.commit_view"]({ projectId, commit: id }));
    expect(files.map(({ path }) => path)).toEqual(["side.txt"]);
  });

  test("has the diff of each file, also of a new, a renamed and a binary one", async () => {
    const { commit, git, commands, projectId } = await withHistory();
    const from = commit("first", { "a.txt": "1\r\n2\r\n3\r\n", "bin.dat": "a\0b" });
    git("mv", "a.txt", "b.txt");
    const to = commit("second", { "b.txt": "1\r\n2\r\n3\r\n4\r\n", "bin.dat": "a\0c" });
    const diff = async (path: string, more: { from?: string | null; renamedFrom?: string } = {}) =>
      commands["source.commit_diff"]({ projectId, from, to, path, ...more });
    expect(unwrapValue(await diff("b.txt", { renamedFrom: "a.txt" }))).toMatchObject({ added: 1, removed: 0 });
    expect(unwrapValue(await diff("bin.dat"))).toMatchObject({ why: "binary" });
    const added = unwrapValue(await commands["source.commit_diff"]({ projectId, from: null, to: from, path: "a.txt" }));
    expect(added).toMatchObject({ added: 3, removed: 0 });
    expect(await diff("../home/x")).toMatchObject({ error: { code: "outside" } });
    expect(await diff("b.txt", { from: "1".repeat(40) })).toMatchObject({ error: { code: "not_found" } });
  });

  test("that does not exist is not found", async () => {
    const { commit, commands, projectId } = await withHistory();
    commit("first");
    expect(await commands["source.commit_view"]({ projectId, commit: "1".repeat(40) })).toMatchObject({
      error: { code: "not_found" },
    });
  });
});

describe("blame", () => {
  test("names the commit of each line on the disk, in a commit and in a text that is not saved", async () => {
    const { commit, git, put, commands, projectId } = await withHistory();
    const first = commit("first", { "a.txt": "1\n2\n3\n" });
    git("mv", "a.txt", "b 中.txt");
    const second = commit("second", { "b 中.txt": "1\ntwo\n3\n" });
    put("b 中.txt", "0\n1\ntwo\n3\n");
    const blame = async (more: { commit?: string; text?: string } = {}) => {
      const { commits, runs } = unwrapValue(await commands["source.blame"]({ projectId, path: "b 中.txt", ...more }));
      return runs.map(({ line, count, commit: index }) => [line, count, index === null ? null : commits[index]?.id]);
    };
    expect(await blame()).toEqual([
      [1, 1, null],
      [2, 1, first],
      [3, 1, second],
      [4, 1, first],
    ]);
    expect(await blame({ commit: second })).toEqual([
      [1, 1, first],
      [2, 1, second],
      [3, 1, first],
    ]);
    expect(await blame({ text: "1\ntwo\nnew\nnew\n" })).toEqual([
      [1, 1, first],
      [2, 1, second],
      [3, 2, null],
    ]);
    const { commits } = unwrapValue(await commands["source.blame"]({ projectId, path: "b 中.txt" }));
    expect(commits.find(({ id }) => id === second)).toEqual({
      id: second,
      author: "a",
      time: Date.parse("2026-01-01T00:02:00Z"),
      subject: "second",
    });
  });

  test("has at most 5,000 lines; an empty file has none, and a file without a history is not found", async () => {
    const { commit, put, commands, projectId } = await withHistory();
    commit("first", { "long.txt": "x\n".repeat(6_000), "empty.txt": "" });
    put("new.txt", "1\n");
    const blame = (path: string) => commands["source.blame"]({ projectId, path });
    expect(unwrapValue(await blame("long.txt")).runs).toEqual([{ line: 1, count: 5_000, commit: 0 }]);
    expect(unwrapValue(await blame("empty.txt"))).toEqual({ commits: [], runs: [] });
    expect(await blame("new.txt")).toMatchObject({ error: { code: "not_found" } });
  });
});

test("no program of the repository runs, and nothing is read in an untrusted folder", async () => {
  const { commit, git, commands, environment, home, projectId, root, log, untrust } = await withHistory();
  const id = commit("first", { ".gitattributes": "*.txt diff=evil filter=evil\n", "a.txt": "needle\n" });
  const mark = join(home, "mark");
  const program = join(home, "program");
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`, { mode: 0o755 });
  const signed = git("cat-file", "commit", id).replace(
    "\n\n",
    "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
  );
  writeFileSync(join(home, "signed"), signed);
  environment.SIGNED = join(home, "signed");
  const made = git("-c", 'alias.put=!git hash-object -t commit -w --stdin < "$SIGNED"', "put").trim();
  git("update-ref", "HEAD", made);
  writeFileSync(
    join(root, ".git/planted"),
    [
      `[log]\n\tshowSignature = true`,
      `[gpg]\n\tprogram = ${program}`,
      `[diff]\n\texternal = ${program}`,
      `[diff "evil"]\n\ttextconv = ${program}\n\tcommand = ${program}`,
      `[filter "evil"]\n\tclean = ${program}`,
      `[core]\n\tpager = ${program}\n\teditor = ${program}\n\tfsmonitor = ${program}`,
      `[pager]\n\tlog = ${program}\n\tblame = ${program}`,
      `[alias]\n\tlog = !${program}\n\tblame = !${program}`,
    ].join("\n"),
  );
  git("config", "include.path", "planted");
  expect((await log()).commits).toHaveLength(1);
  expect((await log({ content: "needle" })).commits).toHaveLength(1);
  expect((await log({ file: "a.txt", all: true })).commits.length).toBeGreaterThan(0);
  unwrapValue(await commands["source.commit_view"]({ projectId, commit: made }));
  unwrapValue(await commands["source.commit_diff"]({ projectId, from: null, to: made, path: "a.txt" }));
  unwrapValue(await commands["source.blame"]({ projectId, path: "a.txt" }));
  unwrapValue(await commands["source.blame"]({ projectId, path: "a.txt", text: "needle\nmore\n" }));
  expect(existsSync(mark)).toBe(false);
  untrust();
  expect(await commands["source.log"]({ projectId }, client())).toMatchObject({ error: { code: "untrusted" } });
  expect(await commands["source.blame"]({ projectId, path: "a.txt" })).toMatchObject({ error: { code: "untrusted" } });
});
