"use client";
/** Visible rows of the file tree, and the name that is being edited in it. */
import { useMemo, useState, useCallback, useEffect } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { buildFileTreeRows, type FileTreeRow, withNewRow, type FolderState } from "./file-tree-rows";
import { useQueries } from "@tanstack/react-query";
import type { Folder } from "@/lib/workspace/project-files";
import { queries } from "../state/queries";

/**
 * Reads and watches the expanded folders of the tree. Returns the state per visible folder: only folders with expanded
 * parents are read.
 */
function useFolders(projectId: ProjectId, expanded: readonly string[]): ReadonlyMap<string, FolderState> {
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

/** The name being edited: of an existing row or of a new file or folder. */
type NameEdit =
  | { readonly kind: "rename"; readonly path: string }
  | { readonly kind: "file" | "folder"; readonly folder: string };

const entryKinds: ReadonlySet<FileTreeRow["kind"]> = new Set(["file", "folder", "link", "other"]);

export function useTreeRows(projectId: ProjectId) {
  const { workbench } = useClient();
  const expanded = useStore(workbench, (state) => state.layout.expanded);
  const options = useStore(workbench, (state) => state.layout.tree);
  const folders = useFolders(projectId, expanded);
  const [naming, setNaming] = useState<NameEdit | null>(null);
  const rows = useMemo(() => {
    const all = buildFileTreeRows((path) => folders.get(path), new Set(expanded), options);
    return naming === null || naming.kind === "rename" ? all : withNewRow(all, naming.folder);
  }, [folders, expanded, naming, options]);
  /** Paths of the rows that are files or folders. */
  const order = useMemo(() => rows.filter(({ kind }) => entryKinds.has(kind)).map(({ path }) => path), [rows]);
  return {
    rows,
    order,
    isLoaded: folders.get("") !== undefined,
    naming,
    setNaming,
    /** Names in a folder. */
    siblings: (folder: string): readonly string[] => {
      const state = folders.get(folder);
      return state === undefined || state === "failed" ? [] : state.nodes.map((node) => node.name);
    },
  };
}
