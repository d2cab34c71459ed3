/**
 * Scans the files of a project: files that differ from the index are read, stored and recorded in the journals of
 * running commands. If no folder reports a change since the last scan, only the change times of its files are
 * compared.
 */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { BlobId, CallId, Hash, SessionId } from "@/lib/id";
import { asId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { hashOf } from "../base/id";
import type { PathPolicy } from "../security/paths";
import { makeFolderWatches } from "./folder-watches";
import { type FileRead, type FileStamp, type Pace, readFile, type Scan, scanFiles } from "./image-scan";
import { type KnownTimes, makeKnownTimes, type UnchangedFiles } from "./known-times";

/** A file of the index; `blob` is null if the file is too large to store. */
export interface KeptFile extends FileStamp {
  readonly blob: BlobId | null;
}

/** The stored index of one project. Its methods throw the errors of the store. */
export interface ImageIndex {
  /** Yields the whole index in pages of a few hundred files, in path order. */
  pages(): Iterable<readonly KeptFile[]>;
  get(path: string): KeptFile | undefined;
  update(change: {
    readonly put: readonly { readonly image: FileStamp; readonly kept: BlobId | null | Uint8Array }[];
    readonly drop: readonly string[];
  }): readonly KeptFile[];
  /** Records the start of a command: the index reflects the state before it. */
  opened(command: ImageCommand): void;
  closed(command: ImageCommand): void;
  /** Commands that were opened and not closed. */
  open(): readonly ImageCommand[];
  keep(bytes: Uint8Array): BlobId;
}

export interface ImageCommand {
  readonly sessionId: SessionId;
  readonly callId: CallId;
}

export interface Look {
  /** Whether the index matches all files, up to the limits. */
  readonly isWhole: boolean;
  /** Files beyond the limits that changed since the requested time. */
  readonly beyond: number;
  /** Files that differ from the index and were not read in time. */
  readonly unread: number;
}

/** Results of the scans during a command: each changed file in its state before the command. */
export interface Journal {
  readonly first: Map<string, KeptFile | null>;
  /** Files written by others in the meantime, with the hash of the newest content; undefined = unknown. */
  readonly foreign: Map<string, Hash | null | undefined>;
}

export const newJournal = (): Journal => ({ first: new Map(), foreign: new Map() });

/** Scans the files of one project; scans must not overlap. */
export interface ImageLooks {
  /** Scans all files. */
  look(pace: Pace): Promise<Look>;
  /** Returns whether the index is correct up to the limits: the last scan is still valid, or a new one was made. */
  lookAgain(pace: () => Pace): Promise<boolean>;
  /** The same after a command. `since` in ms epoch: files beyond the limits with a later change are counted. */
  lookAfter(pace: () => Pace, since: number): Promise<Look>;
}

/** A scan that covered all files. */
interface LastLook {
  /** The protected names at the time of the scan. */
  readonly names: string;
  readonly files: UnchangedFiles;
  /** Whether there are files beyond the limits. */
  readonly isCut: boolean;
}

export function makeImageLooks({ policy, index, journals, now }: Omit<Keeping, "known" | "times">): ImageLooks {
  const watches = makeFolderWatches(policy.root);
  /** null = the next call must scan. */
  let last: LastLook | null = null;
  const idle = makeIdleTimer(limits.imageWatchIdleMs, () => {
    last = null;
    watches.close();
  });
  const namesOf = (): string => policy.protectedNames.join("/");

  const look = async (pace: Pace, since?: number): Promise<Look> => {
    idle.restart();
    last = null;
    await watches.begin();
    const names = namesOf();
    const known = await knownFiles(index, pace);
    const times = makeKnownTimes();
    const { add: enter } = watches;
    const options = { policy, index: known, pace, enter, met: times.set };
    const scan = await scanFiles({ ...options, ...(since === undefined ? {} : { since }) });
    const unread = await keepDirty({ policy, index, journals, known, now, times }, scan, pace);
    const isWhole = scan.inTime && unread === 0;
    if (isWhole) last = { names, files: times.end(), isCut: scan.isCut };
    return { isWhole, beyond: scan.beyond, unread };
  };
  const disk = {
    root: policy.root,
    blobOf: (path: string) => index.get(path)?.blob,
    read: (path: string) => readSafely(policy, path),
  };
  /** Returns whether nothing was written since the last complete scan began. */
  const holds = async (pace: Pace): Promise<boolean> => {
    const then = last;
    if (then?.names !== namesOf() || !(await watches.isQuiet())) return false;
    // No folder reports writes through a hard link or a memory map.
    return (await then.files.hold(disk, pace)) && then === last && (await watches.isQuiet());
  };
  return {
    look,
    lookAgain: async (pace) => (await holds(pace())) || (await look(pace())).isWhole,
    async lookAfter(pace, since) {
      if (last?.isCut === false && (await holds(pace()))) return { isWhole: true, beyond: 0, unread: 0 };
      return look(pace(), since);
    },
  };
}

async function knownFiles(index: ImageIndex, pace: Pace): Promise<ReadonlyMap<string, KeptFile>> {
  const known = new Map<string, KeptFile>();
  for (const page of index.pages()) {
    for (const file of page) known.set(file.path, file);
    // The time limit applies to the scan, which cannot begin without the whole index.
    if (pace.isDue()) await pace.next();
  }
  return known;
}

/** Creates a timer that calls `end` after `idleMs` without a restart; it does not keep the process alive. */
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

interface Keeping {
  readonly policy: PathPolicy;
  readonly index: ImageIndex;
  readonly journals: ReadonlySet<Journal>;
  readonly known: ReadonlyMap<string, KeptFile>;
  readonly times: Pick<KnownTimes, "set">;
  now(): number;
}

/** Files read and stored per batch. */
const batchFiles = 100;
const batchBytes = 1_000_000;

/**
 * Reads the files that differ from the index and updates it. Returns the number of files left when the time ran out.
 */
async function keepDirty(keeping: Keeping, scan: Scan, pace: Pace): Promise<number> {
  const { policy, known, now, times } = keeping;
  for (const path of scan.gone) note(keeping.journals, path, known.get(path));
  if (scan.gone.length + scan.left.length > 0) keeping.index.update({ put: [], drop: [...scan.gone, ...scan.left] });
  const budget = roomFor(known);
  let put: Put = [];
  let bytes = 0;
  for (const [number, { path }] of scan.dirty.entries()) {
    const read = readSafely(policy, path);
    if (read !== null) {
      const kept = keptAs(read, known.get(path), budget);
      const image = steady(read.stamp, now());
      times.set(path, image.changedNs === "" ? null : Number(image.changedNs));
      put.push({ image, kept });
      if (kept instanceof Uint8Array) bytes += kept.length;
    }
    if (put.length >= batchFiles || bytes >= batchBytes) {
      write(keeping, put);
      put = [];
      bytes = 0;
    }
    if (!pace.isDue() || (await pace.next())) continue;
    write(keeping, put);
    return scan.dirty.length - number - 1;
  }
  write(keeping, put);
  return 0;
}

type Put = { readonly image: FileStamp; readonly kept: BlobId | null | Uint8Array }[];

function write({ index, journals, known }: Keeping, put: Put): void {
  if (put.length === 0) return;
  for (const { path, blob, mode } of index.update({ put, drop: [] })) {
    const old = known.get(path);
    // A file that is too large is compared by its times only.
    if (old === undefined || old.blob !== blob || old.mode !== mode || blob === null) note(journals, path, old);
  }
}

/** Returns a function that decides whether further bytes fit the total limit, and counts them if they do. */
function roomFor(known: ReadonlyMap<string, KeptFile>): (bytes: number) => boolean {
  let total = 0;
  for (const { size, blob } of known.values()) if (blob !== null) total += size;
  return (bytes) => {
    const fits = total + bytes <= limits.imageTotalBytes;
    if (fits) total += bytes;
    return fits;
  };
}

/**
 * Returns the existing blob id for stored content, the bytes to store, or null if the file or the total is too large.
 */
function keptAs(
  { bytes }: FileRead,
  old: KeptFile | undefined,
  budget: (bytes: number) => boolean,
): BlobId | null | Uint8Array {
  if (bytes === null) return null;
  const blob = asId<BlobId>(hashOf(bytes));
  if (old?.blob === blob) return blob;
  return budget(bytes.length) ? bytes : null;
}

function note(journals: ReadonlySet<Journal>, path: string, old: KeptFile | undefined): void {
  for (const { first } of journals) if (!first.has(path)) first.set(path, old ?? null);
}

/** Change time in ms epoch. */
export const changedMs = ({ changedNs }: FileStamp): number => Number(changedNs) / 1_000_000;

/** Clears the change time of a recently written file: another write could leave the same time. */
function steady(stamp: FileStamp, now: number): FileStamp {
  return changedMs(stamp) > now - limits.imageRacyMs ? { ...stamp, changedNs: "" } : stamp;
}

/** Reads a file; null if its folder has become a link, which could lead out of the project. */
function readSafely(policy: PathPolicy, path: string): ReturnType<typeof readFile> {
  const absolute = `${policy.root}/${path}`;
  try {
    if (realpathSync(dirname(absolute)) !== dirname(absolute)) return null;
  } catch {
    return null;
  }
  return readFile(absolute, limits.imageFileBytes, path);
}
