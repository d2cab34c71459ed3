/**
 * The product, and in every second round git too, is killed during each command that writes to a repository: nothing of the user's
 * content is lost, git stays whole, and the next start can do the same command.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentError } from "@/lib/events/error";
import { killProcess } from "@/lib/testing/test-process";
import { isFullRun, longTestMs } from "../../fixtures/full-run";
import { expect, test } from "../../fixtures/product-test";
import { findProcessesIn } from "../../fixtures/server";
import { makeRandom, pollUntil, waitMs } from "../../soak/random";
import type { SoakProduct } from "../../soak/soak-product";

const kills = isFullRun ? 40 : 3;
const fileCount = 60;
const paths = Array.from({ length: fileCount }, (_, index) => `文件/f ${index}.txt`);
const filler = "line of a text\n".repeat(400);
const committed = (path: string): string => `${path}\n${filler}end\n`;
const mine = (path: string): string => `${path}\nmine\n${filler}mine too\n`;

/** lost = the server died before it answered. */
type Attempt = { readonly kind: "ok" | "lost" } | { readonly kind: "refused"; readonly error: AgentError };

interface Scene {
  readonly subject: SoakProduct;
  readonly git: (...words: readonly string[]) => string;
  /** Content of a path on the disk; null = there is none. */
  readonly read: (path: string) => string | null;
}

interface KilledCommand {
  /** Longest time until the kill, ms. */
  readonly maxMs: number;
  prepare?(scene: Scene): void;
  run(scene: Scene): Promise<Attempt>;
  /** Finds the user's content of a path where it may be besides the disk; absent = it is on the disk. */
  find?(scene: Scene, path: string): boolean | Promise<boolean>;
}

const isInTree = ({ git }: Scene, tree: string, path: string): boolean => {
  try {
    return git("cat-file", "blob", `${tree}:${path}`) === mine(path);
  } catch {
    return false;
  }
};

const callWith =
  (name: "source.stage" | "source.discard") =>
  ({ subject }: Scene): Promise<Attempt> =>
    subject.call(name, { projectId: subject.projectId, paths });

const commands: Readonly<Record<string, KilledCommand>> = {
  stage: { maxMs: 60, run: callWith("source.stage") },
  "change lines": {
    maxMs: 80,
    async run({ subject }) {
      const target = { projectId: subject.projectId, path: paths[0], side: "changed", isUntracked: false };
      const diff = await subject.call("source.diff", target);
      if (diff.kind !== "ok") return diff;
      const { hash } = diff.value;
      return subject.call("source.change_lines", { ...target, hash, lines: { old: [], new: [2] } });
    },
  },
  discard: {
    maxMs: 400,
    run: callWith("source.discard"),
    async find({ subject }, path) {
      const entries: string[] = [];
      for (let before: number | undefined; ; ) {
        const page = await subject.callOrThrow("trash.list", {
          projectId: subject.projectId,
          ...(before === undefined ? {} : { before }),
        });
        entries.push(...page.entries.map((entry) => entry.path));
        before = page.entries.at(-1)?.at;
        if (!page.more || before === undefined) return entries.includes(path);
      }
    },
  },
  commit: {
    maxMs: 120,
    prepare: ({ git }) => void git("add", "-A"),
    run: ({ subject }) =>
      subject.call("source.commit", {
        ...{ projectId: subject.projectId, message: "killed", amend: false, signOff: false, hooks: "skip" },
      }),
  },
  switch: {
    maxMs: 120,
    prepare({ git }) {
      git("commit", "-qam", "mine");
      git("branch", "-f", "other", "HEAD~1");
    },
    run: ({ subject }) => subject.call("source.switch", { projectId: subject.projectId, branch: "other" }),
    find: (scene, path) => isInTree(scene, "main", path),
  },
  stash: {
    maxMs: 250,
    run: ({ subject }) =>
      subject.call("source.stash", {
        projectId: subject.projectId,
        message: "",
        stagedOnly: false,
        includeUntracked: true,
      }),
    find: (scene, path) => isInTree(scene, "refs/stash", path),
  },
  "worktree add": {
    maxMs: 250,
    run: ({ subject }) => subject.call("worktree.create", { projectId: subject.projectId, name: "killed", files: [] }),
  },
};

/** Answers of a command that the killed one has done before. */
const doneBefore: readonly AgentError["code"][] = ["nothing_staged", "no_changes", "bad_input"];

