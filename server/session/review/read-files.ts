/**
 * Reads the files under review of a session, and compares one again only after its steps, the decisions that wait or its content
 * have changed.
 */
import type { WaitingReview } from "@/lib/events/review-events";
import { contentText } from "@/lib/review/baseline";
import type { BlobStore } from "@/server/store/files/blobs";
import type { ProjectFiles } from "@/server/workspace/files/project-files";
import { type ReadFile, readReviewedFile } from "./read-review";
import type { StoredStep } from "./review-history";

/** Hunks to decide in a file. */
type ReviewLook = Pick<ReadFile, "found" | "hash">;

interface ReadOrder {
  readonly projectFiles: ProjectFiles;
  readonly path: string;
  readonly steps: readonly StoredStep[];
  readonly waiting: readonly WaitingReview[];
}

/** Both return null for a path that has no file of its own any more, such as a folder. */
export interface ReviewReader {
  read(order: ReadOrder): Promise<ReadFile | null>;
  look(order: ReadOrder): Promise<ReviewLook | null>;
}

interface CachedFile extends ReviewLook {
  readonly key: string;
  /** null = the file changed too recently for its stamp to tell two contents apart. */
  readonly stamp: string | null;
  readonly diskHash: string | null;
}

/** Limit of the texts of one session. */
const maxTextChars = 4_000_000;

export function makeReviewReader(blobs: Pick<BlobStore, "get">): ReviewReader {
  const cached = new Map<string, CachedFile>();
  const texts = makeTextCache();
  const readFile = async <T>(
    { projectFiles, path, steps, waiting }: ReadOrder,
    take: (before: CachedFile) => T | undefined,
  ): Promise<T | ReadFile | null> => {
    const own = waiting.filter((one) => one.path === path);
    const key = JSON.stringify([steps, own]);
    const before = cached.get(path);
    const stamp = await projectFiles.stamp(path);
    const unchanged = before?.key === key && stamp !== null && before.stamp === stamp ? take(before) : undefined;
    if (unchanged !== undefined) return unchanged;
    const disk = await projectFiles.probe(path);
    if (disk.kind === "other") return null;
    const diskHash = disk.kind === "file" ? `${disk.mode} ${disk.hash}` : null;
    const same = before?.key === key && before.diskHash === diskHash ? take(before) : undefined;
    if (before !== undefined && same !== undefined) {
      cached.set(path, { ...before, stamp });
      return same;
    }
    const file = await readReviewedFile(blobs, { path, steps, disk }, own);
    cached.set(path, { key, stamp, diskHash, found: file.found, hash: file.hash });
    texts.set(path, file);
    return file;
  };
  return {
    async look(order) {
      const file = await readFile<ReviewLook>(order, (before) => before);
      return file === null ? null : { found: file.found, hash: file.hash };
    },
    read: (order) => readFile(order, ({ hash }) => texts.get(order.path, hash)),
  };
}

/** Keeps the files that were read last. */
function makeTextCache() {
  const files = new Map<string, ReadFile>();
  let chars = 0;
  const forget = (path: string): void => {
    const file = files.get(path);
    if (file !== undefined) chars -= countChars(file);
    files.delete(path);
  };
  return {
    get(path: string, hash: ReadFile["hash"]): ReadFile | undefined {
      const file = files.get(path);
      return file?.hash === hash ? file : undefined;
    },
    set(path: string, file: ReadFile): void {
      forget(path);
      files.set(path, file);
      chars += countChars(file);
      for (const oldest of files.keys()) if (chars > maxTextChars) forget(oldest);
    },
  };
}

const countChars = ({ disk, baseline, now }: ReadFile): number =>
  (disk.kind === "file" ? (disk.bytes?.length ?? 0) : 0) +
  contentText(baseline.content).length +
  contentText(now).length;
