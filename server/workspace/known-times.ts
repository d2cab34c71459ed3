/**
 * Stores the change times of the files of a scan compactly. Comparing them later detects writes that no folder
 * reports (through a hard link or a memory map).
 */
import type { BlobId } from "@/lib/id";
import { asId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { hashOf } from "../base/id";
import { changedNsOf, type FileRead, type Pace } from "./image-scan";

/** Maximum files to read for the check; beyond that a full scan costs no more. */
const maxRead = 200;

export interface KnownTimes {
  /** Sets a change time as reported by a scan; null = the time is inconclusive because the file was just written. */
  set(path: string, changedNs: number | null): void;
  /** Ends the collection and returns its compact form. */
  end(): UnchangedFiles;
}

export interface UnchangedFiles {
  /** Returns whether all files are unchanged; false also if the time runs out. */
  hold(disk: Disk, pace: Pace): Promise<boolean>;
}

interface Disk {
  readonly root: string;
  /** Blob id of the stored content; null or undefined = none to compare with. */
  blobOf(path: string): BlobId | null | undefined;
  /** null = the file cannot be read. */
  read(path: string): FileRead | null;
}

export function makeKnownTimes(): KnownTimes {
  const known = new Map<string, number | null>();
  return {
    set: (path, changedNs) => void known.set(path, changedNs),
    end: () => unchangedFiles(known),
  };
}

/** No file name contains NUL. */
const separator = "\0";

function unchangedFiles(known: ReadonlyMap<string, number | null>): UnchangedFiles {
  const paths = Buffer.from([...known.keys()].join(separator));
  const times = Float64Array.from(known.values(), (changedNs) => changedNs ?? Number.NaN);
  return {
    async hold(disk, pace) {
      if (times.length === 0) return true;
      let toRead = 0;
      for (const [index, path] of paths.toString().split(separator).entries()) {
        const changedNs = times[index] ?? Number.NaN;
        if (Number.isNaN(changedNs)) {
          toRead += 1;
          if (toRead > maxRead || !isContent(disk, path)) return false;
        } else if (changedNsOf(`${disk.root}/${path}`) !== changedNs) return false;
        if (pace.isDue() && !(await pace.next())) return false;
      }
      return true;
    },
  };
}

function isContent({ blobOf, read }: Disk, path: string): boolean {
  const blob = blobOf(path) ?? null;
  const bytes = blob === null ? null : (read(path)?.bytes ?? null);
  return bytes !== null && bytes.length <= limits.imageFileBytes && asId<BlobId>(hashOf(bytes)) === blob;
}
