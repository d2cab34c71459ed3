/** Layout of a project's workbench: preset, panes, tabs. Pure. */
import { isRecord } from "@/lib/events/content";
import { asId, type TerminalId } from "@/lib/events/id";

type LayoutPreset = "chat" | "code" | "review";
/** The resizable panes. */
export type PaneName = "side" | "conversation" | "editor" | "bottom" | "right";

/** Ids of the registered panes that a layout may name. */
export interface PaneIds {
  readonly side: readonly string[];
  readonly bottom: readonly string[];
}

/** A column of the editor. */
export interface EditorGroup {
  /** Number of the group; of two, the one with the smaller number is on the left. */
  readonly group: number;
  /** Paths of open files in tab order. */
  readonly tabs: readonly string[];
  readonly activeTab: string | null;
  /** The tab that the next opened file replaces; null = none. */
  readonly previewTab: string | null;
}

/** The members of `EditorGroup` are those of the group that has the focus; opened files go there. */
export interface Layout extends EditorGroup {
  readonly preset: LayoutPreset;
  /** Id of the pane beside the rail; null = collapsed. */
  readonly side: string | null;
  /** Id of the pane shown when the side panel is reopened. */
  readonly lastSide: string;
  /** Id of the pane in the bottom panel; null = collapsed. */
  readonly bottom: string | null;
  /** The bottom panel is on the right of the editor, not below it. */
  readonly isPanelRight: boolean;
  /**
   * px; `conversation` applies in Code and Review, `editor` in Chat, where the other one takes the rest; `bottom` and
   * `right` are the height and the width of the bottom panel.
   */
  readonly sizes: Readonly<Record<PaneName, number>>;
  /** The conversation is collapsed (Code and Review). */
  readonly conversationHidden: boolean;
  /** The editor is collapsed although files are open (Chat only). */
  readonly editorHidden: boolean;
  /** The other group of a split editor; null = the editor is not split. Neither group of a split is empty. */
  readonly otherGroup: EditorGroup | null;
  /** Width of the left group as a share of the editor's width. */
  readonly splitShare: number;
  /** Paths of the files opened last, newest first; closed ones included. */
  readonly recentFiles: readonly string[];
  /** Tabs of the terminal panel, each with the ids of the terminals it shows side by side, and the one used last. */
  readonly terminals: { readonly groups: readonly (readonly TerminalId[])[]; readonly active: TerminalId | null };
  /** Expanded folders of the file tree. */
  readonly expanded: readonly string[];
  readonly tree: FileTreeOptions;
}

interface FileTreeOptions {
  /** Files whose name begins with a dot are left out. */
  readonly hidesDotFiles: boolean;
  /** Files that .gitignore excludes are left out. */
  readonly hidesIgnored: boolean;
  /** The file of the editor is scrolled into view when another one becomes active. */
  readonly followsEditor: boolean;
  /** The symbols of the open file are listed below the files. */
  readonly showsOutline: boolean;
}

/** Media query: side panel, conversation and editor do not fit side by side. */
export const narrowQuery = "(max-width: 1199.98px)";

/** px: default and bounds of each pane. */
export const paneBounds: Readonly<
  Record<PaneName, { readonly normal: number; readonly min: number; readonly max: number }>
> = {
  side: { normal: 252, min: 180, max: 420 },
  conversation: { normal: 420, min: 320, max: 720 },
  editor: { normal: 560, min: 320, max: 960 },
  bottom: { normal: 300, min: 120, max: 640 },
  right: { normal: 420, min: 240, max: 960 },
};

export const defaultLayout: Layout = {
  preset: "chat",
  side: "sessions",
  lastSide: "sessions",
  bottom: null,
  isPanelRight: false,
  sizes: {
    side: paneBounds.side.normal,
    conversation: paneBounds.conversation.normal,
    editor: paneBounds.editor.normal,
    bottom: paneBounds.bottom.normal,
    right: paneBounds.right.normal,
  },
  conversationHidden: false,
  editorHidden: false,
  group: 1,
  tabs: [],
  activeTab: null,
  previewTab: null,
  otherGroup: null,
  splitShare: 0.5,
  recentFiles: [],
  terminals: { groups: [], active: null },
  expanded: [],
  tree: { hidesDotFiles: false, hidesIgnored: false, followsEditor: true, showsOutline: false },
};

const tabsMax = 40;
const recentMax = 40;
const expandedMax = 150;
const terminalsMax = 50;

const isPath = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 4096;

