/** Opens the repository of a project, and the command that lists what differs from the last commit. */
import { lstat } from "node:fs/promises";
import { posix } from "node:path";
import { ok, type Result } from "@/lib/events/error";
import type { OpenProject } from "../projects/projects";
import { type Git, openGit } from "./git";

/** Arguments of `git status`; `untracked` = whether untracked folders are listed as one path or by their files. */
export const statusWords = (untracked: "normal" | "all"): readonly string[] => [
  ...["status", "--porcelain=v2", "-z", `--untracked-files=${untracked}`],
  ...["--ignore-submodules=all", "--no-renames"],
];

/**
 * Opens git for the project, or returns why it is not run: in an untrusted folder, without a repository at its top, or
 * where git is not installed. Fails like `openGit`.
 */
export async function openProjectGit(
  { root, trusted }: Pick<OpenProject, "root" | "trusted">,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
  indexFile?: string,
): Promise<Result<Git | "untrusted" | "no_repository" | "no_git">> {
  const isTop = await lstat(posix.join(root, ".git")).catch(() => null);
  if (isTop === null || isTop.isSymbolicLink()) return ok("no_repository");
  if (!trusted()) return ok("untrusted");
  const git = await openGit(root, environment, signal, indexFile);
  return !git.ok && git.error.code === "not_found" ? ok("no_git") : git;
}
