/** Lets a commit contain some paths as they are on the disk, and nothing else: what is staged of other paths stays staged. */
import { fail, ok, type Result } from "@/lib/events/error";
import { type Git, maxGitListBytes } from "../git";
import { statusWords } from "../project-git";
import { checkFilters } from "../stage";
import { statusEntries } from "../status-entries";

export interface PreparedPaths {
  /** Arguments of `git commit`. */
  readonly words: readonly string[];
  /** Takes the new files out of the index again. Never fails. */
  undo(): Promise<void>;
}

/**
 * Adds the names of new files to the index, without which git does not find them. `git` = at the top of the repository, to which
 * the paths are relative; `hasPrograms` = the repository's filters run. Fails with no_changes, filter_off, and like `Git.run`.
 */
export async function preparePaths(
  git: Git,
  paths: readonly string[],
  hasPrograms: boolean,
): Promise<Result<PreparedPaths>> {
  const status = await git.run([...statusWords("all"), "--", ...paths], { maxBytes: maxGitListBytes });
  if (!status.ok) return status;
  const wanted = new Set(paths);
  const entries = [...statusEntries(status.value.toString("utf8"))].filter(
    // A new file that was staged and then removed is in no commit.
    ({ path, index, tree }) => wanted.has(path) && !(index === "A" && tree === "D"),
  );
  if (entries.length === 0) return fail("no_changes");
  const changed = [...new Set(entries.map(({ path }) => path))];
  const filters = hasPrograms ? ok(null) : await checkFilters(git, changed);
  if (!filters.ok) return filters;
  const untracked = entries.flatMap(({ kind, path }) => (kind === "untracked" ? [path] : []));
  const input = untracked.map((path) => `${path}\0`).join("");
  const command = { maxBytes: maxGitListBytes, input, writes: true };
  if (untracked.length > 0) {
    const words = ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
    const added = await git.run(words, command);
    if (!added.ok) return added;
  }
  return ok({
    words: ["--only", "--", ...changed.map((path) => `:(top,literal)${path}`)],
    async undo() {
      if (untracked.length > 0) await git.run(["update-index", "--force-remove", "-z", "--stdin"], command);
    },
  });
}
