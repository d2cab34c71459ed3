/** Flattens the file tree to visible rows and computes keyboard moves. Pure. */
import type { FileNode, Folder } from "@/lib/workspace/project-files";
import type { Layout } from "../state/workbench/layout";
import type { TreeRowShape } from "../ui/layout/tree-keys";

export interface FileTreeRow {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly kind: FileNode["kind"] | "more" | "failed" | "new";
  readonly isOpen: boolean;
  readonly isLoading: boolean;
  readonly isIgnored: boolean;
  /** For `more`: number of unlisted files. */
  readonly unlistedCount: number;
}

/** A folder's list, or "failed"; undefined = not loaded. */
export type FolderState = Folder | "failed" | undefined;

/** Folders first, then by name: numeric and case-insensitive. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const compareNodes = (a: FileNode, b: FileNode): number =>
  Number(b.kind === "folder") - Number(a.kind === "folder") ||
  collator.compare(a.name, b.name) ||
  (a.name < b.name ? -1 : 1);

const sortedByFolder = new WeakMap<Folder, readonly FileNode[]>();

/** Returns the entries in the order of the tree; sorts each list once. */
function sortedNodes(folder: Folder): readonly FileNode[] {
  const existing = sortedByFolder.get(folder) ?? [...folder.nodes].sort(compareNodes);
  sortedByFolder.set(folder, existing);
  return existing;
}

type HiddenKinds = Pick<Layout["tree"], "hidesDotFiles" | "hidesIgnored">;

/** Returns the filter of the entries of a folder; Git's own folder is never shown. */
const makeEntryFilter =
  ({ hidesDotFiles, hidesIgnored }: HiddenKinds) =>
  ({ name }: FileNode, isIgnored: boolean): boolean =>
    name !== ".git" && !(hidesDotFiles && name.startsWith(".")) && !(hidesIgnored && isIgnored);

interface RowSource {
  readonly folderAt: (path: string) => FolderState;
  readonly expanded: ReadonlySet<string>;
  readonly isShown: (node: FileNode, isIgnored: boolean) => boolean;
}

/** Returns the rows of all expanded folders below "". A folder without data yet is marked as loading. */
export function buildFileTreeRows(
  folderAt: (path: string) => FolderState,
  expanded: ReadonlySet<string>,
  hidden: HiddenKinds = { hidesDotFiles: false, hidesIgnored: false },
): readonly FileTreeRow[] {
  const rows: FileTreeRow[] = [];
  addFolder(rows, "", 0, { folderAt, expanded, isShown: makeEntryFilter(hidden) }, false);
  return rows;
}

function addFolder(rows: FileTreeRow[], path: string, depth: number, source: RowSource, ignored: boolean): void {
  const { folderAt, expanded, isShown } = source;
  const folder = folderAt(path);
  if (folder === undefined) return;
  if (folder === "failed") {
    rows.push(specialRow("failed", path, depth, 0));
    return;
  }
  for (const node of sortedNodes(folder)) {
    if (!isShown(node, ignored || node.ignored)) continue;
    const isOpen = node.kind === "folder" && expanded.has(node.path);
    const isIgnored = ignored || node.ignored;
    const isLoading = isOpen && folderAt(node.path) === undefined;
    rows.push({
      path: node.path,
      name: node.name,
      depth,
      kind: node.kind,
      isOpen,
      isLoading,
      isIgnored,
      unlistedCount: 0,
    });
    if (isOpen) addFolder(rows, node.path, depth + 1, source, isIgnored);
  }
  const left = folder.total - folder.nodes.length;
  if (left > 0) rows.push(specialRow("more", path, depth, left));
}

const specialRow = (kind: "more" | "failed", path: string, depth: number, left: number): FileTreeRow => ({
  path: `${path}/`,
  name: "",
  depth,
  kind,
  isOpen: false,
  isLoading: false,
  isIgnored: true,
  unlistedCount: left,
});

/** Depth of a row for the keys of a tree, and whether it is an open folder. */
export const shapeOfFileRow = ({ depth, kind, isOpen }: FileTreeRow): TreeRowShape =>
  kind === "folder" ? { depth, isOpen } : { depth };

/** Index of the next row after `at` whose name starts with `typed`, wrapping around; -1 = none. */
export function findRowByPrefix(rows: readonly FileTreeRow[], at: number, typed: string): number {
  const needle = typed.toLowerCase();
  // A repeated single letter moves to the next match; a longer prefix may match the current row.
  const first = typed.length === 1 ? 1 : 0;
  for (let step = first; step < rows.length + first; step += 1) {
    const index = (at + step) % rows.length;
    if (rows[index]?.name.toLowerCase().startsWith(needle) === true) return index;
  }
  return -1;
}

export type NameProblem = "empty" | "unfinished" | "slash" | "folders" | "dots" | "exists";

/**
 * Validates a new name, which has folders before it (`folder/name`) only if `mayHaveFolders`; null = valid. The server
 * checks the rest.
 */
export function findNameProblem(
  name: string,
  siblings: readonly string[],
  mayHaveFolders: boolean,
): NameProblem | null {
  const trimmed = name.trim();
  if (trimmed === "") return "empty";
  if (!mayHaveFolders && /[/\\\0]/.test(trimmed)) return "slash";
  if (/^\/|\/\/|[\\\0]/.test(trimmed)) return "folders";
  if (trimmed.split("/").some((part) => part === "." || part === "..")) return "dots";
  if (trimmed.endsWith("/")) return "unfinished";
  return siblings.includes(trimmed) ? "exists" : null;
}

/** Inserts a row for the new name as the first one of its folder. */
export function withNewRow(rows: readonly FileTreeRow[], folder: string): readonly FileTreeRow[] {
  const at = folder === "" ? 0 : rows.findIndex((row) => row.path === folder) + 1;
  const depth = folder === "" ? 0 : (rows[at - 1]?.depth ?? -1) + 1;
  const fresh: FileTreeRow = {
    path: `${folder}//new`,
    name: "",
    depth,
    kind: "new",
    isOpen: false,
    isLoading: false,
    isIgnored: false,
    unlistedCount: 0,
  };
  return [...rows.slice(0, at), fresh, ...rows.slice(at)];
}
