import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId } from "@/lib/events/id";
import type { TerminalWork } from "@/lib/workspace/source-refs";
import { makeTestSourceControl, unwrapValue } from "./test-source-control";

async function withCommit() {
  const source = await makeTestSourceControl();
  const { commands, projectId, git, put, root, environment } = source;
  git("config", "--global", "user.name", "a");
  git("config", "--global", "user.email", "a@b");
  const commit = (path: string): string => {
    put(path, `${path}\n`);
    git("add", "-A");
    git("commit", "-qm", path);
    return git("rev-parse", "HEAD").trim();
  };
  return {
    ...source,
    first: commit("first.txt"),
    commit,
    /** Adds an empty remote beside the project. */
    addRemote(name: string): string {
      const folder = join(root, "..", `${name}.git`);
      git("init", "-q", "--bare", "-b", "main", folder);
      git("remote", "add", name, folder);
      return folder;
    },
    lineFor: (work: TerminalWork, allowed?: string) =>
      commands["source.terminal_line"]({
        projectId,
        work,
        ...(allowed === undefined ? {} : { allowed: asId(allowed) }),
      }),
    /** Runs a line as the user's shell in a terminal does. */
    runLine(line: string, more: NodeJS.Dict<string> = {}): void {
      execFileSync("/bin/sh", ["-c", line], { cwd: root, env: { ...environment, ...more }, stdio: "ignore" });
    },
  };
}

type Rig = Awaited<ReturnType<typeof withCommit>>;

async function findLine({ lineFor }: Rig, work: TerminalWork): Promise<string> {
  const answer = unwrapValue(await lineFor(work));
  if (answer.kind !== "line") throw new Error(answer.kind);
  return answer.line;
}

const refusedWith = (code: string) => ({ ok: false, error: { code } });

