/** Fetches folders of any size, page by page, and again when they change. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { limits } from "@/lib/settings/settings";
import type { Folder, FolderPosition } from "@/lib/workspace/project-files";

/**
 * Fetches a folder, at most limits.treeFolderEntries entries of it. `onFirst` gets the first page while more follow.
 * Rejects as `fetchPage` does.
 */
export async function fetchFolder(
  fetchPage: (after: FolderPosition | undefined) => Promise<Folder>,
  onFirst: (folder: Folder) => void,
): Promise<Folder> {
  let folder = await fetchPage(undefined);
  if (folder.total > folder.nodes.length) onFirst(folder);
  while (folder.nodes.length < Math.min(folder.total, limits.treeFolderEntries)) {
    const last = folder.nodes.at(-1);
    const page = await fetchPage(last && { name: last.name, isFolder: last.kind === "folder" });
    if (page.nodes.length === 0) return { ...folder, total: folder.nodes.length };
    folder = { ...page, nodes: [...folder.nodes, ...page.nodes] };
  }
  return folder;
}

/** Folders whose next fetch waits for the running one. */
const waiting = new WeakMap<QueryClient, Set<string>>();

/**
 * Fetches a folder again, after the fetch that runs: a large folder that changes all the time would never be complete
 * otherwise.
 */
export async function refreshChangedFolder(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const running = cache.getQueryCache().find({ queryKey })?.promise;
  const names = waiting.get(cache) ?? new Set();
  waiting.set(cache, names);
  const name = JSON.stringify(queryKey);
  if (names.has(name)) return;
  names.add(name);
  await running?.catch(() => {});
  names.delete(name);
  await cache.invalidateQueries({ queryKey, exact: true });
}
