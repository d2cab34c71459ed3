/**
 * Finds the files of a project that differ from the index. Reads only names and times, in short slices that leave the
 * event loop free. Excludes links, protected names, everything ignored by .gitignore and the ignored folders.
 */
import {
  type Stats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isProtectedPath } from "@/server/security/paths/safe-path";
import {
  defaultLevels,
  type IgnoreLevel,
  ignoreLevels,
  isFolderIgnoredByName,
  isPathIgnored,
  type ProjectPolicy,
} from "../search/ignore-rules";
import { possibleSourceFolders } from "@/lib/settings/ignored-folders";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import { findUnreadableFiles, type UnreadableFiles } from "./unreadable-files";
import { isTemporaryName } from "../files/write-file";

/** Time a scan blocks the event loop without a pause, ms. */
const imageSliceMs = 8;
/** Delay before a scan in the background starts, ms. */
const imageStartMs = 200;
/** Pause between two slices in the background, ms. */
const imageRestMs = 4;

/** The compared attributes of a file; times in ns, as text. `changedNs` "" = must be read again in any case. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly modifiedNs: string;
  readonly changedNs: string;
  readonly inode: string;
}

export interface SnapshotScan {
  /** New files, and files that differ from the index. */
  readonly dirty: readonly FileStamp[];
  /** Indexed files that no longer exist. */
  readonly deleted: readonly string[];
  /** Indexed files that are now ignored or protected. */
  readonly excluded: readonly string[];
  /** Files beyond the limit that changed since `since`. */
  readonly beyond: number;
  /** Files whose names are not UTF-8. */
  readonly unreadable: UnreadableFiles;
  /** Folders that are ignored by name, not by a .gitignore. */
  readonly skipped: readonly string[];
  /** Whether the scan covered everything up to the limits. */
  readonly isComplete: boolean;
  /** Whether there are files beyond the limits. */
  readonly isCut: boolean;
}

interface SnapshotScanOptions {
  /** Its root is a real path. */
  readonly policy: ProjectPolicy;
  readonly index: ReadonlyMap<string, FileStamp>;
  readonly maxFiles: number;
  /** ms epoch; files beyond the limit with a later change are counted. Absent = such files are not examined. */
  readonly since?: number;
  readonly pace: ScanPace;
  /** Called before a folder (absolute) is read. */
  onFolder?(folder: string): void;
  /** Called for each file within the limits with its change time in ns. */
  onFile?(path: string, changedNs: number): void;
}

/** Limits how long a scan occupies the event loop at a time. */
export interface ScanPace {
  /**
   * Resolves when the scan may start: at once if its result is awaited, otherwise after a delay, so that a prompt
   * goes first.
   */
  ready(): Promise<void>;
  /** Returns whether the current slice has used its time. */
  isSliceOver(): boolean;
  /** Yields to the event loop; resolves false when the deadline has passed. */
  nextSlice(): Promise<boolean>;
  /** Switches to awaited mode: no more pauses. */
  hurry(): void;
}

/** Creates a pace; `deadline` in ms of performance.now(). */
export function makeScanPace(isWaited: boolean, deadline: number): ScanPace {
  let isAwaited = isWaited;
  let hurried = (): void => {};
  let sliceEnd = performance.now() + imageSliceMs;
  return {
    async ready() {
      if (isAwaited) return;
      const hurryRequest = new Promise<void>((resolve) => {
        hurried = resolve;
      });
      await Promise.race([hurryRequest, sleep(imageStartMs)]);
      sliceEnd = performance.now() + imageSliceMs;
    },
    hurry() {
      isAwaited = true;
      hurried();
    },
    isSliceOver: () => performance.now() >= sliceEnd,
    async nextSlice() {
      if (performance.now() > deadline) return false;
      await (isAwaited ? nextTurn() : sleep(imageRestMs));
      sliceEnd = performance.now() + imageSliceMs;
      return true;
    },
  };
}

