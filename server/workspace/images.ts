/**
 * The kept states of a project's files (C19): every file as it stood before a command, and what a command changed. Its index is in
 * the store and read for each look, so that nothing is held while nobody works. Made by projects, used by sessions through main.
 */
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { BlobId, CallId, Hash, SessionId } from "@/lib/id";
import { asId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { hashOf } from "../base/id";
import { makeMutex } from "../base/mutex";
import type { PathPolicy } from "../security/paths";
import { type FileRead, type FileStamp, makePace, type Pace, readFile, type Scan, scanFiles } from "./image-scan";

/** A file of the index; `blob` null = too large to be kept. */
export interface KeptFile extends FileStamp {
  readonly blob: BlobId | null;
}

/** The index of one project, in the store. Throws what the store throws. */
export interface ImageIndex {
  all(): readonly KeptFile[];
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

/** One file a command changed. `before` null: nothing stood there; its `blob` null: it is not kept. */
export interface FoundChange {
  readonly path: string;
  readonly before: { readonly blob: BlobId | null; readonly mode: number } | null;
  readonly after: { readonly blob: BlobId | null; readonly mode: number } | null;
}

export interface Found {
  readonly changes: readonly FoundChange[];
  /** Files that changed, or may have, whose state before is not kept. */
  readonly notKept: number;
}

export interface Images {
  /** Looks at the files for the first time in this process, when nobody waits for it; again it does nothing. */
  begin(): void;
  /** Runs a command between two looks. Waits for the first at most `imageWaitMs`. Rejects only as the store does. */
  around<T>(
    command: ImageCommand,
    work: () => Promise<T>,
  ): Promise<{ readonly value: PromiseSettledResult<T>; readonly found: Found }>;
  /** What stands at a path and below it, kept: it is about to go. */
  below(path: string): Promise<readonly KeptFile[]>;
  /** A file tool or the editor is about to change a path, and what is below it. */
  touching(path: string): {
    /** It stands so now; null = nothing does. What stands is kept. */
    done(bytes: Uint8Array | null): void;
    /** Nothing was changed. */
    undo(): void;
  };
}

interface Look {
  /** The index is right for all there is, up to the limits. */
  readonly isWhole: boolean;
  /** Files beyond the limits that changed in the time that was asked about. */
  readonly beyond: number;
  /** Files that are not as the index has them and were not read in time. */
  readonly unread: number;
}

/** What the looks during a command found, each file as it was when the command began. */
interface Journal {
  readonly first: Map<string, KeptFile | null>;
  /** Written by somebody else meanwhile, newest content; undefined = not known. */
  readonly foreign: Map<string, Hash | null | undefined>;
}

const newJournal = (): Journal => ({ first: new Map(), foreign: new Map() });

export interface ImagesOptions {
  readonly policy: PathPolicy;
  readonly index: ImageIndex;
  /** What commands changed that were running when the last process died. */
  lost(commands: readonly ImageCommand[], found: Found): void;
  /** The first look failed. Must not throw. */
  trouble(error: unknown): void;
  /** ms epoch */
  now(): number;
}

export function makeImages({ policy, index, lost, trouble, now }: ImagesOptions): Images {
  const mutex = makeMutex();
  const journals = new Set<Journal>();
  let first: { readonly done: Promise<unknown>; readonly pace: Pace } | null = null;

  const look = async (pace: Pace, since?: number): Promise<Look> => {
    const known = new Map(index.all().map((file) => [file.path, file]));
    const scan = await scanFiles({ policy, index: known, pace, ...(since === undefined ? {} : { since }) });
    const unread = await keepDirty({ policy, index, journals, known, now }, scan, pace);
    return { isWhole: scan.inTime && unread === 0, beyond: scan.beyond, unread };
  };
  const alone = <T>(work: () => Promise<T>): Promise<T> => mutex.hold("", work, new AbortController().signal);
  const lookNow = (since?: number): Promise<Look> => {
    first?.pace.hurry();
    return alone(() => look(makePace(true, performance.now() + limits.imageWaitMs), since));
  };
  const begin = (): void => {
    if (first !== null) return;
    const pace = makePace(false, Number.POSITIVE_INFINITY);
    first = { done: alone(() => firstLook({ index, lost, journals }, pace, look)).catch(trouble), pace };
  };

  const changedSince = async (journal: Journal, since: number): Promise<Found> => {
    const { beyond, unread } = await lookNow(since);
    const { changes, notKept } = changesOf(journal, index);
    return { changes, notKept: notKept + beyond + unread };
  };

  return {
    begin,
    async around(command, work) {
      begin();
      const journal = newJournal();
      // From now on: who writes while the files are looked at is told apart as well.
      journals.add(journal);
      let isWhole = false;
      try {
        if (await inTime(first, limits.imageWaitMs)) isWhole = (await lookNow()).isWhole;
        journal.first.clear();
        const since = now();
        if (isWhole) index.opened(command);
        const [value] = await Promise.allSettled([work()]);
        const found = isWhole ? await changedSince(journal, since) : await countedSince(policy, since);
        return { value, found };
      } finally {
        journals.delete(journal);
        if (isWhole) index.closed(command);
      }
    },
    async below(path) {
      begin();
      if (await inTime(first, limits.imageWaitMs)) await lookNow();
      return index.all().filter((file) => file.path === path || file.path.startsWith(`${path}/`));
    },
    touching: (path) => touching({ index, journals }, path),
  };
}

/** Finds what commands of a killed process changed, before anything else is compared. */
async function firstLook(
  { index, lost, journals }: Pick<ImagesOptions, "index" | "lost"> & { readonly journals: Set<Journal> },
  pace: Pace,
  look: (pace: Pace) => Promise<Look>,
): Promise<void> {
  await pace.ready();
  const commands = index.open();
  const journal = newJournal();
  if (commands.length > 0) journals.add(journal);
  await look(pace);
  journals.delete(journal);
  if (commands.length > 0) lost(commands, changesOf(journal, index));
  for (const command of commands) index.closed(command);
}

/** Marks a path as being changed by one of ours in every command that runs now. */
function touching(
  { index, journals }: Pick<Keeping, "index" | "journals">,
  path: string,
): ReturnType<Images["touching"]> {
  const marked = [...journals].filter(({ foreign }) => !foreign.has(path));
  for (const { foreign } of marked) foreign.set(path, undefined);
  return {
    done(bytes) {
      if (bytes !== null && bytes.length <= limits.imageFileBytes) index.keep(bytes);
      const hash = bytes === null ? null : hashOf(bytes);
      for (const { foreign } of journals) foreign.set(path, hash);
    },
    undo() {
      for (const { foreign } of marked) foreign.delete(path);
    },
  };
}

/** The first look is done, or has the time that is left; it goes on in any case. */
async function inTime(
  first: { readonly done: Promise<unknown>; readonly pace: Pace } | null,
  ms: number,
): Promise<boolean> {
  if (first === null) return true;
  first.pace.hurry();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([first.done.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Keeping {
  readonly policy: PathPolicy;
  readonly index: ImageIndex;
  readonly journals: ReadonlySet<Journal>;
  readonly known: ReadonlyMap<string, KeptFile>;
  now(): number;
}

/** Files read and stored at a time. */
const batchFiles = 100;
const batchBytes = 1_000_000;

/** Reads what is not as the index has it, and brings the index up to date. The number of files there was no time for. */
async function keepDirty(keeping: Keeping, scan: Scan, pace: Pace): Promise<number> {
  const { policy, known, now } = keeping;
  for (const path of scan.gone) note(keeping.journals, path, known.get(path));
  if (scan.gone.length + scan.left.length > 0) keeping.index.update({ put: [], drop: [...scan.gone, ...scan.left] });
  const room = roomFor(known);
  let put: Put = [];
  let bytes = 0;
  for (const [number, { path }] of scan.dirty.entries()) {
    const read = readSafely(policy, path);
    if (read !== null) {
      const kept = keptAs(read, known.get(path), room);
      put.push({ image: steady(read.stamp, now()), kept });
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
const changedMs = ({ changedNs }: FileStamp): number => Number(changedNs) / 1_000_000;

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

/** What is not as it was when the journal began. */
function changesOf(journal: Journal, index: ImageIndex): Found {
  const changes: FoundChange[] = [];
  let notKept = 0;
  for (const [path, old] of [...journal.first].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const now = index.get(path);
    const wrote = foreignOf(journal, path);
    const hash = now?.blob ?? null;
    if (wrote !== "nobody" && (wrote === undefined || wrote === hash)) continue;
    const before =
      wrote === "nobody"
        ? old
        : wrote === null
          ? null
          : { blob: asId<BlobId>(wrote), mode: old?.mode ?? now?.mode ?? 0o644 };
    if (before === null && now === undefined) continue;
    if (
      before !== null &&
      now !== undefined &&
      before.blob === now.blob &&
      before.mode === now.mode &&
      now.blob !== null
    )
      continue;
    if (before !== null && before.blob === null) notKept += 1;
    changes.push({ path, before, after: now === undefined ? null : { blob: now.blob, mode: now.mode } });
  }
  return { changes, notKept };
}

/** What somebody else made of the path, or of a folder it is in. */
function foreignOf({ foreign }: Journal, path: string): Hash | null | undefined | "nobody" {
  if (foreign.has(path)) return foreign.get(path);
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) if (foreign.has(folder)) return undefined;
  return "nobody";
}

/** Without a state before, only what changed since the command began can be counted. */
async function countedSince(policy: PathPolicy, since: number): Promise<Found> {
  const pace = makePace(true, performance.now() + limits.imageWaitMs);
  const { dirty, beyond } = await scanFiles({ policy, index: new Map(), since, pace });
  const changed = dirty.filter((stamp) => changedMs(stamp) >= since);
  return { changes: [], notKept: changed.length + beyond };
}
