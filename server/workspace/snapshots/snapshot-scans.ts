/**
 * Scans the files of a project: files that differ from the index are read, stored and recorded in the journals of
 * running commands. If no folder reports a change since the last scan, only the change times of its files are
 * compared.
 */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { BlobId, CallId, Hash, SessionId } from "@/lib/events/id";
import { asId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { computeHash } from "@/server/base/id";
import type { PathPolicy } from "@/server/security/paths/safe-path";
import { makeFolderWatches } from "./folder-watches";
import {
  type RegularFileRead,
  type FileStamp,
  type ScanPace,
  readRegularFile,
  type SnapshotScan,
  scanFiles,
} from "./snapshot-scan";
import { type ChangeTimes, makeChangeTimes, type UnchangedFiles } from "./change-times";

/** Maximum size of all files of a snapshot, bytes. */
const imageTotalBytes = 500_000_000;
/** A file modified less than this before its scan is read again: another write may not change its timestamp. In ms. */
const imageRacyMs = 2_000;
/** Maximum time folders are watched for changes between two commands, ms. */
const imageWatchIdleMs = 600_000;

/** A file of the index; `blob` is null if the file is too large to store. */
export interface IndexedFile extends FileStamp {
  readonly blob: BlobId | null;
}

/** The stored index of one project. Its methods throw the errors of the store. */
export interface SnapshotIndex {
  /** Yields the whole index in pages of a few hundred files, in path order. */
  pages(): Iterable<readonly IndexedFile[]>;
  get(path: string): IndexedFile | undefined;
  update(change: {
    readonly put: readonly { readonly image: FileStamp; readonly kept: BlobId | null | Uint8Array }[];
    readonly drop: readonly string[];
  }): readonly IndexedFile[];
  /** Records the start of a command: the index reflects the state before it. */
  commandStarted(command: TrackedCommand): void;
  commandEnded(command: TrackedCommand): void;
  /** Commands that were opened and not closed. */
  openCommands(): readonly TrackedCommand[];
  storeBlob(bytes: Uint8Array): BlobId;
}

export interface TrackedCommand {
  readonly sessionId: SessionId;
  readonly callId: CallId;
}

export interface ScanOutcome {
  /** Whether the index matches all files, up to the limits. */
  readonly isComplete: boolean;
  /** Files beyond the limits that changed since the requested time. */
  readonly beyond: number;
  /** Files that differ from the index and were not read in time. */
  readonly unread: number;
}

/** Results of the scans during a command: each changed file in its state before the command. */
export interface ChangeJournal {
  readonly first: Map<string, IndexedFile | null>;
  /** Files written by others in the meantime, with the hash of the newest content; undefined = unknown. */
  readonly foreign: Map<string, Hash | null | undefined>;
}

export const makeJournal = (): ChangeJournal => ({ first: new Map(), foreign: new Map() });

/** Scans the files of one project; scans must not overlap. */
interface SnapshotScans {
  /** Scans all files. */
  scanAll(pace: ScanPace): Promise<ScanOutcome>;
  /** Returns whether the index is correct up to the limits: the last scan is still valid, or a new one was made. */
  ensureCurrent(pace: () => ScanPace): Promise<boolean>;
  /** The same after a command. `since` in ms epoch: files beyond the limits with a later change are counted. */
  scanAfter(pace: () => ScanPace, since: number): Promise<ScanOutcome>;
}

/** A scan that covered all files. */
interface CompletedScan {
  /** The protected names at the time of the scan. */
  readonly names: string;
  readonly files: UnchangedFiles;
  /** Whether there are files beyond the limits. */
  readonly isCut: boolean;
}

export function makeSnapshotScans({
  policy,
  index,
  journals,
  now,
}: Omit<SnapshotScanContext, "known" | "times">): SnapshotScans {
  const watches = makeFolderWatches(policy.root);
  /** null = the next call must scan. */
  let last: CompletedScan | null = null;
  const idle = makeIdleTimer(imageWatchIdleMs, () => {
    last = null;
    watches.close();
  });
  const namesOf = (): string => policy.protectedNames.join("/");

  const runScan = async (pace: ScanPace, since?: number): Promise<ScanOutcome> => {
    idle.restart();
    last = null;
    await watches.begin();
    const names = namesOf();
    const indexed = await loadIndex(index, pace);
    const times = makeChangeTimes();
    const { add: onFolder } = watches;
    const options = { policy, index: indexed, pace, onFolder, onFile: times.set };
    const scan = await scanFiles({ ...options, since });
    const unread = await storeChangedFiles({ policy, index, journals, known: indexed, now, times }, scan, pace);
    const isWhole = scan.isComplete && unread === 0;
    if (isWhole) last = { names, files: times.freeze(), isCut: scan.isCut };
    return { isComplete: isWhole, beyond: scan.beyond, unread };
  };
  const disk = {
    root: policy.root,
    blobOf: (path: string) => index.get(path)?.blob,
    read: (path: string) => readProjectFile(policy, path),
  };
  /** Returns whether nothing was written since the last complete scan began. */
  const holds = async (pace: ScanPace): Promise<boolean> => {
    const then = last;
    if (then?.names !== namesOf() || !(await watches.isQuiet())) return false;
    // No folder reports writes through a hard link or a memory map.
    return (await then.files.areUnchanged(disk, pace)) && then === last && (await watches.isQuiet());
  };
  return {
    scanAll: runScan,
    ensureCurrent: async (pace) => (await holds(pace())) || (await runScan(pace())).isComplete,
    async scanAfter(pace, since) {
      if (last?.isCut === false && (await holds(pace()))) return { isComplete: true, beyond: 0, unread: 0 };
      return runScan(pace(), since);
    },
  };
}

async function loadIndex(index: SnapshotIndex, pace: ScanPace): Promise<ReadonlyMap<string, IndexedFile>> {
  const indexed = new Map<string, IndexedFile>();
  for (const page of index.pages()) {
    for (const file of page) indexed.set(file.path, file);
    // The time limit applies to the scan, which cannot begin without the whole index.
    if (pace.isSliceOver()) await pace.nextSlice();
  }
  return indexed;
}

/** Creates a timer that calls `freeze` after `idleMs` without a restart; it does not keep the process alive. */
function makeIdleTimer(idleMs: number, end: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    restart(): void {
      clearTimeout(timer);
      timer = setTimeout(end, idleMs);
      timer.unref();
    },
  };
}

