/** Lists folders of any size in pages. */
import type { Dirent } from "node:fs";
import { ok } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import type { FolderPosition } from "@/lib/workspace/project-files";
import { beginTimeSlice } from "@/server/base/steps";
import type { SafePath } from "@/server/security/paths/safe-path";
import { loadUnignoredRules, type ProjectPolicy } from "../../search/ignore-rules";
import type { Files, FolderPage } from "../../workspace";
import { catchFileErrors } from "../file-errors";
import { statsKind, withOpenFolder } from "../file-handle";
import { isTemporaryName } from "../write-file";
import { compareFoldersFirst, readFirstEntries } from "./folder-entries";

/** Time for which a list is cached for its next page, ms. */
const keepMs = 10_000;
/** Names and positions of a page, UTF-16 units. */
export const folderPageMaxChars = 2_000_000;

interface SortedFolder {
  readonly entries: readonly Dirent[];
  readonly total: number;
}

/**
 * Makes `Files.listPage`. The first page is read with bounded memory; the second one reads the whole list, which is cached
 * until its last page was read or no page is read for `keepMs`.
 */
export function makeFolderPages(policy: ProjectPolicy): Files["listPage"] {
  let cached: { readonly folder: string; readonly list: SortedFolder; readonly timer: NodeJS.Timeout } | null = null;
  const forget = (): void => {
    clearTimeout(cached?.timer);
    cached = null;
  };
  const cache = (folder: string, list: SortedFolder): void => {
    forget();
    cached = { folder, list, timer: setTimeout(forget, keepMs).unref() };
  };
  return (path, max, after) =>
    catchFileErrors(path.relative, async () => {
      const folder = path.absolute;
      if (after === undefined) {
        if (cached?.folder === folder) forget();
        return ok(await toPage(policy, path, await readFolder(folder, max), 0, max));
      }
      const list = cached?.folder === folder ? cached.list : await readFolder(folder, limits.treeFolderEntries);
      const from = indexAfter(list.entries, after);
      const page = await toPage(policy, path, list, from, max);
      if (from + page.entries.length < list.entries.length) cache(folder, list);
      else if (cached?.folder === folder) forget();
      return ok(page);
    });
}

const readFolder = (folder: string, max: number): Promise<SortedFolder> =>
  withOpenFolder(folder, async (place) => {
    const isShown = ({ name }: Dirent): boolean => name !== ".git" && !isTemporaryName(name);
    const { entries, moreFolders, moreFiles } = await readFirstEntries(place, max, isShown);
    return { entries, total: entries.length + moreFolders + moreFiles };
  });

/** Returns the index of the first entry that sorts after a position. */
function indexAfter(entries: readonly Dirent[], { name, isFolder }: FolderPosition): number {
  const position = { name, isDirectory: () => isFolder };
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = entries[middle];
    if (other !== undefined && compareFoldersFirst(other, position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns at most `max` entries, and at most as many as fit into `folderPageMaxChars` with their paths. */
async function toPage(
  policy: ProjectPolicy,
  path: SafePath,
  list: SortedFolder,
  from: number,
  max: number,
): Promise<FolderPage> {
  const rules = await loadUnignoredRules(policy, path.relative);
  const turn = beginTimeSlice();
  const entries: FolderPage["entries"][number][] = [];
  let chars = 0;
  for (const entry of list.entries.slice(from, from + max)) {
    chars += path.relative.length + 2 * entry.name.length;
    if (entries.length > 0 && chars > folderPageMaxChars) break;
    const kind = statsKind(entry);
    entries.push({ name: entry.name, kind, ignored: rules === null || rules.ignores(entry.name, kind === "folder") });
    if (turn.isOver()) await turn.next();
  }
  return { entries, total: list.total };
}
