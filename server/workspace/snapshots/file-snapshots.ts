/**
 * Snapshots of a project's files: the state of every file before a command, and the changes a command made. The
 * index is in the store and read for each scan, so an idle project uses no memory.
 */
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlobId, Hash } from "@/lib/events/id";
import { asId } from "@/lib/events/id";
import type { UndoGap } from "@/lib/events/tool-kind";
import { serverLimits } from "@/lib/settings/server-limits";
import { computeHash } from "@/server/base/id";
import { makeMutex } from "@/server/base/concurrency";
import {
  changeTimeMs,
  type TrackedCommand,
  type SnapshotIndex,
  type ChangeJournal,
  type IndexedFile,
  type ScanOutcome,
  type SnapshotScans,
  makeJournal,
} from "./snapshot-scans";
import type { SnapshotGit } from "./git-scans";
import type { ProjectPolicy } from "../search/ignore-rules";
import { makeProjectScans } from "./project-scans";
import { makeScanPace, type ScanPace, scanFiles } from "./snapshot-scan";
import { neverAborted } from "@/server/base/abort";

/** Maximum files of a snapshot. */
const imageFiles = 20_000;
/** Maximum wait of a command for the snapshot before it, ms. */
const imageWaitMs = 15_000;

/**
 * A file changed by a command. `before` null = the file did not exist; `before.blob` null = its content is not
 * stored.
 */
export interface DetectedChange {
  readonly path: string;
  readonly before: { readonly blob: BlobId | null; readonly mode: number } | null;
  readonly after: { readonly blob: BlobId | null; readonly mode: number } | null;
}

export interface DetectedChanges {
  readonly changes: readonly DetectedChange[];
  /** Files that changed, or may have changed, without a stored snapshot. */
  readonly notKept: number;
  /** Why there may be changes that were not found; null = all were found. */
  readonly gap: UndoGap | null;
  /** Changed folders whose files are never stored; absent = none. */
  readonly skipped?: readonly string[];
}

export interface FileSnapshots {
  /** Starts the first scan of this process in the background; later calls do nothing. */
  begin(): void;
  /**
   * Runs a command between two scans. Waits for the first scan at most `imageWaitMs`. Rejects only with errors of the
   * store.
   */
  trackFileChanges<T>(
    command: TrackedCommand,
    work: () => Promise<T>,
  ): Promise<{ readonly value: PromiseSettledResult<T>; readonly found: DetectedChanges }>;
  /** Returns whether the changes of a command can be undone in this project. Waits for the first scan like a command. */
  canUndo(): Promise<boolean>;
  /** Returns the stored snapshots of a path and everything below it, before it is deleted. */
  snapshotsBelow(path: string): Promise<readonly IndexedFile[]>;
  /** Announces a change by a file tool or the editor to a path and everything below it. */
  announceChange(path: string): {
    /** Ends the announcement with the new content, which is stored; null = the file no longer exists. */
    done(bytes: Uint8Array | null): void;
    /** Cancels the announcement: nothing changed. */
    undo(): void;
  };
}

export interface FileSnapshotsOptions {
  readonly policy: ProjectPolicy;
  readonly index: SnapshotIndex;
  /** Git for a project with too many files for the index; absent = the changes of commands cannot be undone there. */
  readonly git?: SnapshotGit;
  /** Maximum files of a snapshot; default `imageFiles`. */
  readonly maxFiles?: number;
  /** Reports changes made by commands that were running when the previous process died. */
  onLostChanges(commands: readonly TrackedCommand[], found: Pick<DetectedChanges, "changes">): void;
  /** Reports a failed first scan. Must not throw. */
  onError(error: unknown): void;
  /** Current time in ms epoch. */
  now(): number;
}