/** Parses a stored layout; invalid fields and ids of panes that are not registered get their defaults. */
export function parseLayout(text: string | null, panes: PaneIds): Layout {
  const stored = parseJson(text);
  if (!isRecord(stored)) return defaultLayout;
  const group = parseGroup(stored);
  const otherGroup = isRecord(stored.otherGroup) ? parseGroup(stored.otherGroup) : null;
  const isSplit = group.tabs.length > 0 && (otherGroup?.tabs.length ?? 0) > 0 && otherGroup?.group !== group.group;
  const sizes = isRecord(stored.sizes) ? stored.sizes : {};
  return {
    preset: stored.preset === "code" || stored.preset === "review" ? stored.preset : "chat",
    side: stored.side === null ? null : knownId(stored.side, panes.side, defaultLayout.side),
    lastSide: knownId(stored.lastSide, panes.side, defaultLayout.lastSide),
    bottom: knownId(stored.bottom, panes.bottom, null),
    isPanelRight: stored.isPanelRight === true,
    sizes: {
      side: clampSize("side", sizes.side),
      conversation: clampSize("conversation", sizes.conversation),
      editor: clampSize("editor", sizes.editor),
      bottom: clampSize("bottom", sizes.bottom),
      right: clampSize("right", sizes.right),
    },
    conversationHidden: stored.conversationHidden === true,
    editorHidden: stored.editorHidden === true,
    ...group,
    otherGroup: isSplit ? otherGroup : null,
    splitShare: clampShare(stored.splitShare),
    recentFiles: Array.isArray(stored.recentFiles) ? stored.recentFiles.filter(isPath).slice(0, recentMax) : group.tabs,
    terminals: parseTerminals(stored.terminals),
    expanded: Array.isArray(stored.expanded) ? stored.expanded.filter(isPath).slice(0, expandedMax) : [],
    tree: parseFileTreeOptions(stored.tree),
  };
}

function parseGroup({ group, tabs: list, activeTab, previewTab }: Readonly<Record<string, unknown>>): EditorGroup {
  const tabs = Array.isArray(list) ? [...new Set(list.filter(isPath))].slice(0, tabsMax) : [];
  return {
    group: typeof group === "number" && Number.isSafeInteger(group) ? group : defaultLayout.group,
    tabs,
    activeTab: isPath(activeTab) && tabs.includes(activeTab) ? activeTab : (tabs[0] ?? null),
    previewTab: isPath(previewTab) && tabs.includes(previewTab) ? previewTab : null,
  };
}

function parseFileTreeOptions(stored: unknown): FileTreeOptions {
  const options = isRecord(stored) ? stored : {};
  const option = (name: keyof FileTreeOptions): boolean =>
    typeof options[name] === "boolean" ? options[name] : defaultLayout.tree[name];
  return {
    hidesDotFiles: option("hidesDotFiles"),
    hidesIgnored: option("hidesIgnored"),
    followsEditor: option("followsEditor"),
    showsOutline: option("showsOutline"),
  };
}

const isTerminalId = (value: unknown): value is string => typeof value === "string" && /^\w{1,80}$/.test(value);

function parseTerminals(stored: unknown): Layout["terminals"] {
  if (!isRecord(stored)) return defaultLayout.terminals;
  const ids = (list: unknown): readonly TerminalId[] =>
    Array.isArray(list) ? list.filter(isTerminalId).map((id) => asId<TerminalId>(id)) : [];
  const groups = Array.isArray(stored.groups) ? stored.groups.map(ids).filter((group) => group.length > 0) : [];
  return { groups: groups.slice(0, terminalsMax), active: ids([stored.active])[0] ?? null };
}

/** Returns the id if it is one of the known ones, else the fallback. */
const knownId = <Fallback extends string | null>(
  id: unknown,
  paneIds: readonly string[],
  fallback: Fallback,
): string | Fallback => paneIds.find((one) => one === id) ?? fallback;

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Clamps a size to the bounds of its pane. */
export function clampSize(pane: PaneName, size: unknown): number {
  const { normal, min, max } = paneBounds[pane];
  return typeof size === "number" && Number.isFinite(size) ? Math.round(Math.max(min, Math.min(max, size))) : normal;
}

/** Clamps the share of the left group, so that neither disappears. */
export const clampShare = (share: unknown): number =>
  typeof share === "number" && Number.isFinite(share) ? Math.max(0.1, Math.min(0.9, share)) : defaultLayout.splitShare;

