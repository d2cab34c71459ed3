/** The workbench of this tab: layout per project (stored), phone tab, draft settings. */
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import {
  clampSize,
  defaultLayout,
  expandParents,
  type Layout,
  paneBounds,
  type PaneIds,
  type PaneName,
  parseLayout,
  showConversation,
  openTab,
} from "./layout";
import { createStore, type ReadableStore, type WritableStore } from "../store";

/** Comparison shown in the Changes view. */
export type ChangeScope = "undecided" | "run" | "earlier" | "session" | "tree";
/** A run by its range in the log: its start, and the seq of its end. */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}
/** Request to restore files to their state at a point of a session. */
export interface RestoreTarget {
  readonly sessionId: SessionId;
  readonly toSeq: number;
  /** Run or session that started at that point; absent = unspecified. */
  readonly before?: "run" | "earlier" | "session";
  /** It reverses an undo. */
  readonly isRedo?: true;
}
/** Ids of the overlays, of which one is open at a time. The overlay registry of the shell has an entry for each. */
export type OverlayId =
  | "palette"
  | "commands"
  | "commit_run"
  | "quick_open"
  | "compare"
  | "timeline"
  | "go_to_line"
  | "go_to_symbol"
  | "help"
  | "open_folder"
  | "projects"
  | "rename_session"
  | "run_workflow"
  | "sessions"
  | "share"
  | "restore"
  | "tree"
  | "trash"
  | "trust";

/** Range of a file after its first line; both 1-based. */
export interface LineSpan {
  readonly column?: number;
  readonly endLine?: number;
  /** End of a selection in the first line; not included. */
  readonly endColumn?: number;
  /** Leaves the focus where it is. */
  readonly keepsFocus?: boolean;
}

interface SearchRequest {
  /** Empty = the query before stays. */
  readonly query: string;
  readonly replaces?: boolean;
  /** The only file to search. */
  readonly path?: string;
}

export interface Workbench {
  readonly projectId: ProjectId | null;
  readonly layout: Layout;
  /**
   * The side panel floats over the panes; `side` = the panel to restore when there is space again. null = it is
   * beside them.
   */
  readonly floating: { readonly side: string | null } | null;
  /** Id of the pane shown on a phone. */
  readonly phoneTab: string;
  /** null = no overlay is open. */
  readonly overlay: OverlayId | null;
  readonly scope: ChangeScope;
  /** The run of the scope "earlier"; null = none was requested. */
  readonly earlierRun: (RunRange & { readonly sessionId: SessionId }) | null;
  /** Continuation after the folder is trusted; null = none. */
  readonly afterTrust: (() => void) | null;
  /** Subject of the overlay "restore". */
  readonly restoreTarget: RestoreTarget | null;
  /** Subject of the overlays "compare", a file that is open and in conflict with the disk, and "timeline". */
  readonly comparedPath: string | null;
  /** Line (1-based) to reveal in an open file, null = its caret; cleared by the editor. */
  readonly revealTarget: ({ readonly path: string; readonly line: number | null } & LineSpan) | null;
  /** The terminal takes the focus when it appears, also from a text field; cleared by the terminal. */
  readonly isTerminalAwaited: boolean;
  /** Request to search, or to replace, in the files; cleared by the search pane. null = none. */
  readonly searchRequest: SearchRequest | null;
  /** File to reveal in the tree, which takes the focus and clears it; "" = only the focus; null = no request. */
  readonly fileToReveal: string | null;
  /** Settings of the next new session; null = default setting. */
  readonly draft: {
    readonly mode: Mode | null;
    readonly model: string | null;
    /** Connection of the model, if it belongs to one. */
    readonly connection: string | null;
  };
}