interface ScanFolder {
  /** "" for the root. */
  readonly path: string;
  readonly name: string;
  readonly above: readonly IgnoreLevel[];
  /** The folder's ignore rules changed since the index was written: its indexed files may be ignored now. */
  readonly rulesChanged: boolean;
}

/** Beyond `maxFiles`, up to this multiple of it, files are examined for their change times only. */
const beyondFactor = 5;
/** Scanned last if it is not ignored. */
const lastScannedFolder = "node_modules";
export const permissionBits = 0o7777;

const noProtectedNames = { protectedNames: [] };

/** Scans the files of a project. Never rejects: folders that cannot be read count as empty. */
export async function scanFiles(options: SnapshotScanOptions): Promise<SnapshotScan> {
  const { policy, index, pace } = options;
  const names = { protectedNames: policy.protectedNames };
  const found = makeScanResult(options);
  const ignoredFolders = policy.ignoredFolders?.filter((name) => !possibleSourceFolders.includes(name));
  const queue: ScanFolder[] = [{ path: "", name: "", above: defaultLevels({ ignoredFolders }), rulesChanged: false }];
  const late: ScanFolder[] = [];
  for (let next = 0; ; next += 1) {
    const folder = queue[next] ?? late.pop();
    if (folder === undefined) return found.end(true);
    const prefix = folder.path === "" ? "" : `${folder.path}/`;
    const absolute = folder.path === "" ? policy.root : `${policy.root}/${folder.path}`;
    options.onFolder?.(absolute);
    const entries = readEntries(absolute);
    const levels = ignoreLevels(folder.above, folder.path, readOwnIgnoreFile(policy.root, folder.path, entries));
    if (entries.some(({ name }) => isUnreadableName(name)))
      found.addUnreadable(
        findUnreadableFiles(Buffer.from(absolute), (name) => !isPathIgnored(levels, prefix + name, false)),
      );
    const rescan = folder.rulesChanged || found.isChanged(`${prefix}.gitignore`);
    for (const entry of entries) {
      const path = prefix + entry.name;
      const isFolder = entry.isDirectory();
      if (isUnreadableName(entry.name)) continue;
      if (!isFolder && !entry.isFile()) continue;
      // An indexed file passed the filters before.
      const isKnown = !isFolder && !rescan && index.has(path);
      if (
        policy.privateFolders !== undefined &&
        isProtectedPath(path, { ...noProtectedNames, privateFolders: policy.privateFolders })
      )
        continue;
      if (!isKnown && isProtectedPath(`${folder.name}/${entry.name}`, names)) continue;
      if (!isKnown && isPathIgnored(levels, path, isFolder)) {
        if (isFolder && isFolderIgnoredByName(levels, path)) found.addSkipped(path);
        continue;
      }
      if (isFolder)
        (entry.name === lastScannedFolder ? late : queue).push({
          path,
          name: entry.name,
          above: levels,
          rulesChanged: rescan,
        });
      else if (!isTemporaryName(entry.name) && !found.look(path)) return found.end(true);
      if (pace.isSliceOver() && !(await pace.nextSlice())) return found.end(false);
    }
  }
}

