/**
 * The files of a look with their times of change, kept small: tells later, by asking for these times alone, whether a file was
 * written in a way that no folder reports (through a hard link or a memory map). Used by image-look.ts.
 */
import type { BlobId } from "@/lib/id";
import { asId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { hashOf } from "../base/id";
import { changedNsOf, type FileRead, type Pace } from "./image-scan";

/** Files that must be read again to know: with more of them a look at everything is no dearer. */
const maxRead = 200;

export interface KnownTimes {
  /** `changedNs` as a scan has it; null = its time tells nothing, because it was written a moment before. */
  set(path: string, changedNs: number | null): void;
  /** No more is set: the form in which it is kept. */
  end(): UnchangedFiles;
}

export interface UnchangedFiles {
  /** All are as they were. False also when there was no time to find out. */
  hold(disk: Disk, pace: Pace): Promise<boolean>;
}

interface Disk {
  readonly root: string;
  /** The kept content; null or undefined = there is none to compare with. */
  blobOf(path: string): BlobId | null | undefined;
  /** null = it cannot be read. */
  read(path: string): FileRead | null;
}

export function makeKnownTimes(): KnownTimes {
  const known = new Map<string, number | null>();
  return {
    set: (path, changedNs) => void known.set(path, changedNs),
    end: () => unchangedFiles(known),
  };
}

/** No file name has a NUL. */
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