/** Activates the tab of a file, or opens it beside the active tab as the preview, which replaces the one before. */
export function openTab(layout: Layout, path: string): Layout {
  const recentFiles = [path, ...layout.recentFiles.filter((other) => other !== path)].slice(0, recentMax);
  if (layout.tabs.includes(path)) return { ...layout, activeTab: path, recentFiles, editorHidden: false };
  const at = layout.activeTab === null ? layout.tabs.length : layout.tabs.indexOf(layout.activeTab) + 1;
  const tabs = [...layout.tabs.slice(0, at), path, ...layout.tabs.slice(at)]
    .filter((tab) => tab !== layout.previewTab)
    .slice(-tabsMax);
  return { ...layout, tabs, activeTab: path, previewTab: path, recentFiles, editorHidden: false };
}

/** Keeps the tab of a file open when other files are opened. */
export const keepTab = (layout: Layout, path: string): Layout =>
  layout.previewTab === path ? { ...layout, previewTab: null } : layout;

/**
 * Closes a tab and activates the next one, or the previous one if it was the last. The last tab of a group closes the
 * group.
 */
export function closeTab(layout: Layout, path: string): Layout {
  const at = layout.tabs.indexOf(path);
  if (at < 0) return layout;
  const tabs = layout.tabs.filter((tab) => tab !== path);
  if (tabs.length === 0 && layout.otherGroup !== null) return { ...layout, ...layout.otherGroup, otherGroup: null };
  const activeTab = layout.activeTab === path ? (tabs[at] ?? tabs[at - 1] ?? null) : layout.activeTab;
  return { ...keepTab(layout, path), tabs, activeTab };
}

/** Renames the paths of tabs and expanded folders. */
export function renamePaths(layout: Layout, from: string, to: string): Layout {
  const moved = (path: string): string =>
    path === from ? to : path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
  const renameTabs = ({ group, tabs, activeTab, previewTab }: EditorGroup): EditorGroup => ({
    group,
    tabs: [...new Set(tabs.map(moved))],
    activeTab: activeTab === null ? null : moved(activeTab),
    previewTab: previewTab === null ? null : moved(previewTab),
  });
  return {
    ...layout,
    ...renameTabs(layout),
    otherGroup: layout.otherGroup === null ? null : renameTabs(layout.otherGroup),
    recentFiles: layout.recentFiles.map(moved),
    expanded: layout.expanded.map(moved),
  };
}

/** Handles a click on a rail button: opens its panel, or collapses it if it is visible. */
export const toggleSidePanel = (layout: Layout, side: string): Layout =>
  layout.side === side ? { ...layout, side: null, lastSide: side } : { ...layout, side, lastSide: side };

/** Opens a pane in the bottom panel, or collapses it if it is visible. */
export const toggleBottomPanel = (layout: Layout, bottom: string): Layout => ({
  ...layout,
  bottom: layout.bottom === bottom ? null : bottom,
});

/** Moves the bottom panel from below the editor to its right, or back. */
export const movePanel = (layout: Layout): Layout => ({ ...layout, isPanelRight: !layout.isPanelRight });

/** Layout for a new session: with the conversation, not the changes of the previous session. */
export const showConversation = (layout: Layout): Layout =>
  layout.preset === "review" || layout.conversationHidden
    ? { ...layout, preset: layout.preset === "review" ? "chat" : layout.preset, conversationHidden: false }
    : layout;

/** Expands or collapses a folder of the tree. Collapsing discards the expanded state of its descendants. */
export function setExpanded(layout: Layout, path: string, open: boolean): Layout {
  const others = layout.expanded.filter((other) => other !== path && (open || !other.startsWith(`${path}/`)));
  return { ...layout, expanded: open ? [...others, path].slice(-expandedMax) : others };
}

/** Expands the folders that contain a path, outermost first. */
export function expandParents(layout: Layout, path: string): Layout {
  const names = path.split("/").slice(0, -1);
  const parents = names.map((_, index) => names.slice(0, index + 1).join("/"));
  return parents.every((parent) => layout.expanded.includes(parent))
    ? layout
    : parents.reduce((now, parent) => setExpanded(now, parent, true), layout);
}

/** Switches the preset. Code without an open file shows the tree, unless the panel was collapsed. */
export const setPreset = (layout: Layout, preset: Layout["preset"]): Layout =>
  preset === "code" && layout.tabs.length === 0 && layout.side !== null
    ? { ...layout, preset, side: "files", lastSide: "files" }
    : { ...layout, preset };
