/** Watches open folders for changes on disk: one level each, never the whole tree. */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { FSWatcher } from "chokidar";
import { limits } from "@/lib/settings/settings";
import { errnoName } from "../files/file-errors";
import { isTemporaryName } from "../files/write-file";

/** Time in which changes are joined, ms. */
const watchBatchMs = 30;
/** Interval of polling where the system reports no changes, ms. */
const watchPollMs = 1_000;

export interface FolderChange {
  /** Relative to the root, "." for the root itself. */
  readonly folder: string;
  /** Direct entries that were added, removed or changed; relative to the root, without duplicates. */
  readonly paths: readonly string[];
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
  dispose(): Promise<void>;
}

/**
 * Creates a watcher. `root` is the real path of the project; folders are relative to it and validated by the caller.
 */
export function makeFolderWatcher(root: string, options: WatchOptions): FolderWatcher {
  const opened = new Map<string, Promise<FSWatcher>>();
  const batch = makeChangeBatch(root, options);
  let polling = false;
  let isDisposed = false;

  const fallBack = (): void => {
    if (polling || isDisposed) return;
    polling = true;
    options.onFallback?.();
    for (const folder of [...opened.keys()]) {
      close(folder);
      opened.set(folder, startFolderWatch(root, folder, polling, batch.note, fallBack));
    }
  };
  const close = (folder: string): void => {
    const watcher = opened.get(folder);
    opened.delete(folder);
    batch.forget(folder);
    void watcher?.then((open) => open.close());
  };

  /** Waits for the current watcher of a folder: the fallback may replace the one being awaited. */
  const settled = async (folder: string): Promise<void> => {
    const watcher = opened.get(folder);
    await watcher;
    if (watcher !== opened.get(folder)) await settled(folder);
  };

  return {
    async open(folder) {
      if (isDisposed) return;
      const known = opened.get(folder);
      const [oldest] = opened.keys();
      if (known === undefined && opened.size >= limits.watchedFolders && oldest !== undefined) close(oldest);
      const watcher = known ?? startFolderWatch(root, folder, polling, batch.note, fallBack);
      // Reinserted as the most recent, so it is closed last.
      opened.delete(folder);
      opened.set(folder, watcher);
      await settled(folder);
    },
    close,
    async dispose() {
      isDisposed = true;
      batch.dispose();
      const watchers = [...opened.values()];
      opened.clear();
      await Promise.all(watchers.map(async (watcher) => (await watcher).close()));
    },
  };
}

type NoteChange = (folder: string, absolute: string) => void;

/** Batches changes and reports them per folder after watchBatchMs. */
function makeChangeBatch(root: string, options: WatchOptions) {
  const pending = new Map<string, Set<string>>();
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
    for (const [folder, paths] of changes) options.onChange({ folder, paths: [...paths] });
  };
  const note: NoteChange = (folder, absolute) => {
    if (isDisposed || isTemporaryName(posix.basename(absolute))) return;
    const paths = pending.get(folder) ?? new Set();
    pending.set(folder, paths.add(posix.relative(root, absolute) || "."));
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

/** Resolves when the folder is watched, or cannot be watched: then `onExhausted` was called if polling may help. */
async function startFolderWatch(
  root: string,
  folder: string,
  polling: boolean,
  note: NoteChange,
  onExhausted: () => void,
): Promise<FSWatcher> {
  const { watch } = await import("chokidar");
  const watcher = watch(posix.join(root, folder), {
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    usePolling: polling,
    interval: watchPollMs,
  });
  watcher.on("all", (_event, path) => note(folder, path));
  await new Promise<void>((resolve) => {
    watcher.on("ready", resolve);
    watcher.on("error", (error) => {
      if (exhaustedErrors.has(errnoName(error))) onExhausted();
      resolve();
    });
  });
  return watcher;
}
