/** Reads the checked-out branch from git's own files without running git. */
import { posix } from "node:path";
import { readFileStart } from "../files/read-file-start";

const maxBytes = 4_096;
const shortHashChars = 8;

/** Returns the branch name, the short commit if detached, or null if `root` is not the top of a git work tree. */
export async function readGitBranch(root: string): Promise<string | null> {
  const dotGit = posix.join(root, ".git");
  const direct = await readFirstLine(posix.join(dotGit, "HEAD"));
  if (direct !== null) return parseHead(direct);
  // In a worktree or submodule `.git` is a file with the path of the git folder.
  const pointer = /^gitdir: (.+)$/.exec((await readFirstLine(dotGit)) ?? "")?.[1];
  if (pointer === undefined) return null;
  const head = await readFirstLine(posix.join(posix.resolve(root, pointer), "HEAD"));
  return head === null ? null : parseHead(head);
}

function parseHead(head: string): string | null {
  const name = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1];
  if (name !== undefined) return name;
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, shortHashChars) : null;
}

const readFirstLine = async (file: string): Promise<string | null> =>
  (await readFileStart(file, maxBytes))?.split("\n")[0]?.trimEnd() ?? null;
