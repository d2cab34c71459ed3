/** Lists, makes, applies and drops stashes. Each is named by its commit, since its place in the list changes. */
import { lstat } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { SourceOutcome, SourceStash } from "@/lib/workspace/source-control";
import { checkFinished, checkTreeFilters, explainRefusal, toOutcome, treeChange } from "../changed-tree";
import { readCommit } from "../commit/commit";
import type { Git } from "../git";
import { checkFilters } from "../stage";
import { type StatusEntry, statusEntries } from "../status-entries";

/** Stashes of the list. */
const maxStashes = 200;
const maxBytes = 16_000_000;

/** Returns the stashes, the newest first. Fails like `Git.run`. */
export async function listStashes(git: Git): Promise<Result<readonly SourceStash[]>> {
  if ((await readCommit(git, "refs/stash")) === null) return ok([]);
  const format = "--format=%H%x00%P%x00%gs%x00%ct%x00";
  const words = ["log", "--walk-reflogs", "--no-show-signature", "--no-color", `--max-count=${maxStashes}`, format];
  const listed = await git.run([...words, "refs/stash", "--"], { maxBytes });
  if (!listed.ok) return listed;
  const values = listed.value.toString("utf8").split("\0");
  const stashes: SourceStash[] = [];
  for (let at = 0; at + 4 <= values.length; at += 4) {
    const [id = "", parents = "", subject = "", seconds = ""] = values.slice(at, at + 4);
    const [parent = "", , untracked] = parents.split(" ");
    const [, branch = null, message = subject] = /^(?:WIP on|On) ([^:]+): (.*)$/s.exec(subject) ?? [];
    stashes.push({
      ...{ id: id.trim(), parent, message, at: Number(seconds) * 1_000 },
      branch: branch === "(no branch)" ? null : branch,
      ...(untracked === undefined ? {} : { untracked }),
    });
  }
  return ok(stashes);
}

async function findStash(git: Git, id: string): Promise<Result<SourceStash & { readonly name: string }>> {
  const listed = await listStashes(git);
  if (!listed.ok) return listed;
  const at = listed.value.findIndex((stash) => stash.id === id);
  const stash = listed.value[at];
  return stash === undefined ? fail("not_found", id) : ok({ ...stash, name: `stash@{${at}}` });
}

const stashChange = { ...treeChange, usesPatterns: true } as const;

export interface StashOrder {
  readonly message: string;
  /** Only staged changes, in place of all. */
  readonly stagedOnly: boolean;
  readonly includeUntracked: boolean;
}

/**
 * Stashes changes; returns the stash. Fails with no_commit, no_changes, filter_off, conflicts_left, local_changes if only staged
 * changes are stashed and `path` has others too: git could not apply such a stash; and like `Git.run`.
 */
export async function pushStash(
  git: Git,
  { message, stagedOnly, includeUntracked }: StashOrder,
): Promise<Result<{ id: string }>> {
  if ((await readCommit(git, "HEAD")) === null) return fail("no_commit");
  const untracked = includeUntracked && !stagedOnly;
  const words = ["status", "--porcelain=v2", "-z", `--untracked-files=${untracked ? "normal" : "no"}`];
  const status = await git.run([...words, "--ignore-submodules=dirty"], { maxBytes });
  if (!status.ok) return status;
  const entries = [...statusEntries(status.value.toString("utf8"))];
  const conflict = entries.find(({ kind }) => kind === "unmerged");
  if (conflict !== undefined) return fail("conflicts_left", undefined, { path: conflict.path });
  const chosen = stagedOnly ? entries.filter(({ index }) => index !== ".") : entries;
  if (chosen.length === 0) return fail("no_changes");
  const mixed = stagedOnly ? chosen.find(({ tree }) => tree !== ".") : undefined;
  if (mixed !== undefined) return fail("local_changes", undefined, { path: mixed.path });
  const filters = await checkFilters(
    git,
    chosen.map(({ path }) => path),
  );
  if (!filters.ok) return filters;
  const options = [...(stagedOnly ? ["--staged"] : []), ...(untracked ? ["--include-untracked"] : [])];
  const named = message.trim() === "" ? [] : ["--message", message.trim()];
  const pushed = await git.run(["stash", "push", "--quiet", ...options, ...named], stashChange);
  if (!pushed.ok) return pushed;
  return ok({ id: (await readCommit(git, "refs/stash")) ?? "" });
}

/**
 * Applies a stash, with what was staged if that is possible; it stays. Conflicts are no failure. Fails with not_found,
 * git_unfinished, conflicts_left, local_changes, filter_off, and like `Git.run`.
 */
