/**
 * Scans a project with more files than a snapshot holds by its git repository: a private copy of git's index is the state
 * to compare with, and the old content of a tracked, unchanged file is read from git's objects. Only the files that differ
 * from the index, and those git does not track, are stored.
 */
import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import { isProtectedPath } from "@/server/security/paths/safe-path";
import type { Git } from "../git/git";
import { statusWords, maxStatusBytes } from "../git/project-git";
import { readGitBlobs } from "../git/working-tree";
import { countUnreadableChanges, unreadableGitPaths, type UnreadableFiles } from "./unreadable-files";
import { isSameStamp, permissionBits, regularFileStats, type ScanPace } from "./snapshot-scan";
import {
  type IndexedFile,
  type ScanContext,
  type ScanOutcome,
  type SnapshotScans,
  imageTotalBytes,
  clearRecentTime,
  isSameFile,
  makeByteBudget,
  readProjectFile,
  recordFirstState,
  toStoredContent,
} from "./snapshot-scans";

/** Git for the snapshots of one project. */
export interface SnapshotGit {
  /** The private copy of git's index, absolute. */
  readonly indexFile: string;
  /** Returns git with the private index; null = it may not or cannot run here. */
  open(signal: AbortSignal): Promise<Git | null>;
}

/** A path that differs from the index. `object` null = git has no content of it. */
interface DifferingPath {
  readonly path: string;
  readonly object: string | null;
  readonly isExecutable: boolean;
}

/** Bytes and objects read from git at a time. */
const batchBytes = 16_000_000;
const batchObjects = 2_000;
/** A file system may store a time this much before the clock's, ms. */
const clockStepMs = 20;
/** Paths passed as arguments; for more of them the whole index is listed. */
const maxPathArguments = 200;

export interface GitScans extends SnapshotScans {
  /** Returns whether git may and can be used here. */
  isPossible(): Promise<boolean>;
  /** Releases what is held between two commands. */
  release(): void;
}

