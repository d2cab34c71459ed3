/**
 * One look at the files of a project: what is not as the index has it is read, kept and noted in the journals of the commands that
 * run. While no folder reports a change since the last look, only the times of its files are compared. Used by images.ts.
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

/** A file of the index; `blob` null = too large to be kept. */
export interface KeptFile extends FileStamp {
  readonly blob: BlobId | null;
}

/** The index of one project, in the store. Throws what the store throws. */
export interface ImageIndex {
  /** All of it, some hundred files at a time, in the order of their paths. */
  pages(): Iterable<readonly KeptFile[]>;
  get(path: string): KeptFile | undefined;
  update(change: {
    readonly put: readonly { readonly image: FileStamp; readonly kept: BlobId | null | Uint8Array }[];
    readonly drop: readonly string[];
  }): readonly KeptFile[];
  /** Of a command: the index is right for what stood before it. */
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
  /** The index is right for all there is, up to the limits. */
  readonly isWhole: boolean;
  /** Files beyond the limits that changed in the time that was asked about. */
  readonly beyond: number;
  /** Files that are not as the index has them and were not read in time. */
  readonly unread: number;
}

/** What the looks during a command found, each file as it was when the command began. */
export interface Journal {
  readonly first: Map<string, KeptFile | null>;
  /** Written by somebody else meanwhile, newest content; undefined = not known. */
  readonly foreign: Map<string, Hash | null | undefined>;
}

export const newJournal = (): Journal => ({ first: new Map(), foreign: new Map() });

/** Looks at the files of one project, one look after the other. */
export interface ImageLooks {
  /** Looks at everything. */
  look(pace: Pace): Promise<Look>;
  /** The index is right up to the limits: the last look still holds, or a further one was made. */
  lookAgain(pace: () => Pace): Promise<boolean>;
  /** The same after a command. `since` in ms epoch: files beyond the limits with a later change are counted. */
  lookAfter(pace: () => Pace, since: number): Promise<Look>;
}

/** A look that was whole. */
interface LastLook {
  /** The names that were protected then. */
  readonly names: string;
  readonly files: UnchangedFiles;
  /** There are files it did not look at. */
  readonly isCut: boolean;
}

export function makeImageLooks({ policy, index, journals, now }: Omit<Keeping, "known" | "times">): ImageLooks {
  const watches = makeFolderWatches(policy.root);
  /** null = the next one has to look. */
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
  /** Nothing was written since the last look began, and it saw everything. */
  const holds = async (pace: Pace): Promise<boolean> => {
    const then = last;
    if (then?.names !== namesOf() || !(await watches.isQuiet())) return false;
    // Writes through a hard link or a memory map are reported by no folder.
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
    // The time limit is that of the scan, which cannot begin without all of it.
    if (pace.isDue()) await pace.next();
  }
  return known;
}

/** Calls `end` when nothing was done for so long; does not keep the process alive. */
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

/** Files read and stored at a time. */
const batchFiles = 100;
const batchBytes = 1_000_000;

/** Reads what is not as the index has it, and brings the index up to date. The number of files there was no time for. */
async function keepDirty(keeping: Keeping, scan: Scan, pace: Pace): Promise<number> {
  const { policy, known, now, times } = keeping;
  for (const path of scan.gone) note(keeping.journals, path, known.get(path));
  if (scan.gone.length + scan.left.length > 0) keeping.index.update({ put: [], drop: [...scan.gone, ...scan.left] });
  const room = roomFor(known);
  let put: Put = [];
  let bytes = 0;
  for (const [number, { path }] of scan.dirty.entries()) {
    const read = readSafely(policy, path);
    if (read !== null) {
      const kept = keptAs(read, known.get(path), room);
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
    // Of what is too large only its times tell.
    if (old === undefined || old.blob !== blob || old.mode !== mode || blob === null) note(journals, path, old);
  }
}

/** Whether so many further bytes may be kept; those that may are counted. */
function roomFor(known: ReadonlyMap<string, KeptFile>): (bytes: number) => boolean {
  let total = 0;
  for (const { size, blob } of known.values()) if (blob !== null) total += size;
  return (bytes) => {
    const fits = total + bytes <= limits.imageTotalBytes;
    if (fits) total += bytes;
    return fits;
  };
}

/** Content that is kept already is not stored again; null = it is too large, or there is too much. */
function keptAs(
  { bytes }: FileRead,
  old: KeptFile | undefined,
  room: (bytes: number) => boolean,
): BlobId | null | Uint8Array {
  if (bytes === null) return null;
  const blob = asId<BlobId>(hashOf(bytes));
  if (old?.blob === blob) return blob;
  return room(bytes.length) ? bytes : null;
}

function note(journals: ReadonlySet<Journal>, path: string, old: KeptFile | undefined): void {
  for (const { first } of journals) if (!first.has(path)) first.set(path, old ?? null);
}

/** ms epoch */
export const changedMs = ({ changedNs }: FileStamp): number => Number(changedNs) / 1_000_000;

/** What was written a moment ago could be written again without its time telling. */
function steady(stamp: FileStamp, now: number): FileStamp {
  return changedMs(stamp) > now - limits.imageRacyMs ? { ...stamp, changedNs: "" } : stamp;
}

/** A folder that has become a link would lead out of the project. */
function readSafely(policy: PathPolicy, path: string): ReturnType<typeof readFile> {
  const absolute = `${policy.root}/${path}`;
  try {
    if (realpathSync(dirname(absolute)) !== dirname(absolute)) return null;
  } catch {
    return null;
  }
  return readFile(absolute, limits.imageFileBytes, path);
}
