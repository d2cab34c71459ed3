/**
 * Snapshots of a project's files (C19): the state of every file before a command, and the changes a command made. The
 * index is in the store and read for each scan, so an idle project uses no memory.
 */
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlobId, Hash } from "@/lib/id";
import { asId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { hashOf } from "../base/id";
import { makeMutex } from "../base/mutex";
import type { PathPolicy } from "../security/paths";
import {
  changedMs,
  type ImageCommand,
  type ImageIndex,
  type Journal,
  type KeptFile,
  type Look,
  makeImageLooks,
  newJournal,
} from "./image-look";
import { makePace, type Pace, scanFiles } from "./image-scan";

/**
 * A file changed by a command. `before` null = the file did not exist; `before.blob` null = its content is not
 * stored.
 */
export interface FoundChange {
  readonly path: string;
  readonly before: { readonly blob: BlobId | null; readonly mode: number } | null;
  readonly after: { readonly blob: BlobId | null; readonly mode: number } | null;
}

export interface Found {
  readonly changes: readonly FoundChange[];
  /** Files that changed, or may have changed, without a stored snapshot. */
  readonly notKept: number;
}

export interface Images {
  /** Starts the first scan of this process in the background; later calls do nothing. */
  begin(): void;
  /**
   * Runs a command between two scans. Waits for the first scan at most `imageWaitMs`. Rejects only with errors of the
   * store.
   */
  around<T>(
    command: ImageCommand,
    work: () => Promise<T>,
  ): Promise<{ readonly value: PromiseSettledResult<T>; readonly found: Found }>;
  /** Returns the stored snapshots of a path and everything below it, before it is deleted. */
  below(path: string): Promise<readonly KeptFile[]>;
  /** Announces a change by a file tool or the editor to a path and everything below it. */
  touching(path: string): {
    /** Ends the announcement with the new content, which is stored; null = the file no longer exists. */
    done(bytes: Uint8Array | null): void;
    /** Cancels the announcement: nothing changed. */
    undo(): void;
  };
}

export interface ImagesOptions {
  readonly policy: PathPolicy;
  readonly index: ImageIndex;
  /** Reports changes made by commands that were running when the previous process died. */
  lost(commands: readonly ImageCommand[], found: Found): void;
  /** Reports a failed first scan. Must not throw. */
  trouble(error: unknown): void;
  /** Current time in ms epoch. */
  now(): number;
}

export function makeImages({ policy, index, lost, trouble, now }: ImagesOptions): Images {
  const mutex = makeMutex();
  const journals = new Set<Journal>();
  const looks = makeImageLooks({ policy, index, journals, now });
  let first: { readonly done: Promise<unknown>; readonly pace: Pace } | null = null;
  const alone = <T>(work: () => Promise<T>): Promise<T> => mutex.hold("", work, new AbortController().signal);
  const lookAfter = (since: number): Promise<Look> => {
    first?.pace.hurry();
    return alone(() => looks.lookAfter(waitedPace, since));
  };
  const lookBefore = (): Promise<boolean> => {
    first?.pace.hurry();
    return alone(() => looks.lookAgain(waitedPace));
  };
  const begin = (): void => {
    if (first !== null) return;
    const pace = makePace(false, Number.POSITIVE_INFINITY);
    first = { done: alone(() => firstLook({ index, lost, journals }, pace, looks.look)).catch(trouble), pace };
  };

  const changedSince = async (journal: Journal, since: number): Promise<Found> => {
    const { beyond, unread } = await lookAfter(since);
    const { changes, notKept } = changesOf(journal, index);
    return { changes, notKept: notKept + beyond + unread };
  };

  return {
    begin,
    async around(command, work) {
      begin();
      const journal = newJournal();
      // Registered before the scan, so that writes by others during the scan are attributed as well.
      journals.add(journal);
      let isWhole = false;
      try {
        if (await inTime(first, limits.imageWaitMs)) isWhole = await lookBefore();
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
      if (await inTime(first, limits.imageWaitMs)) await lookBefore();
      const found: KeptFile[] = [];
      for (const page of index.pages()) {
        found.push(...page.filter((file) => file.path === path || file.path.startsWith(`${path}/`)));
        await nextTurn();
      }
      return found;
    },
    touching: (path) => touching({ index, journals }, path),
  };
}

const waitedPace = (): Pace => makePace(true, performance.now() + limits.imageWaitMs);

/** Detects changes by commands of a killed process before anything else is compared. */
async function firstLook(
  {
    index,
    lost,
    journals,
  }: { readonly index: ImageIndex; readonly lost: ImagesOptions["lost"]; readonly journals: Set<Journal> },
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

/** Marks a path as being changed by this program in the journals of all running commands. */
function touching(
  { index, journals }: { readonly index: ImageIndex; readonly journals: ReadonlySet<Journal> },
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

/** Waits at most `ms` for the first scan and returns whether it is done; the scan continues in any case. */
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

/** Returns the files that differ from their state at the start of the journal. */
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

/**
 * Returns the content another writer left at the path; undefined if the path or a parent folder was changed with
 * unknown content.
 */
function foreignOf({ foreign }: Journal, path: string): Hash | null | undefined | "nobody" {
  if (foreign.has(path)) return foreign.get(path);
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) if (foreign.has(folder)) return undefined;
  return "nobody";
}

/** Counts files changed since the command began; used if there is no state before it to compare with. */
async function countedSince(policy: PathPolicy, since: number): Promise<Found> {
  const pace = makePace(true, performance.now() + limits.imageWaitMs);
  const { dirty, beyond } = await scanFiles({ policy, index: new Map(), since, pace });
  const changed = dirty.filter((stamp) => changedMs(stamp) >= since);
  return { changes: [], notKept: changed.length + beyond };
}
