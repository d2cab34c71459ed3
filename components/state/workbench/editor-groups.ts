/** Operations on the two groups of a split editor. Pure. */
import { closeTab, type EditorGroup, keepTab, type Layout, openTab } from "./layout";

/** Returns the groups from left to right. */
export function editorGroups(layout: Layout): readonly EditorGroup[] {
  const { otherGroup } = layout;
  if (otherGroup === null) return [layout];
  return layout.group < otherGroup.group ? [layout, otherGroup] : [otherGroup, layout];
}

/** Returns the paths that are open in any group. */
export const openPaths = (layout: Layout): readonly string[] => [
  ...new Set(editorGroups(layout).flatMap(({ tabs }) => tabs)),
];

/** Whether a file has a tab in two groups. */
export const isInBothGroups = ({ tabs, otherGroup }: Layout, path: string): boolean =>
  tabs.includes(path) && otherGroup?.tabs.includes(path) === true;

/** Moves the focus to a group; no effect if it has the focus or does not exist. */
export function focusGroup(layout: Layout, group: number): Layout {
  const { otherGroup } = layout;
  if (otherGroup?.group !== group) return layout;
  const { group: before, tabs, activeTab, previewTab } = layout;
  return { ...layout, ...otherGroup, otherGroup: { group: before, tabs, activeTab, previewTab } };
}

/** Changes a group; the focus stays where it is, unless the group is closed by the change. */
export function changeGroup(layout: Layout, group: number, change: (layout: Layout) => Layout): Layout {
  const focused = focusGroup(layout, group);
  const changed = change(focused);
  if (focused === layout) return changed;
  return changed === focused ? layout : focusGroup(changed, layout.group);
}

/** Opens a file of the group in a new group on the right, which gets the focus. No effect if there are two groups. */
export function splitEditor(layout: Layout, path: string): Layout {
  const { group, tabs, activeTab, previewTab } = layout;
  if (layout.otherGroup !== null || !tabs.includes(path)) return layout;
  const otherGroup = { group, tabs, activeTab, previewTab };
  return openTab({ ...layout, otherGroup, group: group + 1, tabs: [path], previewTab: null }, path);
}

/**
 * Moves a tab from the focused group to the other one, which gets the focus; the tab stays open there. Without another
 * group it is created on the right, unless this is the only tab.
 */
export function moveTab(layout: Layout, path: string): Layout {
  if (!layout.tabs.includes(path)) return layout;
  const { group, otherGroup } = layout;
  if (otherGroup === null)
    return layout.tabs.length === 1
      ? layout
      : changeGroup(splitEditor(layout, path), group, (one) => closeTab(one, path));
  return keepTab(openTab(focusGroup(closeTab(layout, path), otherGroup.group), path), path);
}

/** Closes the tabs of paths in every group. */
export const closePaths = (layout: Layout, isClosed: (path: string) => boolean): Layout =>
  editorGroups(layout).reduce<Layout>(
    (now, { group, tabs }) => changeGroup(now, group, (one) => tabs.filter(isClosed).reduce<Layout>(closeTab, one)),
    layout,
  );
