/** Finds changes in the folders that no snapshot has, such as node_modules: a command that made them says so. */
import { lstatSync, readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Entries examined in all folders: nearest first, since changes deep in a large folder come with one near its top. */
const examinedEntries = 1_000;
/** Entries examined without a pause for the event loop. */
const entriesPerTurn = 50;
/** Entries examined in each of very many folders. */
const examinedEntriesMin = 20;

/** The state of each folder, as a text that changes with it. */
export type SkippedFolders = ReadonlyMap<string, string>;

export async function readSkippedFolders(root: string, folders: readonly string[]): Promise<SkippedFolders> {
  const maxEntries = Math.max(examinedEntriesMin, Math.floor(examinedEntries / folders.length));
  const states = new Map<string, string>();
  for (const folder of folders) states.set(folder, await readState(`${root}/${folder}`, maxEntries));
  return states;
}

/** Returns the folders that were changed, created or deleted. */
export const findChangedFolders = (before: SkippedFolders, after: SkippedFolders): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((folder) => before.get(folder) !== after.get(folder)).sort();

async function readState(folder: string, maxEntries: number): Promise<string> {
  const queue = [folder];
  let newest = 0;
  let bytes = 0;
  for (let next = 0; next < queue.length && next < maxEntries; next += 1) {
    const path = queue[next] ?? "";
    try {
      const stats = lstatSync(path);
      newest = Math.max(newest, stats.ctimeMs);
      bytes += stats.size;
      if (stats.isDirectory() && queue.length < maxEntries)
        for (const name of readdirSync(path)) queue.push(`${path}/${name}`);
    } catch {
      // It was deleted meanwhile, or cannot be read.
    }
    if (next % entriesPerTurn === 0) await nextTurn();
  }
  return `${newest} ${bytes} ${queue.length}`;
}
