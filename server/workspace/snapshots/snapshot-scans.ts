/**
 * Scans the files of a project: files that differ from the index are read, stored and recorded in the journals of
 * running commands. If no folder reports a change since the last scan, only the change times of its files are
 * compared.
 */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { BlobId, CallId, Hash, SessionId } from "@/lib/events/id";
import { asId } from "@/lib/events/id";
import type { UndoGap } from "@/lib/events/tool-kind";
import { serverLimits } from "@/lib/settings/server-limits";
import { computeHash } from "@/server/base/id";
import { countUnreadableChanges, type UnreadableFiles } from "./unreadable-files";
import { makeFolderWatches } from "./folder-watches";
import {
  type RegularFileRead,
  type FileStamp,
  type ScanPace,
  readRegularFile,
  type SnapshotScan,
  scanFiles,
} from "./snapshot-scan";
import type { ProjectPolicy } from "../search/ignore-rules";
import { findChangedFolders, readSkippedFolders, type SkippedFolders } from "./skipped-folders";
import { type ChangeTimes, makeChangeTimes, type UnchangedFiles } from "./change-times";

/** Maximum size of all files of a snapshot, bytes. */
export const imageTotalBytes = 500_000_000;
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
  /** null = all files were covered. */
  readonly gap: UndoGap | null;
  /** Files beyond the limits that changed since the requested time. */
  readonly beyond: number;
  /** Files that differ from the index and were not read in time. */
  readonly unread: number;
  /** Changed folders whose files are not in the index; absent = none. */
  readonly skipped?: readonly string[];
}

/** Results of the scans during a command: each changed file in its state before the command. */
export interface ChangeJournal {
  readonly first: Map<string, IndexedFile | null>;
  /** Files written by others in the meantime, with the hash of the newest content; undefined = unknown. */
  readonly foreign: Map<string, Hash | null | undefined>;
}

export const makeJournal = (): ChangeJournal => ({ first: new Map(), foreign: new Map() });

/** Scans the files of one project; scans must not overlap. */
export interface SnapshotScans {
  /** Makes the stored states correct: the last scan is still valid, or a new one is made. Returns what it did not cover. */
  ensureCurrent(pace: () => ScanPace): Promise<UndoGap | null>;
  /** The same after a command. `since` in ms epoch: files beyond the limits with a later change are counted. */
  scanAfter(pace: () => ScanPace, since: number): Promise<ScanOutcome>;
  /** State of a file at the last scan; undefined = there is none. */
  current(path: string): IndexedFile | undefined;
}

/** A scan that covered all files. */
interface CompletedScan {
  /** The protected names and ignored folders at the time of the scan. */
  readonly names: string;
  readonly files: UnchangedFiles;
}

/** Scans with the stored index. `scanAll` scans all files. */
export function makeSnapshotScans({
  policy,
  index,
  journals,
  maxFiles,
  now,
}: ScanContext): SnapshotScans & { scanAll(pace: ScanPace): Promise<ScanOutcome> } {
  const watches = makeFolderWatches(policy.root);
  /** null = the next call must scan. */
  let last: CompletedScan | null = null;
  /** Files whose names are not UTF-8, at the last scan. */
  let unreadable: UnreadableFiles = new Map();
  /** Folders that the last scan skipped. */
  let skipped: readonly string[] = [];
  /** Their states before the newest command. */
  let skippedBefore: SkippedFolders = new Map();
  const idle = makeIdleTimer(imageWatchIdleMs, () => {
    last = null;
    watches.close();
  });
  const namesOf = (): string => [...policy.protectedNames, "", ...(policy.ignoredFolders ?? [])].join("/");

  const runScan = async (pace: ScanPace, since?: number): Promise<ScanOutcome> => {
    idle.restart();
    last = null;
    await watches.begin();
    const names = namesOf();
    const indexed = await loadIndex(index, pace);
    const times = makeChangeTimes();
    const { add: onFolder } = watches;
    const options = { policy, index: indexed, maxFiles, pace, onFolder, onFile: times.set };
    const scan = await scanFiles({ ...options, since });
    // Files that cannot be kept as a whole before a command are not stored: storing takes most of the time.
    if (scan.isCut && since === undefined) {
      watches.close();
      return { gap: "too_many_files", beyond: 0, unread: 0 };
    }
    const unread = await storeChangedFiles(
      { policy, index, journals, known: indexed, maxFiles, now, times },
      scan,
      pace,
    );
    const isWhole = scan.isComplete && unread === 0;
    const gap = scan.isCut ? "too_many_files" : isWhole ? null : "time";
    if (gap === null) last = { names, files: times.freeze() };
    const changed = since === undefined ? 0 : countUnreadableChanges(unreadable, scan.unreadable);
    ({ unreadable, skipped } = scan);
    return { gap, beyond: scan.beyond + changed, unread };
  };
  const disk = {
    root: policy.root,
    blobOf: (path: string) => index.get(path)?.blob,
    read: (path: string) => readSnapshotFile(policy, path),
  };
  /** Returns whether nothing was written since the last complete scan began. */
  const holds = async (pace: ScanPace): Promise<boolean> => {
    const then = last;
    // Folders whose names are not UTF-8 are not watched.
    if (then?.names !== namesOf() || unreadable.size > 0 || !(await watches.isQuiet())) return false;
    // No folder reports writes through a hard link or a memory map.
    return (await then.files.areUnchanged(disk, pace)) && then === last && (await watches.isQuiet());
  };
  return {
    scanAll: runScan,
    async ensureCurrent(pace) {
      const gap = (await holds(pace())) ? null : (await runScan(pace())).gap;
      skippedBefore = await readSkippedFolders(policy.root, skipped);
      return gap;
    },
    async scanAfter(pace, since) {
      const outcome = (await holds(pace())) ? nothingChanged : await runScan(pace(), since);
      const folders = [...new Set([...skippedBefore.keys(), ...skipped])];
      return { ...outcome, skipped: findChangedFolders(skippedBefore, await readSkippedFolders(policy.root, folders)) };
    },
    current: (path) => index.get(path),
  };
}

