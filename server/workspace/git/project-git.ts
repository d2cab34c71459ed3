/** Opens the repository of a project, and the command that lists what differs from the last commit. */
import { posix } from "node:path";
import { ok, type Result } from "@/lib/events/error";
import { pathWithoutProject } from "@/server/security/environment/shell-environment";
import type { OpenProject } from "../projects/projects";
import { type Git, maxGitListBytes, openGit } from "./git";
import { findRepositoryTop, isBareRepository } from "./git-folders";
import { isGitNewEnough } from "./git-version";
import { type StatusEntry, statusEntries, untrackedEntry } from "./status-entries";

/** Arguments of `git status`; `untracked` = whether untracked folders are listed as one path or by their files. */
export const statusWords = (untracked: "normal" | "all"): readonly string[] => [
  ...["status", "--porcelain=v2", "-z", `--untracked-files=${untracked}`],
  ...["--ignore-submodules=all", "--no-renames"],
];

/** Without `gitTop` a repository above the folder is never used. */
export type GitProject = Pick<OpenProject, "root" | "trusted"> & Partial<Pick<OpenProject, "gitTop">>;

/** Why git is not run: `above` = the user has not agreed to the use of the repository above the folder; `bare` = one without files. */
export type NoGit = "untrusted" | "no_repository" | "bare" | "above" | "no_git" | "old_git";

/** Opens git for the folder of the project, or returns why it is not run. Fails like `openGit`. */
export async function openProjectGit(
  { root, trusted, gitTop }: GitProject,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
  indexFile?: string,
): Promise<Result<Git | NoGit>> {
  const top = await findRepositoryTop(root);
  if (top !== root && (await isBareRepository(root))) return ok("bare");
  if (top === null) return ok("no_repository");
  if (!trusted()) return ok("untrusted");
  if (top !== root && top !== gitTop?.()) return ok("above");
  const isNew = await isGitNewEnough(pathWithoutProject(top, environment.PATH), signal);
  if (!isNew.ok) return isNew.error.code === "not_found" ? ok("no_git") : isNew;
  if (!isNew.value) return ok("old_git");
  const prefix = top === root ? "" : `${posix.relative(top, root)}/`;
  const git = await openGit({ root: top, prefix }, environment, signal, indexFile);
  return !git.ok && git.error.code === "not_found" ? ok("no_git") : git;
}

/** Returns the top of the repository that the project uses; without one its own folder. */
export async function usedGitTop({ root, gitTop }: Pick<GitProject, "root" | "gitTop">): Promise<string> {
  const allowed = gitTop?.() ?? null;
  return allowed !== null && (await findRepositoryTop(root)) === allowed ? allowed : root;
}

/**
 * Runs `git status --porcelain=v2 -z` with these arguments for the folder of `git`, to which the paths are relative. Fails like
 * `Git.run`.
 */
export async function readFolderStatus(
  git: Git,
  words: readonly string[],
): Promise<Result<{ readonly output: Buffer; entries(): Iterable<StatusEntry> }>> {
  const limit = git.prefix === "" ? [] : ["--", "."];
  const status = await git.run([...words, ...limit], { maxBytes: maxGitListBytes });
  if (!status.ok) return status;
  const output = status.value;
  if (git.prefix === "" || !output.includes(`? ${git.prefix}\0`))
    return ok({ output, entries: () => statusEntries(output, git.prefix) });
  // Nothing in the folder is tracked: git lists it as one path.
  const listed = await git.run(["ls-files", "--others", "--exclude-standard", "-z"], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  const paths = listed.value.toString("utf8").split("\0").filter(Boolean);
  const rows = new Set(paths.map((path) => path.slice(0, path.indexOf("/") + 1 || path.length)));
  const isWhole = words.includes("--untracked-files=all");
  return ok({ output, entries: () => [...(isWhole ? paths : rows)].map(untrackedEntry) });
}