/** Collects the results of one scan. */
function makeScanResult({ policy, index, maxFiles, since, onFile }: SnapshotScanOptions) {
  const dirty: FileStamp[] = [];
  const seen = new Set<string>();
  let isCut = false;
  let beyond = 0;
  const unreadable = new Map<string, number>();
  const skipped: string[] = [];
  let examined = 0;
  return {
    addUnreadable(files: Iterable<readonly [path: string, changedMs: number]>): void {
      for (const [path, changedMs] of files) unreadable.set(path, changedMs);
    },
    addSkipped: (path: string) => void skipped.push(path),
    isChanged(path: string): boolean {
      const stats = regularFileStats(`${policy.root}/${path}`);
      return stats === null ? index.has(path) : !isSameStamp(stats, index.get(path));
    },
    /** Examines a file; false = the limit is reached. */
    look(path: string): boolean {
      const isKept = seen.size < maxFiles;
      isCut ||= !isKept;
      if (!isKept && (since === undefined || examined >= maxFiles * beyondFactor)) return false;
      examined += 1;
      const stats = regularFileStats(`${policy.root}/${path}`);
      if (stats === null) return true;
      if (isKept) {
        seen.add(path);
        onFile?.(path, nanoseconds(stats.ctimeMs));
        if (!isSameStamp(stats, index.get(path))) dirty.push(toFileStamp(path, stats));
      } else if (since !== undefined && stats.ctimeMs >= since) beyond += 1;
      return true;
    },
    end(inTime: boolean): SnapshotScan {
      const unseen = [...index.keys()].filter((path) => !seen.has(path));
      const deleted = unseen.filter((path) => regularFileStats(`${policy.root}/${path}`) === null);
      const away = new Set(deleted);
      // Files the scan did not reach stay in the index.
      const left = inTime ? unseen.filter((path) => !away.has(path)) : [];
      return { dirty, deleted, excluded: left, beyond, unreadable, skipped, isComplete: inTime, isCut };
    },
  };
}

/** Returns whether the attributes of the index and the disk are equal. */
export const isSameStamp = (stats: Stats, indexed: FileStamp | undefined): boolean =>
  indexed !== undefined &&
  indexed.size === stats.size &&
  Number(indexed.changedNs) === nanoseconds(stats.ctimeMs) &&
  Number(indexed.modifiedNs) === nanoseconds(stats.mtimeMs) &&
  indexed.mode === (stats.mode & permissionBits) &&
  Number(indexed.inode) === stats.ino;

/**
 * Converts to nanoseconds. A float resolves 256 ns, finer than file system clocks; bigint stats take twice the time.
 */
const nanoseconds = (ms: number): number => ms * 1_000_000;

const toFileStamp = (path: string, stats: Stats): FileStamp => ({
  path,
  size: stats.size,
  mode: stats.mode & permissionBits,
  modifiedNs: String(nanoseconds(stats.mtimeMs)),
  changedNs: String(nanoseconds(stats.ctimeMs)),
  inode: String(stats.ino),
});

/** Returns the stats of a regular file; null if there is none or it cannot be read. */
export function regularFileStats(absolute: string): Stats | null {
  try {
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    return stats?.isFile() ? stats : null;
  } catch {
    return null;
  }
}

/** Returns the change time of a file in ns, as passed to `onFile`; null if it is not a regular file. */
export function changeTimeNs(absolute: string): number | null {
  const stats = regularFileStats(absolute);
  return stats === null ? null : nanoseconds(stats.ctimeMs);
}

function readEntries(absolute: string): readonly Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true });
  } catch {
    return [];
  }
}

const maxIgnoreFileBytes = 1_000_000;

/** Reads the folder's own .gitignore; "" if there is none. */
function readOwnIgnoreFile(root: string, folder: string, entries: readonly Dirent[]): string {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return "";
  const read = readRegularFile(`${root}/${folder}/.gitignore`, maxIgnoreFileBytes);
  return read === null || read.bytes === null ? "" : read.bytes.toString("utf8");
}

export interface RegularFileRead {
  /** null = larger than `maxBytes`. */
  readonly bytes: Buffer | null;
  /** The attributes after reading. */
  readonly stamp: FileStamp;
}

/** Reads a regular file in one go; null if it is none or cannot be read. `path` is the path of the stamp. */
export function readRegularFile(absolute: string, maxBytes: number, path = ""): RegularFileRead | null {
  let descriptor: number;
  try {
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    const { size } = stats;
    if (size > maxBytes) return { bytes: null, stamp: toFileStamp(path, stats) };
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, length);
    const end = fstatSync(descriptor);
    // The file was written while it was read: force the next scan to read it again.
    const isWhole = length === size && end.mtimeMs === stats.mtimeMs && end.ctimeMs === stats.ctimeMs;
    const stamp = toFileStamp(path, end);
    return { bytes: bytes.subarray(0, length), stamp: isWhole ? stamp : { ...stamp, size: length, changedNs: "" } };
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
