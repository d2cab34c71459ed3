/** Stages and unstages: whole paths, or lines of one file by git's own patch of it. */
import { createHash } from "node:crypto";
import { fail, ok, type Result } from "@/lib/events/error";
import type { SourceLines } from "@/lib/workspace/source-control";
import { type Git, maxGitListBytes } from "./git";
import { choosePatchLines, type PartialPatch } from "./patch/file-patch";
import { type PatchTarget, readSeenPatch } from "./patch/read-patch";

/** Adding files copies their content. */
const addTimeoutMs = 300_000;

const toPathList = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join("");
const pathsFromInput = ["--pathspec-from-file=-", "--pathspec-file-nul"];

/** Stages paths as they are on the disk. Fails with filter_off and like `Git.run`. */
export async function stagePaths(git: Git, paths: readonly string[]): Promise<Result<null>> {
  const filters = await checkFilters(git, paths);
  if (!filters.ok) return filters;
  const command = { maxBytes: maxGitListBytes, input: toPathList(paths), writes: true, timeoutMs: addTimeoutMs };
  const added = await git.run(["add", "--all", ...pathsFromInput], command);
  return added.ok ? ok(null) : added;
}

/** Makes the index of paths that of the last commit. */
export async function unstagePaths(git: Git, paths: readonly string[]): Promise<Result<null>> {
  const command = { maxBytes: maxGitListBytes, input: toPathList(paths), writes: true };
  const reset = await git.run(["reset", "--quiet", ...pathsFromInput], command);
  return reset.ok ? ok(null) : reset;
}

interface LinesOrder extends PatchTarget {
  /** Hash of the diff that the user saw. */
  readonly hash: string;
  readonly lines: SourceLines;
}

/**
 * Stages lines of the difference of the disk from the index, or unstages lines of that of the index from the last commit. The
 * index is read again afterwards, and is as before if git did something else. Fails with changed_meanwhile if the path
 * differs in another way than the user saw, filter_off, bad_input, and like `Git.run`.
 */
export async function changeStagedLines(git: Git, { hash, lines, ...target }: LinesOrder): Promise<Result<null>> {
  const filters = await checkFilters(git, [target.path]);
  if (!filters.ok) return filters;
  const seen = await readSeenPatch(git, target, hash);
  if (!seen.ok) return seen;
  const part = choosePatchLines(seen.value, lines, target.side === "changed" ? "old" : "new");
  if (part === null) return fail("bad_input", undefined, { path: target.path });
  const before = parseSides(seen.value.header)[target.side === "changed" ? "old" : "new"];
  return applyToIndex(git, target, part, before);
}

/** An entry of the index; null = there is none. */
type IndexEntry = { readonly mode: string; readonly object: string } | null;

async function applyToIndex(
  git: Git,
  { path, side }: PatchTarget,
  { patch, content }: PartialPatch,
  before: IndexEntry,
): Promise<Result<null>> {
  const reverse = side === "staged" ? ["--reverse"] : [];
  const words = ["apply", "--cached", "--whitespace=nowarn", "--no-ignore-whitespace", ...reverse, "-"];
  const applied = await git.whole.run(words, { maxBytes: maxGitListBytes, input: patch, writes: true });
  if (!applied.ok) return applied;
  const after = await readIndexEntry(git, path);
  if (!after.ok) return after;
  const found = after.value?.object ?? null;
  if (found === (content === null ? null : computeBlobId(content, found?.length ?? sha1Chars))) return ok(null);
  await writeIndexEntry(git, path, before);
  return fail("tool_failed", "git apply: the index has another content than requested", { path });
}

/** Returns the entry of a path; `stage` = that of a side of a conflict, 0 = there is none. */
export async function readIndexEntry(git: Git, path: string, stage = 0): Promise<Result<IndexEntry>> {
  const listed = await git.run(["ls-files", "--stage", "-z", "--", path], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  // The name of a folder that was there selects its files.
  const entry = listed.value
    .toString("utf8")
    .split("\0")
    .find((one) => one.endsWith(` ${stage}\t${path}`));
  const [mode, object] = entry?.split(" ") ?? [];
  return ok(mode === undefined || object === undefined ? null : { mode, object });
}

/** Makes the entry of a path this one, in place of those of a conflict; null = none. Fails like `Git.run`. */
export function writeIndexEntry(git: Git, path: string, entry: IndexEntry): Promise<Result<Buffer>> {
  const name = `${git.prefix}${path}`;
  const change =
    entry === null ? ["--force-remove", "--", name] : ["--add", "--cacheinfo", `${entry.mode},${entry.object},${name}`];
  return git.whole.run(["update-index", ...change], { maxBytes: maxGitListBytes, writes: true });
}

/** Returns the entries of both sides that the header of a patch names. */
function parseSides(header: Buffer): Readonly<Record<"old" | "new", IndexEntry>> {
  const text = header.toString("latin1");
  const [, old = "", now = "", both] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?$/m.exec(text) ?? [];
  const mode = (words: string): string | undefined => new RegExp(`^${words} mode (\\d+)$`, "m").exec(text)?.[1] ?? both;
  const toEntry = (object: string, itsMode: string | undefined): IndexEntry =>
    itsMode === undefined || /^0+$/.test(object) ? null : { mode: itsMode, object };
  return { old: toEntry(old, mode("(?:old|deleted file)")), new: toEntry(now, mode("(?:new|new file)")) };
}

const sha1Chars = 40;

/** Computes the id that git gives a blob, by the hash function of the repository: sha1, or sha256 by the length of its ids. */
const computeBlobId = (content: Buffer, idChars: number): string =>
  createHash(idChars === sha1Chars ? "sha1" : "sha256")
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest("hex");

/**
 * Fails with filter_off for a path whose filter is one of the repository's own, which are not run: git would store another
 * content than it does for the user.
 */
export async function checkFilters(git: Git, paths: readonly string[]): Promise<Result<null>> {
  if (git.disabledFilters.size === 0) return ok(null);
  const folders = paths.filter((path) => path.endsWith("/"));
  const inFolders = await listUntracked(git, folders);
  if (!inFolders.ok) return inFolders;
  const input = toPathList([...paths.filter((path) => !path.endsWith("/")), ...inFolders.value]);
  const listed = await git.run(["check-attr", "-z", "--stdin", "filter"], { maxBytes: maxGitListBytes, input });
  if (!listed.ok) return listed;
  const fields = listed.value.toString("utf8").split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", , name = ""] = fields.slice(at, at + 3);
    if (git.disabledFilters.has(name)) return fail("filter_off", undefined, { path, name });
  }
  return ok(null);
}

/** Lists the untracked files of folders, without ignored ones. */
export async function listUntracked(git: Git, folders: readonly string[]): Promise<Result<readonly string[]>> {
  if (folders.length === 0) return ok([]);
  const words = ["ls-files", "--others", "--exclude-standard", "-z", "--", ...folders];
  const listed = await git.run(words, { maxBytes: maxGitListBytes });
  return listed.ok ? ok(listed.value.toString("utf8").split("\0").filter(Boolean)) : listed;
}
