/** The workbench of this browser: layout per project (kept), phone tab, draft choices. Made by client.ts. */
import type { ProjectId, SessionId } from "@/lib/id";
import type { Mode } from "@/lib/policy";
import {
  boundedSize,
  defaultLayout,
  type Layout,
  paneBounds,
  type PaneName,
  parseLayout,
  type SidePanel,
  withConversation,
  withTab,
} from "./layout";
import { createStore, type Readable, type Store } from "./store";

export type PhoneTab = "chat" | "files" | "changes" | "sessions";
/** What the Changes view compares. */
export type ChangeScope = "run" | "earlier" | "session" | "tree";
/** A run by its borders in the log: where it started, and the seq of its end. */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}
/** Files are to be put back as they were at a place of a session. */
export interface RestoreWish {
  readonly sessionId: SessionId;
  readonly toSeq: number;
  /** What began at that place; absent = nothing in particular. */
  readonly before?: "run" | "earlier" | "session";
}
/** Floating things of which one is open at a time. */
export type Overlay =
  | "palette"
  | "help"
  | "open_folder"
  | "rename_session"
  | "share"
  | "restore"
  | "tree"
  | "trash"
  | "trust"
  | null;

/** What is meant of a file from a line on; both 1-based. */
export interface LineSpan {
  readonly column?: number;
  readonly endLine?: number;
}

export interface Workbench {
  readonly projectId: ProjectId | null;
  readonly layout: Layout;
  /** The side panel floats over the panes; `side` = what comes back when there is room again. null = it is beside them. */
  readonly floating: { readonly side: SidePanel | null } | null;
  readonly phoneTab: PhoneTab;
  readonly overlay: Overlay;
  readonly scope: ChangeScope;
  /** The run that the scope "earlier" shows; null = none was asked for. */
  readonly earlier: (RunRange & { readonly sessionId: SessionId }) | null;
  /** What goes on once the folder is trusted; null = nothing. */
  readonly afterTrust: (() => void) | null;
  /** What the overlay "restore" is about. */
  readonly restoring: RestoreWish | null;
  /** A line (1-based) to go to in an open file; the editor takes it away. */
  readonly reveal: ({ readonly path: string; readonly line: number } & LineSpan) | null;
  /** What the next new session begins with; null = as the settings say. */
  readonly draft: {
    readonly mode: Mode | null;
    readonly model: string | null;
    /** Of the model, when it is one of a connection. */
    readonly connection: string | null;
  };
}

export interface WorkbenchStore extends Readable<Workbench> {
  /** Shows another project with the layout it was left in. */
  readonly showProject: (projectId: ProjectId) => void;
  readonly changeLayout: (change: (layout: Layout) => Layout) => void;
  /** Tells whether there is room for the side panel beside the panes. Without room it is folded; with room it comes back. */
  readonly setFloating: (isFloating: boolean) => void;
  /** Shows the conversation of a new session. */
  readonly beginSession: () => void;
  readonly resize: (pane: PaneName, size: number) => void;
  readonly resetSize: (pane: PaneName) => void;
  readonly showPhoneTab: (tab: PhoneTab) => void;
  readonly showOverlay: (overlay: Overlay) => void;
  readonly showScope: (scope: ChangeScope) => void;
  /** Goes to the Changes view, of a run when one is meant: null = the last one. */
  readonly review: (run?: Workbench["earlier"]) => void;
  readonly askRestore: (wish: RestoreWish) => void;
  /** Asks whether the folder is trusted; `after` goes on when it is. */
  readonly askTrust: (after: () => void) => void;
  /** Opens a file in the editor, at a line when one is given. */
  readonly openFile: (path: string, line?: number, span?: LineSpan) => void;
  readonly revealed: () => void;
  readonly changeDraft: (draft: Partial<Workbench["draft"]>) => void;
}

/** The part of the browser's storage that is used; it may refuse at any call. */
export type KeyValue = Pick<globalThis.Storage, "getItem" | "setItem">;

const layoutKey = (projectId: ProjectId): string => `gopi-web.layout.${projectId}`;
const projectKey = "gopi-web.project";

export interface WorkbenchStorage {
  /** Kept for ever. */
  readonly local: KeyValue;
  /** Kept as long as the tab. */
  readonly tab: KeyValue;
}

const noChoices: Workbench["draft"] = { mode: null, model: null, connection: null };

