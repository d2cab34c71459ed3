/**
 * Knows whether anything in a set of folders was written, made, renamed or removed since they were looked at, so that a look that
 * found everything in order need not be repeated. Where that cannot be known for certain it says no. Used by images.ts.
 */
import { type FSWatcher, readFileSync, statfsSync, statSync, watch } from "node:fs";
import { posix } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface FolderWatches {
  /** From now on counts anew: what was reported so far belongs to the time before. */
  begin(): Promise<void>;
  /** Watches a folder (absolute). To be called before it is read. */
  add(folder: string): void;
  /** Nothing was reported since `begin`, and every folder added since then is watched. */
  isQuiet(): Promise<boolean>;
  close(): void;
}

/** Local file systems that report every write of every process: ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs, bcachefs. */
const reporting: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

const maxFolders = 4_000;
/** Of the watches the system has for this user. */
const watchShare = 1 / 4;

/** `root` is the real path of the project. */
export function makeFolderWatches(root: string): FolderWatches {
  const watchers = new Map<string, FSWatcher>();
  /** Folders that may not be what their watcher was made for any more. */
  const stale = new Set<string>();
  let changes = 0;
  let seen = new Set<string>();
  /** null = it cannot be known here. */
  let place = placeOf(root);

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
    // The folder itself, or what is in it, may be another one now.
    stale.add(folder);
    if (name !== null) stale.add(`${folder}/${name}`);
  };
  return {
    async begin() {
      await reported();
      const isStale = staleBelow(root, stale);
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
      await reported();
      return place !== null && seen.size > 0 && changes === 0;
    },
    close,
  };
}

/** The folder, or one it is in, may be another one now. */
const staleBelow = (root: string, stale: ReadonlySet<string>) => {
  const isStale = (folder: string): boolean =>
    stale.has(folder) || (folder.length > root.length && isStale(posix.dirname(folder)));
  return isStale;
};

/** Everything the system has to report by now was taken in: between two turns of the loop it is asked. */
async function reported(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Only Linux reports in order and at once. */
function placeOf(root: string): { readonly device: number; readonly max: number } | null {
  if (process.platform !== "linux") return null;
  try {
    if (!reporting.has(statfsSync(root).type)) return null;
    const watches = Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
    return { device: statSync(root).dev, max: Math.min(maxFolders, Math.floor(watches * watchShare)) };
  } catch {
    return null;
  }
}