export interface WorkbenchStore extends ReadableStore<Workbench> {
  /** Shows another project with its last layout. */
  readonly showProject: (projectId: ProjectId) => void;
  readonly changeLayout: (change: (layout: Layout) => Layout) => void;
  /** Sets whether the side panel floats for lack of space: it is collapsed then, and restored later. */
  readonly setFloating: (isFloating: boolean) => void;
  /** Shows the conversation of a new session. */
  readonly beginSession: () => void;
  readonly resize: (pane: PaneName, size: number) => void;
  readonly resetSize: (pane: PaneName) => void;
  readonly showPhoneTab: (paneId: string) => void;
  readonly showOverlay: (overlay: OverlayId | null) => void;
  readonly showScope: (scope: ChangeScope) => void;
  /** Opens the Changes view, for a run if given: null = the last one. */
  readonly showReview: (run?: Workbench["earlierRun"]) => void;
  readonly showRestore: (target: RestoreTarget) => void;
  readonly showCompare: (path: string) => void;
  readonly showTimeline: (path: string) => void;
  /** Opens the trust dialog; `after` runs once the folder is trusted. */
  readonly showTrust: (after: () => void) => void;
  /** Opens a file in the editor; at a line if given, null = where its caret is, with the focus. */
  readonly openFile: (path: string, line?: number | null, span?: LineSpan) => void;
  readonly clearReveal: () => void;
  /** Sets whether the terminal takes the focus when it appears. */
  readonly awaitTerminal: (isTerminalAwaited: boolean) => void;
  /**
   * Shows the search pane with the focus in its field; a text of one line becomes the query. `replaces` = with the field
   * for the replacement.
   */
  readonly showSearch: (text: string, place?: Omit<SearchRequest, "query">) => void;
  readonly clearSearchRequest: () => void;
  /** Shows the file tree, which takes the focus, with a file scrolled into view; "" = none. */
  readonly revealInTree: (path: string) => void;
  readonly clearFileToReveal: () => void;
  readonly changeDraft: (draft: Partial<Workbench["draft"]>) => void;
}

/** The used part of the browser's storage; any call may throw. */
export type KeyValue = Pick<globalThis.Storage, "getItem" | "setItem">;

const layoutKey = (projectId: ProjectId): string => `gopi-web.layout.${projectId}`;
const projectKey = "gopi-web.project";

export interface WorkbenchStorage {
  /** Persistent storage. */
  readonly local: KeyValue;
  /** Storage for the lifetime of the tab. */
  readonly tab: KeyValue;
}

/** Longest text that becomes the query of a search. */
const searchMaxChars = 500;

const emptyDraft: Workbench["draft"] = { mode: null, model: null, connection: null };

const initialWorkbench: Workbench = {
  projectId: null,
  layout: defaultLayout,
  floating: null,
  phoneTab: "conversation",
  overlay: null,
  scope: "undecided",
  earlierRun: null,
  afterTrust: null,
  restoreTarget: null,
  comparedPath: null,
  revealTarget: null,
  isTerminalAwaited: false,
  searchRequest: null,
  fileToReveal: null,
  draft: emptyDraft,
};

export function createWorkbenchStore(storage: WorkbenchStorage, panes: PaneIds): WorkbenchStore {
  const store = createStore(initialWorkbench);
  const changeLayout = makeLayoutChanger(store, storage.local);
  const resize = (pane: PaneName, size: number): void =>
    changeLayout((layout) => ({ ...layout, sizes: { ...layout.sizes, [pane]: clampSize(pane, size) } }));
  return {
    get: store.get,
    subscribe: store.subscribe,
    showProject: (projectId) => {
      if (store.get().projectId === projectId) return;
      writeStorage(storage.tab, projectKey, projectId);
      const stored = parseLayout(readStorage(storage.local, layoutKey(projectId)), panes);
      store.update(({ floating, ...now }) => ({
        ...now,
        projectId,
        ...(floating === null ? { layout: withEarlyChoices(stored, now), floating } : collapseSide(stored)),
        draft: emptyDraft,
      }));
    },
    changeLayout,
    setFloating: (isFloating) => store.update((now) => withFloating(now, isFloating)),
    beginSession: () => {
      changeLayout(showConversation);
      store.update((now) => ({ ...now, phoneTab: "conversation" }));
    },
    resize,
    resetSize: (pane) => resize(pane, paneBounds[pane].normal),
    showPhoneTab: (phoneTab) => store.update((now) => ({ ...now, phoneTab })),
    showOverlay: (overlay) => store.update((now) => ({ ...now, overlay, afterTrust: null })),
    showScope: (scope) => store.update((now) => ({ ...now, scope })),
    showReview: (run) => {
      changeLayout((layout) => ({ ...layout, preset: "review" }));
      store.update((now) => showReview(now, run));
    },
    showRestore: (restoring) => store.update((now) => ({ ...now, overlay: "restore", restoreTarget: restoring })),
    showCompare: (comparedPath) => store.update((now) => ({ ...now, overlay: "compare", comparedPath })),
    showTimeline: (comparedPath) => store.update((now) => ({ ...now, overlay: "timeline", comparedPath })),
    showTrust: (afterTrust) => store.update((now) => ({ ...now, overlay: "trust", afterTrust })),
    openFile: (path, line, span) => {
      // Review has no editor.
      changeLayout((layout) => openTab(layout.preset === "review" ? { ...layout, preset: "code" } : layout, path));
      store.update((now) => ({
        ...now,
        phoneTab: "files",
        revealTarget: line === undefined ? null : { path, line, ...span },
      }));
    },
    clearReveal: () => store.update((now) => (now.revealTarget === null ? now : { ...now, revealTarget: null })),
    awaitTerminal: (isTerminalAwaited) => store.update((now) => ({ ...now, isTerminalAwaited })),
    showSearch: (text, place = {}) => {
      changeLayout((layout) => ({ ...layout, side: "search", lastSide: "search" }));
      const query = text.includes("\n") ? "" : text.slice(0, searchMaxChars);
      store.update((now) => ({ ...now, phoneTab: "search", searchRequest: { ...place, query } }));
    },
    clearSearchRequest: () => store.update((now) => ({ ...now, searchRequest: null })),
    revealInTree: (path) => {
      changeLayout((layout) => ({ ...expandParents(layout, path), side: "files", lastSide: "files" }));
      store.update((now) => ({ ...now, phoneTab: "files", fileToReveal: path }));
    },
    clearFileToReveal: () => store.update((now) => ({ ...now, fileToReveal: null })),
    changeDraft: (draft) => store.update((now) => ({ ...now, draft: { ...now.draft, ...draft } })),
  };
}

