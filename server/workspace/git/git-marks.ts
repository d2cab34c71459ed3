/** Lists the paths of a project that differ from its last commit, without reading a file. */
import { ok, type Result } from "@/lib/events/error";
import type { GitMark, MarkedPath } from "@/lib/workspace/changes";
import type { OpenProject } from "../projects/projects";
import { maxStatusBytes, openProjectGit, statusWords } from "./project-git";

const maxMarks = 5_000;

/**
 * Returns the marked paths, an untracked folder as one path; null where git is not run. Fails with timeout, too_large,
 * tool_failed, aborted.
 */
export async function readGitMarks(
  project: Pick<OpenProject, "root" | "trusted">,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<readonly MarkedPath[] | null>> {
  const git = await openProjectGit(project, environment, signal);
  if (!git.ok) return git;
  if (typeof git.value === "string") return ok(null);
  const status = await git.value.run(statusWords("normal"), { maxBytes: maxStatusBytes });
  return status.ok ? ok(parseGitMarks(status.value.toString("utf8"))) : status;
}

/** Parses the output of `git status --porcelain=v2 -z`, up to `maxMarks` marks. */
export function parseGitMarks(text: string): readonly MarkedPath[] {
  const marks: MarkedPath[] = [];
  let from = 0;
  for (let to = text.indexOf("\0"); to !== -1 && marks.length < maxMarks; to = text.indexOf("\0", from)) {
    const mark = parseEntry(text.slice(from, to));
    if (mark !== null) marks.push(mark);
    from = to + 1;
  }
  return marks;
}

function parseEntry(entry: string): MarkedPath | null {
  const [, states = "", path] = /^1 (..) (?:\S+ ){6}(.+)$/s.exec(entry) ?? [];
  if (path !== undefined) return { path, mark: markOfStates(states) };
  const unmerged = /^u (?:\S+ ){9}(.+)$/s.exec(entry)?.[1];
  if (unmerged !== undefined) return { path: unmerged, mark: "conflicted" };
  const untracked = /^\? (.+?)\/?$/s.exec(entry)?.[1];
  return untracked === undefined ? null : { path: untracked, mark: "untracked" };
}

/** `states` = the state in the index and that in the work tree, as git's letters. */
const markOfStates = (states: string): GitMark =>
  states.endsWith("D") || states === "D." ? "deleted" : states.includes("A") ? "added" : "modified";
