import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type ClientId } from "@/lib/events/id";
import { readGitMarks } from "@/server/workspace/git/git-marks";
import { readCommittedText } from "@/server/workspace/git/committed-text";
import { readWorkingTree } from "@/server/workspace/git/working-tree";
import { makeTestSourceControl, unwrapValue } from "../test-source-control";

const never = new AbortController().signal;
const folder = "包 1/app";
const client = { id: asId<ClientId>("c1"), access: "owner" as const, join() {}, leave() {} };

async function inFolder({ isUsed = true } = {}) {
  const source = await makeTestSourceControl({}, folder);
  const { top, git, put, commands, projectId } = source;
  const putOutside = (path: string, content: string): void => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), content);
  };
  const commit = (message: string): string => {
    git("add", "-A");
    git("commit", "-qm", message);
    return git("rev-parse", "HEAD").trim();
  };
  putOutside("top.txt", "1\n");
  putOutside("包 1/other/o.txt", "1\n");
  put("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  put("deep/b.txt", "b\n");
  const first = commit("first");
  if (isUsed) unwrapValue(await commands["source.use_repository"]({ projectId, top }));
  return { ...source, putOutside, commit, first };
}

const linesOf = (old: number[], now: number[]) => ({ old, new: now });

describe("a project below the top of its repository", () => {
  test("uses it only after the user's yes, which names its top, and until it is withdrawn", async () => {
    const { commands, projectId, top, root, project, git } = await inFolder({ isUsed: false });
    expect(unwrapValue(await commands["source.status"]({ projectId }))).toEqual({ kind: "above", top });
    expect(await commands["source.stage"]({ projectId, paths: ["a.txt"] })).toMatchObject({
      error: { code: "not_found" },
    });
    expect((await project.view()).branch).toBeNull();
    expect(await commands["source.use_repository"]({ projectId, top: dirname(root) })).toMatchObject({
      error: { code: "not_found" },
    });
    expect(unwrapValue(await commands["source.use_repository"]({ projectId, top })).branch).toBe("main");
    expect(unwrapValue(await commands["source.status"]({ projectId }))).toMatchObject({ kind: "status" });
    // A nearer repository is another one.
    git("init", "-q", dirname(root));
    expect(unwrapValue(await commands["source.status"]({ projectId }))).toEqual({ kind: "above", top: dirname(root) });
    unwrapValue(await commands["source.use_repository"]({ projectId, top: null }));
    expect(project.gitTop()).toBeNull();
  });

  test("is refused in an untrusted folder", async () => {
    const { commands, projectId, top, untrust } = await inFolder();
    untrust();
    expect(unwrapValue(await commands["source.status"]({ projectId }))).toEqual({ kind: "untrusted" });
    expect(await commands["source.use_repository"]({ projectId, top })).toMatchObject({ error: { code: "untrusted" } });
  });

  test("has only the changes of its folder, and counts what is staged beside it", async () => {
    const { put, putOutside, git, status, top, project, environment } = await inFolder();
    put("a.txt", "x\n");
    git("mv", `${folder}/deep/b.txt`, `${folder}/c.txt`);
    put("new/n.txt", "n\n");
    putOutside("top.txt", "2\n");
    putOutside("包 1/other/untracked.txt", "2\n");
    git("add", "top.txt");
    expect(await status()).toMatchObject({
      above: { top, staged: 1 },
      staged: [{ path: "c.txt", from: "deep/b.txt", change: "renamed" }],
      changed: [{ path: "a.txt" }],
      untracked: [{ path: "new/" }],
    });
    expect(unwrapValue(await readGitMarks(project, environment, never))?.map(({ path }) => path)).toEqual([
      "a.txt",
      "c.txt",
      "deep/b.txt",
      "new",
    ]);
    const tree = unwrapValue(await readWorkingTree(project, environment, never));
    expect(tree.kind === "changes" && tree.files.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "changed a.txt",
      "created c.txt",
      "deleted deep/b.txt",
      "created new/n.txt",
    ]);
    expect(unwrapValue(await readCommittedText(project, "deep/b.txt", environment, never))).toBe("b\n");
  });

  test("lists its content if nothing of it is tracked", async () => {
    const { commands, projectId, status, put, top } = await makeTestSourceControl({}, "new/project");
    unwrapValue(await commands["source.use_repository"]({ projectId, top }));
    put("a.txt", "a\n");
    put("in/b.txt", "b\n");
    expect((await status()).untracked.map(({ path }) => path)).toEqual(["a.txt", "in/"]);
    unwrapValue(await commands["source.stage"]({ projectId, paths: ["in/"] }));
    expect((await status()).staged.map(({ path }) => path)).toEqual(["in/b.txt"]);
  });

  test("stages, unstages and discards files and lines of the folder", async () => {
    const { put, putOutside, read, staged, diff, commands, projectId, status, git } = await inFolder();
    put("a.txt", "1\ntwo\n3\n4\n5\n6\n7\n8\nnine\n");
    putOutside("a.txt", "another file\n");
    const shown = await diff("a.txt", "changed");
    expect([shown.added, shown.removed]).toEqual([2, 2]);
    const order = { projectId, path: "a.txt", isUntracked: false };
    unwrapValue(
      await commands["source.change_lines"]({ ...order, side: "changed", hash: shown.hash, lines: linesOf([2], [2]) }),
    );
    expect(staged("a.txt")).toBe("1\ntwo\n3\n4\n5\n6\n7\n8\n9\n");
    const inIndex = await diff("a.txt", "staged");
    unwrapValue(
      await commands["source.change_lines"]({ ...order, side: "staged", hash: inIndex.hash, lines: linesOf([2], [2]) }),
    );
    expect(staged("a.txt")).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    const rest = await diff("a.txt", "changed");
    unwrapValue(
      await commands["source.discard_lines"]({ projectId, path: "a.txt", hash: rest.hash, lines: linesOf([9], [9]) }),
    );
    expect(read("a.txt").toString()).toBe("1\ntwo\n3\n4\n5\n6\n7\n8\n9\n");
    unwrapValue(await commands["source.discard"]({ projectId, paths: ["a.txt"] }));
    expect(read("a.txt").toString()).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n");

    put("new.txt", "one\ntwo\n");
    const untracked = await diff("new.txt", "changed", true);
    unwrapValue(
      await commands["source.change_lines"]({
        ...{ projectId, path: "new.txt", side: "changed", isUntracked: true, hash: untracked.hash },
        lines: linesOf([], [1]),
      }),
    );
    expect(staged("new.txt")).toBe("one\n");
    unwrapValue(await commands["source.stage"]({ projectId, paths: ["new.txt"] }));
    unwrapValue(await commands["source.unstage"]({ projectId, paths: ["new.txt"] }));
    expect((await status()).untracked.map(({ path }) => path)).toEqual(["new.txt"]);
    expect(git("status", "--porcelain").includes("?? a.txt")).toBe(true);
  });

  test("commits the whole index, and says which conflict outside is left", async () => {
    const { put, putOutside, git, commit, commands, projectId, environment, status } = await inFolder();
    git("config", "user.name", "a");
    git("config", "user.email", "a@b");
    const form = { projectId, message: "both", amend: false, signOff: false, hooks: "skip" as const };
    put("a.txt", "x\n");
    putOutside("top.txt", "2\n");
    git("add", "-A");
    unwrapValue(await commands["source.commit"](form));
    expect(git("show", "--format=", "--name-only", "-z", "HEAD").split("\0")).toHaveLength(3);
    git("checkout", "-qb", "side");
    putOutside("top.txt", "side\n");
    commit("side");
    git("checkout", "-q", "main");
    putOutside("top.txt", "main\n");
    commit("main");
    unwrapValue(await commands["source.merge"]({ projectId, branch: "side" }));
    expect(environment.HOME).toBeDefined();
    expect(await commands["source.commit"](form)).toMatchObject({
      error: { code: "conflicts_left", facts: { path: "top.txt" } },
    });
    expect((await status()).operation).toEqual({ kind: "merge" });
    // Its copy could not be kept: the file is not in the project.
    expect(await commands["source.step"]({ projectId, step: "abort" })).toMatchObject({ error: { code: "outside" } });
    expect(existsSync(join(git("rev-parse", "--absolute-git-dir").trim(), "MERGE_HEAD"))).toBe(true);
  });

  test("resolves a conflict in the folder, and puts it back", async () => {
    const { put, git, commit, commands, projectId, read, status } = await inFolder();
    git("config", "user.name", "a");
    git("config", "user.email", "a@b");
    git("checkout", "-qb", "side");
    put("deep/b.txt", "side\n");
    commit("side");
    git("checkout", "-q", "main");
    put("deep/b.txt", "main\n");
    commit("main");
    unwrapValue(await commands["source.merge"]({ projectId, branch: "side" }));
    const target = { projectId, path: "deep/b.txt" };
    const { hash, regions } = unwrapValue(await commands["source.conflict"](target));
    expect(regions).toMatchObject([{ ours: "main\n", theirs: "side\n" }]);
    unwrapValue(
      await commands["source.resolve_regions"]({
        ...target,
        hash: hash ?? asId(""),
        choices: [{ region: 0, take: "theirs" }],
      }),
    );
    expect(read("deep/b.txt").toString()).toBe("side\n");
    unwrapValue(await commands["source.mark_resolved"]({ ...target, anyway: false }));
    expect(git("ls-files", "--unmerged")).toBe("");
    unwrapValue(await commands["source.reopen_conflict"](target));
    expect((await status()).conflicts.map(({ path }) => path)).toEqual(["deep/b.txt"]);
    unwrapValue(await commands["source.take_side"]({ ...target, side: "ours" }));
    expect(read("deep/b.txt").toString()).toBe("main\n");
    unwrapValue(await commands["source.stage"]({ projectId, paths: ["deep/b.txt"] }));
    expect(unwrapValue(await commands["source.step"]({ projectId, step: "continue" })).operation).toBeNull();
  });

  test("has the history of its folder: log with parents among its commits, files, renames, blame", async () => {
    const { put, putOutside, commit, commands, projectId, first, git } = await inFolder();
    putOutside("top.txt", "2\n");
    commit("outside");
    put("a.txt", "1\nchanged\n");
    putOutside("top.txt", "3\n");
    const both = commit("both");
    git("mv", "top.txt", `${folder}/top.txt`);
    const moved = commit("moved in");
    put("top.txt", "3\n4\n");
    const last = commit("last");
    const log = async (more: object = {}) =>
      unwrapValue(await commands["source.log"]({ projectId, ...more }, client)).commits.map(
        ({ id, parents, path }) => ({
          id,
          parents,
          path,
        }),
      );
    expect(await log()).toMatchObject([
      { id: last, parents: [moved] },
      { id: moved, parents: [both] },
      { id: both, parents: [first] },
      { id: first, parents: [] },
    ]);
    expect((await log({ path: "A.TXT" })).map(({ id }) => id)).toEqual([both, first]);
    expect((await log({ content: "changed" })).map(({ id }) => id)).toEqual([both]);
    // Before, the file was outside of the folder.
    expect(await log({ file: "top.txt" })).toMatchObject([
      { id: last, path: "top.txt" },
      { id: moved, path: "top.txt" },
    ]);
    const view = unwrapValue(await commands["source.commit_view"]({ projectId, commit: both }));
    expect(view.files.map(({ path }) => path)).toEqual(["a.txt"]);
    const shown = unwrapValue(
      await commands["source.commit_diff"]({ projectId, from: first, to: both, path: "a.txt" }),
    );
    expect(shown.hunks).toHaveLength(1);
    const blame = unwrapValue(await commands["source.blame"]({ projectId, path: "a.txt" }));
    expect(blame.runs.map(({ commit: at }) => blame.commits[at ?? 0]?.id)).toEqual([first, both]);
    const missing = await commands["source.blame"]({ projectId, path: "none.txt" });
    expect(missing).toMatchObject({ error: { code: "not_found" } });
  });

  test("has no work trees of its own", async () => {
    const { commands, projectId } = await inFolder();
    const refused = { error: { code: "not_found", detail: "above" } };
    expect(await commands["worktree.list"]({ projectId })).toMatchObject(refused);
    expect(await commands["worktree.create"]({ projectId, name: "x", files: [] })).toMatchObject(refused);
  });

  test("switches branches and stashes for the whole repository", async () => {
    const { put, putOutside, git, commands, projectId, status, read } = await inFolder();
    git("branch", "side");
    unwrapValue(await commands["source.switch"]({ projectId, branch: "side" }));
    expect((await status()).branch.name).toBe("side");
    git("config", "user.name", "a");
    git("config", "user.email", "a@b");
    put("a.txt", "mine\n");
    putOutside("top.txt", "mine\n");
    const order = { projectId, message: "", stagedOnly: false, includeUntracked: true };
    const { id } = unwrapValue(await commands["source.stash"](order));
    expect(git("status", "--porcelain")).toBe("");
    unwrapValue(await commands["source.stash_pop"]({ projectId, id }));
    expect(read("a.txt").toString()).toBe("mine\n");
    expect(git("status", "--porcelain", "top.txt")).toBe(" M top.txt\n");
  });
});
