import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId } from "@/lib/events/id";
import type { ConflictTake } from "@/lib/text/conflict-markers";
import { resolveRegions } from "@/server/workspace/git/conflicts/resolve-conflict";
import { openProjectGit } from "@/server/workspace/git/project-git";
import { changedWhileRead, makeTestSourceControl, unwrapValue } from "./test-source-control";

type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** A merge of `theirs` into `ours`, both made from `base`, that has stopped at conflicts; null = the file is deleted. */
async function withConflict(base: Files, ours: Files, theirs: Files, settings: readonly (readonly string[])[] = []) {
  const source = await makeTestSourceControl();
  const { git, put, root, commands, projectId } = source;
  git("config", "user.name", "a");
  git("config", "user.email", "a@b");
  for (const words of settings) git("config", ...words);
  const commit = (message: string, files: Files): void => {
    for (const [path, content] of Object.entries(files))
      if (content === null) rmSync(join(root, path));
      else put(path, content);
    git("add", "-A");
    git("commit", "-qm", message, "--allow-empty");
  };
  commit("base", base);
  git("checkout", "-qb", "feature");
  commit("theirs", theirs);
  git("checkout", "-q", "main");
  commit("ours", ours);
  const merged = unwrapValue(await commands["source.merge"]({ projectId, branch: "feature" }));
  const conflict = async (path: string) => unwrapValue(await commands["source.conflict"]({ projectId, path }));
  return {
    ...source,
    merged,
    conflict,
    async resolve(path: string, takes: Readonly<Record<number, ConflictTake>>) {
      const { hash } = await conflict(path);
      const choices = Object.entries(takes).map(([region, take]) => ({ region: Number(region), take }));
      return commands["source.resolve_regions"]({ projectId, path, hash: hash ?? asId(""), choices });
    },
    mark: (path: string, more: { anyway?: boolean; side?: "ours" | "theirs" } = {}) =>
      commands["source.mark_resolved"]({ projectId, path, anyway: false, ...more }),
    unmerged: () => git("ls-files", "--unmerged", "-z").split("\0").length - 1,
  };
}

const lines = (...parts: readonly string[]): string => parts.map((part) => `${part}\n`).join("");
const middle = Array.from({ length: 12 }, (_, index) => `same ${index}`);
const gbk = (hex: string): Buffer => Buffer.from(hex, "hex");

