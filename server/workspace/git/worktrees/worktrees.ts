/** Work trees of a repository in the data folder of the program: listed, created and removed by git. */
import { createHash } from "node:crypto";
import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { keepCommits } from "../branches/branches";
import { type Git, maxGitListBytes } from "../git";
import { statusEntries } from "../status-entries";
import { checkFilters } from "../stage";

/** Checking out a large repository. */
const checkOutTimeoutMs = 300_000;
/** Work trees of one repository. */
const maxWorktrees = 8;
export const worktreeBranchPrefix = "gopi/";

export interface GitWorktree {
  readonly path: string;
  readonly branch: string | null;
  /** Its last commit. */
  readonly head: string;
}

/** Returns the folder with the work trees of a repository, by its common git folder. */
export const worktreesFolder = (home: string, commonFolder: string): string =>
  join(home, "worktrees", createHash("sha256").update(commonFolder).digest("hex").slice(0, 16));

/** Returns the work trees in `folder`, also those whose folder is gone. */
export async function listWorktrees(git: Git, folder: string): Promise<Result<readonly GitWorktree[]>> {
  const listed = await git.run(["worktree", "list", "--porcelain"], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  const found = listed.value.toString("utf8").split("\n\n").flatMap(parseWorktree);
  return ok(found.filter(({ path }) => path === join(folder, basename(path))));
}

function parseWorktree(text: string): readonly GitWorktree[] {
  const path = /^worktree (.+)$/m.exec(text)?.[1];
  const branch = /^branch refs\/heads\/(.+)$/m.exec(text)?.[1] ?? null;
  const head = /^HEAD ([0-9a-f]+)$/m.exec(text)?.[1];
  return path === undefined || head === undefined ? [] : [{ path, branch, head }];
}

/** Returns the repository's own work tree. Fails with not_found if it has none, and like `Git.run`. */
export async function readMainWorktree(git: Git): Promise<Result<GitWorktree>> {
  const listed = await git.run(["worktree", "list", "--porcelain"], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  const [main] = parseWorktree(listed.value.toString("utf8").split("\n\n")[0] ?? "");
  return main === undefined ? fail("not_found") : ok(main);
}

/** Returns the last commit that two have in common; null = none. */
export async function findForkPoint(git: Git, one: string, other: string): Promise<string | null> {
  const found = await git.run(["merge-base", one, other], { maxBytes: maxGitListBytes });
  return found.ok ? found.value.toString("utf8").trim() : null;
}

/** Turns a name into one for a folder and a branch: letters and digits of any script, joined by hyphens; "" = it has none. */
export const toWorktreeName = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");

/**
 * Creates a work tree of the last commit, with a branch of its own, and returns its path. Content of Git LFS is not downloaded.
 * Fails with too_many, no_commit, and like `Git.run`.
 */
export async function addWorktree(git: Git, folder: string, name: string): Promise<Result<string>> {
  const listed = await listWorktrees(git, folder);
  if (!listed.ok) return listed;
  if (listed.value.length >= maxWorktrees) return fail("too_many", undefined, { limit: maxWorktrees });
  const head = await git.run(["rev-parse", "--verify", "--quiet", "HEAD"], { maxBytes: maxGitListBytes });
  if (!head.ok) return head.error.code === "tool_failed" ? fail("no_commit") : head;
  const free = await findFreeName(git, folder, toWorktreeName(name) || "work");
  if (!free.ok) return free;
  const path = join(folder, free.value);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const words = ["worktree", "add", "--quiet", "-b", `${worktreeBranchPrefix}${free.value}`, "--", path, "HEAD"];
  const added = await git.run(words, {
    maxBytes: maxGitListBytes,
    writes: true,
    timeoutMs: checkOutTimeoutMs,
    environment: { GIT_LFS_SKIP_SMUDGE: "1" },
  });
  return added.ok ? ok(path) : added;
}

/** Returns the name, or with a number the first one that neither a branch nor a folder has. */
async function findFreeName(git: Git, folder: string, name: string): Promise<Result<string>> {
  const format = "--format=%(refname)";
  const refs = await git.run(["for-each-ref", format, `refs/heads/${worktreeBranchPrefix}`], {
    maxBytes: maxGitListBytes,
  });
  if (!refs.ok) return refs;
  const taken = new Set(refs.value.toString("utf8").split("\n"));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const exists = await stat(join(folder, candidate)).catch(() => null);
    if (!taken.has(`refs/heads/${worktreeBranchPrefix}${candidate}`) && exists === null) return ok(candidate);
  }
}

/** Counts the commits of a work tree that HEAD lacks; 0 also for a branch that does not exist. */
export async function countOwnCommits(
  git: Git,
  { branch, head }: Pick<GitWorktree, "branch" | "head">,
): Promise<number> {
  const tip = branch === null ? head : `refs/heads/${branch}`;
  const counted = await git.run(["rev-list", "--count", `HEAD..${tip}`, "--"], { maxBytes: maxGitListBytes });
  return counted.ok ? Number(counted.value.toString("utf8")) : 0;
}

/** Lists the paths that differ from the last commit, an untracked folder as one. */
export async function listChangedPaths(git: Git): Promise<Result<readonly string[]>> {
  const words = ["status", "--porcelain=v2", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"];
  const status = await git.run(words, { maxBytes: maxGitListBytes });
  return status.ok ? ok([...statusEntries(status.value.toString("utf8"))].map(({ path }) => path)) : status;
}

/** Stashes all changes of a work tree, untracked files too: `git stash list` in any work tree has them. */
export async function stashChanges(git: Git, paths: readonly string[], message: string): Promise<Result<null>> {
  const filters = await checkFilters(git, paths);
  if (!filters.ok) return filters;
  const command = {
    maxBytes: maxGitListBytes,
    writes: true,
    timeoutMs: checkOutTimeoutMs,
    usesPatterns: true as const,
  };
  const stashed = await git.run(["stash", "push", "--quiet", "--include-untracked", "--message", message], command);
  return stashed.ok ? ok(null) : stashed;
}

/** Removes a work tree without changes, and its branch if HEAD has all of its commits; commits without a branch get one. */
export async function removeWorktree(git: Git, { path, branch, head }: GitWorktree): Promise<Result<null>> {
  const command = { maxBytes: maxGitListBytes, writes: true, timeoutMs: checkOutTimeoutMs };
  const removed = await git.run(["worktree", "remove", "--", path], command);
  if (!removed.ok) return removed;
  if (branch === null) await keepCommits(git, head);
  // Git refuses while commits would be lost.
  if (branch?.startsWith(worktreeBranchPrefix) === true) await git.run(["branch", "--delete", "--", branch], command);
  return ok(null);
}

/** Lists ignored files at the top of a work tree, without folders. */
export async function listIgnoredFiles(git: Git): Promise<Result<readonly string[]>> {
  const words = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const listed = await git.run(words, { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  const paths = listed.value.toString("utf8").split("\0");
  return ok(paths.filter((path) => path !== "" && !path.endsWith("/")).slice(0, maxIgnoredFiles));
}

const maxIgnoredFiles = 50;
