/** Selected rows and focused row of the file tree. Pure; `order` is the paths of the visible rows from top to bottom. */
import { isWithin, topPaths } from "@/lib/workspace/project-path";

export interface TreeSelection {
  /** Row of the keyboard; null = the first one. */
  readonly focused: string | null;
  readonly selected: ReadonlySet<string>;
  /** Row at which a range starts; null = at the focused one. */
  readonly anchor: string | null;
}

export const emptySelection: TreeSelection = { focused: null, selected: new Set(), anchor: null };

export const selectOnly = (path: string): TreeSelection => ({
  focused: path,
  selected: new Set([path]),
  anchor: path,
});

/** Selects new or moved entries; the first one gets the focus. */
export const selectEntries = (paths: readonly string[]): TreeSelection => ({
  focused: paths[0] ?? null,
  selected: new Set(paths),
  anchor: paths[0] ?? null,
});

/** Adds a row to the selection or removes it. */
export function toggleSelected({ selected }: TreeSelection, path: string): TreeSelection {
  const next = new Set(selected);
  if (!next.delete(path)) next.add(path);
  return { focused: path, selected: next, anchor: path };
}

/** Selects the rows from the anchor to `path`; the anchor stays. */
export function selectRange(selection: TreeSelection, order: readonly string[], path: string): TreeSelection {
  const anchor = [selection.anchor, selection.focused, path].find((one) => one !== null && order.includes(one)) ?? path;
  const [from, to] = [order.indexOf(anchor), order.indexOf(path)].sort((left, right) => left - right);
  return { focused: path, selected: new Set(order.slice(from, (to ?? 0) + 1)), anchor };
}

export const selectAll = (selection: TreeSelection, order: readonly string[]): TreeSelection => ({
  ...selection,
  selected: new Set(order),
});

/** The row keeps the focus. */
export const clearSelected = ({ focused }: TreeSelection): TreeSelection => ({
  focused,
  selected: new Set(),
  anchor: focused,
});

/** Moves the focus to the row after the removed ones, or before them if they were the last; nothing is selected. */
export function focusAfterRemoval(order: readonly string[], removed: readonly string[]): TreeSelection {
  const isRemoved = (path: string): boolean => removed.some((folder) => isWithin(folder, path));
  const last = order.findLastIndex(isRemoved);
  const focused = order[last + 1] ?? order.slice(0, last).findLast((path) => !isRemoved(path)) ?? null;
  return { focused, selected: new Set(), anchor: focused };
}

/**
 * Returns the paths that an operation at the row `path` changes: the visible selected rows if it is one of them, else
 * it alone. A path in a selected folder is part of the folder.
 */
export const operationPaths = (
  { selected }: TreeSelection,
  order: readonly string[],
  path: string,
): readonly string[] => (selected.has(path) ? topPaths(order.filter((one) => selected.has(one))) : [path]);