const atStart: Workbench = {
  projectId: null,
  layout: defaultLayout,
  floating: null,
  phoneTab: "chat",
  overlay: null,
  scope: "run",
  earlier: null,
  afterTrust: null,
  restoring: null,
  reveal: null,
  draft: noChoices,
};

export function createWorkbenchStore(storage: WorkbenchStorage): WorkbenchStore {
  const store = createStore(atStart);
  const changeLayout = layoutChanger(store, storage.local);
  const resize = (pane: PaneName, size: number): void =>
    changeLayout((layout) => ({ ...layout, sizes: { ...layout.sizes, [pane]: boundedSize(pane, size) } }));
  return {
    get: store.get,
    subscribe: store.subscribe,
    showProject: (projectId) => {
      if (store.get().projectId === projectId) return;
      write(storage.tab, projectKey, projectId);
      const layout = parseLayout(read(storage.local, layoutKey(projectId)));
      store.update(({ floating, ...now }) => ({
        ...now,
        projectId,
        ...(floating === null ? { layout, floating } : folded(layout)),
        draft: noChoices,
      }));
    },
    changeLayout,
    setFloating: (isFloating) => store.update((now) => withFloating(now, isFloating)),
    beginSession: () => {
      changeLayout(withConversation);
      store.update((now) => ({ ...now, phoneTab: "chat" }));
    },
    resize,
    resetSize: (pane) => resize(pane, paneBounds[pane].normal),
    showPhoneTab: (phoneTab) => store.update((now) => ({ ...now, phoneTab })),
    showOverlay: (overlay) => store.update((now) => ({ ...now, overlay, afterTrust: null })),
    showScope: (scope) => store.update((now) => ({ ...now, scope })),
    review: (run) => {
      changeLayout((layout) => ({ ...layout, preset: "review" }));
      store.update((now) => reviewing(now, run));
    },
    askRestore: (restoring) => store.update((now) => ({ ...now, overlay: "restore", restoring })),
    askTrust: (afterTrust) => store.update((now) => ({ ...now, overlay: "trust", afterTrust })),
    openFile: (path, line, span) => {
      // Review has no editor of its own.
      changeLayout((layout) => withTab(layout.preset === "review" ? { ...layout, preset: "code" } : layout, path));
      store.update((now) => ({
        ...now,
        phoneTab: "files",
        reveal: line === undefined ? null : { path, line, ...span },
      }));
    },
    revealed: () => store.update((now) => (now.reveal === null ? now : { ...now, reveal: null })),
    changeDraft: (draft) => store.update((now) => ({ ...now, draft: { ...now.draft, ...draft } })),
  };
}

/** Changes the layout and keeps it with its project. */
function layoutChanger(store: Store<Workbench>, local: KeyValue): WorkbenchStore["changeLayout"] {
  return (change) => {
    const { projectId, layout, floating } = store.get();
    const next = change(layout);
    if (next === layout) return;
    store.update((now) => ({ ...now, layout: next }));
    // A panel that floats is open for the moment: it is not what the user wants beside the panes.
    const kept = floating === null ? next : { ...next, side: floating.side };
    if (projectId !== null) write(local, layoutKey(projectId), JSON.stringify(kept));
  };
}

const folded = (layout: Layout): Pick<Workbench, "layout" | "floating"> => ({
  layout: { ...layout, side: null },
  floating: { side: layout.side },
});

function withFloating(now: Workbench, isFloating: boolean): Workbench {
  if (isFloating === (now.floating !== null)) return now;
  return { ...now, ...(now.floating === null ? folded(now.layout) : unfolded(now.layout, now.floating.side)) };
}

/** A panel that is open stays open. */
const unfolded = (layout: Layout, side: SidePanel | null): Pick<Workbench, "layout" | "floating"> => ({
  layout: { ...layout, side: layout.side ?? side },
  floating: null,
});

function reviewing(before: Workbench, run: Workbench["earlier"] | undefined): Workbench {
  const now: Workbench = { ...before, phoneTab: "changes" };
  if (run === undefined) return now;
  return run === null ? { ...now, scope: "run" } : { ...now, scope: "earlier", earlier: run };
}

/** The project this tab showed before it was loaded again. */
export const rememberedProject = (storage: WorkbenchStorage): string | null => read(storage.tab, projectKey);

/** A fresh link shows the project it was made for, the newest one. */
export const forgetProject = (storage: WorkbenchStorage): void => write(storage.tab, projectKey, "");

function read(storage: KeyValue, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function write(storage: KeyValue, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // Storage is full or switched off: the choice lives until the next load.
  }
}
