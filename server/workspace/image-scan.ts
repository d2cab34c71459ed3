/**
 * A look at the files of a project for images.ts: which are not as the index has them. Only names and times are read, in slices
 * between which everybody else goes on. No links, no protected names, nothing that .gitignore leaves out.
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
import { limits } from "@/lib/settings";
import { isProtectedPath, type PathPolicy } from "../security/paths";
import { type IgnoreLevel, ignoreLevels, isIgnoredBy } from "./ignore-rules";
import { isTemporaryName } from "./write-file";

/** What is compared of a file; times in ns, as text. `changedNs` "" = it must be read again in any case. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  /** permission bits */
  readonly mode: number;
  readonly modifiedNs: string;
  readonly changedNs: string;
  readonly inode: string;
}

export interface Scan {
  /** New, or not as the index has them. */
  readonly dirty: readonly FileStamp[];
  /** Of the index, and not there any more. */
  readonly gone: readonly string[];
  /** Of the index, and not to be looked at any more: ignored or protected now. */
  readonly left: readonly string[];
  /** Files beyond the limit that changed since `since`. */
  readonly beyond: number;
  /** It looked at all there is, up to the limits. */
  readonly inTime: boolean;
  /** There are files beyond the limits. */
  readonly isCut: boolean;
}

export interface ScanOptions {
  /** Real path. */
  readonly policy: PathPolicy;
  readonly index: ReadonlyMap<string, FileStamp>;
  /** ms epoch; files beyond the limit with a later change are counted. Absent = none is looked at. */
  readonly since?: number;
  readonly pace: Pace;
  /** A folder (absolute) is about to be read. */
  enter?(folder: string): void;
  /** A file within the limits, with the time of its last change in ns. */
  met?(path: string, changedNs: number): void;
}

/** Holds the event loop in short slices. */
export interface Pace {
  /** Resolves when it may begin: where nobody waits, a moment later, so that a prompt goes first. */
  ready(): Promise<void>;
  /** It has held the event loop long enough. */
  isDue(): boolean;
  /** Lets the others go first; resolves false when the time is over. */
  next(): Promise<boolean>;
  /** Somebody waits now: no more rests. */
  hurry(): void;
}

/** `deadline` in ms of performance.now(). */
export function makePace(isWaited: boolean, deadline: number): Pace {
  let waited = isWaited;
  let hurried = (): void => {};
  let sliceEnd = performance.now() + limits.imageSliceMs;
  return {
    async ready() {
      if (waited) return;
      const asked = new Promise<void>((resolve) => {
        hurried = resolve;
      });
      await Promise.race([asked, sleep(limits.imageStartMs)]);
      sliceEnd = performance.now() + limits.imageSliceMs;
    },
    hurry() {
      waited = true;
      hurried();
    },
    isDue: () => performance.now() >= sliceEnd,
    async next() {
      if (performance.now() > deadline) return false;
      await (waited ? nextTurn() : sleep(limits.imageRestMs));
      sliceEnd = performance.now() + limits.imageSliceMs;
      return true;
    },
  };
}

interface Folder {
  /** "" for the root. */
  readonly path: string;
  readonly name: string;
  readonly above: readonly IgnoreLevel[];
  /** The rules are not those of the index: its files may be ignored now. */
  readonly anew: boolean;
}

/** So many times `imageFiles` are looked at for their times alone. */
const beyondTimes = 5;
/** Comes last, where no .gitignore leaves it out. */
const largeFolder = "node_modules";
const permissionBits = 0o7777;

const noNames = { protectedNames: [] };

/** Never rejects: folders that cannot be read have no files. */
export async function scanFiles(options: ScanOptions): Promise<Scan> {
  const { policy, index, pace } = options;
  const names = { protectedNames: policy.protectedNames };
  const found = makeFound(options);
  const queue: Folder[] = [{ path: "", name: "", above: [], anew: false }];
  const late: Folder[] = [];
  for (let next = 0; ; next += 1) {
    const folder = queue[next] ?? late.pop();
    if (folder === undefined) return found.end(true);
    const prefix = folder.path === "" ? "" : `${folder.path}/`;
    const absolute = folder.path === "" ? policy.root : `${policy.root}/${folder.path}`;
    options.enter?.(absolute);
    const entries = entriesOf(absolute);
    const levels = ignoreLevels(folder.above, folder.path, rulesOf(policy.root, folder.path, entries));
    const anew = folder.anew || found.isChanged(`${prefix}.gitignore`);
    for (const entry of entries) {
      const path = prefix + entry.name;
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      // What the index has was let in before.
      const isKnown = !isFolder && !anew && index.has(path);
      if (
        policy.privateFolders !== undefined &&
        isProtectedPath(path, { ...noNames, privateFolders: policy.privateFolders })
      )
        continue;
      if (!isKnown && (isProtectedPath(`${folder.name}/${entry.name}`, names) || isIgnoredBy(levels, path, isFolder)))
        continue;
      if (isFolder) (entry.name === largeFolder ? late : queue).push({ path, name: entry.name, above: levels, anew });
      else if (!isTemporaryName(entry.name) && !found.look(path)) return found.end(true);
      if (pace.isDue() && !(await pace.next())) return found.end(false);
    }
  }
}