describe("lines for a terminal", () => {
  test("a branch is published under its own name, whatever it is, and pushed to its upstream after that", async () => {
    const rig = await withCommit();
    const { git, addRemote, runLine, commit, status } = rig;
    const remote = addRemote("origin");
    git("checkout", "-qb", "功能/$(id)'s;x");
    runLine(await findLine(rig, { kind: "push" }));
    expect((await status()).branch).toMatchObject({ upstream: "origin/功能/$(id)'s;x", ahead: 0, behind: 0 });
    const second = commit("second.txt");
    git("branch", "-q", "--set-upstream-to=origin/功能/$(id)'s;x");
    runLine(await findLine(rig, { kind: "push" }));
    expect(git("--git-dir", remote, "rev-parse", "refs/heads/功能/$(id)'s;x").trim()).toBe(second);
    expect((await status()).branch).toMatchObject({ ahead: 0 });
  });

  test("a push goes to the chosen remote, else to the one in the settings, else to origin", async () => {
    const rig = await withCommit();
    const { git, addRemote, lineFor } = rig;
    for (const name of ["copy", "origin"]) addRemote(name);
    git("config", "remote.-odd name.url", "elsewhere");
    const ref = "refs/heads/main:refs/heads/main";
    expect(await findLine(rig, { kind: "push" })).toBe(
      `git push --no-recurse-submodules --set-upstream -- origin ${ref}`,
    );
    expect(await findLine(rig, { kind: "push", remote: "-odd name" })).toBe(
      `git push --no-recurse-submodules --set-upstream -- '-odd name' ${ref}`,
    );
    expect(await lineFor({ kind: "push", remote: "none" })).toMatchObject(refusedWith("not_found"));
    git("config", "branch.main.remote", "origin");
    git("config", "branch.main.merge", "refs/heads/trunk");
    expect(await findLine(rig, { kind: "push" })).toBe(
      "git push --no-recurse-submodules -- origin refs/heads/main:refs/heads/trunk",
    );
    git("config", "remote.pushDefault", "copy");
    expect(await findLine(rig, { kind: "push" })).toBe(`git push --no-recurse-submodules -- copy ${ref}`);
  });

  test("a rejected push leaves the remote as it is, also where settings of the repository force it", async () => {
    const rig = await withCommit();
    const { git, addRemote, runLine, commit } = rig;
    const remote = addRemote("origin");
    const second = commit("second.txt");
    runLine(await findLine(rig, { kind: "push" }));
    git("reset", "-q", "--hard", "HEAD~1");
    commit("other.txt");
    git("config", "remote.origin.push", "+refs/heads/*:refs/heads/*");
    git("config", "push.default", "matching");
    const line = await findLine(rig, { kind: "push" });
    expect(() => runLine(line)).toThrow();
    expect(git("--git-dir", remote, "rev-parse", "main").trim()).toBe(second);
  });

  test("fetch and pull bring what the remote has; without upstream or remote there is nothing to pull", async () => {
    const rig = await withCommit();
    const { git, addRemote, runLine, root, lineFor, status, commands, projectId } = rig;
    for (const kind of ["fetch", "pull", "push"] as const)
      expect(await lineFor({ kind })).toMatchObject({ error: { code: "not_found", detail: "remote" } });
    const remote = addRemote("origin");
    expect(await commands["source.remotes"]({ projectId })).toEqual({ ok: true, value: { remotes: ["origin"] } });
    expect(await lineFor({ kind: "pull" })).toMatchObject({ error: { code: "not_found", detail: "upstream" } });
    runLine(await findLine(rig, { kind: "push" }));
    const clone = join(root, "..", "clone");
    git("clone", "-q", remote, clone);
    git("-C", clone, "commit", "-q", "--allow-empty", "-m", "elsewhere");
    git("-C", clone, "push", "-q");
    runLine(await findLine(rig, { kind: "fetch" }));
    expect((await status()).branch).toMatchObject({ ahead: 0, behind: 1 });
    runLine(await findLine(rig, { kind: "pull" }));
    expect(git("log", "-1", "--format=%s").trim()).toBe("elsewhere");
  });

  test("a work tree elsewhere, which the repository names, is not changed", async () => {
    const rig = await withCommit();
    const { git, home, first, lineFor } = rig;
    const line = await findLine(rig, { kind: "rebase", onto: first });
    git("config", "core.worktree", home);
    expect(await lineFor({ kind: "rebase", onto: first })).toMatchObject({
      error: { code: "tool_failed", facts: { path: home } },
    });
    git("config", "core.worktree", "..");
    expect(await findLine(rig, { kind: "rebase", onto: first })).toBe(line);
  });

  test("an interactive rebase starts the user's editor with the commits", async () => {
    const rig = await withCommit();
    const { first, commit, git, runLine } = rig;
    commit("second.txt");
    runLine(await findLine(rig, { kind: "rebase", onto: first }), { GIT_SEQUENCE_EDITOR: "sed -i s/^pick/drop/" });
    expect(git("rev-parse", "HEAD").trim()).toBe(first);
  });

  test("a rebase with commands to execute is continued there, after a yes to these", async () => {
    const rig = await withCommit();
    const { first, commit, runLine, lineFor, commands, projectId, status } = rig;
    commit("second.txt");
    expect(await lineFor({ kind: "step", step: "continue" })).toMatchObject(refusedWith("not_found"));
    const editor = `f() { printf 'break\\nexec touch mark\\n' > "$1"; }; f`;
    runLine(await findLine(rig, { kind: "rebase", onto: first }), { GIT_SEQUENCE_EDITOR: editor });
    const refused = await commands["source.step"]({ projectId, step: "continue" });
    expect(refused).toMatchObject(refusedWith("needs_terminal"));
    const step = { kind: "step", step: "continue" } as const;
    const request = unwrapValue(await lineFor(step));
    expect(request).toMatchObject({ kind: "ask", programs: ["exec touch mark"] });
    const answer = unwrapValue(await lineFor(step, request.kind === "ask" ? request.hash : ""));
    expect(answer).toMatchObject({ kind: "line", line: "git rebase --continue" });
    if (answer.kind === "line") runLine(answer.line);
    expect(await status()).toMatchObject({ operation: null, untracked: [{ path: "mark" }] });
  });

  test("what changes files waits for the runs of the project; without a commit or a branch nothing is pushed", async () => {
    const rig = await withCommit();
    const { core, projectId, runs, lineFor, addRemote, git } = rig;
    addRemote("origin");
    const created = unwrapValue(
      await core.sessions.create({ projectId, commandId: asId("k1") }, { id: asId("client") }),
    );
    runs.push(created.row.id);
    for (const work of [{ kind: "pull" }, { kind: "rebase", onto: "main" }] as const)
      expect(await lineFor(work)).toMatchObject({ error: { code: "busy", facts: { sessionId: created.row.id } } });
    expect((await lineFor({ kind: "push" })).ok).toBe(true);
    git("checkout", "-q", "--detach");
    expect(await lineFor({ kind: "push" })).toMatchObject({ error: { code: "not_found", detail: "branch" } });
    git("checkout", "-q", "--orphan", "empty");
    expect(await lineFor({ kind: "push" })).toMatchObject(refusedWith("no_commit"));
  });

  test("programs of the repository are allowed once, until one of them changes, and only in a trusted folder", async () => {
    const rig = await withCommit();
    const { addRemote, git, lineFor, root, untrust } = rig;
    addRemote("origin");
    const hook = join(root, ".git/hooks/pre-push");
    writeFileSync(hook, "#!/bin/sh\n", { mode: 0o755 });
    git("config", "core.sshCommand", "ssh -v");
    const request = unwrapValue(await lineFor({ kind: "push" }));
    if (request.kind !== "ask") throw new Error("nothing is asked");
    expect(request.programs).toEqual(["pre-push", "core.sshcommand"]);
    expect(await lineFor({ kind: "push" }, "0".repeat(64))).toMatchObject({ value: { kind: "ask" } });
    expect(await lineFor({ kind: "push" }, request.hash)).toMatchObject({ value: { kind: "line" } });
    expect(await lineFor({ kind: "fetch" })).toMatchObject({ value: { kind: "line" } });
    writeFileSync(hook, "#!/bin/sh\ntrue\n");
    expect(await lineFor({ kind: "fetch" })).toMatchObject({ value: { kind: "ask" } });
    rmSync(hook);
    git("config", "--unset", "core.sshCommand");
    expect(await lineFor({ kind: "fetch" })).toMatchObject({ value: { kind: "line" } });
    untrust();
    expect(await lineFor({ kind: "fetch" })).toMatchObject(refusedWith("untrusted"));
  });
});

