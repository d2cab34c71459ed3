"use client";
/** Reads and watches the expanded folders of the tree. */
import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import type { Folder } from "@/lib/workspace/project-files";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import type { FolderState } from "./file-tree-rows";

/** Returns the state per visible folder: only folders with expanded parents are read. */
export function useFolders(projectId: ProjectId, expanded: readonly string[]): ReadonlyMap<string, FolderState> {
  const { watchedFolders } = useClient();
  const visible = useMemo(() => visibleFolders(expanded), [expanded]);
  useEffect(() => watchedFolders.show(projectId, "tree", visible), [watchedFolders, projectId, visible]);
  const combine = useCallback(
    (results: readonly { readonly data: Folder | undefined; readonly isError: boolean }[]) =>
      new Map<string, FolderState>(
        visible.map((path, index) => [path, results[index]?.data ?? (results[index]?.isError ? "failed" : undefined)]),
      ),
    [visible],
  );
  return useQueries({ queries: visible.map((path) => queries.folder(projectId, path)), combine });
}

/** Returns "" and every expanded folder whose parents are all expanded, parents first. */
export function visibleFolders(expanded: readonly string[]): readonly string[] {
  const open = new Set(expanded);
  const isVisible = (path: string): boolean => {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    return open.has(path) && (parent === "" || isVisible(parent));
  };
  return ["", ...[...open].filter((path) => path !== "" && isVisible(path)).sort()];
}
