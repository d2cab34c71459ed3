/**
 * Reads the first entries of a folder in display order with bounded memory, without blocking on folders of 100,000
 * files.
 */
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";

export interface FirstFolderEntries {
  /** Folders first, then by name. */
  readonly entries: readonly Dirent[];
  /** Counts of omitted entries. */
  readonly moreFolders: number;
  readonly moreFiles: number;
}

/** Entries per read; the event loop runs in between. */
const bufferEntries = 512;

/** Returns at most `max` entries accepted by `isEntryShown`. Throws the operating system's error. */
export async function readFirstEntries(
  folder: string,
  max: number,
  isShown: (entry: Dirent) => boolean,
): Promise<FirstFolderEntries> {
  const kept: Dirent[] = [];
  let folders = 0;
  let all = 0;
  for await (const entry of await opendir(folder, { bufferSize: bufferEntries })) {
    if (!isShown(entry)) continue;
    all += 1;
    if (entry.isDirectory()) folders += 1;
    const last = kept.at(-1);
    if (kept.length >= max && (last === undefined || compareFoldersFirst(entry, last) >= 0)) continue;
    kept.splice(insertionIndex(kept, entry), 0, entry);
    if (kept.length > max) kept.pop();
  }
  const shownFolders = kept.filter((entry) => entry.isDirectory()).length;
  const moreFolders = folders - shownFolders;
  return { entries: kept, moreFolders, moreFiles: all - kept.length - moreFolders };
}

/** Returns whether a folder has an entry accepted by `isEntryShown`. Throws the operating system's error. */
export async function hasAnyEntry(folder: string, isShown: (entry: Dirent) => boolean): Promise<boolean> {
  for await (const entry of await opendir(folder)) if (isShown(entry)) return true;
  return false;
}

const nameCollator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/**
 * Compares folders before other entries, then by name with numbers by value; ties by code unit for a stable order.
 */
function compareFoldersFirst(left: Dirent, right: Dirent): number {
  const kinds = Number(right.isDirectory()) - Number(left.isDirectory());
  return kinds || nameCollator.compare(left.name, right.name) || (left.name < right.name ? -1 : 1);
}

function insertionIndex(sorted: readonly Dirent[], entry: Dirent): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && compareFoldersFirst(other, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
