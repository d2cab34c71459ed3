/** The rows of the source control pane: groups with their paths. Pure. */
import type { SourceEntry, SourceGroup, SourceStatus } from "@/lib/workspace/source-control";
import type { TreeRowShape } from "../../ui/layout/tree-keys";

export type RepositoryStatus = Extract<SourceStatus, { readonly kind: "status" }>;

/** A group, or in the tree a folder, with all paths below it. */
export interface SourceGroupRow {
  readonly kind: "group" | "folder";
  readonly key: string;
  readonly group: SourceGroup;
  /** A folder's path, with its slash; "" = a group. */
  readonly path: string;
  /** Name of a folder, of several where each is alone in the one before; "" = a group. */
  readonly name: string;
  readonly depth: number;
  readonly entries: readonly SourceEntry[];
  readonly isOpen: boolean;
}

export interface SourceEntryRow {
  readonly kind: "entry";
  readonly key: string;
  readonly group: SourceGroup;
  readonly entry: SourceEntry;
  readonly depth: number;
  /** Its folder is a row above it. */
  readonly isInTree: boolean;
}

export type SourceRow = SourceGroupRow | SourceEntryRow;

/** Shape of the pane's rows below a group. */
export type SourceListShape = "list" | "tree";

/** In the order of the pane: what blocks a commit first, then what the next commit contains. */
export const sourceGroups = ["conflicts", "staged", "changed", "untracked"] as const satisfies readonly SourceGroup[];

/** Returns the groups with paths, each followed by its paths unless it is closed; `closed` = keys of groups and folders. */
export const buildSourceRows = (
  status: RepositoryStatus,
  closed: ReadonlySet<string>,
  shape: SourceListShape = "list",
): readonly SourceRow[] =>
  sourceGroups.flatMap((group): readonly SourceRow[] => {
    const entries = status[group];
    if (entries.length === 0) return [];
    const isOpen = !closed.has(group);
    const head: SourceRow = { kind: "group", key: group, group, path: "", name: "", depth: 0, entries, isOpen };
    if (!isOpen) return [head];
    if (shape === "list") return [head, ...entries.map((entry) => toEntryRow(group, entry))];
    return [head, ...buildFolder({ group, closed }, entries, "", 1)];
  });

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Folders first, then by name, as in the file tree. */
function buildFolder(
  context: { readonly group: SourceGroup; readonly closed: ReadonlySet<string> },
  entries: readonly SourceEntry[],
  path: string,
  depth: number,
): readonly SourceRow[] {
  const { group, closed } = context;
  const folders = new Map<string, SourceEntry[]>();
  const files: SourceEntry[] = [];
  for (const entry of entries) {
    const name = folderBelow(entry.path, path);
    const inside = name === "" ? files : (folders.get(name) ?? []);
    inside.push(entry);
    if (name !== "") folders.set(name, inside);
  }
  const byName = [...folders].sort(([a], [b]) => collator.compare(a, b));
  return [
    ...byName.flatMap(([name, inside]): readonly SourceRow[] => {
      const whole = extendFolder(path + name, inside);
      const key = `${group} ${whole}`;
      const isOpen = !closed.has(key);
      const row: SourceRow = {
        ...{ kind: "folder", key, group, path: whole, name: whole.slice(path.length, -1), depth },
        ...{ entries: inside, isOpen },
      };
      return isOpen ? [row, ...buildFolder(context, inside, whole, depth + 1)] : [row];
    }),
    ...files
      .sort((a, b) => collator.compare(a.path, b.path))
      .map((entry) => ({ ...toEntryRow(group, entry), depth, isInTree: true })),
  ];
}

/** Returns the first folder of a path below another, with its slash; "" = the path is directly in it. */
function folderBelow(path: string, folder: string): string {
  const end = path.indexOf("/", folder.length);
  return end < 0 || end === path.length - 1 ? "" : path.slice(folder.length, end + 1);
}

/** Returns the deepest folder that contains the same paths. */
function extendFolder(folder: string, entries: readonly SourceEntry[]): string {
  const [first] = entries;
  const next = first === undefined ? "" : folderBelow(first.path, folder);
  if (next === "" || entries.some(({ path }) => folderBelow(path, folder) !== next)) return folder;
  return extendFolder(folder + next, entries);
}

export const toEntryRow = (group: SourceGroup, entry: SourceEntry): SourceEntryRow => ({
  ...{ kind: "entry", key: `${group} ${entry.path}`, group, entry, depth: 1, isInTree: false },
});

/** Depth of a row for the keys of a tree, and whether it is open. */
export const shapeOfSourceRow = (row: SourceRow): TreeRowShape =>
  row.kind === "entry" ? { depth: row.depth } : { depth: row.depth, isOpen: row.isOpen };

export const countSourceEntries = (status: RepositoryStatus): number =>
  sourceGroups.reduce((sum, group) => sum + status[group].length, status.more);

/** Returns all paths that a command about entries names: of a renamed file both. */
export const pathsOfEntries = (entries: readonly SourceEntry[]): string[] => [
  ...new Set(entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
];
