/** Lets a commit contain some paths as they are on the disk, and nothing else: what is staged of other paths stays staged. */
import { stat } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { type Git, maxGitListBytes } from "../git";
import { statusWords } from "../project-git";
import { checkFilters, readIndexEntry, writeIndexEntry } from "../stage";
import { type StatusEntry, statusEntries } from "../status-entries";

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
  if (untracked.length === 0 && (await equalsLastCommit(git, changed))) return fail("no_changes");
  const replaced = await findReplaced(git, entries, untracked);
  const input = untracked.map((path) => `${path}\0`).join("");
  const command = { maxBytes: maxGitListBytes, input, writes: true };
  if (untracked.length > 0) {
    const words = ["add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
    const added = await git.run(words, command);
    if (!added.ok) return added;
  }
  return ok({
    words: ["--only", "--", ...changed.filter((path) => !replaced.has(path)).map((path) => `:(top,literal)${path}`)],
    async undo() {
      if (untracked.length > 0) await git.run(["update-index", "--force-remove", "-z", "--stdin"], command);
      for (const [path, entry] of replaced) await writeIndexEntry(git, path, entry);
    },
  });
}

/** Whether tracked paths are as the last commit has them: a change was staged, and taken back on the disk. */
async function equalsLastCommit(git: Git, paths: readonly string[]): Promise<boolean> {
  const words = ["diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "HEAD", "--"];
  return (await git.run([...words, ...paths], { maxBytes: maxGitListBytes })).ok;
}

/** Returns the files in whose place a folder with some of the new files is, with their entries: the new ones take their place. */
async function findReplaced(git: Git, entries: readonly StatusEntry[], untracked: readonly string[]) {
  const replaced = new Map<string, { readonly mode: string; readonly object: string } | null>();
  for (const { path, tree } of entries) {
    if (tree !== "D" || !untracked.some((one) => one.startsWith(`${path}/`))) continue;
    const stats = await stat(posix.join(git.top, path)).catch(() => null);
    const entry = stats?.isDirectory() === true ? await readIndexEntry(git, path) : null;
    if (entry?.ok === true) replaced.set(path, entry.value);
  }
  return replaced;
}
