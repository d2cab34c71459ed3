/**
 * The git folder of a project that has it elsewhere: a worktree, a submodule, a folder in a repository. Commands in the
 * sandbox may write it, so that they can commit, but not what git reads as code: hooks, settings, other checkouts.
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInFolder } from "@/server/base/is-in-folder";

/** Real paths. */
export interface OutsideGitFolder {
  readonly writable: readonly string[];
  /** Paths in the writable folders that stay read-only. They exist. */
  readonly readOnly: readonly string[];
}

const none: OutsideGitFolder = { writable: [], readOnly: [] };

/** What a commit in a worktree changes in the folder that it shares with the repository's other checkouts. */
const sharedFolders = ["objects", "refs", "logs"] as const;
const readOnlyFolders = ["hooks", "modules", "worktrees"] as const;
const readOnlyFiles = ["config", "config.worktree"] as const;

/**
 * Finds the git folder of `root` outside of it. The project may have written its own `.git`, so what that names counts
 * only if it points back to the project.
 */
export function findOutsideGitFolder(root: string, userHome: string): OutsideGitFolder {
  for (let place = root; !isInFolder(userHome, place); place = dirname(place)) {
    const link = join(place, ".git");
    const kind = lstatSync(link, { throwIfNoEntry: false });
    if (kind === undefined) {
      if (place === dirname(place)) return none;
      continue;
    }
    if (kind.isDirectory()) return place === root ? none : wholeFolder(link, root, userHome);
    return kind.isFile() ? linkedFolder(link, root, userHome) : none;
  }
  return none;
}

/** Follows the file `.git` of a worktree or submodule. */
function linkedFolder(link: string, root: string, userHome: string): OutsideGitFolder {
  const place = dirname(link);
  const [, target] = /^gitdir: (.+?)\s*$/.exec(readText(link)) ?? [];
  const folder = target === undefined ? null : realPath(resolve(place, target));
  if (folder === null || isInFolder(folder, root)) return none;
  if (basename(dirname(folder)) !== "worktrees") {
    const [, worktree] = /^\s*worktree\s*=\s*([^"\\\n]+?)\s*$/m.exec(readText(join(folder, "config"))) ?? [];
    const isOwn = worktree !== undefined && realPath(resolve(folder, worktree)) === place;
    return isOwn ? wholeFolder(folder, root, userHome) : none;
  }
  const shared = dirname(dirname(folder));
  const isOwn = realPath(readText(join(folder, "gitdir")).trim()) === link;
  if (!isOwn || !isGitFolder(shared, root, userHome)) return none;
  const folders = sharedFolders.map((name) => join(shared, name)).filter(isFolder);
  return { writable: [...folders, folder], readOnly: [] };
}

function wholeFolder(folder: string, root: string, userHome: string): OutsideGitFolder {
  if (!isGitFolder(folder, root, userHome)) return none;
  const readOnly = [...readOnlyFolders, ...readOnlyFiles].map((name) => join(folder, name));
  try {
    // Only what exists can be kept read-only.
    for (const name of readOnlyFolders) mkdirSync(join(folder, name), { recursive: true });
    for (const name of readOnlyFiles) writeFileSync(join(folder, name), "", { flag: "a" });
  } catch {
    return none;
  }
  // A link could be replaced, because only its target would be mounted.
  return readOnly.every((path) => realPath(path) === path) ? { writable: [folder], readOnly } : none;
}

const isGitFolder = (folder: string, root: string, userHome: string): boolean =>
  !isInFolder(root, folder) &&
  !isInFolder(userHome, folder) &&
  readText(join(folder, "HEAD")) !== "" &&
  isFolder(join(folder, "objects")) &&
  isFolder(join(folder, "refs"));

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A git file with a single value is short. */
const maxBytes = 65_536;

/** Returns the text of a file; "" = it cannot be read, or is too large. */
function readText(path: string): string {
  try {
    return statSync(path).size > maxBytes ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
