/** Lists the paths of a project that differ from its last commit, without reading a file. */
import { ok, type Result } from "@/lib/events/error";
import type { GitMark, MarkedPath } from "@/lib/workspace/changes";
import { type GitProject, openProjectGit, readFolderStatus, statusWords } from "./project-git";
import { type StatusEntry, statusEntries } from "./status-entries";

const maxMarks = 5_000;

/**
 * Returns the marked paths, an untracked folder as one path; null where git is not run. Fails with timeout, too_large,
 * tool_failed, aborted.
 */
export async function readGitMarks(
  project: GitProject,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<readonly MarkedPath[] | null>> {
  const git = await openProjectGit(project, environment, signal);
  if (!git.ok) return git;
  if (typeof git.value === "string") return ok(null);
  const status = await readFolderStatus(git.value, statusWords("normal"));
  return status.ok ? ok(toMarks(status.value.entries())) : status;
}

/** Parses the output of `git status --porcelain=v2 -z`, up to `maxMarks` marks. */
export const parseGitMarks = (text: string): readonly MarkedPath[] => toMarks(statusEntries(text));

function toMarks(entries: Iterable<StatusEntry>): readonly MarkedPath[] {
  const marks: MarkedPath[] = [];
  for (const entry of entries) {
    if (marks.push({ path: entry.path.replace(/\/$/, ""), mark: markOf(entry) }) === maxMarks) break;
  }
  return marks;
}

function markOf({ kind, index, tree }: StatusEntry): GitMark {
  if (kind !== "changed") return kind === "unmerged" ? "conflicted" : "untracked";
  if (tree === "D" || (index === "D" && tree === ".")) return "deleted";
  return index === "A" || tree === "A" ? "added" : "modified";
}
