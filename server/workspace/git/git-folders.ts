/** Finds the folders in which git stores what belongs to a work tree, without running git. */
import { lstat } from "node:fs/promises";
import { posix } from "node:path";
import { readFileStart } from "../files/read-file-start";

const maxBytes = 4_096;

export interface GitFolders {
  /** HEAD, index and the state of unfinished work of this work tree. */
  readonly own: string;
  /** Objects, refs, settings and hooks, which the work trees of a repository share. */
  readonly common: string;
}

/** Returns `.git`, or where its file leads to in a linked work tree or a submodule. Neither needs to exist. */
export async function findGitFolders(root: string): Promise<GitFolders> {
  const dotGit = posix.join(root, ".git");
  const pointer = /^gitdir:\s*(\S.*?)\s*$/m.exec((await readStart(dotGit)) ?? "")?.[1];
  const own = pointer === undefined ? dotGit : posix.resolve(root, pointer);
  const common = (await readStart(posix.join(own, "commondir")))?.trim();
  return { own, common: common === undefined || common === "" ? own : posix.resolve(own, common) };
}

/**
 * Returns the folder with `.git`: `root` itself, or the nearest above it that has a repository; null = there is none. A link is
 * no repository.
 */
export async function findRepositoryTop(root: string): Promise<string | null> {
  for (let folder = root; ; folder = posix.dirname(folder)) {
    const found = await lstat(posix.join(folder, ".git")).catch(() => null);
    if (found?.isSymbolicLink() === true) return null;
    const isTop =
      found !== null && (folder === root || (await readGitLine((await findGitFolders(folder)).own, "HEAD")) !== null);
    if (isTop) return folder;
    if (folder === posix.dirname(folder)) return null;
  }
}

/** Returns whether the folder itself is a repository, without a work tree. */
export async function isBareRepository(root: string): Promise<boolean> {
  const names = ["HEAD", "objects", "refs", "config"];
  const found = await Promise.all(names.map((name) => lstat(posix.join(root, name)).catch(() => null)));
  return found.every((one, index) => one !== null && one.isDirectory() === (index === 1 || index === 2));
}

/** Returns the first line of a file without space at its end; null = there is no such file. */
export const readGitLine = async (folder: string, name: string): Promise<string | null> =>
  (await readStart(posix.join(folder, name)))?.split("\n")[0]?.trimEnd() ?? null;

const readStart = async (file: string): Promise<string | null> =>
  (await readFileStart(file, maxBytes))?.toString() ?? null;