describe("regions", () => {
  const name = "目录/新 文件.txt";
  const withTwo = () =>
    withConflict(
      { [name]: lines("first", ...middle, "last") },
      { [name]: lines("ours first", ...middle, "ours last", "ours more") },
      { [name]: lines("theirs first", ...middle, "theirs last") },
    );

  test("of a file that changes meanwhile are not resolved", async () => {
    const { conflict, project, environment, put, read, trash } = await withTwo();
    const { hash } = await conflict(name);
    const opened = unwrapValue(await openProjectGit(project, environment, new AbortController().signal));
    if (typeof opened === "string" || hash === null) throw new Error("no conflict");
    const changed = changedWhileRead(project, () => put(name, "another\n"));
    const order = { path: name, hash, choices: [{ region: 0, take: "ours" as const }] };
    const resolved = await resolveRegions({ git: opened, project: changed, trash }, order);
    expect(resolved).toMatchObject({ error: { code: "changed_meanwhile" } });
    expect(read(name).toString()).toBe("another\n");
  });

  test("have both sides; one is resolved at a time, with an undo, and the path stays in conflict", async () => {
    const { conflict, resolve, read, trash, unmerged, commands, projectId } = await withTwo();
    const seen = await conflict(name);
    expect(seen).toMatchObject({
      sides: { base: { kind: "file" }, ours: { kind: "file" }, theirs: { kind: "file" } },
      regions: [
        {
          line: 1,
          ours: "ours first\n",
          theirs: "theirs first\n",
          base: null,
          names: { ours: "HEAD", theirs: "feature" },
        },
        { line: 18, ours: "ours last\nours more\n", theirs: "theirs last\n" },
      ],
      now: null,
      looseLine: null,
    });
    const marked = read(name).toString();
    const { saved } = unwrapValue(await resolve(name, { 1: "both" }));
    expect(read(name).toString()).toBe(
      marked.replace(/<<<<<<< HEAD\n(ours last\nours more\n)=======\n(.*\n)>>>>>>> .*\n$/, "$1$2"),
    );
    expect(await conflict(name)).toMatchObject({ regions: [{ line: 1 }] });
    expect(unmerged()).toBe(3);
    unwrapValue(await trash.restore(saved[0] ?? asId(""), true));
    expect(read(name).toString()).toBe(marked);
    const old = { projectId, path: name, hash: seen.hash ?? asId(""), choices: [{ region: 0, take: "ours" as const }] };
    unwrapValue(await commands["source.resolve_regions"](old));
    expect(await commands["source.resolve_regions"](old)).toMatchObject({ error: { code: "changed_meanwhile" } });
    unwrapValue(await resolve(name, { 0: "theirs" }));
    expect(read(name).toString()).toBe(lines("ours first", ...middle, "theirs last"));
  });

  test("that do not exist, or have no common version, change nothing", async () => {
    const { resolve, read } = await withTwo();
    const before = read(name).toString();
    expect(await resolve(name, { 0: "ours", 7: "ours" })).toMatchObject({ error: { code: "bad_input" } });
    expect(await resolve(name, { 0: "base" })).toMatchObject({ error: { code: "bad_input" } });
    expect(read(name).toString()).toBe(before);
  });

  test("have the common version where the user's settings write it", async () => {
    const { conflict, resolve, read } = await withConflict(
      { "a.txt": "base\n" },
      { "a.txt": "ours\n" },
      { "a.txt": "theirs\n" },
      [["merge.conflictStyle", "diff3"]],
    );
    expect(await conflict("a.txt")).toMatchObject({ regions: [{ base: "base\n" }] });
    unwrapValue(await resolve("a.txt", { 0: "base" }));
    expect(read("a.txt").toString()).toBe("base\n");
    expect(await conflict("a.txt")).toMatchObject({ regions: [], now: "base" });
  });

  test("keep CRLF, other encodings, the mode, and a missing last line end", async () => {
    // 价格 and 数量 in GBK.
    const rest = lines(...middle).replaceAll("\n", "\r\n");
    const price = Buffer.concat([gbk("bcdbb8f1"), Buffer.from(`\r\n${rest}`)]);
    const count = Buffer.concat([gbk("cafdc1bf"), Buffer.from(`\r\n${rest}end`)]);
    const { conflict, resolve, read, root } = await withConflict(
      { "a.txt": `x\r\n${rest}` },
      { "a.txt": price },
      { "a.txt": count },
      [["core.autocrlf", "false"]],
    );
    expect(await conflict("a.txt")).toMatchObject({ regions: [{ ours: "价格\r\n", theirs: "数量\r\n" }] });
    chmodSync(join(root, "a.txt"), 0o755);
    unwrapValue(await resolve("a.txt", { 0: "theirs" }));
    expect(read("a.txt")).toEqual(count);
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o755);
    const whole = await withConflict({ "a.txt": "x" }, { "a.txt": "ours" }, { "a.txt": "theirs" });
    unwrapValue(await whole.resolve("a.txt", { 0: "both" }));
    expect(whole.read("a.txt").toString()).toBe("ours\ntheirs");
  });

  test("follow the length of the markers that an attribute sets", async () => {
    const { conflict, resolve, read, mark } = await withConflict(
      { "a.rst": lines("Title", "=======", "x"), ".gitattributes": "*.rst conflict-marker-size=20\n" },
      { "a.rst": lines("Ours", "=======", "x") },
      { "a.rst": lines("Theirs", "=======", "x") },
    );
    expect(await conflict("a.rst")).toMatchObject({ regions: [{ ours: "Ours\n" }] });
    expect(await mark("a.rst")).toMatchObject({ error: { code: "conflicts_left" } });
    unwrapValue(await resolve("a.rst", { 0: "ours" }));
    expect(read("a.rst").toString()).toBe(lines("Ours", "=======", "x"));
    unwrapValue(await mark("a.rst"));
  });

  test("the versions are compared with each other", async () => {
    const { commands, projectId } = await withTwo();
    const diff = await commands["source.conflict_diff"]({ projectId, path: name, from: "base", to: "theirs" });
    expect(unwrapValue(diff)).toMatchObject({ added: 2, removed: 2 });
  });
});