/** Gives the repository its first commit, without locks, stashes and work trees, and the user's changes. */
function resetRepository({ git, subject: { place } }: Scene): void {
  rmSync(join(place.home, "worktrees"), { recursive: true, force: true });
  git("worktree", "prune");
  git("symbolic-ref", "HEAD", "refs/heads/main");
  git("reset", "-q", "--hard", "base");
  git("clean", "-qfd");
  git("stash", "clear");
  for (const branch of git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n"))
    if (branch !== "main" && branch !== "") git("branch", "-qD", branch);
  for (const path of paths) writeFileSync(join(place.project, path), mine(path));
}

const findLocks = (project: string): readonly string[] =>
  readdirSync(join(project, ".git"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lock"))
    .map((name) => join(project, ".git", name));

/** Removes the locks as the user does it after a minute. Resolves with their number. */
async function removeLocks({ subject }: Scene): Promise<number> {
  const locks = findLocks(subject.place.project);
  const old = new Date(Date.now() - 120_000);
  for (const lock of locks) utimesSync(lock, old, old);
  if (locks.length > 0) await subject.callOrThrow("source.remove_lock", { projectId: subject.projectId });
  expect(findLocks(subject.place.project)).toEqual([]);
  return locks.length;
}

/** Every work tree that the killed command left can be removed. */
async function removeWorktrees({ subject }: Scene): Promise<void> {
  const { projectId } = subject;
  const { worktrees } = await subject.callOrThrow("worktree.list", { projectId });
  for (const { name } of worktrees) await subject.callOrThrow("worktree.remove", { projectId, name, confirmed: name });
}

async function killDuring(name: string, scene: Scene, afterMs: number, killsGit: boolean): Promise<void> {
  const { subject, git, read } = scene;
  const { project } = subject.place;
  const command = commands[name];
  if (command === undefined) throw new Error(name);
  resetRepository(scene);
  command.prepare?.(scene);
  const attempt = command.run(scene);
  await waitMs(afterMs);
  await subject.kill();
  if (killsGit)
    for (const { pid, command: line } of findProcessesIn(project)) if (line.startsWith("git ")) killIfRunning(pid);
  await attempt;
  await pollUntil("the end of git", () => (findProcessesIn(project).length === 0 ? true : undefined));
  await subject.restart();

  if (!killsGit) expect(findLocks(project)).toEqual([]);
  await removeLocks(scene);
  git("fsck", "--strict", "--no-dangling");
  const status = await subject.callOrThrow("source.status", { projectId: subject.projectId });
  expect(status.kind).toBe("status");
  const lost: string[] = [];
  for (const path of paths)
    if (read(path) !== mine(path) && (await command.find?.(scene, path)) !== true) lost.push(path);
  expect(lost, "content that is nowhere").toEqual([]);
  let again = await command.run(scene);
  if (killsGit && again.kind === "refused" && again.error.code === "local_changes") {
    // A killed git has written some of the files, but not its index: they are discarded as any others.
    await subject.callOrThrow("source.discard", { projectId: subject.projectId, paths });
    again = await command.run(scene);
  }
  if (again.kind !== "ok") expect(again).toMatchObject({ error: { code: expect.toBeOneOf([...doneBefore]) } });
  await removeWorktrees(scene);
  git("fsck", "--strict", "--no-dangling");
}

function killIfRunning(pid: number): void {
  try {
    killProcess(pid);
  } catch {
    // It has ended already.
  }
}

test.for(Object.keys(commands))(
  "kill -9 during %s loses no content and blocks nothing",
  { timeout: longTestMs },
  async (name, { subject }) => {
    const { project, home } = subject.place;
    const environment = { PATH: process.env.PATH, HOME: home, NODE_ENV: "test" as const };
    const git = (...words: readonly string[]): string =>
      execFileSync("git", words, {
        cwd: project,
        env: environment,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    git("init", "-q", "-b", "main");
    git("config", "user.name", "a");
    git("config", "user.email", "a@b");
    mkdirSync(join(project, "文件"));
    for (const path of paths) writeFileSync(join(project, path), committed(path));
    git("add", "-A");
    git("commit", "-qm", "base");
    git("tag", "base");
    await subject.callOrThrow("project.trust", { projectId: subject.projectId, trusted: true });
    const read = (path: string): string | null =>
      existsSync(join(project, path)) ? readFileSync(join(project, path), "utf8") : null;
    const random = makeRandom(isFullRun ? Date.now() % 1_000_000 : 33);
    for (let round = 0; round < kills; round += 1)
      await killDuring(name, { subject, git, read }, random.between(0, commands[name]?.maxMs ?? 0), round % 2 === 1);
  },
);
