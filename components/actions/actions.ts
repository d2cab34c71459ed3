/** All commands of the workbench, from which palette, menus and shortcuts are generated. */
import { themes } from "@/lib/settings/settings";
import {
  type Layout,
  movePanel,
  narrowQuery,
  setPreset,
  toggleBottomPanel,
  toggleSidePanel,
} from "../state/workbench/layout";
import type { Action, ActionContext } from "./action";
import { conversationActions, findWord, sessionControlOf } from "./conversation-actions";
import { fileActions } from "./file-actions";

const currentLayout = ({ client }: ActionContext) => client.workbench.get().layout;
/** On a page every layout is a navigation target. */
const canShowPreset = (context: ActionContext, preset: Layout["preset"]): boolean =>
  context.leavePage !== null || currentLayout(context).preset !== preset;

const sessionActions: readonly Action[] = [
  {
    id: "newSession",
    group: "sessions",
    keys: "alt+n",
    slash: { names: ["new", "clear"] },
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
    slash: { names: ["tree"] },
    when: ({ hasSession }) => hasSession,
    perform: ({ client }) => client.workbench.showOverlay("tree"),
  },
  {
    id: "renameSession",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    slash: { names: ["title"], argument: "title" },
    perform: (context, title) => {
      const control = sessionControlOf(context);
      if (title === undefined || control === null) context.client.workbench.showOverlay("rename_session");
      else control.rename(title);
    },
  },
  {
    id: "deleteSession",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ removeSession }) => removeSession(),
  },
  {
    id: "automate",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ navigate, sessionId }) => navigate(`/settings/automations?session=${sessionId}#new`),
  },
  { id: "history", group: "sessions", keys: "alt+h", perform: ({ navigate }) => navigate("/history") },
  { id: "overview", group: "sessions", keys: "alt+o", perform: ({ navigate }) => navigate("/overview") },
  {
    id: "switchSession",
    group: "sessions",
    slash: { names: ["resume"] },
    perform: ({ client }) => client.workbench.showOverlay("sessions"),
  },
];

const viewActions: readonly Action[] = [
  {
    id: "palette",
    group: "view",
    keys: "mod+k",
    perform: ({ client }) => client.workbench.showOverlay("palette"),
  },
  {
    id: "showCommands",
    group: "view",
    keys: "mod+shift+p",
    perform: ({ client }) => client.workbench.showOverlay("commands"),
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
    perform: ({ client, leavePage }) => {
      client.workbench.revealInTree("");
      leavePage?.();
    },
  },
  {
    id: "codeSearch",
    group: "view",
    keys: "mod+shift+f",
    when: ({ client }) => client.workbench.get().projectId !== null,
    perform: ({ client, leavePage }) => {
      client.workbench.showSearch(client.handles.editor?.selectedText() ?? "");
      leavePage?.();
    },
  },
  {
    id: "codeReplace",
    group: "view",
    keys: "mod+shift+h",
    when: ({ client }) => client.workbench.get().projectId !== null,
    perform: ({ client, leavePage }) => {
      client.workbench.showSearch(client.handles.editor?.selectedText() ?? "", { replaces: true });
      leavePage?.();
    },
  },
  {
    id: "terminal",
    group: "view",
    keys: "ctrl+`",
    perform: ({ client, leavePage }) => {
      const { activeElement } = document;
      const isOpen = leavePage === null && client.workbench.get().layout.bottom === "terminal";
      // The first press goes to an open terminal, the next one closes it.
      if (isOpen && activeElement?.closest("[data-terminal]") === null) {
        client.workbench.showPhoneTab("terminal");
        return client.workbench.awaitTerminal(true);
      }
      // The terminal takes the focus only from an element that takes no text.
      if (!isOpen && activeElement instanceof HTMLElement) activeElement.blur();
      client.workbench.changeLayout((layout) =>
        leavePage === null ? toggleBottomPanel(layout, "terminal") : { ...layout, bottom: "terminal" },
      );
      client.workbench.showPhoneTab("terminal");
      if (leavePage === null) return;
      // The message field of the page that appears would take the focus first.
      client.workbench.awaitTerminal(true);
      leavePage();
    },
  },
  {
    id: "movePanel",
    group: "view",
    when: (context) => currentLayout(context).bottom !== null && !matchMedia(narrowQuery).matches,
    perform: ({ client }) => client.workbench.changeLayout(movePanel),
  },
  {
    id: "theme",
    group: "view",
    slash: { names: ["theme"], argument: themes },
    perform: ({ setTheme, navigate }, argument) => {
      const theme = findWord(themes, argument);
      if (theme === undefined) navigate("/settings/appearance");
      else setTheme(theme);
    },
  },
  { id: "lightTheme", group: "view", perform: ({ setTheme }) => setTheme("light") },
  { id: "darkTheme", group: "view", perform: ({ setTheme }) => setTheme("dark") },
  { id: "systemTheme", group: "view", perform: ({ setTheme }) => setTheme("system") },
];

const settingsActions: readonly Action[] = [
  { id: "settings", group: "settings", keys: "mod+,", perform: ({ navigate }) => navigate("/settings") },
  {
    id: "help",
    group: "settings",
    keys: "?",
    slash: { names: ["help"] },
    perform: ({ client }) => client.workbench.showOverlay("help"),
  },
];

export const actions: readonly Action[] = [
  ...sessionActions,
  ...conversationActions,
  ...viewActions,
  ...fileActions,
  ...settingsActions,
];
