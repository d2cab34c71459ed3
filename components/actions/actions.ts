/** All commands of the workbench, from which palette, menus and shortcuts are generated. */
import type { SessionId } from "@/lib/events/id";
import type { AppClient } from "../state/client";
import { type Layout, closeTab, setPreset, toggleBottomPanel, toggleSidePanel } from "../state/workbench/layout";
import type { Messages } from "../messages/messages";

/** State and functions available to an action. */
export interface ActionContext {
  readonly client: AppClient;
  readonly navigate: (path: string) => void;
  readonly sessionId: SessionId | null;
  readonly isRunning: boolean;
  /** An approval is pending in the visible session. */
  readonly isWaiting: boolean;
  readonly hasSession: boolean;
  readonly removeSession: () => void;
  /** Returns from a page (settings, history) to the workbench; null = the workbench is visible. */
  readonly leavePage: (() => void) | null;
  readonly setTheme: (theme: "system" | "light" | "dark") => void;
}

export type ActionGroup = "sessions" | "view" | "files" | "settings";

export interface Action {
  readonly id: keyof Messages["actions"]["names"];
  readonly group: ActionGroup;
  /** Format of keys.ts. Also active while a text field has the focus, unless it is a character without modifier. */
  readonly keys?: string;
  readonly when?: (context: ActionContext) => boolean;
  readonly perform: (context: ActionContext) => void;
}

const currentLayout = ({ client }: ActionContext) => client.workbench.get().layout;
/** On a page every layout is a navigation target. */
const canShowPreset = (context: ActionContext, preset: Layout["preset"]): boolean =>
  context.leavePage !== null || currentLayout(context).preset !== preset;
const hasTab = (context: ActionContext): boolean => currentLayout(context).activeTab !== null;

const sessionActions: readonly Action[] = [
  {
    id: "newSession",
    group: "sessions",
    keys: "alt+n",
    perform: ({ client, navigate }) => {
      navigate("/");
      client.workbench.beginSession();
      requestAnimationFrame(() => client.handles.conversation?.focusComposer());
    },
  },
  {
    id: "approval",
    group: "sessions",
    keys: "alt+a",
    when: ({ isWaiting }) => isWaiting,
    perform: ({ client }) => void client.handles.conversation?.focusApproval(),
  },
  {
    id: "composer",
    group: "sessions",
    keys: "alt+c",
    perform: ({ client }) => client.handles.conversation?.focusComposer(),
  },
  {
    id: "find",
    group: "sessions",
    keys: "mod+f",
    when: ({ hasSession }) => hasSession,
    perform: ({ client }) => client.handles.conversation?.find(),
  },
  {
    id: "stop",
    group: "sessions",
    keys: "escape",
    when: ({ isRunning }) => isRunning,
    perform: ({ client, sessionId }) => {
      if (sessionId !== null) void client.call("session.abort", { sessionId });
    },
  },
  {
    id: "restartShell",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ client, sessionId }) => {
      if (sessionId !== null) void client.call("session.restart_shell", { sessionId });
    },
  },
  {
    id: "share",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ client }) => client.workbench.showOverlay("share"),
  },
  {
    id: "tree",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ client }) => client.workbench.showOverlay("tree"),
  },
  {
    id: "renameSession",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ client }) => client.workbench.showOverlay("rename_session"),
  },
  {
    id: "deleteSession",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ removeSession }) => removeSession(),
  },
  { id: "history", group: "sessions", keys: "alt+h", perform: ({ navigate }) => navigate("/history") },
];

const viewActions: readonly Action[] = [
  {
    id: "palette",
    group: "view",
    keys: "mod+k",
    perform: ({ client }) => client.workbench.showOverlay("palette"),
  },
  {
    id: "sidebar",
    group: "view",
    keys: "mod+b",
    perform: ({ client }) =>
      client.workbench.changeLayout((layout) => toggleSidePanel(layout, layout.side ?? layout.lastSide)),
  },
  {
    id: "chatPreset",
    group: "view",
    keys: "alt+1",
    when: (context) => canShowPreset(context, "chat"),
    perform: ({ client, leavePage }) => {
      client.workbench.changeLayout((layout) => setPreset(layout, "chat"));
      leavePage?.();
    },
  },
  {
    id: "codePreset",
    group: "view",
    keys: "alt+2",
    when: (context) => canShowPreset(context, "code"),
    perform: ({ client, leavePage }) => {
      client.workbench.changeLayout((layout) => setPreset(layout, "code"));
      leavePage?.();
    },
  },
  {
    id: "reviewPreset",
    group: "view",
    keys: "alt+3",
    when: (context) => canShowPreset(context, "review"),
    perform: ({ client, leavePage }) => {
      client.workbench.showReview();
      leavePage?.();
    },
  },
  {
    id: "files",
    group: "view",
    keys: "mod+shift+e",
    perform: ({ client }) => {
      client.workbench.changeLayout((layout) => ({ ...layout, side: "files", lastSide: "files" }));
      client.workbench.showPhoneTab("files");
    },
  },
  {
    id: "terminal",
    group: "view",
    keys: "ctrl+`",
    perform: ({ client, leavePage }) => {
      // The terminal takes the focus only from an element that takes no text.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      client.workbench.changeLayout((layout) =>
        leavePage === null ? toggleBottomPanel(layout, "terminal") : { ...layout, bottom: "terminal" },
      );
      client.workbench.showPhoneTab("terminal");
      leavePage?.();
    },
  },
  { id: "lightTheme", group: "view", perform: ({ setTheme }) => setTheme("light") },
  { id: "darkTheme", group: "view", perform: ({ setTheme }) => setTheme("dark") },
  { id: "systemTheme", group: "view", perform: ({ setTheme }) => setTheme("system") },
];

const fileActions: readonly Action[] = [
  {
    id: "save",
    group: "files",
    keys: "mod+s",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.save(),
  },
  {
    id: "closeTab",
    group: "files",
    keys: "alt+w",
    when: hasTab,
    perform: ({ client }) => {
      const path = client.workbench.get().layout.activeTab;
      if (path === null) return;
      if (client.handles.editor === undefined) client.workbench.changeLayout((layout) => closeTab(layout, path));
      else client.handles.editor.closeTab(path);
    },
  },
  { id: "trash", group: "files", perform: ({ client }) => client.workbench.showOverlay("trash") },
  { id: "openFolder", group: "files", perform: ({ client }) => client.workbench.showOverlay("open_folder") },
];

const settingsActions: readonly Action[] = [
  { id: "settings", group: "settings", keys: "mod+,", perform: ({ navigate }) => navigate("/settings/model") },
  { id: "help", group: "settings", keys: "?", perform: ({ client }) => client.workbench.showOverlay("help") },
];

export const actions: readonly Action[] = [...sessionActions, ...viewActions, ...fileActions, ...settingsActions];

/** The keys of an action, for a tooltip or a menu. */
export const shortcutKeys = (id: Action["id"]): string | undefined => actions.find((action) => action.id === id)?.keys;
