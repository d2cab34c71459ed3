import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Push } from "@/lib/protocol/push";
import type { CommandInput } from "@/lib/protocol/command";
import { asId, type CallId, type CommandId, type Hash, type ProjectId } from "@/lib/events/id";
import { makeTestSourceControl, unwrapValue } from "../test-source-control";

async function withRepository(more: NodeJS.Dict<string> = {}) {
  const source = await makeTestSourceControl(more);
  const { commands, projectId, git, root, put, pushes } = source;
  git("config", "--global", "user.name", "Ann 安");
  git("config", "--global", "user.email", "ann@example.org");
  return {
    ...source,
    facts: async () => unwrapValue(await commands["source.commit_facts"]({ projectId })),
    commit: (message: string, input: Partial<CommandInput<"source.commit">> = {}) =>
      commands["source.commit"]({ projectId, message, amend: false, signOff: false, hooks: "skip", ...input }),
    /** Writes a file and stages it. */
    stage(path: string, content = `${path}\n`): void {
      put(path, content);
      git("add", "-A");
    },
    message: () =>
      Buffer.from(git("log", "-1", "--format=%B"), "latin1")
        .toString()
        .trimEnd(),
    hook(name: string, script: string): void {
      writeFileSync(join(root, ".git/hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    },
    /** Resolves as soon as the output matches. */
    whenOutput: (pattern: RegExp) => vi.waitFor(() => expect(outputOf(pushes)).toMatch(pattern), { timeout: 20_000 }),
    output: () => outputOf(pushes),
  };
}

const outputOf = (pushes: readonly Push[]): string =>
  pushes.flatMap((push) => (push.type === "source_output" ? [push.text] : [])).join("");

const wrongHash = asId<Hash>("0".repeat(64));

describe("after a commit, the review of the agent's changes", () => {
  const changed = (
    path: string,
    before: string,
    core: Awaited<ReturnType<typeof withRepository>>["core"],
    id: ProjectId,
  ) => {
    const session = core.registry.create({ projectId: id, cwd: "/", mode: "ask", commandId: asId<CommandId>(path) });
    const blob = core.store.blobs.put(Buffer.from(before));
    session.files.recordFoundChanges(asId<CallId>("c1"), [{ path, before: blob, mode: 0o644 }]);
    return session;
  };

  test("has the lines that it does not contain, with the line ends of the disk", async () => {
    const { git, put, stage, commit, core, projectId } = await withRepository();
    git("config", "core.autocrlf", "true");
    stage("中文 名.txt", "a\r\nb\r\nc\r\n");
    unwrapValue(await commit("first"));
    const session = changed("中文 名.txt", "a\r\nb\r\nc\r\n", core, projectId);
    stage("中文 名.txt", "A\r\nb\r\nc\r\n");
    put("中文 名.txt", "A\r\nb\r\nC\r\n");
    unwrapValue(await commit("second"));
    const { files, decided } = unwrapValue(await session.review.state());
    expect(files).toMatchObject([{ path: "中文 名.txt", added: 1, removed: 1 }]);
    expect(decided).toBe(1);
    git("commit", "-qam", "in a terminal");
    expect(unwrapValue(await session.review.state()).files).toHaveLength(1);
    unwrapValue(await commit("the same", { amend: true }));
    expect(unwrapValue(await session.review.state()).files).toEqual([]);
  });

  test("follows a commit of the repository above the project", async () => {
    const { git, put, top, commands, core, projectId } = await makeTestSourceControl({}, "包 1/app");
    for (const name of ["name", "email"]) git("config", "--global", `user.${name}`, "ann");
    unwrapValue(await commands["source.use_repository"]({ projectId, top }));
    const session = changed("a.txt", "a\r\n", core, projectId);
    put(".gitattributes", "/a.txt text eol=crlf\n");
    put("a.txt", "b\r\n");
    git("add", "-A");
    const input = { projectId, message: "first", amend: false, signOff: false, hooks: "skip" as const };
    unwrapValue(await commands["source.commit"](input));
    expect(unwrapValue(await session.review.state())).toMatchObject({ files: [], decided: 1 });
  });

  test("has all of them if the setting is off", async () => {
    const { stage, commit, core, projectId, settings } = await withRepository();
    settings.current = { ...settings.current, reviewAcceptCommitted: false };
    const session = changed("a.txt", "a\n", core, projectId);
    stage("a.txt", "b\n");
    unwrapValue(await commit("first"));
    expect(unwrapValue(await session.review.state()).files).toHaveLength(1);
  });
});

describe("a commit", () => {
  test("contains what is staged, with the message as it was written", async () => {
    const { git, put, stage, commit, message, facts } = await withRepository();
    git("config", "i18n.commitEncoding", "ISO-8859-1");
    git("config", "commit.cleanup", "strip");
    stage("中文 名.txt");
    put("中文 名.txt", "not staged\n");
    const text = "# 价格: é\n\n#12 is a line, not a comment\n  indented  \n\n\nend";
    const { commit: id } = unwrapValue(await commit(text));
    expect(git("rev-parse", "HEAD").trim()).toBe(id);
    expect(message()).toBe("# 价格: é\n\n#12 is a line, not a comment\n  indented\n\nend");
    expect(
      Buffer.from(git("log", "-1", "--format=%an <%ae>"), "latin1")
        .toString()
        .trim(),
    ).toBe("Ann 安 <ann@example.org>");
    expect(git("status", "--porcelain").startsWith(" M ")).toBe(true);
    expect(await facts()).toMatchObject({
      hooks: [],
      lastMessage: message(),
      lastIsPushed: false,
      identity: { name: "Ann 安", email: "ann@example.org" },
      signs: false,
    });
  });

  test("without anything staged it is refused, except for an amended one", async () => {
    const { stage, put, commit, git, message } = await withRepository();
    expect(await commit("nothing")).toMatchObject({ error: { code: "nothing_staged" } });
    expect(await commit("nothing", { amend: true })).toMatchObject({ error: { code: "no_commit" } });
    stage("a.txt");
    unwrapValue(await commit("first", { signOff: true }));
    expect(message()).toBe("first\n\nSigned-off-by: Ann 安 <ann@example.org>");
    put("b.txt", "untracked\n");
    expect(await commit("again")).toMatchObject({ error: { code: "nothing_staged" } });
    unwrapValue(await commit("better", { amend: true }));
    expect([message(), git("rev-list", "--count", "HEAD").trim()]).toEqual(["better", "1"]);
  });

  test("without name and e-mail in the settings it is refused, and nothing is configured", async () => {
    const { stage, commit, git, facts, home } = await withRepository();
    git("config", "--global", "--unset", "user.email");
    const before = readFileSync(join(home, ".gitconfig"), "utf8");
    stage("a.txt");
    expect((await facts()).identity).toBe(null);
    expect(await commit("first")).toMatchObject({ error: { code: "no_identity" } });
    expect(readFileSync(join(home, ".gitconfig"), "utf8")).toBe(before);
  });

  test("the last one is pushed once a remote branch has it", async () => {
    const { stage, commit, git, facts } = await withRepository();
    stage("a.txt");
    unwrapValue(await commit("first"));
    git("clone", "-q", "--bare", ".", "../remote.git");
    git("remote", "add", "origin", "../remote.git");
    git("fetch", "-q", "origin");
    expect(await facts()).toMatchObject({ lastIsPushed: true, lastMessage: "first" });
    stage("b.txt");
    unwrapValue(await commit("second"));
    expect(await facts()).toMatchObject({ lastIsPushed: false });
  });

  test("works with no branch checked out and in a linked work tree", async () => {
    const { stage, commit, git, core, commands, root, message, facts } = await withRepository();
    stage("a.txt");
    unwrapValue(await commit("first"));
    git("checkout", "-q", "--detach");
    stage("b.txt");
    unwrapValue(await commit("second"));
    expect(message()).toBe("second");
    const path = join(root, "../linked 树");
    git("worktree", "add", "-q", "-b", "side", path);
    const linked = unwrapValue(await core.projects.open(path)).project.id;
    core.store.projects.setTrust(linked, 1);
    writeFileSync(join(path, "c.txt"), "c\n");
    unwrapValue(await commands["source.stage"]({ projectId: linked, paths: ["c.txt"] }));
    unwrapValue(await commit("third", { projectId: linked }));
    expect([git("log", "-1", "--format=%s", "side").trim(), (await facts()).lastMessage]).toEqual(["third", "second"]);
  });

  test("conflicts are named, and the resolved merge is committed with two parents", async () => {
    const { stage, commit, git } = await withRepository();
    stage("a.txt", "base\n");
    unwrapValue(await commit("base"));
    git("checkout", "-qb", "side");
    stage("a.txt", "side\n");
    unwrapValue(await commit("side"));
    git("checkout", "-q", "main");
    stage("a.txt", "main\n");
    unwrapValue(await commit("main"));
    expect(() => git("merge", "side")).toThrow();
    expect(await commit("merged")).toMatchObject({
      error: { code: "conflicts_left", facts: { path: "a.txt", files: 1 } },
    });
    stage("a.txt", "main\n");
    expect(await commit("merged", { amend: true })).toMatchObject({ error: { code: "git_unfinished" } });
    unwrapValue(await commit("merged"));
    expect(git("rev-list", "--parents", "-1", "HEAD").trim().split(" ")).toHaveLength(3);
  });

  test("names the model only if the setting is on", async () => {
    const { stage, commit, settings, message } = await withRepository();
    stage("a.txt");
    unwrapValue(await commit("first\n\nSigned-off-by: B <b@c>", { model: "qwen3 4b" }));
    expect(message()).toBe("first\n\nSigned-off-by: B <b@c>");
    settings.current = { ...settings.current, sourceAssistedBy: true };
    unwrapValue(await commit("first\n\nSigned-off-by: B <b@c>", { model: "qwen3\n4b", amend: true }));
    expect(message()).toBe("first\n\nSigned-off-by: B <b@c>\nAssisted-by: qwen3 4b");
  });

  test("begins with the user's template; one of the repository must be in the project", async () => {
    const { git, put, home, facts } = await withRepository();
    writeFileSync(join(home, "template"), "why:\n");
    git("config", "--global", "commit.template", "~/template");
    expect((await facts()).template).toBe("why:\n");
    git("config", "commit.template", join(home, "template"));
    expect((await facts()).template).toBe(undefined);
    put("docs/template", "what:\n");
    git("config", "commit.template", "docs/template");
    expect((await facts()).template).toBe("what:\n");
  });
});

describe("hooks", () => {
  test("run only with the hash that the user has seen, in the environment of a tool, and their output is published", async () => {
    const { stage, commit, hook, facts, output, root, git } = await withRepository({
      MY_TOKEN: "secret",
      LANG: "de_DE.UTF-8",
    });
    hook(
      "pre-commit",
      'echo "checked $MY_TOKEN $HOME"; pwd; echo warning >&2; git add extra.txt; command -v git >/dev/null',
    );
    hook("commit-msg", 'echo "by hook" >> "$1"');
    hook("pre-push", "exit 1");
    writeFileSync(join(root, ".git/hooks/post-commit"), "#!/bin/sh\nexit 1\n", { mode: 0o644 });
    stage("a.txt");
    writeFileSync(join(root, "extra.txt"), "staged by the hook\n");
    const { hooks, hooksHash, areHooksApproved } = await facts();
    const names = ["commit-msg", "pre-commit"];
    expect(hooks).toEqual(names.map((name) => ({ name, path: join(root, ".git/hooks", name) })));
    expect(areHooksApproved).toBe(false);
    expect(await commit("first", { hooks: "run" })).toMatchObject({ error: { code: "bad_input" } });
    expect(await commit("first", { hooks: "run", hooksHash: wrongHash })).toMatchObject({
      error: { code: "changed_meanwhile" },
    });
    expect(output()).toBe("");
    unwrapValue(await commit("first", { hooks: "run", hooksHash }));
    expect(output()).toContain("checked  ");
    expect(output()).toContain(`${root}\nwarning\n`);
    expect(git("log", "-1", "--format=%B").trim()).toBe("first\nby hook");
    expect(git("ls-tree", "--name-only", "HEAD").split("\n")).toContain("extra.txt");
    expect(await facts()).toMatchObject({ hooksHash, areHooksApproved: true });
    hook("pre-commit", "exit 0");
    const changed = await facts();
    expect([changed.hooksHash === hooksHash, changed.areHooksApproved]).toEqual([false, false]);
    git("config", "gpg.program", "/bin/other");
    expect((await facts()).hooksHash).not.toBe(changed.hooksHash);
  });

  test("one that refuses is reported with its output, and no commit is made", async () => {
    const { stage, commit, hook, facts, git, root } = await withRepository();
    mkdirSync(join(root, ".husky/_"), { recursive: true });
    writeFileSync(join(root, ".husky/_/pre-commit"), "#!/bin/sh\nsh .husky/pre-commit\n", { mode: 0o755 });
    writeFileSync(join(root, ".husky/pre-commit"), "echo fatal: not yet; exit 1\n");
    git("config", "core.hooksPath", ".husky/_");
    hook("pre-commit", "exit 0");
    stage("a.txt");
    const { hooks, hooksHash } = await facts();
    expect(hooks).toMatchObject([{ name: "pre-commit", path: join(root, ".husky/_/pre-commit") }]);
    expect(await commit("first", { hooks: "run", hooksHash })).toMatchObject({
      error: { code: "hook_failed", detail: "fatal: not yet" },
    });
    expect(git("status", "--porcelain")).toContain("A  a.txt");
    writeFileSync(join(root, ".husky/pre-commit"), "exit 0\n");
    expect(await commit("first", { hooks: "run", hooksHash })).toMatchObject({ error: { code: "changed_meanwhile" } });
    unwrapValue(await commit("first", { hooks: "run", hooksHash: (await facts()).hooksHash }));
  });

  test("ten megabytes of output are bounded, and one that reads the terminal does not wait", async () => {
    const { stage, commit, hook, facts, pushes, topicState } = await withRepository();
    hook("pre-commit", "head -c 10000000 /dev/zero | tr '\\0' x; echo; echo the end; read answer < /dev/tty || true");
    stage("a.txt");
    unwrapValue(await commit("first", { hooks: "run", hooksHash: (await facts()).hooksHash }));
    const state = topicState();
    expect(state).toMatchObject({ text: expect.stringMatching(/the end\n/) });
    expect(state?.text.length).toBeLessThanOrEqual(262_144);
    const sent = pushes.flatMap((push) => (push.type === "source_output" ? [push.text.length] : []));
    expect(sent.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(10_000_000);
  });

  test("Stop ends them as a group: no commit, no lock", async () => {
    const { stage, commit, hook, facts, git, root, commands, projectId, whenOutput, output } = await withRepository();
    hook("pre-commit", "sleep 1000 & echo started $!; wait");
    stage("a.txt");
    const started = whenOutput(/started \d+\n/);
    const committing = commit("first", { hooks: "run", hooksHash: (await facts()).hooksHash });
    await started;
    const state = `/proc/${/started (\d+)/.exec(output())?.[1] ?? ""}/stat`;
    expect(readFileSync(state, "latin1")).toMatch(/\) [SR] /);
    expect(await commit("second")).toMatchObject({ error: { code: "busy" } });
    unwrapValue(await commands["source.stop"]({ projectId }));
    expect(await committing).toMatchObject({ error: { code: "aborted" } });
    // It may be there until its new parent has noticed its end.
    expect(existsSync(state) && !readFileSync(state, "latin1").includes(") Z ")).toBe(false);
    expect(() => git("rev-parse", "--verify", "HEAD")).toThrow();
    expect(readdirSync(join(root, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
    unwrapValue(await commit("first"));
  });
});

test("of two commits at once one is refused", async () => {
  const { stage, commit } = await withRepository();
  stage("a.txt");
  const answers = await Promise.all([commit("one"), commit("other")]);
  expect(answers.map((answer) => (answer.ok ? "ok" : answer.error.code)).sort()).toEqual(["busy", "ok"]);
});

test("hooks that settings name, and those in a folder of many files, are among the hooks", async () => {
  const { git, hook, facts } = await withRepository();
  for (let file = 0; file < 210; file += 1) hook(`a${file}`, "");
  hook("pre-commit", "");
  git("config", "hook.check.event", "commit-msg");
  git("config", "hook.check.command", "one");
  const { hooks, hooksHash } = await facts();
  expect(hooks.map(({ name }) => name)).toEqual(["pre-commit", "commit-msg"]);
  git("config", "hook.check.command", "another");
  expect((await facts()).hooksHash).not.toBe(hooksHash);
});

test("a change behind the first part of a large hook changes the hash of the hooks", async () => {
  const { hook, facts } = await withRepository();
  const large = `#${"x".repeat(1_000_000)}\n`;
  hook("pre-commit", `${large}true`);
  const { hooksHash } = await facts();
  hook("pre-commit", `${large}fals`);
  expect((await facts()).hooksHash).not.toBe(hooksHash);
});

describe("signing", () => {
  test("uses the user's program, never that of the repository unless its programs run", async () => {
    const { stage, commit, git, home, facts } = await withRepository();
    const program = (name: string): string => {
      const path = join(home, name);
      const script = `#!/bin/sh\ncat >/dev/null\ntouch '${path}.ran'\necho "[GNUPG:] SIG_CREATED " >&2\necho "-----BEGIN PGP SIGNATURE-----"\n`;
      writeFileSync(path, script, { mode: 0o755 });
      return path;
    };
    git("config", "--global", "gpg.program", program("users"));
    git("config", "gpg.program", program("planted"));
    git("config", "commit.gpgSign", "yes");
    expect((await facts()).signs).toBe(true);
    stage("a.txt");
    unwrapValue(await commit("first"));
    expect(git("cat-file", "commit", "HEAD")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
    expect([existsSync(join(home, "users.ran")), existsSync(join(home, "planted.ran"))]).toEqual([true, false]);
    stage("b.txt");
    unwrapValue(await commit("second", { hooks: "run", hooksHash: (await facts()).hooksHash }));
    expect(existsSync(join(home, "planted.ran"))).toBe(true);
  });

  test("without a terminal it names the command, which makes the same commit there", async () => {
    const { stage, commit, git, home, root, environment, message, hook } = await withRepository();
    const gpg = join(home, "gpg it");
    writeFileSync(gpg, "#!/bin/sh\necho 'gpg: signing failed: Inappropriate ioctl for device' >&2\nexit 2\n", {
      mode: 0o755,
    });
    git("config", "--global", "gpg.program", gpg);
    git("config", "gpg.program", join(home, "planted"));
    git("config", "--global", "commit.gpgSign", "true");
    hook("pre-commit", "exit 1");
    stage("a.txt");
    const answer = await commit("# first 中文\n\nbody", { signOff: true });
    expect(answer).toMatchObject({ error: { code: "needs_terminal", facts: { command: expect.any(String) } } });
    const command = answer.ok || answer.error.code !== "needs_terminal" ? "" : (answer.error.facts?.command ?? "");
    writeFileSync(gpg, "#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho signature\n", {
      mode: 0o755,
    });
    execFileSync("sh", ["-c", command], { cwd: root, env: environment, stdio: "ignore" });
    expect(message()).toBe("# first 中文\n\nbody\n\nSigned-off-by: Ann 安 <ann@example.org>");
    expect(git("cat-file", "commit", "HEAD")).toContain("gpgsig signature");
  });
});

test("without a terminal it names no command that a hook of settings could not be switched off in", async () => {
  const { stage, commit, git } = await withRepository();
  git("config", "--global", "gpg.program", "false");
  git("config", "commit.gpgSign", "true");
  stage("a.txt");
  expect(await commit("first")).toMatchObject({ error: { code: "needs_terminal" } });
  git("config", "hook.a=b.command", "planted");
  expect(await commit("first")).toMatchObject({ error: { code: "tool_failed" } });
});

test("no program of the repository leaves a mark on a commit without hooks", async () => {
  const { stage, commit, commands, projectId, put, git, facts, plant, marks } = await withRepository();
  stage("a.txt");
  unwrapValue(await commit("first"));
  plant();
  put("b.txt", "b\n");
  unwrapValue(await commands["source.stage"]({ projectId, paths: ["b.txt"] }));
  await facts();
  unwrapValue(await commit("second", { signOff: true }));
  unwrapValue(await commit("third", { amend: true }));
  expect(marks()).toEqual([]);
  expect(git("rev-list", "--count", "HEAD").trim()).toBe("2");
});

const rounds = process.env.GOPI_FULL === "1" ? 200 : 20;

test("beside another program that commits to the same index nothing is lost, and no lock is left", async () => {
  const { stage, commit, commands, projectId, git, root, put, environment } = await withRepository();
  stage("a.txt");
  unwrapValue(await commit("first"));
  const script = `i=0; while [ $i -lt ${rounds} ]; do echo $i > other-$i.txt
    until git add other-$i.txt 2>/dev/null; do :; done
    until git commit -qm other-$i 2>/dev/null || git diff --cached --quiet 2>/dev/null; do :; done; i=$((i+1)); done`;
  const other = spawn("sh", ["-c", script], { cwd: root, env: environment, stdio: "ignore" });
  const ended = new Promise<number | null>((resolve) => other.on("exit", resolve));
  for (let round = 0; round < rounds; round += 1) {
    put(`own-${round}.txt`, `${round}\n`);
    unwrapValue(await commands["source.stage"]({ projectId, paths: [`own-${round}.txt`] }));
    for (;;) {
      const made = await commit(`own ${round}`);
      // Another program's commit may have what was staged here.
      if (made.ok || made.error.code === "nothing_staged") break;
      expect(made.error).toMatchObject({ code: "changed_meanwhile" });
    }
  }
  expect(await ended).toBe(0);
  if (git("status", "--porcelain") !== "") unwrapValue(await commit("rest"));
  const files = git("ls-tree", "--name-only", "HEAD").split("\n");
  const expected = Array.from({ length: rounds }, (_, round) => [`own-${round}.txt`, `other-${round}.txt`]).flat();
  expect(expected.filter((name) => !files.includes(name))).toEqual([]);
  expect(readdirSync(join(root, ".git"), { recursive: true }).filter((name) => String(name).endsWith(".lock"))).toEqual(
    [],
  );
  git("fsck", "--strict");
}, 600_000);
