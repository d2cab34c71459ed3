/**
 * Reads the entries of a folder in display order: in sorted runs that are merged in time slices, so that a folder of
 * 100,000 files does not block the event loop.
 */
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import type { Steps } from "@/lib/async/steps";
import { runStepsInSlices } from "@/server/base/steps";
import { neverAborted } from "@/server/base/abort";

export interface FirstFolderEntries {
  /** Folders first, then by name. */
  readonly entries: readonly Dirent[];
  /** Counts of omitted entries. */
  readonly moreFolders: number;
  readonly moreFiles: number;
}

/** Facts that the order of an entry depends on. */
type SortedEntry = Pick<Dirent, "name" | "isDirectory">;

/** Entries per read and per sorted run; the event loop runs in between. */
const runEntries = 512;

/**
 * Returns at most `max` entries accepted by `isEntryShown`; holds at most twice as many in memory. Throws the operating
 * system's error.
 */
export async function readFirstEntries(
  folder: string,
  max: number,
  isShown: (entry: Dirent) => boolean,
): Promise<FirstFolderEntries> {
  let folders = 0;
  let all = 0;
  let runs: (readonly Dirent[])[] = [];
  let run: Dirent[] = [];
  let held = 0;
  /** The entry before which an entry must sort to be returned. */
  let bound: Dirent | undefined;
  for await (const entry of await opendir(folder, { bufferSize: runEntries })) {
    if (!isShown(entry)) continue;
    all += 1;
    if (entry.isDirectory()) folders += 1;
    if (bound !== undefined && compareFoldersFirst(entry, bound) >= 0) continue;
    run.push(entry);
    if (run.length < runEntries) continue;
    runs.push(run.sort(compareFoldersFirst));
    held += run.length;
    run = [];
    if (held < 2 * max) continue;
    runs = [(await runStepsInSlices(mergeRuns(runs), neverAborted)).slice(0, max)];
    held = max;
    bound = runs[0]?.at(-1);
  }
  const sorted = await runStepsInSlices(mergeRuns([...runs, run.sort(compareFoldersFirst)]), neverAborted);
  const entries = sorted.slice(0, max);
  const moreFolders = folders - entries.filter((entry) => entry.isDirectory()).length;
  return { entries, moreFolders, moreFiles: all - entries.length - moreFolders };
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
export function compareFoldersFirst(left: SortedEntry, right: SortedEntry): number {
  const kinds = Number(right.isDirectory()) - Number(left.isDirectory());
  return kinds || nameCollator.compare(left.name, right.name) || compareCodeUnits(left.name, right.name);
}

const compareCodeUnits = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Merges sorted runs in pairs, in steps of `runEntries` entries. */
export function* mergeRuns<E extends SortedEntry>(runs: readonly (readonly E[])[]): Steps<readonly E[]> {
  let left = runs;
  while (left.length > 1) {
    const merged: (readonly E[])[] = [];
    for (let at = 0; at < left.length; at += 2) {
      merged.push(yield* mergePair(left[at] ?? [], left[at + 1] ?? []));
      yield;
    }
    left = merged;
  }
  return left[0] ?? [];
}

function* mergePair<E extends SortedEntry>(first: readonly E[], second: readonly E[]): Steps<readonly E[]> {
  const merged: E[] = [];
  let [at, other] = [0, 0];
  while (at < first.length || other < second.length) {
    const [one, two] = [first[at], second[other]];
    if (two === undefined || (one !== undefined && compareFoldersFirst(one, two) <= 0)) {
      if (one !== undefined) merged.push(one);
      at += 1;
    } else {
      merged.push(two);
      other += 1;
    }
    if (merged.length % runEntries === 0) yield;
  }
  return merged;
}
