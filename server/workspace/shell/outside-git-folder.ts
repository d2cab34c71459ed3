/**
 * The git folder of a project that has it elsewhere: a worktree, a submodule. Commands in the sandbox may write it, so that
 * they can commit, but not what git reads as code: hooks, settings, other checkouts. That of a repository around the project stays
 * read-only: a file in it (`commondir`) is enough to give git other settings, in all folders of the repository.
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInFolder } from "@/server/base/is-in-folder";

/** Real paths. */
interface OutsideGitFolder {
  readonly writable: readonly string[];
  /** Paths in the writable folders that stay read-only. They exist. */
  readonly readOnly: readonly string[];
}

const none: OutsideGitFolder = { writable: [], readOnly: [] };

/** Folders that a commit in a worktree changes, and that it shares with the repository's other checkouts. */
const sharedFolders = ["objects", "refs", "logs"] as const;
const readOnlyFolders = ["hooks", "modules", "worktrees"] as const;
const readOnlyFiles = ["config", "config.worktree"] as const;

/**
 * Finds the git folder that the file `.git` of `root` names. The project may have written that file, so it counts only if the
 * folder points back to the project.
 */
export function findOutsideGitFolder(root: string, userHome: string): OutsideGitFolder {
  const link = join(root, ".git");
  const [, target] = (isFile(link) && /^gitdir: (.+?)\s*$/.exec(readText(link))) || [];
  const folder = target === undefined ? null : realPath(resolve(root, target));
  if (folder === null || isInFolder(folder, root)) return none;
  return basename(dirname(folder)) === "worktrees"
    ? worktreeFolder(link, folder, userHome)
    : submoduleFolder(folder, root, userHome);
}

function worktreeFolder(link: string, folder: string, userHome: string): OutsideGitFolder {
  const shared = dirname(dirname(folder));
  const isOwn = realPath(readText(join(folder, "gitdir")).trim()) === link;
  if (!isOwn || !isGitFolder(shared, dirname(link), userHome)) return none;
  const folders = sharedFolders.map((name) => join(shared, name)).filter(isFolder);
  return { writable: [...folders, folder], readOnly: [] };
}

function submoduleFolder(folder: string, root: string, userHome: string): OutsideGitFolder {
  const [, worktree] = /^\s*worktree\s*=\s*([^"\\\n]+?)\s*$/m.exec(readText(join(folder, "config"))) ?? [];
  const isOwn = worktree !== undefined && realPath(resolve(folder, worktree)) === root;
  if (!isOwn || !isGitFolder(folder, root, userHome)) return none;
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

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

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
