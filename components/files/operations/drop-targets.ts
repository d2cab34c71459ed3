/** Finds the folders into which dragged or cut entries of the file tree may be moved. Pure. */
import { isWithin, parentFolder } from "@/lib/workspace/project-path";
import type { FileTreeRow } from "../file-tree-rows";

/** Returns the folder that a row stands for as a target: itself, or the folder of a file; no row = the project. */
export const folderOfRow = (row: Pick<FileTreeRow, "path" | "kind"> | undefined): string =>
  row === undefined ? "" : row.kind === "folder" ? row.path : parentFolder(row.path);

/** Returns the paths that a move into the folder changes; none if one of them would move into itself. */
export function movablePaths(paths: readonly string[], folder: string): readonly string[] {
  if (paths.some((path) => isWithin(path, folder))) return [];
  return paths.filter((path) => parentFolder(path) !== folder);
}