/** What the files of one look add up to. */
function makeFound({ policy, index, since, met }: ScanOptions) {
  const dirty: FileStamp[] = [];
  const seen = new Set<string>();
  let isCut = false;
  let beyond = 0;
  let looked = 0;
  return {
    isChanged(path: string): boolean {
      const stats = statsOf(`${policy.root}/${path}`);
      return stats === null ? index.has(path) : !isSame(stats, index.get(path));
    },
    /** false = there are too many to look at further ones. */
    look(path: string): boolean {
      const isKept = seen.size < limits.imageFiles;
      isCut ||= !isKept;
      if (!isKept && (since === undefined || looked >= limits.imageFiles * beyondTimes)) return false;
      looked += 1;
      const stats = statsOf(`${policy.root}/${path}`);
      if (stats === null) return true;
      if (isKept) {
        seen.add(path);
        met?.(path, nanoseconds(stats.ctimeMs));
        if (!isSame(stats, index.get(path))) dirty.push(stampOf(path, stats));
      } else if (since !== undefined && stats.ctimeMs >= since) beyond += 1;
      return true;
    },
    end(inTime: boolean): Scan {
      const unseen = [...index.keys()].filter((path) => !seen.has(path));
      const gone = unseen.filter((path) => statsOf(`${policy.root}/${path}`) === null);
      const away = new Set(gone);
      // Those the time did not reach stay as they are.
      const left = inTime ? unseen.filter((path) => !away.has(path)) : [];
      return { dirty, gone, left, beyond, inTime, isCut };
    },
  };
}

/** Of the index's row and the disk: nothing says that the content is another one. */
const isSame = (stats: Stats, known: FileStamp | undefined): boolean =>
  known !== undefined &&
  known.size === stats.size &&
  Number(known.changedNs) === nanoseconds(stats.ctimeMs) &&
  Number(known.modifiedNs) === nanoseconds(stats.mtimeMs) &&
  known.mode === (stats.mode & permissionBits) &&
  Number(known.inode) === stats.ino;

/** A float tells times apart down to 256 ns, which is finer than the clocks of file systems; big integers cost twice the time. */
const nanoseconds = (ms: number): number => ms * 1_000_000;

const stampOf = (path: string, stats: Stats): FileStamp => ({
  path,
  size: stats.size,
  mode: stats.mode & permissionBits,
  modifiedNs: String(nanoseconds(stats.mtimeMs)),
  changedNs: String(nanoseconds(stats.ctimeMs)),
  inode: String(stats.ino),
});

/** Of a regular file; null = there is none that can be looked at. */
function statsOf(absolute: string): Stats | null {
  try {
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    return stats?.isFile() ? stats : null;
  } catch {
    return null;
  }
}

/** The time of its last change in ns, as `met` has it; null = it is not a regular file. */
export function changedNsOf(absolute: string): number | null {
  const stats = statsOf(absolute);
  return stats === null ? null : nanoseconds(stats.ctimeMs);
}

function entriesOf(absolute: string): readonly Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true });
  } catch {
    return [];
  }
}

const maxRuleBytes = 1_000_000;

/** The folder's own .gitignore; "" = there is none to go by. */
function rulesOf(root: string, folder: string, entries: readonly Dirent[]): string {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return "";
  const read = readFile(`${root}/${folder}/.gitignore`, maxRuleBytes);
  return read === null || read.bytes === null ? "" : read.bytes.toString("utf8");
}

export interface FileRead {
  /** null = larger than was asked for. */
  readonly bytes: Buffer | null;
  /** As it was when the reading ended. */
  readonly stamp: FileStamp;
}

/** The content of a regular file, in one go; null = it is none, or cannot be read. `path` is what its stamp is called. */
export function readFile(absolute: string, maxBytes: number, path = ""): FileRead | null {
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
    if (size > maxBytes) return { bytes: null, stamp: stampOf(path, stats) };
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, length);
    const end = fstatSync(descriptor);
    // It grew or was written while it was read: whoever looks next reads it again.
    const isWhole = length === size && end.mtimeMs === stats.mtimeMs && end.ctimeMs === stats.ctimeMs;
    const stamp = stampOf(path, end);
    return { bytes: bytes.subarray(0, length), stamp: isWhole ? stamp : { ...stamp, size: length, changedNs: "" } };
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