/** Changes the layout and stores it with its project. */
function makeLayoutChanger(store: WritableStore<Workbench>, local: KeyValue): WorkbenchStore["changeLayout"] {
  return (change) => {
    const { projectId, layout, floating } = store.get();
    const next = change(layout);
    if (next === layout) return;
    store.update((now) => ({ ...now, layout: next }));
    // A floating panel is open temporarily: it is not the user's choice for the panel beside the panes.
    const stored = floating === null ? next : { ...next, side: floating.side };
    if (projectId !== null) writeStorage(local, layoutKey(projectId), JSON.stringify(stored));
  };
}

/** Preset and panels that the user chose before the page's first project was loaded stay. */
function withEarlyChoices(stored: Layout, { projectId, layout }: Omit<Workbench, "floating">): Layout {
  if (projectId !== null) return stored;
  const { preset, side, lastSide, bottom } = layout;
  return {
    ...stored,
    ...(preset === defaultLayout.preset ? {} : { preset }),
    ...(side === defaultLayout.side ? {} : { side, lastSide }),
    ...(bottom === defaultLayout.bottom ? {} : { bottom }),
  };
}

const collapseSide = (layout: Layout): Pick<Workbench, "layout" | "floating"> => ({
  layout: { ...layout, side: null },
  floating: { side: layout.side },
});

function withFloating(now: Workbench, isFloating: boolean): Workbench {
  if (isFloating === (now.floating !== null)) return now;
  return { ...now, ...(now.floating === null ? collapseSide(now.layout) : restoreSide(now.layout, now.floating.side)) };
}

/** An open panel stays open. */
const restoreSide = (layout: Layout, side: string | null): Pick<Workbench, "layout" | "floating"> => ({
  layout: { ...layout, side: layout.side ?? side },
  floating: null,
});

function showReview(before: Workbench, run: Workbench["earlierRun"] | undefined): Workbench {
  const now: Workbench = { ...before, phoneTab: "review" };
  if (run === undefined) return now;
  return run === null ? { ...now, scope: "undecided" } : { ...now, scope: "earlier", earlierRun: run };
}

/** The project this tab showed before it was reloaded. */
export const readTabProject = (storage: WorkbenchStorage): string | null => readStorage(storage.tab, projectKey);

/** Clears the project of the tab: a fresh link opens its own project, the newest one. */
export const clearTabProject = (storage: WorkbenchStorage): void => writeStorage(storage.tab, projectKey, "");

function readStorage(storage: KeyValue, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function writeStorage(storage: KeyValue, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // Storage is full or disabled: the choice lasts until the next load.
  }
}
