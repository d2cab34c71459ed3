/** Work trees in the data folder of the program that git has lost: their repository is gone, or has removed its entry. */
import { readdir, stat } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import type { OrphanWorktree } from "@/lib/workspace/worktrees";
import { readGitLine } from "../git-folders";

const maxOrphans = 100;

/** Lists the folders of work trees whose git folder does not exist, without running git. */
export async function listOrphans(home: string): Promise<readonly OrphanWorktree[]> {
  const top = join(home, "worktrees");
  const orphans: OrphanWorktree[] = [];
  for (const repository of await namesOf(top))
    for (const name of await namesOf(join(top, repository))) {
      const path = join(top, repository, name);
      const pointer = /^gitdir:\s*(\S.*?)\s*$/.exec((await readGitLine(path, ".git")) ?? "")?.[1];
      const isFound = pointer !== undefined && (await isFolder(posix.resolve(path, pointer)));
      if (!isFound && (await isFolder(path)) && orphans.length < maxOrphans)
        orphans.push({ path, name: basename(path) });
    }
  return orphans;
}

const namesOf = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() === true;