export function makeGitScans(
  { policy, index, journals, maxFiles, now }: ScanContext,
  snapshotGit?: SnapshotGit,
): GitScans {
  /** Files that differ from the private index, or did since it was copied; null = there is none on disk. */
  const known = new Map<string, IndexedFile | null>();
  /** Change times of differing files whose names are not UTF-8. */
  let unreadable: UnreadableFiles = new Map();
  /** The attributes of git's own index when it was copied; null = the copy cannot be used. */
  let copied: string | null = null;
  const { signal } = new AbortController();

  const open = async (): Promise<Git | null> =>
    // Git does not list the files of a repository in this one.
    existsSync(`${policy.root}/.gitmodules`) ? null : ((await snapshotGit?.open(signal)) ?? null);

  /** Copies git's index if it has changed. */
  const renew = async (git: Git): Promise<void> => {
    const source = await findIndexFile(git, policy.root);
    const key = await fileKey(source);
    if (key === copied) return;
    copied = null;
    await copyIndex(source, snapshotGit?.indexFile ?? "");
    await clearUnwatchedMarks(git, policy.root);
    known.clear();
    copied = key;
  };
  const putState = (path: string, old: IndexedFile | null, budget: (bytes: number) => boolean): IndexedFile | null => {
    const stats = regularFileStats(`${policy.root}/${path}`);
    if (stats !== null && old !== null && isSameStamp(stats, old)) return old;
    const read = stats === null ? null : readProjectFile(policy, path);
    if (read === null) return null;
    const kept = toStoredContent(read, old ?? undefined, budget);
    return { ...clearRecentTime(read.stamp, now()), blob: kept instanceof Uint8Array ? index.storeBlob(kept) : kept };
  };

  /** `since` null = before a command: states that were there before count for other running commands only. */
  const scan = async (pace: ScanPace, since: number | null): Promise<ScanOutcome> => {
    const isAlone = journals.size <= 1;
    const git = await open();
    if (git === null) return gapOutcome("too_many_files");
    if (since === null && (isAlone || copied === null)) await renew(git);
    if (copied === null) return gapOutcome("time");
    const isStart = since === null && isAlone;
    // When git writes the index it clears the size of a file that has just changed.
    const words = [...(isStart ? [] : ["--no-optional-locks"]), ...statusWords("all")];
    const listed = await git.run(words, { maxBytes: maxStatusBytes });
    if (!listed.ok) return gapOutcome(listed.error.code === "timeout" ? "time" : "too_many_files");
    const differing = parseDifferingPaths(listed.value.toString("utf8"));
    if (differing === null) return gapOutcome("too_many_files");
    const names = { protectedNames: policy.protectedNames, privateFolders: policy.privateFolders };
    const paths = new Map(differing.flatMap((one) => (isProtectedPath(one.path, names) ? [] : [[one.path, one]])));
    if (isStart) for (const path of known.keys()) if (!paths.has(path)) known.delete(path);
    const fresh = [...paths.values()].filter(({ path }) => !known.has(path)).slice(0, maxFiles);
    const before = isStart ? noStates : await readStates(git, { policy, index }, fresh, pace);
    const unreadableNow = unreadableGitPaths(listed.value, policy.root);
    const changedUnreadable = isStart ? 0 : countUnreadableChanges(unreadable, unreadableNow);
    unreadable = unreadableNow;
    const budget = makeByteBudget(known.values());
    const all = new Set([...known.keys(), ...paths.keys()]);
    const rulesSince =
      since !== null && [...all].some((path) => isIgnoreFile(path) && hasChanged(path, since)) ? since : null;
    let left = all.size;
    for (const path of all) {
      if (known.size >= maxFiles && !known.has(path))
        return { gap: "too_many_files", beyond: isStart ? 0 : left, unread: 0 };
      left -= 1;
      const old = known.get(path) ?? before.get(path) ?? null;
      const next = putState(path, old, budget);
      const isNew = !known.has(path) && paths.get(path)?.object === null;
      known.set(path, next);
      if (!isStart && !isSameFile(old, next)) recordChange(path, old, isNew ? rulesSince : null);
      if (pace.isSliceOver() && !(await pace.nextSlice())) return { gap: "time", beyond: 0, unread: left };
    }
    return { gap: null, beyond: changedUnreadable, unread: 0 };
  };
  const hasChanged = (path: string, since: number): boolean =>
    (regularFileStats(`${policy.root}/${path}`)?.ctimeMs ?? since) >= since - clockStepMs;
  /** `since` = a file appeared while the ignore rules changed: an older one was ignored before and is not the command's. */
  const recordChange = (path: string, old: IndexedFile | null, since: number | null): void => {
    const stats = since === null ? null : regularFileStats(`${policy.root}/${path}`);
    if (since === null || stats === null || stats.birthtimeMs >= since - clockStepMs)
      return recordFirstState(journals, path, old);
    const state = known.get(path) ?? null;
    if (stats.ctimeMs >= since && state !== null) recordFirstState(journals, path, { ...state, blob: null });
  };
  const scanOrRestart = async (pace: ScanPace, since: number | null): Promise<ScanOutcome> => {
    const outcome = await scan(pace, since);
    // The next command starts with another copy.
    if (outcome.gap !== null) copied = null;
    return outcome;
  };
  return {
    ensureCurrent: async (pace) => (await scanOrRestart(pace(), null)).gap,
    scanAfter: (pace, since) => scanOrRestart(pace(), since),
    current: (path) => known.get(path) ?? undefined,
    isPossible: async () => (await open()) !== null,
    release() {
      known.clear();
      copied = null;
    },
  };
}

const noStates: ReadonlyMap<string, IndexedFile> = new Map();

const gapOutcome = (gap: ScanOutcome["gap"]): ScanOutcome => ({ gap, beyond: 0, unread: 0 });

const isIgnoreFile = (path: string): boolean => path.split("/").at(-1) === ".gitignore";

/** Returns the index file that git uses without ours. */
async function findIndexFile(git: Git, root: string): Promise<string> {
  const found = await git.run(["rev-parse", "--absolute-git-dir"], { maxBytes: 10_000 });
  return join(found.ok ? found.value.toString("utf8").replace(/\n$/, "") : join(root, ".git"), "index");
}

