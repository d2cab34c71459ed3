/** The files of a run that a commit could contain. Pure. */
import type { ChangedFile } from "@/lib/workspace/changes";
import type { RepositoryStatus } from "../source-rows";

export interface RunFile {
  readonly path: string;
  readonly change: ChangedFile;
  /** Its staged content differs from that on the disk. */
  readonly isStagedOtherwise: boolean;
}

/** Returns the files that the run changed and that still differ from the last commit. */
export function findRunFiles(
  changes: readonly ChangedFile[],
  { staged, changed, untracked }: RepositoryStatus,
): readonly RunFile[] {
  const [inIndex, onDisk] = [toPaths(staged), toPaths(changed)];
  const folders = untracked.flatMap(({ path }) => (path.endsWith("/") ? [path] : []));
  const isNew = toPaths(untracked);
  return changes.flatMap((change) => {
    const { path } = change;
    const differs = inIndex.has(path) || onDisk.has(path) || isNew.has(path);
    if (!differs && !folders.some((folder) => path.startsWith(folder))) return [];
    return [{ path, change, isStagedOtherwise: inIndex.has(path) && (onDisk.has(path) || isNew.has(path)) }];
  });
}

/** Returns all paths; of a renamed file both. */
const toPaths = (entries: RepositoryStatus["staged"]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