describe("a path is marked as resolved", () => {
  test("without markers, or anyway, and reopened until the next commit", async () => {
    const { mark, resolve, unmerged, commands, projectId, git, read, status } = await withConflict(
      { "a.txt": "base\n", "b.txt": "base\n" },
      { "a.txt": "ours\n", "b.txt": "ours\n" },
      { "a.txt": "theirs\n", "b.txt": "theirs\n" },
    );
    const reopen = (path: string) => commands["source.reopen_conflict"]({ projectId, path });
    expect(await mark("a.txt")).toMatchObject({
      error: { code: "conflicts_left", facts: { path: "a.txt", files: 1 } },
    });
    expect(await commands["source.stage"]({ projectId, paths: ["b.txt", "a.txt"] })).toMatchObject({
      error: { code: "conflicts_left", facts: { path: "a.txt" } },
    });
    expect(unmerged()).toBe(6);
    unwrapValue(await mark("a.txt", { anyway: true }));
    expect([unmerged(), read("a.txt").toString()]).toEqual([3, git("show", ":a.txt")]);
    const before = git("ls-files", "--resolve-undo");
    unwrapValue(await reopen("a.txt"));
    expect(git("ls-files", "--unmerged", "a.txt")).toBe(before);
    expect(await status()).toMatchObject({ conflicts: [{ path: "a.txt" }, { path: "b.txt" }] });
    for (const path of ["a.txt", "b.txt"]) {
      unwrapValue(await resolve(path, { 0: "both" }));
      unwrapValue(await mark(path));
    }
    unwrapValue(await commands["source.step"]({ projectId, step: "continue" }));
    expect(git("show", "HEAD:a.txt")).toBe("ours\ntheirs\n");
    expect(await reopen("a.txt")).toMatchObject({ error: { code: "not_found" } });
    expect(await mark("a.txt")).toMatchObject({ error: { code: "not_found" } });
  });

  test("a deletion is a side, the content of a version is recognized, a binary file has no regions", async () => {
    const binary = (last: number): Uint8Array => Uint8Array.of(0, 1, 2, last);
    const { conflict, mark, commands, projectId, root, git } = await withConflict(
      { "gone.txt": "base\n", "kept.txt": "base\n", "image.bin": binary(1) },
      { "gone.txt": null, "kept.txt": "ours\n", "image.bin": binary(2), "both.txt": "ours\n" },
      { "gone.txt": "theirs\n", "kept.txt": null, "image.bin": binary(3), "both.txt": "theirs\n" },
    );
    const take = (path: string, side: "ours" | "theirs") => commands["source.take_side"]({ projectId, path, side });
    expect(await conflict("gone.txt")).toMatchObject({ sides: { ours: null }, regions: [], now: "theirs" });
    expect(await conflict("kept.txt")).toMatchObject({ sides: { theirs: null }, now: "ours" });
    expect(await conflict("image.bin")).toMatchObject({ why: "binary", now: "ours" });
    expect(await conflict("both.txt")).toMatchObject({ sides: { base: null }, regions: [{ ours: "ours\n" }] });
    unwrapValue(await take("gone.txt", "ours"));
    expect(await conflict("gone.txt")).toMatchObject({ now: "ours", hash: null });
    unwrapValue(await take("image.bin", "theirs"));
    expect(await conflict("image.bin")).toMatchObject({ now: "theirs" });
    unwrapValue(await take("both.txt", "theirs"));
    for (const path of ["gone.txt", "kept.txt", "image.bin", "both.txt"]) unwrapValue(await mark(path));
    expect(existsSync(join(root, "gone.txt"))).toBe(false);
    expect(git("ls-files").trim().split("\n")).toEqual(["both.txt", "image.bin", "kept.txt"]);
  });

  test("a link is taken as a whole, a submodule by its commit without being entered", async () => {
    const source = await makeTestSourceControl();
    const { git, root, commands, projectId, put } = source;
    const conflictOf = commands["source.conflict"];
    git("config", "user.name", "a");
    git("config", "user.email", "a@b");
    mkdirSync(join(root, "sub"));
    git("init", "-q", "sub");
    const commits: string[] = [];
    const commitAll = (message: string, target: string): void => {
      rmSync(join(root, "link"), { force: true });
      symlinkSync(target, join(root, "link"));
      git("-C", "sub", "checkout", "-q", "--detach", commits[0] ?? "HEAD");
      git("-C", "sub", "commit", "-qm", message, "--allow-empty");
      commits.push(git("-C", "sub", "rev-parse", "HEAD").trim());
      git("add", "-A");
      git("commit", "-qm", message);
    };
    git("-C", "sub", "commit", "-qm", "first", "--allow-empty");
    commitAll("base", "base");
    git("checkout", "-qb", "feature");
    commitAll("theirs", "theirs");
    git("checkout", "-q", "main");
    commitAll("ours", "ours");
    unwrapValue(await commands["source.merge"]({ projectId, branch: "feature" }));
    put("sub/own.txt", "not committed\n");
    const conflict = unwrapValue(await conflictOf({ projectId, path: "sub" }));
    expect(conflict.sides.theirs).toEqual({ kind: "submodule", object: commits[1]?.slice(0, 8) });
    expect(unwrapValue(await conflictOf({ projectId, path: "link" }))).toMatchObject({
      sides: { ours: { kind: "link" } },
      regions: [],
    });
    const mark = (path: string, side?: "ours" | "theirs") =>
      commands["source.mark_resolved"]({ projectId, path, anyway: false, side });
    expect(await commands["source.take_side"]({ projectId, path: "sub", side: "theirs" })).toMatchObject({
      error: { code: "bad_input" },
    });
    expect(await mark("link", "theirs")).toMatchObject({ error: { code: "bad_input" } });
    const take = (path: string) => commands["source.take_side"]({ projectId, path, side: "theirs" });
    expect(await take("sub")).toMatchObject({ error: { code: "bad_input" } });
    unwrapValue(await mark("sub", "theirs"));
    expect(git("ls-files", "--stage", "sub")).toContain(`160000 ${commits[1]} 0`);
    expect(source.read("sub/own.txt").toString()).toBe("not committed\n");
    unwrapValue(await take("link"));
    unwrapValue(await mark("link"));
    expect(git("ls-files", "--unmerged")).toBe("");
  });
});