export async function applyStash(git: Git, root: string, id: string): Promise<Result<SourceOutcome>> {
  const finished = await checkFinished(root);
  if (!finished.ok) return finished;
  const stash = await findStash(git, id);
  if (!stash.ok) return stash;
  const obstacle = await checkFiles(git, root, stash.value);
  if (!obstacle.ok) return obstacle;
  const withIndex = await git.run(["stash", "apply", "--quiet", "--index", id], stashChange);
  if (
    withIndex.ok ||
    withIndex.error.code !== "tool_failed" ||
    !/Try without --index/.test(withIndex.error.detail ?? "")
  )
    return toOutcome(git, root, withIndex);
  return toOutcome(git, root, await git.run(["stash", "apply", "--quiet", id], stashChange));
}

/** Fails for what is in the way of a stash: git would restore a part of it before it refuses, or after. */
async function checkFiles(git: Git, root: string, { id, parent, untracked }: SourceStash): Promise<Result<null>> {
  const entries = await listTrackedChanges(git);
  if (!entries.ok) return entries;
  const conflict = entries.value.find(({ kind }) => kind === "unmerged");
  if (conflict !== undefined) return fail("conflicts_left", undefined, { path: conflict.path });
  const filters = await checkTreeFilters(git, parent, id);
  if (!filters.ok) return filters;
  const changed = await listPaths(git, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", parent, id, "--"]);
  if (!changed.ok) return changed;
  const added = await listPaths(git, ["diff-tree", ...addedWords, parent, id, "--"]);
  if (!added.ok) return added;
  const extra =
    untracked === undefined ? ok([]) : await listPaths(git, ["ls-tree", "-r", "-z", "--name-only", untracked]);
  if (!extra.ok) return extra;
  // A file that a later commit has as well is merged.
  const committed = await listPaths(git, ["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
  if (!committed.ok) return committed;
  const isCommitted = new Set(committed.value);
  const isNew = added.value.filter((one) => !isCommitted.has(one));
  const local = new Set(entries.value.map(({ path }) => path));
  const path = changed.value.find((one) => local.has(one)) ?? (await findExisting(root, [...isNew, ...extra.value]));
  return path === undefined ? checkFilters(git, extra.value) : fail("local_changes", undefined, { path });
}

const addedWords = ["-r", "-z", "--name-only", "--no-renames", "--diff-filter=A"];

async function listTrackedChanges(git: Git): Promise<Result<readonly StatusEntry[]>> {
  const words = ["status", "--porcelain=v2", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=dirty"];
  const status = await git.run(words, { maxBytes });
  return status.ok ? ok([...statusEntries(status.value.toString("utf8"))]) : status;
}

async function listPaths(git: Git, words: readonly string[]): Promise<Result<readonly string[]>> {
  const listed = await git.run(words, { maxBytes });
  return listed.ok ? ok(listed.value.toString("utf8").split("\0").filter(Boolean)) : listed;
}

/** Returns the first path that exists. */
async function findExisting(root: string, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await lstat(posix.join(root, path)).catch(() => null)) !== null) return path;
  return undefined;
}

/** Applies a stash, and drops it unless there are conflicts. Fails like `applyStash`. */
export async function popStash(git: Git, root: string, id: string): Promise<Result<SourceOutcome>> {
  const applied = await applyStash(git, root, id);
  if (!applied.ok || applied.value.conflicts > 0) return applied;
  // One that could not be dropped is still in the list.
  await dropStash(git, id);
  return applied;
}

/** Takes a stash from the list; `storeStash` puts it back. Fails with not_found, and like `Git.run`. */
export async function dropStash(git: Git, id: string): Promise<Result<{ id: string; message: string }>> {
  const stash = await findStash(git, id);
  if (!stash.ok) return stash;
  const dropped = await git.run(["stash", "drop", "--quiet", stash.value.name], stashChange);
  if (!dropped.ok) return dropped;
  const { branch, message } = stash.value;
  return ok({ id, message: `On ${branch ?? "(no branch)"}: ${message}` });
}

/** Puts a stash that was dropped back, as the first of the list. Fails with not_found (not a stash), and like `Git.run`. */
export async function storeStash(git: Git, id: string, message: string): Promise<Result<null>> {
  if ((await readCommit(git, `${id}^2`)) === null) return fail("not_found", id);
  const stored = await git.run(["stash", "store", "--quiet", "--message", message, id], stashChange);
  return stored.ok ? ok(null) : { ok: false, error: await explainRefusal(git, stored.error) };
}
