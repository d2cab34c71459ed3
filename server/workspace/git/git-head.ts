/** Reads the checked-out branch, and whether there are commits, from git's own files without running git. */
import { findGitFolders, readGitLine } from "./git-folders";

const shortHashChars = 8;

/** Returns the branch name, the short commit if detached, or null if `root` is not the top of a git work tree. */
export async function readGitBranch(root: string): Promise<string | null> {
  const head = await readGitLine((await findGitFolders(root)).own, "HEAD");
  return head === null ? null : parseHead(head);
}

/** Whether a commit was made or checked out in the work tree whose top is `root`, by the log that git keeps of it. */
export const hasGitCommit = async (root: string): Promise<boolean> =>
  Boolean(await readGitLine((await findGitFolders(root)).own, "logs/HEAD"));

function parseHead(head: string): string | null {
  const name = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1];
  if (name !== undefined) return name;
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, shortHashChars) : null;
}
