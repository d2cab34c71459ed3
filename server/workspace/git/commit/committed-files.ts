/** Reads what a commit changed: its files, and their contents as they are checked out. */
import { ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { type Git, maxGitListBytes } from "../git";

const listWords = [
  "diff-tree",
  "-r",
  "-z",
  "-m",
  "--root",
  "--no-commit-id",
  "--raw",
  "--no-renames",
  "--no-abbrev",
  "--relative",
];

/** Returns the blobs of the files that differ from a parent; null = the commit has no such file. Fails like `Git.run`. */
export async function listCommittedFiles(
  git: Git,
  commit: string,
): Promise<Result<ReadonlyMap<string, string | null>>> {
  const listed = await git.run([...listWords, "--no-ext-diff", "--no-textconv", commit, "--"], {
    maxBytes: maxGitListBytes,
  });
  if (!listed.ok) return listed;
  const fields = listed.value.toString("utf8").split("\0");
  const files = new Map<string, string | null>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", blob = ""] = rawEntry.exec(fields[at] ?? "") ?? [];
    if (regularModes.has(mode)) files.set(fields[at + 1] ?? "", mode === noFileMode ? null : blob);
  }
  return ok(files);
}

const rawEntry = /^:\d+ (\d+) \S+ (\S+) [A-Z]$/;
const noFileMode = "000000";
/** Neither a link nor a submodule has lines. */
const regularModes: ReadonlySet<string> = new Set(["100644", "100755", noFileMode]);

/** Returns the content that a checkout of the blob writes, without the filters that are off. Fails like `Git.run`. */
export const readCheckedOut = (git: Git, path: string, blob: string): Promise<Result<Buffer>> =>
  git.run(["cat-file", "--filters", `--path=${git.prefix}${path}`, blob], { maxBytes: limits.writeMaxBytes });