async function fileKey(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

/** Copies the index. Its time must not be later: git reads files again that changed since the index was written. */
async function copyIndex(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await rm(`${target}.lock`, { force: true });
  const stats = await stat(source).catch(() => null);
  // A repository without an index has no tracked files.
  if (stats === null) return rm(target, { force: true });
  await copyFile(source, target);
  const seconds = Math.floor(stats.mtimeMs / 1000);
  await utimes(target, seconds, seconds);
}

/** Removes the marks by which git would not look at a file that exists (assume-unchanged, skip-worktree). */
async function clearUnwatchedMarks(git: Git, root: string): Promise<void> {
  const listed = await git.run(["ls-files", "-v", "-z"], { maxBytes: maxListBytes });
  if (!listed.ok) return;
  const marked = listed.value
    .toString("utf8")
    .split("\0")
    .flatMap((line) => (/^[a-zS] /.test(line) && existsSync(join(root, line.slice(2))) ? [line.slice(2)] : []));
  if (marked.length === 0) return;
  const input = marked.join("\0");
  for (const option of ["--no-assume-unchanged", "--no-skip-worktree"])
    await git.run(["update-index", option, "-z", "--stdin"], { maxBytes: maxStatusBytes, input });
}

const maxListBytes = 200_000_000;

/**
 * Parses `git status --porcelain=v2 -z`: what differs on disk from the index. Null if there is another repository in
 * the work tree, whose files git does not list.
 */
function parseDifferingPaths(text: string): readonly DifferingPath[] | null {
  const found: DifferingPath[] = [];
  for (const line of text.split("\0")) {
    const [, state, mode, object = "", path] = /^1 .(\S) \S+ \d+ (\d+) \d+ \S+ (\S+) (.+)$/s.exec(line) ?? [];
    const other = /^(?:u (?:\S+ ){9}|\? )(.+)$/s.exec(line)?.[1];
    if (other?.endsWith("/") === true) return null;
    if (isUnreadableName(line)) continue;
    if (other !== undefined) found.push({ path: other, object: null, isExecutable: false });
    if (path === undefined || state === "." || mode === undefined) continue;
    const isFile = mode === "100644" || mode === "100755";
    if (!isFile && state !== "A") continue;
    found.push({ path, object: isFile && !/^0+$/.test(object) ? object : null, isExecutable: mode === "100755" });
  }
  return found;
}

/** Reads the states that the differing files had in the index, and stores their content. */
async function readStates(
  git: Git,
  { policy, index }: Pick<ScanContext, "policy" | "index">,
  differing: readonly DifferingPath[],
  pace: ScanPace,
): Promise<ReadonlyMap<string, IndexedFile>> {
  const found = new Map<string, IndexedFile>();
  const tracked = differing.flatMap(({ path, object, isExecutable }) =>
    object === null ? [] : [{ path, object, isExecutable }],
  );
  const sizes = await readIndexSizes(
    git,
    tracked.map(({ path }) => path),
  );
  let total = 0;
  for (const batch of batches(tracked, ({ path }) => sizes.get(path) ?? 0)) {
    const contents: Result<ReadonlyMap<string, Buffer>> = await readGitBlobs(
      git,
      batch.filter(({ path }) => (sizes.get(path) ?? 0) <= limits.imageFileBytes).map(({ object }) => object),
    );
    for (const { path, object, isExecutable } of batch) {
      const bytes = contents.ok ? contents.value.get(object) : undefined;
      // Of another size: the file on disk was converted (line ends, a filter) and git has other bytes.
      const isKept = bytes !== undefined && bytes.length === sizes.get(path) && total + bytes.length <= imageTotalBytes;
      total += isKept ? bytes.length : 0;
      found.set(path, {
        path,
        size: sizes.get(path) ?? 0,
        mode: previousMode(`${policy.root}/${path}`, isExecutable),
        modifiedNs: "",
        changedNs: "",
        inode: "",
        blob: isKept ? index.storeBlob(bytes) : null,
      });
      if (pace.isSliceOver()) await pace.nextSlice();
    }
  }
  return found;
}

/** Git stores of the permissions only whether a file can be executed. */
function previousMode(absolute: string, isExecutable: boolean): number {
  const mode = (regularFileStats(absolute)?.mode ?? 0) & permissionBits;
  return mode !== 0 && ((mode & 0o100) !== 0) === isExecutable
    ? mode
    : (isExecutable ? 0o777 : 0o666) & ~process.umask();
}

function* batches<T>(all: readonly T[], sizeOf: (one: T) => number): Generator<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const one of all) {
    if (batch.length > 0 && (batch.length >= batchObjects || bytes + sizeOf(one) > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += sizeOf(one);
  }
  if (batch.length > 0) yield batch;
}

/** Returns the sizes on disk of tracked files when git last compared them. */
async function readIndexSizes(git: Git, paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (paths.length === 0) return new Map();
  const named = paths.length <= maxPathArguments ? ["--", ...paths] : [];
  const listed = await git.run(["ls-files", "--debug", "-z", ...named], { maxBytes: maxListBytes });
  if (!listed.ok) return new Map();
  const wanted = new Set(paths);
  const sizes = new Map<string, number>();
  // Each name ends with NUL and is followed by lines of attributes.
  let path = "";
  for (const part of listed.value.toString("utf8").split("\0")) {
    const [, size, next] = /^ {2}ctime: .*? {2}size: (\d+)\tflags: [0-9a-f]+\n(.*)$/s.exec(part) ?? [];
    if (size !== undefined && wanted.has(path)) sizes.set(path, Number(size));
    path = next ?? part;
  }
  return sizes;
}
