/**
 * Scans a project with more files than a snapshot holds by its git repository: a private copy of git's index is the state
 * to compare with, and the old content of a tracked, unchanged file is read from git's objects. Only the files that differ
 * from the index, and those git does not track, are stored.
 */
import { existsSync } from "node:fs";
import type { Result } from "@/lib/events/error";
import type { UndoGap } from "@/lib/events/tool-kind";
import { serverLimits } from "@/lib/settings/server-limits";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import { isProtectedPath, type PathPolicy } from "@/server/security/paths/safe-path";
import { type Git, maxGitListBytes } from "../git/git";
import { statusWords } from "../git/project-git";
import { readGitBlobs } from "../git/working-tree";
import { makePrivateIndex, maxListBytes } from "./private-index";
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
  readSnapshotFile,
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

interface GitScans extends SnapshotScans {
  /** Returns whether git may and can be used here. */
  isPossible(): Promise<boolean>;
  /** Releases what is held between two commands. */
  release(): void;
}

interface GitScanState {
  /** Files that differ from the private index, or did since it was copied; null = there is none on disk. */
  readonly files: Map<string, IndexedFile | null>;
  unreadable: UnreadableFiles;
}

export function makeGitScans(context: ScanContext, snapshotGit?: SnapshotGit): GitScans {
  const { policy, journals } = context;
  const state: GitScanState = { files: new Map(), unreadable: new Map() };
  const privateIndex = makePrivateIndex(policy.root, snapshotGit?.indexFile ?? "");
  const { signal } = new AbortController();

  const open = async (): Promise<Git | null> =>
    // Git does not list the files of a repository in this one.
    existsSync(`${policy.root}/.gitmodules`) ? null : ((await snapshotGit?.open(signal)) ?? null);

  /** `since` null = before a command: states that were there before count for other running commands only. */
  const scan = async (pace: ScanPace, since: number | null): Promise<ScanOutcome> => {
    const isAlone = journals.size <= 1;
    const git = await open();
    if (git === null) return gapOutcome("too_many_files");
    if (since === null && (isAlone || !privateIndex.isValid()) && (await privateIndex.renew(git))) state.files.clear();
    if (!privateIndex.isValid()) return gapOutcome("time");
    const isStart = since === null && isAlone;
    const listed = await listDiffering(git, policy, isStart);
    if (typeof listed === "string") return gapOutcome(listed);
    const { paths } = listed;
    if (isStart) for (const path of state.files.keys()) if (!paths.has(path)) state.files.delete(path);
    const fresh = [...paths.values()].filter(({ path }) => !state.files.has(path)).slice(0, context.maxFiles);
    const before = isStart ? null : await readStates(git, context, fresh, pace);
    const changedUnreadable = isStart ? 0 : countUnreadableChanges(state.unreadable, listed.unreadable);
    state.unreadable = listed.unreadable;
    const outcome = await updateStates(context, state, { paths, before, since }, pace);
    return { ...outcome, beyond: outcome.beyond + changedUnreadable };
  };
  const scanOrRestart = async (pace: ScanPace, since: number | null): Promise<ScanOutcome> => {
    const outcome = await scan(pace, since);
    // The next command starts with another copy.
    if (outcome.gap !== null) privateIndex.invalidate();
    return outcome;
  };
  return {
    ensureCurrent: async (pace) => (await scanOrRestart(pace(), null)).gap,
    scanAfter: (pace, since) => scanOrRestart(pace(), since),
    current: (path) => state.files.get(path) ?? undefined,
    isPossible: async () => (await open()) !== null,
    release() {
      state.files.clear();
      privateIndex.invalidate();
    },
  };
}

