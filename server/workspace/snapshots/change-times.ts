/**
 * Stores the change times of the files of a scan compactly. Comparing them later detects writes that no folder
 * reports (through a hard link or a memory map).
 */
import type { BlobId } from "@/lib/events/id";
import { asId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { computeHash } from "@/server/base/id";
import { changeTimeNs, type RegularFileRead, type ScanPace } from "./snapshot-scan";

/** Maximum files to read for the check; beyond that a full scan costs no more. */
const maxRereadFiles = 200;

export interface ChangeTimes {
  /** Sets a change time as reported by a scan; null = the time is inconclusive because the file was just written. */
  set(path: string, changedNs: number | null): void;
  /** Ends the collection and returns its compact form. */
  freeze(): UnchangedFiles;
}

export interface UnchangedFiles {
  /** Returns whether all files are unchanged; false also if the time runs out. */
  areUnchanged(disk: StoredContent, pace: ScanPace): Promise<boolean>;
}

interface StoredContent {
  readonly root: string;
  /** Blob id of the stored content; null or undefined = none to compare with. */
  blobOf(path: string): BlobId | null | undefined;
  /** null = the file cannot be read. */
  read(path: string): RegularFileRead | null;
}

export function makeChangeTimes(): ChangeTimes {
  const changeTimes = new Map<string, number | null>();
  return {
    set: (path, changedNs) => void changeTimes.set(path, changedNs),
    freeze: () => makeUnchangedFiles(changeTimes),
  };
}

/** No file name contains NUL. */
const pathSeparator = "\0";

function makeUnchangedFiles(changeTimes: ReadonlyMap<string, number | null>): UnchangedFiles {
  const paths = Buffer.from([...changeTimes.keys()].join(pathSeparator));
  const times = Float64Array.from(changeTimes.values(), (changedNs) => changedNs ?? Number.NaN);
  return {
    async areUnchanged(disk, pace) {
      if (times.length === 0) return true;
      let toRead = 0;
      for (const [index, path] of paths.toString().split(pathSeparator).entries()) {
        const changedNs = times[index] ?? Number.NaN;
        if (Number.isNaN(changedNs)) {
          toRead += 1;
          if (toRead > maxRereadFiles || !hasStoredContent(disk, path)) return false;
        } else if (changeTimeNs(`${disk.root}/${path}`) !== changedNs) return false;
        if (pace.isSliceOver() && !(await pace.nextSlice())) return false;
      }
      return true;
    },
  };
}

function hasStoredContent({ blobOf, read }: StoredContent, path: string): boolean {
  const blob = blobOf(path) ?? null;
  const bytes = blob === null ? null : (read(path)?.bytes ?? null);
  return bytes !== null && bytes.length <= serverLimits.imageFileBytes && asId<BlobId>(computeHash(bytes)) === blob;
}