const nothingChanged = { gap: null, beyond: 0, unread: 0 } as const;

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

export interface ScanContext {
  readonly policy: ProjectPolicy;
  readonly index: SnapshotIndex;
  readonly journals: ReadonlySet<ChangeJournal>;
  /** Maximum files of a snapshot. */
  readonly maxFiles: number;
  now(): number;
}

interface SnapshotScanContext extends ScanContext {
  readonly known: ReadonlyMap<string, IndexedFile>;
  readonly times: Pick<ChangeTimes, "set">;
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
  const budget = makeByteBudget(known.values());
  let put: StoredFiles = [];
  let bytes = 0;
  for (const [number, { path }] of scan.dirty.entries()) {
    const read = readSnapshotFile(policy, path);
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
  for (const file of index.update({ put, drop: [] })) {
    const old = known.get(file.path) ?? null;
    if (!isSameFile(old, file)) recordFirstState(journals, file.path, old);
  }
}

/** Returns a function that decides whether further bytes fit the total limit, and counts them if they do. */
export function makeByteBudget(files: Iterable<IndexedFile | null>): (bytes: number) => boolean {
  let total = 0;
  for (const file of files) if (file !== null && file.blob !== null) total += file.size;
  return (bytes) => {
    const fits = total + bytes <= imageTotalBytes;
    if (fits) total += bytes;
    return fits;
  };
}

/**
 * Returns the existing blob id for stored content, the bytes to store, or null if the file or the total is too large.
 */
export function toStoredContent(
  { bytes }: RegularFileRead,
  old: IndexedFile | undefined,
  budget: (bytes: number) => boolean,
): BlobId | null | Uint8Array {
  if (bytes === null) return null;
  const blob = asId<BlobId>(computeHash(bytes));
  if (old?.blob === blob) return blob;
  return budget(bytes.length) ? bytes : null;
}

export function recordFirstState(
  journals: ReadonlySet<ChangeJournal>,
  path: string,
  old: IndexedFile | null | undefined,
): void {
  for (const { first } of journals) if (!first.has(path)) first.set(path, old ?? null);
}

/** Compares content and permissions. A file that is too large to store always counts as changed: only its times are compared. */
export const isSameFile = (old: IndexedFile | null, now: IndexedFile | null): boolean =>
  old === null || now === null ? old === now : old.blob === now.blob && old.mode === now.mode && now.blob !== null;

/** Change time in ms epoch. */
export const changeTimeMs = ({ changedNs }: FileStamp): number => Number(changedNs) / 1_000_000;

/** Clears the change time of a recently written file: another write could leave the same time. */
export function clearRecentTime(stamp: FileStamp, now: number): FileStamp {
  return changeTimeMs(stamp) > now - imageRacyMs ? { ...stamp, changedNs: "" } : stamp;
}

/** Reads a file; null if its folder has become a link, which could lead out of the project. */
export function readSnapshotFile(
  policy: Pick<ProjectPolicy, "root">,
  path: string,
): ReturnType<typeof readRegularFile> {
  const absolute = `${policy.root}/${path}`;
  try {
    if (realpathSync(dirname(absolute)) !== dirname(absolute)) return null;
  } catch {
    return null;
  }
  return readRegularFile(absolute, serverLimits.imageFileBytes, path);
}
