/** A private copy of git's index, which git refreshes instead of the user's. */
import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";

import { type Git, maxGitListBytes } from "../git/git";

export const maxListBytes = 200_000_000;

interface PrivateIndex {
  /** Whether the copy can be used. */
  isValid(): boolean;
  /** Copies git's index if it has changed; returns whether it has. */
  renew(git: Git): Promise<boolean>;
  invalidate(): void;
}

/** `file` = the copy, absolute; `root` = the top of the repository. */
export function makePrivateIndex(root: string, file: string): PrivateIndex {
  /** The attributes of git's own index when it was copied; null = there is no valid copy. */
  let copied: string | null = null;
  return {
    isValid: () => copied !== null,
    async renew(git) {
      const source = await findIndexFile(git, root);
      const attributes = await readAttributes(source);
      if (attributes === copied) return false;
      copied = null;
      await copyIndex(source, file);
      await clearUnwatchedMarks(git, root);
      copied = attributes;
      return true;
    },
    invalidate() {
      copied = null;
    },
  };
}

/** Returns the index file that git uses without ours. */
async function findIndexFile(git: Git, root: string): Promise<string> {
  const found = await git.run(["rev-parse", "--absolute-git-dir"], { maxBytes: 10_000 });
  return join(found.ok ? found.value.toString("utf8").replace(/\n$/, "") : join(root, ".git"), "index");
}

async function readAttributes(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

/** Copies the index. Its time must not be later: git reads files again that changed since the index was written. */
async function copyIndex(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await rm(`${target}.lock`, { force: true });
  const stats = await stat(source).catch(() => null);
  // A repository without an index has no tracked files.
  if (stats === null) return rm(target, { force: true });
  await copyFile(source, target);
  const seconds = Math.floor(stats.mtimeMs / 1000);
  await utimes(target, seconds, seconds);
}

/** Removes the marks by which git would not look at a file that exists (assume-unchanged, skip-worktree). */
async function clearUnwatchedMarks(git: Git, root: string): Promise<void> {
  const listed = await git.run(["ls-files", "-v", "-z"], { maxBytes: maxListBytes });
  if (!listed.ok) return;
  const marked = listed.value
    .toString("utf8")
    .split("\0")
    .flatMap((line) => (/^[a-zS] /.test(line) && existsSync(join(root, line.slice(2))) ? [line.slice(2)] : []));
  if (marked.length === 0) return;
  const input = marked.join("\0");
  for (const option of ["--no-assume-unchanged", "--no-skip-worktree"])
    await git.run(["update-index", option, "-z", "--stdin"], { maxBytes: maxGitListBytes, input });
}
