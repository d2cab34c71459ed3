/**
 * Detects changes (write, create, rename, delete) in a set of folders since the last scan, so that a clean scan need
 * not be repeated. Reports a change wherever the absence of changes is not certain.
 */
import { type FSWatcher, readFileSync, statfsSync, statSync, watch } from "node:fs";
import { posix } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

interface FolderWatches {
  /** Starts a new period: events reported so far belong to the previous one. */
  begin(): Promise<void>;
  /** Watches a folder (absolute path). Call before it is read. */
  add(folder: string): void;
  /** Returns whether no event was reported since `begin` and every folder added since then is watched. */
  isQuiet(): Promise<boolean>;
  close(): void;
}

/**
 * Local file systems that report every write of every process: ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs, bcachefs.
 */
const reliableFileSystems: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

const maxFolders = 4_000;
/** Share of the user's inotify watches. */
const watchShare = 1 / 4;

/** Creates the watches of a project; `root` is its real path. */
export function makeFolderWatches(root: string): FolderWatches {
  const watchers = new Map<string, FSWatcher>();
  /** Folders that may have been replaced since their watcher was created. */
  const stale = new Set<string>();
  let changes = 0;
  let seen = new Set<string>();
  /** null = changes cannot be detected reliably here. */
  let place = watchLimits(root);

  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
    stale.clear();
  };
  const giveUp = (): void => {
    place = null;
    close();
  };
  const note = (folder: string, event: string, name: string | null): void => {
    changes += 1;
    if (event !== "rename") return;
    // The folder itself, or the entry in it, may have been replaced.
    stale.add(folder);
    if (name !== null) stale.add(`${folder}/${name}`);
  };
  return {
    async begin() {
      await pendingEventsDelivered();
      const isStale = makeStaleCheck(root, stale);
      for (const [folder, watcher] of watchers) {
        if (seen.has(folder) && !isStale(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      stale.clear();
      changes = 0;
      seen = new Set();
    },
    add(folder) {
      if (place === null) return;
      seen.add(folder);
      if (watchers.has(folder)) return;
      try {
        if (watchers.size >= place.max || statSync(folder).dev !== place.device) return giveUp();
        const watcher = watch(folder, { persistent: false }, (event, name) => note(folder, event, name));
        watcher.on("error", giveUp);
        watchers.set(folder, watcher);
      } catch {
        giveUp();
      }
    },
    async isQuiet() {
      await pendingEventsDelivered();
      return place !== null && seen.size > 0 && changes === 0;
    },
    close,
  };
}

/** Returns a check whether a folder, or one of its parents, may have been replaced. */
const makeStaleCheck = (root: string, stale: ReadonlySet<string>) => {
  const isStale = (folder: string): boolean =>
    stale.has(folder) || (folder.length > root.length && isStale(posix.dirname(folder)));
  return isStale;
};

/**
 * Waits until all pending events of the system are delivered: they are polled between two turns of the event loop.
 */
async function pendingEventsDelivered(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/**
 * Returns the device and watch limit of the root; null if events are unreliable. Only Linux reports in order and
 * without delay.
 */
function watchLimits(root: string): { readonly device: number; readonly max: number } | null {
  if (process.platform !== "linux") return null;
  try {
    if (!reliableFileSystems.has(statfsSync(root).type)) return null;
    const watches = Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
    return { device: statSync(root).dev, max: Math.min(maxFolders, Math.floor(watches * watchShare)) };
  } catch {
    return null;
  }
}
