/** Programs that a repository names leave no mark, wherever its settings are and whatever is done with it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import { readGitMarks } from "@/server/workspace/git/git-marks";
import { readWorkingTree } from "@/server/workspace/git/working-tree";
import { makeTestSourceControl, unwrapValue } from "../test-source-control";

const client = { id: asId<ClientId>("c1"), access: "owner" as const, join() {}, leave() {} };
const never = new AbortController().signal;
type TestSource = Awaited<ReturnType<typeof makeTestSourceControl>>;

/** Returns the project's folder in a repository of one kind; its programs are planted afterwards, in `settings`. */
const places: Readonly<
  Record<string, (source: TestSource) => { readonly root: string; readonly settings?: string; readonly above?: true }>
> = {
  "at the top": ({ top }) => ({ root: top }),
  "in a linked work tree with settings of its own": ({ top, git }) => {
    git("config", "extensions.worktreeConfig", "true");
    git("worktree", "add", "-q", "-b", "side", "../tree");
    return { root: join(top, "../tree"), settings: join(top, ".git/worktrees/tree/config.worktree") };
  },
  "in a submodule": ({ top, git }) => {
    git("clone", "-q", top, "../library");
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../library", "sub");
    return { root: join(top, "sub"), settings: join(top, ".git/modules/sub/config") };
  },
  "above the folder": ({ top }) => ({ root: join(top, "folder"), above: true }),
};

const programSettings = (program: string): string =>
  [
    ["core", "pager", "editor", "fsmonitor", "askPass", "sshCommand", "alternateRefsCommand", "gitProxy"],
    ["diff", "external"],
    ['diff "evil"', "textconv", "command"],
    ['filter "other"', "clean", "smudge", "process"],
    ['merge "evil"', "driver"],
    ["gpg", "program"],
    ["credential", "helper"],
    ["sequence", "editor"],
    ["pager", "status", "diff", "log", "blame", "stash"],
  ]
    .map(([section = "", ...keys]) => `[${section}]\n${keys.map((key) => `\t${key} = "${program}"\n`).join("")}`)
    .join("") +
  ["status", "diff", "log", "blame", "add", "stash", "commit"]
    .map((name) => `[alias]\n\t${name} = "!${program}"\n`)
    .join("") +
  `[hook "evil"]\n\tevent = post-index-change\n\tevent = reference-transaction\n\tcommand = "${program}"\n`;

test.each(Object.keys(places))("%s, in an included file too", async (name) => {
  const source = await makeTestSourceControl();
  const { git, put, core, commands, home, environment, top } = source;
  for (const path of ["a.txt", "folder/a.txt"]) put(path, "1\n2\n3\n");
  for (const path of [".gitattributes", "folder/.gitattributes"]) put(path, "a.txt diff=evil merge=evil\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("config", "user.name", "a");
  git("config", "user.email", "a@b");
  const { root, settings = join(top, ".git/config"), above } = places[name]?.(source) ?? { root: top };
  const marks = join(home, "planted");
  mkdirSync(marks);
  const program = join(home, "program");
  writeFileSync(program, `#!/bin/sh\ntouch '${marks}/'"$$-$(basename "$0")"\ncat\n`, { mode: 0o755 });
  const included = join(home, "included");
  const hooks = join(home, "hooks");
  mkdirSync(hooks);
  for (const hook of [
    "pre-commit",
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "prepare-commit-msg",
  ])
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch '${marks}/${hook}'\n`, { mode: 0o755 });
  writeFileSync(included, `${programSettings(program)}[core]\n\thooksPath = ${hooks}\n`);
  writeFileSync(settings, `\n[include]\n\tpath = ${included}\n[user]\n\tname = a\n\temail = a@b\n`, { flag: "a" });

  const opened = unwrapValue(await core.projects.open(root));
  const projectId: ProjectId = opened.project.id;
  core.store.projects.setTrust(projectId, 1);
  if (above === true) unwrapValue(await commands["source.use_repository"]({ projectId, top }));
  const target = { projectId, path: "a.txt" };
  writeFileSync(join(root, "a.txt"), "1\ntwo\n3\n");
  writeFileSync(join(root, "new.txt"), "new\n");
  expect(unwrapValue(await commands["source.status"]({ projectId }))).toMatchObject({ changed: [{ path: "a.txt" }] });
  unwrapValue(await readGitMarks(opened, environment, never));
  unwrapValue(await readWorkingTree(opened, environment, never));
  const { hash } = unwrapValue(await commands["source.diff"]({ ...target, side: "changed", isUntracked: false }));
  unwrapValue(await commands["source.log"]({ projectId, content: "2", all: true }, client));
  unwrapValue(await commands["source.log"]({ projectId, file: "a.txt" }, client));
  unwrapValue(await commands["source.blame"](target));
  unwrapValue(await commands["source.branches"]({ projectId }));
  const lines = { old: [2], new: [2] };
  unwrapValue(await commands["source.change_lines"]({ ...target, side: "changed", isUntracked: false, hash, lines }));
  unwrapValue(await commands["source.unstage"]({ projectId, paths: ["a.txt"] }));
  unwrapValue(await commands["source.stage"]({ projectId, paths: ["a.txt", "new.txt"] }));
  const order = { projectId, message: "", stagedOnly: false, includeUntracked: true };
  const { id } = unwrapValue(await commands["source.stash"](order));
  unwrapValue(await commands["source.stash_pop"]({ projectId, id }));
  unwrapValue(await commands["source.discard"]({ projectId, paths: ["a.txt"] }));
  const form = { projectId, message: "x", amend: false, signOff: false, hooks: "skip" as const };
  unwrapValue(await commands["source.commit"](form));
  const view = unwrapValue(await commands["source.log"]({ projectId }, client));
  unwrapValue(await commands["source.commit_view"]({ projectId, commit: view.commits[0]?.id ?? "" }));
  expect(readdirSync(marks)).toEqual([]);

  // Plain git does run them, so the test is valid.
  writeFileSync(join(root, "a.txt"), "plain\n");
  execFileSync("git", ["diff"], { cwd: root, env: environment, stdio: "ignore" });
  expect(readdirSync(marks).length).toBeGreaterThan(0);
});
