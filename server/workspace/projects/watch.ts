/** Watches open folders for changes on disk: one level each, never the whole tree. */
import { existsSync, watch } from "node:fs";
import { opendir } from "node:fs/promises";
import { posix } from "node:path";
import { isRecord } from "@/lib/events/content";
import { limits } from "@/lib/settings/settings";
import { errnoName } from "@/server/base/system-errors";
import { isTemporaryName } from "../files/write-file";

/** Time in which changes are joined, ms. */
const watchBatchMs = 30;
const ignoreFile = ".gitignore";
/** Interval of polling where the system reports no changes, ms. */
const watchPollMs = 1_000;

export interface FolderChange {
  /** Relative to the root, "." for the root itself. */
  readonly folder: string;
  /** Direct entries that were added, removed or changed; relative to the root, without duplicates. */
  readonly paths: readonly string[];
  /** Entries were added or removed, or other ones are ignored; otherwise only the content of files changed. */
  readonly hasNewEntries: boolean;
}

interface WatchOptions {
  /** Receives the changes of one folder within watchBatchMs. */
  readonly onChange: (change: FolderChange) => void;
  /** Called at most once, when the system has no watches left: changes are polled from now on. */
  readonly onFallback?: () => void;
  /** Called at most once, when the root was deleted; detected with a change in an open folder. */
  readonly onGone?: () => void;
}

export interface FolderWatcher {
  /**
   * Resolves when changes are reported. May be called again for a folder; beyond limits.watchedFolders the oldest one
   * is closed.
   */
  open(folder: string): Promise<void>;
  close(folder: string): void;
  dispose(): void;
}

/**
 * Creates a watcher. `root` is the real path of the project; folders are relative to it and validated by the caller.
 */
export function makeFolderWatcher(root: string, options: WatchOptions): FolderWatcher {
  const opened = new Map<string, OpenWatch>();
  const batch = makeChangeBatch(root, options);
  let polling = false;
  let isDisposed = false;

  const start = (folder: string): OpenWatch => {
    const absolute = posix.join(root, folder);
    const note: NoteEntry = (name, hasNewEntries) => {
      const path = posix.join(folder, name ?? "");
      batch.note(folder, path, hasNewEntries || name === null);
      if (!hasNewEntries || path === folder || !opened.has(path)) return;
      // The open folder of this name is another one now.
      opened.get(path)?.close();
      const restarted = start(path);
      opened.set(path, restarted);
      // Not before: what is added until then would not be reported.
      void restarted.ready.then(() => opened.get(path) === restarted && batch.note(path, path, true));
    };
    return watchFolder(absolute, polling, note, fallBack);
  };
  const fallBack = (): void => {
    if (polling || isDisposed) return;
    polling = true;
    options.onFallback?.();
    for (const [folder, watched] of opened) {
      watched.close();
      opened.set(folder, start(folder));
    }
  };
  const close = (folder: string): void => {
    opened.get(folder)?.close();
    opened.delete(folder);
    batch.forget(folder);
  };

  return {
    async open(folder) {
      if (isDisposed) return;
      const existing = opened.get(folder);
      const [oldest] = opened.keys();
      if (existing === undefined && opened.size >= limits.watchedFolders && oldest !== undefined) close(oldest);
      const watched = existing ?? start(folder);
      // Reinserted as the most recent, so it is closed last.
      opened.delete(folder);
      opened.set(folder, watched);
      await watched.ready;
    },
    close,
    dispose() {
      isDisposed = true;
      batch.dispose();
      for (const watched of opened.values()) watched.close();
      opened.clear();
    },
  };
}