describe("no program runs that is not asked about", () => {
  test("also hooks of receiving are asked about: a remote may be the repository itself", async () => {
    const rig = await withCommit();
    const { git, root, lineFor } = rig;
    git("remote", "add", "origin", ".");
    writeFileSync(join(root, ".git/hooks/update"), "#!/bin/sh\n", { mode: 0o755 });
    expect(await lineFor({ kind: "push" })).toMatchObject({ value: { kind: "ask", programs: ["update"] } });
  });

  test("a submodule with settings of its own is not entered", async () => {
    const rig = await withCommit();
    const { git, root, home, addRemote, runLine, marks } = rig;
    git("config", "--global", "protocol.file.allow", "always");
    const upstream = addRemote("origin");
    const inner = join(home, "inner");
    git("init", "-q", "-b", "main", inner);
    git("-C", inner, "commit", "-q", "--allow-empty", "-m", "one");
    git("submodule", "--quiet", "add", inner, "sub");
    git("commit", "-qm", "with sub");
    runLine(await findLine(rig, { kind: "push" }));
    const clone = join(home, "clone");
    git("clone", "-q", upstream, clone);
    git("-C", inner, "commit", "-q", "--allow-empty", "-m", "two");
    const next = git("-C", inner, "rev-parse", "HEAD").trim();
    git("-C", clone, "update-index", "--add", "--cacheinfo", `160000,${next},sub`);
    git("-C", clone, "commit", "-qm", "new sub");
    git("-C", clone, "push", "-q");
    const uploadPack = `touch '${join(home, "marks/ran")}'; git-upload-pack`;
    git("-C", join(root, "sub"), "config", "remote.origin.uploadpack", uploadPack);
    git("config", "fetch.recurseSubmodules", "true");
    for (const kind of ["fetch", "pull"] as const) runLine(await findLine(rig, { kind }));
    expect(marks()).toEqual([]);
    expect(git("log", "-1", "--format=%s").trim()).toBe("new sub");
  });
});

describe("tags", () => {
  test("are created, listed with their commit, and deleted with a way back that keeps their message", async () => {
    const { commands, projectId, git, first, commit, plant, marks } = await withCommit();
    const second = commit("second.txt");
    git("tag", "-a", "-m", "one zero", "v1.0", first);
    plant();
    git("config", "tag.gpgSign", "true");
    unwrapValue(await commands["source.create_tag"]({ projectId, tag: "版本/2", from: "HEAD" }));
    const list = async () => unwrapValue(await commands["source.tags"]({ projectId })).tags;
    expect((await list()).map(({ name, commit: id, subject }) => [name, id, subject]).sort()).toEqual([
      ["v1.0", first, "one zero"],
      ["版本/2", second, "second.txt"],
    ]);
    const again = await commands["source.create_tag"]({ projectId, tag: "v1.0", from: "HEAD" });
    expect(again).toMatchObject(refusedWith("exists"));
    const { object } = unwrapValue(await commands["source.delete_tag"]({ projectId, tag: "v1.0" }));
    expect(await commands["source.delete_tag"]({ projectId, tag: "v1.0" })).toMatchObject(refusedWith("not_found"));
    unwrapValue(await commands["source.create_tag"]({ projectId, tag: "v1.0", from: object }));
    expect((await list()).find(({ name }) => name === "v1.0")).toMatchObject({ commit: first, subject: "one zero" });
    for (const tag of ["a..b", "x.lock", "a/"])
      expect(await commands["source.create_tag"]({ projectId, tag, from: "HEAD" })).toMatchObject(
        refusedWith("bad_input"),
      );
    expect(marks()).toEqual([]);
  });
});
