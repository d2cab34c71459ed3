import { execSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandInput } from "@/lib/protocol/command";
import { readMessageChanges } from "@/server/workspace/git/commit/message-changes";
import { openProjectGit } from "@/server/workspace/git/project-git";
import { makeTestSourceControl, unwrapValue } from "../test-source-control";

/** `folder` = the project is below the top of its repository. */
async function withRepository(folder?: string) {
  const source = await makeTestSourceControl({}, folder);
  const { commands, projectId, git, put, root } = source;
  git("config", "--global", "user.name", "a");
  git("config", "--global", "user.email", "a@b");
  git("config", "core.quotePath", "false");
  put("a.txt", "a\n");
  put("b.txt", "b\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  return {
    ...source,
    commit: (paths: readonly string[], input: Partial<CommandInput<"source.commit">> = {}) =>
      commands["source.commit"]({
        ...{ projectId, message: "some", amend: false, signOff: false, hooks: "skip" },
        ...{ paths: [...paths], ...input },
      }),
    /** Names and kinds of change of the last commit. */
    last: () => utf8(git("show", "-z", "--format=", "--name-status", "HEAD")),
    state: () => utf8(git("status", "--porcelain", "-z", "--untracked-files=all")),
    hook(name: string, script: string): void {
      mkdirSync(join(root, ".git/hooks"), { recursive: true });
      writeFileSync(join(root, ".git/hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    },
  };
}

const utf8 = (latin1: string): readonly string[] =>
  Buffer.from(latin1, "latin1").toString("utf8").split("\0").filter(Boolean);

describe("a commit of some paths", () => {
  test("has exactly these as they are on the disk; others stay staged, and unstaged", async () => {
    const { commit, put, git, root, last, state, staged } = await withRepository();
    put("new.txt", "new\n");
    put("staged.txt", "staged\n");
    git("add", "staged.txt");
    put("staged.txt", "later\n");
    put("a.txt", "staged\n");
    git("add", "a.txt");
    put("a.txt", "on the disk\n");
    rmSync(join(root, "b.txt"));
    put("other.txt", "untracked\n");
    const odd = ":(glob)*\n-名 q\"'.txt";
    put(odd, "odd\r\n");
    unwrapValue(await commit(["new.txt", "a.txt", "b.txt", odd, "never.txt"]));
    expect(last()).toEqual(["A", odd, "M", "a.txt", "D", "b.txt", "A", "new.txt"]);
    expect(git("show", "HEAD:a.txt")).toBe("on the disk\n");
    expect(state()).toEqual(["AM staged.txt", "?? other.txt"]);
    expect(staged("staged.txt")).toBe("staged\n");
  });

  test("contains a path that was removed from the index, and takes no new one that is gone", async () => {
    const { commit, put, git, root, last, state } = await withRepository();
    git("rm", "-q", "--cached", "a.txt");
    put("a.txt", "a again\n");
    git("rm", "-q", "b.txt");
    put("gone.txt", "gone\n");
    git("add", "gone.txt");
    rmSync(join(root, "gone.txt"));
    expect(await commit(["gone.txt"])).toMatchObject({ error: { code: "no_changes" } });
    unwrapValue(await commit(["gone.txt", "a.txt", "b.txt"]));
    expect(last()).toEqual(["M", "a.txt", "D", "b.txt"]);
    expect(state()).toEqual(["AD gone.txt"]);
  });

  test("is made before the first commit, and with no branch checked out", async () => {
    const { commit, put, git, last, state } = await withRepository();
    git("update-ref", "-d", "HEAD");
    unwrapValue(await commit(["a.txt"]));
    expect([last(), state()]).toEqual([["A", "a.txt"], ["A  b.txt"]]);
    git("checkout", "-q", "--detach");
    put("a.txt", "more\n");
    unwrapValue(await commit(["a.txt"]));
    expect(last()).toEqual(["M", "a.txt"]);
  });

  test("is refused without changes, outside of the project, during a merge, and as an amended one", async () => {
    const { commit, put, git } = await withRepository();
    put("other.txt", "x\n");
    git("add", "other.txt");
    expect(await commit(["a.txt"])).toMatchObject({ error: { code: "no_changes" } });
    expect(await commit(["../a.txt"])).toMatchObject({ error: { code: "outside" } });
    expect(await commit(["other.txt"], { amend: true })).toMatchObject({ error: { code: "bad_input" } });
    git("checkout", "-qb", "side");
    git("commit", "-qm", "side");
    git("checkout", "-q", "main");
    git("merge", "-q", "--no-ff", "--no-commit", "side");
    expect(await commit(["other.txt"])).toMatchObject({ error: { code: "git_unfinished" } });
  });

  test("is refused for a change that was staged and taken back on the disk", async () => {
    const { commit, put, git, state } = await withRepository();
    put("a.txt", "staged\n");
    git("add", "a.txt");
    put("a.txt", "a\n");
    expect(await commit(["a.txt"])).toMatchObject({ error: { code: "no_changes" } });
    expect(state()).toEqual(["MM a.txt"]);
  });

  test("has a folder in place of a file; a hook that refuses leaves the file in the index", async () => {
    const { commit, put, root, hook, last, state, commands, projectId } = await withRepository();
    rmSync(join(root, "a.txt"));
    put("a.txt/new.txt", "new\n");
    const before = state();
    hook("pre-commit", "exit 1");
    const { hooksHash } = unwrapValue(await commands["source.commit_facts"]({ projectId }));
    const paths = ["a.txt", "a.txt/new.txt"];
    expect(await commit(paths, { hooks: "run", hooksHash })).toMatchObject({ error: { code: "hook_failed" } });
    expect(state()).toEqual(before);
    unwrapValue(await commit(paths));
    expect([last(), state()]).toEqual([["D", "a.txt", "A", "a.txt/new.txt"], []]);
  });

  test("leaves the index as it was when a hook refuses; the hook sees these paths alone", async () => {
    const { commit, put, git, hook, state, commands, projectId, last } = await withRepository();
    put("new.txt", "new\n");
    put("staged.txt", "staged\n");
    git("add", "staged.txt");
    hook("pre-commit", 'git diff --cached --name-only; test -f allowed || exit 1; git ls-files -- "*.none" > seen');
    const { hooksHash } = unwrapValue(await commands["source.commit_facts"]({ projectId }));
    const answer = await commit(["new.txt", "a.txt"], { hooks: "run", hooksHash });
    expect(answer).toMatchObject({ error: { code: "hook_failed", detail: "new.txt" } });
    expect(state()).toEqual(["A  staged.txt", "?? new.txt"]);
    put("allowed", "");
    unwrapValue(await commit(["new.txt"], { hooks: "run", hooksHash }));
    expect([last(), state()]).toEqual([
      ["A", "new.txt"],
      ["A  staged.txt", "?? allowed", "?? seen"],
    ]);
  });

  test("runs no program of the repository, and stores nothing past a filter of it", async () => {
    const { commit, put, git, plant, marks, last, root, state } = await withRepository();
    const mark = plant();
    put("new.md", "new\n");
    unwrapValue(await commit(["new.md"]));
    expect([marks(), last()]).toEqual([[], ["A", "new.md"]]);
    git("config", "filter.secret.clean", `${mark("clean")}; tr a-z A-Z`);
    writeFileSync(join(root, ".git/info/attributes"), "*.bin filter=secret\n");
    put("x.bin", "plain\n");
    expect(await commit(["x.bin"])).toMatchObject({ error: { code: "filter_off" } });
    expect(state()).toEqual(["?? x.bin"]);
    expect(existsSync(join(root, ".git/index.lock"))).toBe(false);
  });

  test("in a folder below the top has paths of the folder, also in the text for its message", async () => {
    const { commit, commands, projectId, put, git, top, last, project, environment } = await withRepository("包 1/app");
    unwrapValue(await commands["source.use_repository"]({ projectId, top }));
    put("new.txt", "new\n");
    put("a.txt", "more\n");
    writeFileSync(join(top, "beside.txt"), "beside\n");
    git("add", "beside.txt");
    const opened = unwrapValue(await openProjectGit(project, environment, new AbortController().signal));
    if (typeof opened === "string") throw new Error(opened);
    const requested: string[] = [];
    const mayRead = (path: string): boolean => requested.push(path) > 0;
    const read = async (scope: "all" | "staged") => unwrapValue(await readMessageChanges(opened, { scope, mayRead }));
    const all = await read("all");
    expect(all.files.map(({ path, patch }) => [path, patch?.split("\n").at(-1)])).toEqual([
      ["包 1/app/a.txt", "+more"],
      ["包 1/app/new.txt", "+new"],
    ]);
    expect([requested, await read("staged")]).toEqual([["a.txt", "new.txt"], { ...all, files: [], hidden: 1 }]);
    unwrapValue(await commit(["new.txt"]));
    expect(last()).toEqual(["A", "包 1/app/new.txt"]);
  });

  test("that needs a terminal is made there by the command", async () => {
    const { commit, put, git, last, root } = await withRepository();
    git("config", "commit.gpgSign", "true");
    git("config", "--global", "gpg.program", "false");
    put("new it's.txt", "new\n");
    put("staged.txt", "staged\n");
    git("add", "staged.txt");
    const answer = await commit(["new it's.txt"]);
    if (answer.ok || answer.error.code !== "needs_terminal") throw new Error("no terminal is needed");
    const { command = "" } = answer.error.facts ?? {};
    execSync(command.replace("git ", "git -c commit.gpgSign=false -c user.name=a -c user.email=a@b "), { cwd: root });
    expect(last()).toEqual(["A", "new it's.txt"]);
  });

  test("that needs a terminal is made from a folder below the top, without the monitor that the repository names", async () => {
    const { commit, commands, projectId, put, git, last, root, top, plant, marks } = await withRepository("包/app");
    unwrapValue(await commands["source.use_repository"]({ projectId, top }));
    plant();
    git("config", "--unset", "gpg.program");
    git("config", "commit.gpgSign", "true");
    git("config", "--global", "gpg.program", "false");
    put("new.txt", "new\n");
    const answer = await commit(["new.txt"]);
    if (answer.ok || answer.error.code !== "needs_terminal") throw new Error("no terminal is needed");
    const { command = "" } = answer.error.facts ?? {};
    execSync(command.replace("git ", "git -c commit.gpgSign=false -c user.name=a -c user.email=a@b "), { cwd: root });
    expect(marks()).toEqual([]);
    expect(last()).toEqual(["A", "包/app/new.txt"]);
  });
});