/** Batches changes and reports them per folder after watchBatchMs. */
function makeChangeBatch(root: string, options: WatchOptions) {
  const pending = new Map<string, { readonly paths: Set<string>; hasNewEntries: boolean }>();
  let timer: NodeJS.Timeout | undefined;
  let isGone = false;
  let isDisposed = false;
  const report = (): void => {
    timer = undefined;
    const changes = [...pending];
    pending.clear();
    if (!isGone && !existsSync(root)) {
      isGone = true;
      options.onGone?.();
    }
    for (const [folder, { paths, hasNewEntries }] of changes)
      options.onChange({ folder, paths: [...paths], hasNewEntries });
  };
  const note = (folder: string, path: string, hasNewEntries: boolean): void => {
    const name = posix.basename(path);
    if (isDisposed || isTemporaryName(name)) return;
    const change = pending.get(folder) ?? { paths: new Set(), hasNewEntries: false };
    pending.set(folder, change);
    change.paths.add(path);
    change.hasNewEntries ||= hasNewEntries || name === ignoreFile;
    timer ??= setTimeout(report, watchBatchMs);
  };
  return {
    note,
    forget: (folder: string) => pending.delete(folder),
    dispose() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}

const exhaustedErrors: ReadonlySet<string> = new Set(["ENOSPC", "EMFILE", "ENFILE"]);

interface OpenWatch {
  /** Resolves when changes are reported, or the folder cannot be watched. */
  readonly ready: Promise<void>;
  close(): void;
}

/** Receives an entry of the folder that changed, null = unknown, and whether entries were added or removed. */
type NoteEntry = (name: string | null, hasNewEntries: boolean) => void;

/** Entries of a folder up to which each has a watch of its own, and which are polled. */
const maxWatchedEntries = 2_000;

/** Watches a folder; `onExhausted` is called if the system has no watches left. */
function watchFolder(absolute: string, polling: boolean, note: NoteEntry, onExhausted: () => void): OpenWatch {
  const closed = new AbortController();
  const onError = (error: unknown): void => {
    if (!closed.signal.aborted && exhaustedErrors.has(errnoName(error))) onExhausted();
  };
  const start = async (): Promise<void> => {
    if (!polling && (await hasMoreEntries(absolute, maxWatchedEntries)))
      watchLargeFolder(absolute, note, onError, closed.signal);
    else await watchEntries(absolute, polling, note, onError, closed.signal);
  };
  return { ready: start(), close: () => closed.abort() };
}

/** Watches a folder by one watch of the system, whatever its size. */
function watchLargeFolder(
  absolute: string,
  note: NoteEntry,
  onError: (error: unknown) => void,
  closed: AbortSignal,
): void {
  if (closed.aborted) return;
  try {
    const options = { persistent: false, signal: closed };
    watch(absolute, options, (event, name) => note(name, event === "rename")).on("error", onError);
  } catch (error) {
    onError(error);
  }
}

/** Watches the entries of a folder one by one; polling is limited to the first `maxWatchedEntries`. */
async function watchEntries(
  absolute: string,
  polling: boolean,
  note: NoteEntry,
  onError: (error: unknown) => void,
  closed: AbortSignal,
): Promise<void> {
  const { watch: watchPath } = await import("chokidar");
  if (closed.aborted) return;
  const polled = new Set<string>();
  const isIgnored = (path: string): boolean => {
    if (!polling || polled.has(path)) return false;
    if (polled.size > maxWatchedEntries) return true;
    polled.add(path);
    return false;
  };
  const watcher = watchPath(absolute, {
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    usePolling: polling,
    interval: watchPollMs,
    ignored: isIgnored,
  });
  closed.addEventListener("abort", () => void watcher.close(), { once: true });
  watcher.on("all", (event, path) => {
    if (event.startsWith("unlink")) polled.delete(path);
    note(path === absolute ? null : posix.basename(path), event !== "change");
  });
  // A folder that is replaced at once is no event of its own, nor is a change in the moment after a file was replaced.
  watcher.on("raw", (event, name, details) => {
    if (typeof name !== "string") return;
    const isOfFolder = isRecord(details) && details.watchedPath === absolute;
    if (event === "rename" || (event === "change" && isOfFolder)) note(posix.basename(name), event === "rename");
  });
  await new Promise<void>((resolve) => {
    watcher.on("ready", resolve);
    closed.addEventListener("abort", () => resolve(), { once: true });
    watcher.on("error", (error) => {
      onError(error);
      resolve();
    });
  });
}

async function hasMoreEntries(absolute: string, count: number): Promise<boolean> {
  let entries = 0;
  try {
    for await (const _ of await opendir(absolute)) if ((entries += 1) > count) return true;
  } catch {
    // The folder is missing or cannot be read: watching it reports that.
  }
  return false;
}
