/** Tells which open folders changed on disk: one level each, never the whole tree. Built by main for each project; used by the file handlers. */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { FSWatcher } from "chokidar";
import { limits } from "@/lib/settings";
import { errnoOf } from "./file-errors";
import { isTemporaryName } from "./write-file";

export interface FolderChange {
  /** Relative to the root, "." for the root itself. */
  readonly folder: string;
  /** Direct entries that came, went or changed; relative to the root, each once. */
  readonly paths: readonly string[];
}

export interface WatchOptions {
  /** What happened in one folder within limits.watchBatchMs. */
  readonly onChange: (change: FolderChange) => void;
  /** The system has no watches left: changes are found by polling from now on. Called at most once. */
  readonly onFallback?: () => void;
  /** The root itself is gone, noticed with a change in an open folder. Called at most once. */
  readonly onGone?: () => void;
}

export interface Watcher {
  /** Resolves when changes are told from now on. Again, or over limits.watchedFolders (the oldest is closed), is fine. */
  open(folder: string): Promise<void>;
  close(folder: string): void;
  dispose(): Promise<void>;
}

/** `root` is the real path of the project; folders are relative to it and were checked by the caller. */
export function makeWatcher(root: string, options: WatchOptions): Watcher {
  const opened = new Map<string, Promise<FSWatcher>>();
  const batch = makeBatch(root, options);
  let polling = false;
  let isDisposed = false;

  const fallBack = (): void => {
    if (polling || isDisposed) return;
    polling = true;
    options.onFallback?.();
    for (const folder of [...opened.keys()]) {
      close(folder);
      opened.set(folder, watchFolder(root, folder, polling, batch.note, fallBack));
    }
  };
  const close = (folder: string): void => {
    const watcher = opened.get(folder);
    opened.delete(folder);
    batch.forget(folder);
    void watcher?.then((open) => open.close());
  };

  /** The fallback may put another watcher in the place of the one that is waited for. */
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
      const watcher = known ?? watchFolder(root, folder, polling, batch.note, fallBack);
      // Asked for last, closed last.
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

type Note = (folder: string, absolute: string) => void;

/** Gathers what happens and tells it folder by folder, a moment later. */
function makeBatch(root: string, options: WatchOptions) {
  const pending = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;
  let isGone = false;
  let isDisposed = false;
  const tell = (): void => {
    timer = undefined;
    const changes = [...pending];
    pending.clear();
    if (!isGone && !existsSync(root)) {
      isGone = true;
      options.onGone?.();
    }
    for (const [folder, paths] of changes) options.onChange({ folder, paths: [...paths] });
  };
  const note: Note = (folder, absolute) => {
    if (isDisposed || isTemporaryName(posix.basename(absolute))) return;
    const paths = pending.get(folder) ?? new Set();
    pending.set(folder, paths.add(posix.relative(root, absolute) || "."));
    timer ??= setTimeout(tell, limits.watchBatchMs);
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

const exhausted: ReadonlySet<string> = new Set(["ENOSPC", "EMFILE", "ENFILE"]);

/** Resolves when the folder is watched, or cannot be: then `onExhausted` has been called when polling may help. */
async function watchFolder(
  root: string,
  folder: string,
  polling: boolean,
  note: Note,
  onExhausted: () => void,
): Promise<FSWatcher> {
  const { watch } = await import("chokidar");
  const watcher = watch(posix.join(root, folder), {
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    usePolling: polling,
    interval: limits.watchPollMs,
  });
  watcher.on("all", (_event, path) => note(folder, path));
  await new Promise<void>((resolve) => {
    watcher.on("ready", resolve);
    watcher.on("error", (error) => {
      if (exhausted.has(errnoOf(error))) onExhausted();
      resolve();
    });
  });
  return watcher;
}
