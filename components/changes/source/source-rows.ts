/** The rows of the source control pane: groups with their paths. Pure. */
import type { SourceEntry, SourceGroup, SourceStatus } from "@/lib/workspace/source-control";

export type RepositoryStatus = Extract<SourceStatus, { readonly kind: "status" }>;

export interface SourceGroupRow {
  readonly kind: "group";
  readonly key: string;
  readonly group: SourceGroup;
  readonly entries: readonly SourceEntry[];
  readonly isOpen: boolean;
}

export interface SourceEntryRow {
  readonly kind: "entry";
  readonly key: string;
  readonly group: SourceGroup;
  readonly entry: SourceEntry;
}

export type SourceRow = SourceGroupRow | SourceEntryRow;

/** In the order of the pane: what blocks a commit first, then what the next commit contains. */
export const sourceGroups = ["conflicts", "staged", "changed", "untracked"] as const satisfies readonly SourceGroup[];

/** Returns the groups with paths, each followed by its paths unless it is closed. */
export const buildSourceRows = (status: RepositoryStatus, closed: ReadonlySet<SourceGroup>): readonly SourceRow[] =>
  sourceGroups.flatMap((group): readonly SourceRow[] => {
    const entries = status[group];
    if (entries.length === 0) return [];
    const isOpen = !closed.has(group);
    const rows = isOpen ? entries.map((entry) => toEntryRow(group, entry)) : [];
    return [{ kind: "group", key: group, group, entries, isOpen }, ...rows];
  });

export const toEntryRow = (group: SourceGroup, entry: SourceEntry): SourceEntryRow => ({
  kind: "entry",
  key: `${group} ${entry.path}`,
  group,
  entry,
});

export const countSourceEntries = (status: RepositoryStatus): number =>
  sourceGroups.reduce((sum, group) => sum + status[group].length, status.more);

/** Returns all paths that a command about entries names: of a renamed file both. */
export const pathsOfEntries = (entries: readonly SourceEntry[]): string[] => [
  ...new Set(entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
];

/** Returns the index of the row that a key moves to; null = the key does not move. */
export function moveInRows(rows: readonly SourceRow[], index: number, key: string): number | null {
  const last = rows.length - 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(last, index + 1);
    case "ArrowUp":
      return Math.max(0, index - 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "ArrowLeft":
      return rows[index]?.kind === "entry" ? rows.slice(0, index).findLastIndex(({ kind }) => kind === "group") : null;
    default:
      return null;
  }
}