interface SnapshotScanContext {
  readonly policy: PathPolicy;
  readonly index: SnapshotIndex;
  readonly journals: ReadonlySet<ChangeJournal>;
  readonly known: ReadonlyMap<string, IndexedFile>;
  readonly times: Pick<ChangeTimes, "set">;
  now(): number;
}

/** Files read and stored per batch. */
const batchFiles = 100;
const batchBytes = 1_000_000;

/**
 * Reads the files that differ from the index and updates it. Returns the number of files left when the time ran out.
 */
async function storeChangedFiles(keeping: SnapshotScanContext, scan: SnapshotScan, pace: ScanPace): Promise<number> {
  const { policy, known, now, times } = keeping;
  for (const path of scan.deleted) recordFirstState(keeping.journals, path, known.get(path));
  if (scan.deleted.length + scan.excluded.length > 0)
    keeping.index.update({ put: [], drop: [...scan.deleted, ...scan.excluded] });
  const budget = makeByteBudget(known);
  let put: StoredFiles = [];
  let bytes = 0;
  for (const [number, { path }] of scan.dirty.entries()) {
    const read = readProjectFile(policy, path);
    if (read !== null) {
      const stored = toStoredContent(read, known.get(path), budget);
      const image = clearRecentTime(read.stamp, now());
      times.set(path, image.changedNs === "" ? null : Number(image.changedNs));
      put.push({ image, kept: stored });
      if (stored instanceof Uint8Array) bytes += stored.length;
    }
    if (put.length >= batchFiles || bytes >= batchBytes) {
      writeIndex(keeping, put);
      put = [];
      bytes = 0;
    }
    if (!pace.isSliceOver() || (await pace.nextSlice())) continue;
    writeIndex(keeping, put);
    return scan.dirty.length - number - 1;
  }
  writeIndex(keeping, put);
  return 0;
}

type StoredFiles = { readonly image: FileStamp; readonly kept: BlobId | null | Uint8Array }[];

function writeIndex({ index, journals, known }: SnapshotScanContext, put: StoredFiles): void {
  if (put.length === 0) return;
  for (const { path, blob, mode } of index.update({ put, drop: [] })) {
    const old = known.get(path);
    // A file that is too large is compared by its times only.
    if (old === undefined || old.blob !== blob || old.mode !== mode || blob === null)
      recordFirstState(journals, path, old);
  }
}

/** Returns a function that decides whether further bytes fit the total limit, and counts them if they do. */
function makeByteBudget(indexed: ReadonlyMap<string, IndexedFile>): (bytes: number) => boolean {
  let total = 0;
  for (const { size, blob } of indexed.values()) if (blob !== null) total += size;
  return (bytes) => {
    const fits = total + bytes <= imageTotalBytes;
    if (fits) total += bytes;
    return fits;
  };
}

/**
 * Returns the existing blob id for stored content, the bytes to store, or null if the file or the total is too large.
 */
function toStoredContent(
  { bytes }: RegularFileRead,
  old: IndexedFile | undefined,
  budget: (bytes: number) => boolean,
): BlobId | null | Uint8Array {
  if (bytes === null) return null;
  const blob = asId<BlobId>(computeHash(bytes));
  if (old?.blob === blob) return blob;
  return budget(bytes.length) ? bytes : null;
}

function recordFirstState(journals: ReadonlySet<ChangeJournal>, path: string, old: IndexedFile | undefined): void {
  for (const { first } of journals) if (!first.has(path)) first.set(path, old ?? null);
}

/** Change time in ms epoch. */
export const changeTimeMs = ({ changedNs }: FileStamp): number => Number(changedNs) / 1_000_000;

/** Clears the change time of a recently written file: another write could leave the same time. */
function clearRecentTime(stamp: FileStamp, now: number): FileStamp {
  return changeTimeMs(stamp) > now - imageRacyMs ? { ...stamp, changedNs: "" } : stamp;
}

/** Reads a file; null if its folder has become a link, which could lead out of the project. */
function readProjectFile(policy: PathPolicy, path: string): ReturnType<typeof readRegularFile> {
  const absolute = `${policy.root}/${path}`;
  try {
    if (realpathSync(dirname(absolute)) !== dirname(absolute)) return null;
  } catch {
    return null;
  }
  return readRegularFile(absolute, limits.imageFileBytes, path);
}
