/**
 * A look at the files of a project for images.ts: which are not as the index has them. Only names and times are read, in slices
 * between which everybody else goes on. No links, no protected names, nothing that .gitignore leaves out.
 */
import {
  type BigIntStats,
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

/** What is compared of a file; times in ns, as text. */
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
}

export interface ScanOptions {
  /** Real path. */
  readonly policy: PathPolicy;
  readonly index: ReadonlyMap<string, FileStamp>;
  /** ms epoch; files beyond the limit with a later change are counted. Absent = none is looked at. */
  readonly since?: number;
  readonly pace: Pace;
}

/** Holds the event loop in short slices. */
export interface Pace {
  /** Resolves when it may begin: where nobody waits, a moment later, so that a prompt goes first. */
  ready(): Promise<void>;
  /** Resolves false when the time is over. */
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
    async next() {
      const now = performance.now();
      if (now < sliceEnd) return true;
      if (now > deadline) return false;
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
}

/** So many times `imageFiles` are looked at for their times alone. */
const beyondTimes = 5;
/** Comes last, where no .gitignore leaves it out. */
const largeFolder = "node_modules";
const permissionBits = 0o7777;

/** Never rejects: folders that cannot be read have no files. */
export async function scanFiles(options: ScanOptions): Promise<Scan> {
  const { policy, pace } = options;
  const found = makeFound(options);
  const queue: Folder[] = [{ path: "", name: "", above: [] }];
  const late: Folder[] = [];
  for (let next = 0; ; next += 1) {
    const folder = queue[next] ?? late.pop();
    if (folder === undefined) return found.end(true);
    const entries = entriesOf(`${policy.root}/${folder.path}`);
    const levels = ignoreLevels(folder.above, folder.path, rulesOf(policy.root, folder.path, entries));
    for (const entry of entries) {
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      if (isProtectedPath(`${folder.name}/${entry.name}`, policy)) continue;
      if (entry.isDirectory()) {
        const below = entry.name === largeFolder ? late : queue;
        if (!isIgnoredBy(levels, path, true)) below.push({ path, name: entry.name, above: levels });
      } else if (entry.isFile() && !isTemporaryName(entry.name) && !isIgnoredBy(levels, path, false)) {
        if (!found.look(path)) return found.end(true);
      }
      if (!(await pace.next())) return found.end(false);
    }
  }
}

/** What the files of one look add up to. */
function makeFound({ policy, index, since }: ScanOptions) {
  const dirty: FileStamp[] = [];
  const seen = new Set<string>();
  let beyond = 0;
  let looked = 0;
  return {
    /** false = there are too many to look at further ones. */
    look(path: string): boolean {
      const isKept = seen.size < limits.imageFiles;
      if (!isKept && (since === undefined || looked >= limits.imageFiles * beyondTimes)) return false;
      looked += 1;
      const stats = statsOf(`${policy.root}/${path}`);
      if (stats === null) return true;
      if (isKept) {
        seen.add(path);
        if (!isSame(stats, index.get(path))) dirty.push(stampOf(path, stats));
      } else if (since !== undefined && Number(stats.ctimeMs) >= since) beyond += 1;
      return true;
    },
    end(inTime: boolean): Scan {
      const unseen = [...index.keys()].filter((path) => !seen.has(path));
      const gone = unseen.filter((path) => statsOf(`${policy.root}/${path}`) === null);
      const away = new Set(gone);
      // Those the time did not reach stay as they are.
      const left = inTime ? unseen.filter((path) => !away.has(path)) : [];
      return { dirty, gone, left, beyond, inTime };
    },
  };
}

/** Of the index's row and the disk: nothing says that the content is another one. */
const isSame = (stats: BigIntStats, known: FileStamp | undefined): boolean =>
  known !== undefined &&
  known.changedNs === String(stats.ctimeNs) &&
  known.modifiedNs === String(stats.mtimeNs) &&
  known.size === Number(stats.size) &&
  known.mode === (Number(stats.mode) & permissionBits) &&
  known.inode === String(stats.ino);

const stampOf = (path: string, stats: BigIntStats): FileStamp => ({
  path,
  size: Number(stats.size),
  mode: Number(stats.mode) & permissionBits,
  modifiedNs: String(stats.mtimeNs),
  changedNs: String(stats.ctimeNs),
  inode: String(stats.ino),
});

/** Of a regular file; null = there is none that can be looked at. */
function statsOf(absolute: string): BigIntStats | null {
  try {
    const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() ? stats : null;
  } catch {
    return null;
  }
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
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return null;
    const size = Number(stats.size);
    if (size > maxBytes) return { bytes: null, stamp: stampOf(path, stats) };
    const bytes = Buffer.allocUnsafe(size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, length);
    const end = fstatSync(descriptor, { bigint: true });
    // It grew or was written while it was read: whoever looks next reads it again.
    const isWhole = length === size && end.mtimeNs === stats.mtimeNs && end.ctimeNs === stats.ctimeNs;
    const stamp = stampOf(path, end);
    return { bytes: bytes.subarray(0, length), stamp: isWhole ? stamp : { ...stamp, size: length, changedNs: "" } };
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
