/** Reads the checked-out branch, and whether there are commits, from git's own files without running git. */
import { posix } from "node:path";
import { readFileStart } from "../files/read-file-start";

const maxBytes = 4_096;
const shortHashChars = 8;

/** Returns the branch name, the short commit if detached, or null if `root` is not the top of a git work tree. */
export async function readGitBranch(root: string): Promise<string | null> {
  const head = await readGitLine(root, "HEAD");
  return head === null ? null : parseHead(head);
}

/** Whether a commit was made or checked out in the work tree whose top is `root`, by the log that git keeps of it. */
export const hasGitCommit = async (root: string): Promise<boolean> => Boolean(await readGitLine(root, "logs/HEAD"));

/** Returns the first line of a file of the git folder; null = there is none. */
async function readGitLine(root: string, name: string): Promise<string | null> {
  const dotGit = posix.join(root, ".git");
  const direct = await readFirstLine(posix.join(dotGit, name));
  if (direct !== null) return direct;
  // In a worktree or submodule `.git` is a file with the path of the git folder.
  const pointer = /^gitdir: (.+)$/.exec((await readFirstLine(dotGit)) ?? "")?.[1];
  return pointer === undefined ? null : readFirstLine(posix.join(posix.resolve(root, pointer), name));
}

function parseHead(head: string): string | null {
  const name = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1];
  if (name !== undefined) return name;
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, shortHashChars) : null;
}

const readFirstLine = async (file: string): Promise<string | null> =>
  (await readFileStart(file, maxBytes))?.toString().split("\n")[0]?.trimEnd() ?? null;
