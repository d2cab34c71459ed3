"use client";
/** Visible rows of the file tree, and the name that is being edited in it. */
import { useMemo, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { buildFileTreeRows, type FileTreeRow, withNewRow } from "./file-tree-rows";
import { useFolders } from "./use-folders";

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