test("where git has resolved all files as before, the merge still waits to be continued", async () => {
  const { git, merged, conflict, resolve, mark, commands, projectId, status } = await withConflict(
    { "a.txt": "base\n" },
    { "a.txt": "ours\n" },
    { "a.txt": "theirs\n" },
    [
      ["rerere.enabled", "true"],
      ["rerere.autoUpdate", "true"],
    ],
  );
  expect([merged.conflicts, (await conflict("a.txt")).regions.length]).toEqual([1, 1]);
  unwrapValue(await resolve("a.txt", { 0: "both" }));
  unwrapValue(await mark("a.txt"));
  unwrapValue(await commands["source.step"]({ projectId, step: "continue" }));
  git("reset", "-q", "--hard", "HEAD~1");
  const again = await commands["source.merge"]({ projectId, branch: "feature" });
  expect(again).toEqual({ ok: true, value: { conflicts: 0, operation: { kind: "merge" } } });
  expect(await status()).toMatchObject({ conflicts: [], operation: { kind: "merge" } });
  expect(git("show", ":a.txt")).toBe("ours\ntheirs\n");
  unwrapValue(await commands["source.step"]({ projectId, step: "continue" }));
  expect(await status()).toMatchObject({ operation: null });
});

test("a project below the top of its repository has the conflicts of its folder", async () => {
  const { git, put, root, read, commands, projectId, status } = await makeTestSourceControl();
  rmSync(join(root, ".git"), { recursive: true });
  const top = dirname(root);
  writeFileSync(join(top, ".gitignore"), "/home\n");
  git("init", "-q", "-b", "main", top);
  const commit = (content: string, branch: string): void => {
    git("checkout", "-qB", branch, ...(branch === "main" ? [] : ["HEAD"]));
    put("a.txt", content);
    git("-C", top, "add", "-A");
    git("commit", "-qm", content);
  };
  commit("base\n", "main");
  commit("theirs\n", "feature");
  git("checkout", "-q", "main");
  put("a.txt", "ours\n");
  git("commit", "-qam", "ours");
  expect(() => git("merge", "feature")).toThrow();
  unwrapValue(await commands["source.use_repository"]({ projectId, top }));
  const path = "a.txt";
  const { hash } = unwrapValue(await commands["source.conflict"]({ projectId, path }));
  const choices = [{ region: 0, take: "both" as const }];
  unwrapValue(await commands["source.resolve_regions"]({ projectId, path, hash: hash ?? asId(""), choices }));
  expect(read(path).toString()).toBe("ours\ntheirs\n");
  unwrapValue(await commands["source.mark_resolved"]({ projectId, path, anyway: false }));
  expect(await status()).toMatchObject({ conflicts: [], staged: [{ path }] });
  unwrapValue(await commands["source.reopen_conflict"]({ projectId, path }));
  expect(await status()).toMatchObject({ conflicts: [{ path }], staged: [] });
});

test("paths outside of the project and not in conflict are refused; no program of the repository leaves a mark", async () => {
  const { commands, projectId, put, plant, marks, conflict, resolve, mark } = await withConflict(
    { "a.txt": "base\n" },
    { "a.txt": "ours\n" },
    { "a.txt": "theirs\n" },
  );
  put("b.txt", "x\n");
  for (const [path, code] of [
    ["../a.txt", "outside"],
    ["b.txt", "not_found"],
    [".git/config", "protected"],
  ] as const)
    expect([path, await commands["source.conflict"]({ projectId, path })]).toMatchObject([
      path,
      { ok: false, error: { code } },
    ]);
  plant();
  await conflict("a.txt");
  unwrapValue(await commands["source.conflict_diff"]({ projectId, path: "a.txt", from: "base", to: "ours" }));
  unwrapValue(await resolve("a.txt", { 0: "ours" }));
  unwrapValue(await mark("a.txt"));
  unwrapValue(await commands["source.reopen_conflict"]({ projectId, path: "a.txt" }));
  expect(marks()).toEqual([]);
});
