/** Finds changes of a folder from before it was watched, which no watch reports. */
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeSlots } from "@/server/base/concurrency";

interface MissedChanges {
  /** Entries may have been added or removed. */
  readonly hasNewEntries: boolean;
  /** Names of files in the folder that may have changed. */
  readonly names: readonly string[];
}

/** Files that are compared; those of a larger folder are not. */
const maxFiles = 2_000;
const statsAtOnce = 16;

/** Compares modification times with `since`, ms epoch. Rejects with the error of the operating system. */
export async function findMissedChanges(folder: string, since: number): Promise<MissedChanges> {
  const hasNewEntries = (await stat(folder)).mtimeMs >= since;
  const files: string[] = [];
  for await (const entry of await opendir(folder, { bufferSize: 512 })) {
    if (entry.isFile()) files.push(entry.name);
    if (files.length > maxFiles) return { hasNewEntries, names: [] };
  }
  const slots = makeSlots(statsAtOnce);
  const isChanged = async (name: string): Promise<boolean> => {
    try {
      return (await stat(join(folder, name))).mtimeMs >= since;
    } catch {
      // It was removed meanwhile, which the watch reports.
      return false;
    }
  };
  const changed = await Promise.all(files.map((name) => slots(() => isChanged(name))));
  return { hasNewEntries, names: files.filter((_, index) => changed[index]) };
}