export function makeFileSnapshots({
  policy,
  index,
  git,
  maxFiles = imageFiles,
  onLostChanges,
  onError,
  now,
}: FileSnapshotsOptions): FileSnapshots {
  const mutex = makeMutex();
  const journals = new Set<ChangeJournal>();
  const scans = makeProjectScans({ policy, index, journals, maxFiles, now }, git);
  let first: { readonly done: Promise<unknown>; readonly pace: ScanPace } | null = null;
  const alone = <T>(work: () => Promise<T>): Promise<T> => mutex.hold("", work, neverAborted);
  const lookBefore = async (): ReturnType<typeof scans.before> =>
    (await waitForFirstScan(first, imageWaitMs))
      ? alone(() => scans.before(makeAwaitedPace))
      : { gap: "time", scans: withoutScans };
  const begin = (): void => {
    if (first !== null) return;
    const pace = makeScanPace(false, Number.POSITIVE_INFINITY);
    first = {
      done: alone(() => runFirstScan({ index, lost: onLostChanges, journals }, pace, scans.scanAll)).catch(onError),
      pace,
    };
  };

  const changedSince = async (
    journal: ChangeJournal,
    scans: SnapshotScans,
    since: number,
  ): Promise<DetectedChanges> => {
    const { gap, beyond, unread, skipped } = await alone(() => scans.scanAfter(makeAwaitedPace, since));
    const { changes, notKept } = changesInJournal(journal, scans.current);
    return { changes, notKept: notKept + beyond + unread, gap, skipped };
  };

  return {
    begin,
    async trackFileChanges(command, work) {
      begin();
      const journal = makeJournal();
      // Registered before the scan, so that writes by others during the scan are attributed as well.
      journals.add(journal);
      let gap: UndoGap | null = "time";
      try {
        const state = await lookBefore();
        gap = state.gap;
        journal.first.clear();
        const since = now();
        if (gap === null) index.commandStarted(command);
        const [value] = await Promise.allSettled([work()]);
        const found =
          gap === null
            ? await changedSince(journal, state.scans, since)
            : { changes: [], notKept: gap === "time" ? await countChangesSince(policy, maxFiles, since) : 0, gap };
        return { value, found };
      } finally {
        journals.delete(journal);
        if (gap === null) index.commandEnded(command);
      }
    },
    async canUndo() {
      begin();
      await waitForFirstScan(first, imageWaitMs);
      return scans.canUndo();
    },
    async snapshotsBelow(path) {
      begin();
      await lookBefore();
      const found: IndexedFile[] = [];
      for (const page of index.pages()) {
        found.push(...page.filter((file) => file.path === path || file.path.startsWith(`${path}/`)));
        await nextTurn();
      }
      return found;
    },
    announceChange: (path) => announceInJournals({ index, journals }, path),
  };
}

/** Without a first scan there is no state to compare with. */
const withoutScans: SnapshotScans = {
  ensureCurrent: async () => "time",
  scanAfter: async () => ({ gap: "time", beyond: 0, unread: 0 }),
  current: () => undefined,
};

const makeAwaitedPace = (): ScanPace => makeScanPace(true, performance.now() + imageWaitMs);

/** Detects changes by commands of a killed process before anything else is compared. */
async function runFirstScan(
  {
    index,
    lost,
    journals,
  }: {
    readonly index: SnapshotIndex;
    readonly lost: FileSnapshotsOptions["onLostChanges"];
    readonly journals: Set<ChangeJournal>;
  },
  pace: ScanPace,
  scan: (pace: ScanPace) => Promise<ScanOutcome>,
): Promise<void> {
  await pace.ready();
  const commands = index.openCommands();
  const journal = makeJournal();
  if (commands.length > 0) journals.add(journal);
  await scan(pace);
  journals.delete(journal);
  if (commands.length > 0) lost(commands, changesInJournal(journal, index.get));
  for (const command of commands) index.commandEnded(command);
}

/** Marks a path as being changed by this program in the journals of all running commands. */
function announceInJournals(
  { index, journals }: { readonly index: SnapshotIndex; readonly journals: ReadonlySet<ChangeJournal> },
  path: string,
): ReturnType<FileSnapshots["announceChange"]> {
  const marked = [...journals].filter(({ foreign }) => !foreign.has(path));
  for (const { foreign } of marked) foreign.set(path, undefined);
  return {
    done(bytes) {
      if (bytes !== null && bytes.length <= serverLimits.imageFileBytes) index.storeBlob(bytes);
      const hash = bytes === null ? null : computeHash(bytes);
      for (const { foreign } of journals) foreign.set(path, hash);
    },
    undo() {
      for (const { foreign } of marked) foreign.delete(path);
    },
  };
}

/** Waits at most `ms` for the first scan and returns whether it is done; the scan continues in any case. */
async function waitForFirstScan(
  first: { readonly done: Promise<unknown>; readonly pace: ScanPace } | null,
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

/** Returns the files that differ from their state at the start of the journal. */
function changesInJournal(
  journal: ChangeJournal,
  current: SnapshotScans["current"],
): Pick<DetectedChanges, "changes" | "notKept"> {
  const changes: DetectedChange[] = [];
  let notKept = 0;
  for (const [path, old] of [...journal.first].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const now = current(path);
    const wrote = foreignContent(journal, path);
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

/**
 * Returns the content another writer left at the path; undefined if the path or a parent folder was changed with
 * unknown content.
 */
function foreignContent({ foreign }: ChangeJournal, path: string): Hash | null | undefined | "nobody" {
  if (foreign.has(path)) return foreign.get(path);
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) if (foreign.has(folder)) return undefined;
  return "nobody";
}

/** Counts files changed since the command began; used if there is no state before it to compare with. */
async function countChangesSince(policy: ProjectPolicy, maxFiles: number, since: number): Promise<number> {
  const pace = makeScanPace(true, performance.now() + imageWaitMs);
  const { dirty, beyond } = await scanFiles({ policy, index: new Map(), maxFiles, since, pace });
  const changed = dirty.filter((stamp) => changeTimeMs(stamp) >= since);
  return changed.length + beyond;
}