/** Lists what differs from the private index; `isStart` = git may refresh it. Returns a gap if that is not possible. */
async function listDiffering(
  git: Git,
  policy: PathPolicy,
  isStart: boolean,
): Promise<UndoGap | { readonly paths: ReadonlyMap<string, DifferingPath>; readonly unreadable: UnreadableFiles }> {
  // When git writes the index it clears the size of a file that has just changed.
  const words = [...(isStart ? [] : ["--no-optional-locks"]), ...statusWords("all")];
  const listed = await git.run(words, { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed.error.code === "timeout" ? "time" : "too_many_files";
  const differing = parseDifferingPaths(listed.value.toString("utf8"));
  if (differing === null) return "too_many_files";
  const names = { protectedNames: policy.protectedNames, privateFolders: policy.privateFolders };
  return {
    paths: new Map(differing.flatMap((one) => (isProtectedPath(one.path, names) ? [] : [[one.path, one]]))),
    unreadable: unreadableGitPaths(listed.value, policy.root),
  };
}

interface DifferingStates {
  readonly paths: ReadonlyMap<string, DifferingPath>;
  /** States in the private index of the files that differ for the first time; null = nothing is recorded. */
  readonly before: ReadonlyMap<string, IndexedFile> | null;
  /** Start of the command, ms epoch. */
  readonly since: number | null;
}

/** Reads the differing files, and records those that changed in the journals. */
async function updateStates(
  context: ScanContext,
  { files }: GitScanState,
  { paths, before, since }: DifferingStates,
  pace: ScanPace,
): Promise<ScanOutcome> {
  const { policy, journals, maxFiles } = context;
  const budget = makeByteBudget(files.values());
  const all = new Set([...files.keys(), ...paths.keys()]);
  const changedAfter = (path: string, time: number): boolean =>
    (regularFileStats(`${policy.root}/${path}`)?.ctimeMs ?? time) >= time - clockStepMs;
  const hasNewRules = since !== null && [...all].some((path) => isIgnoreFile(path) && changedAfter(path, since));
  let left = all.size;
  for (const path of all) {
    const isNew = !files.has(path);
    if (isNew && files.size >= maxFiles)
      return { gap: "too_many_files", beyond: before === null ? 0 : left, unread: 0 };
    left -= 1;
    const old = files.get(path) ?? before?.get(path) ?? null;
    const next = readState(context, path, old, budget);
    files.set(path, next);
    if (before !== null && !isSameFile(old, next)) {
      const wasIgnored = hasNewRules && isNew && paths.get(path)?.object === null;
      const first = wasIgnored ? stateOfIgnored(policy.root, next, since) : old;
      if (first !== undefined) recordFirstState(journals, path, first);
    }
    if (pace.isSliceOver() && !(await pace.nextSlice())) return { gap: "time", beyond: 0, unread: left };
  }
  return gapOutcome(null);
}

/** Returns the state of a file now, and stores its content; null = there is none. */
function readState(
  { policy, index, now }: ScanContext,
  path: string,
  old: IndexedFile | null,
  budget: (bytes: number) => boolean,
): IndexedFile | null {
  const stats = regularFileStats(`${policy.root}/${path}`);
  if (stats !== null && old !== null && isSameStamp(stats, old)) return old;
  const read = stats === null ? null : readSnapshotFile(policy, path);
  if (read === null) return null;
  const content = toStoredContent(read, old ?? undefined, budget);
  const blob = content instanceof Uint8Array ? index.storeBlob(content) : content;
  return { ...clearRecentTime(read.stamp, now()), blob };
}

/**
 * Returns the state before the command of a file that appeared while the ignore rules changed: none if the command made
 * it, an unknown one if it changed it; undefined = it was ignored before, and the command did not touch it.
 */
function stateOfIgnored(root: string, file: IndexedFile | null, since: number): IndexedFile | null | undefined {
  const stats = file === null ? null : regularFileStats(`${root}/${file.path}`);
  if (file === null || stats === null || stats.birthtimeMs >= since - clockStepMs) return null;
  return stats.ctimeMs >= since ? { ...file, blob: null } : undefined;
}

const gapOutcome = (gap: ScanOutcome["gap"]): ScanOutcome => ({ gap, beyond: 0, unread: 0 });

const isIgnoreFile = (path: string): boolean => path.split("/").at(-1) === ".gitignore";

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
      batch.filter(({ path }) => (sizes.get(path) ?? 0) <= serverLimits.imageFileBytes).map(({ object }) => object),
    );
    for (const { path, object, isExecutable } of batch) {
      const bytes = contents.ok ? contents.value.get(object) : undefined;
      // If the size differs, the file on disk was converted (line ends, a filter) and git has other bytes.
      const isStored =
        bytes !== undefined && bytes.length === sizes.get(path) && total + bytes.length <= imageTotalBytes;
      total += isStored ? bytes.length : 0;
      found.set(path, {
        path,
        size: sizes.get(path) ?? 0,
        mode: previousMode(`${policy.root}/${path}`, isExecutable),
        modifiedNs: "",
        changedNs: "",
        inode: "",
        blob: isStored ? index.storeBlob(bytes) : null,
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
