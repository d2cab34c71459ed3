/** Reads the text of one file in the last commit, without filters, in trusted folders only. */
import { ok, type Result } from "@/lib/events/error";
import { decodeTextOrNull } from "../encoding/text-encoding";
import { readGitBlobs } from "./working-tree";
import { type GitProject, openProjectGit } from "./project-git";

/**
 * Returns null for a file that is not in the last commit, is no text or is too large, and where git may not or cannot
 * run. `path` is relative to the project.
 */
export async function readCommittedText(
  project: GitProject,
  path: string,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<string | null>> {
  // The name is a line of git's input.
  if (path.includes("\n")) return ok(null);
  const git = await openProjectGit(project, environment, signal);
  if (!git.ok) return git;
  if (typeof git.value === "string") return ok(null);
  const blobs = await readGitBlobs(git.value, [`HEAD:./${path}`]);
  if (!blobs.ok) return blobs;
  const [blob] = blobs.value.values();
  return ok(blob === undefined ? null : decodeTextOrNull(blob));
}
