/** Commands on files and on the editor. */
import { previewKindOf } from "@/lib/workspace/preview-kind";
import { closeTab, keepTab } from "../state/workbench/layout";
import type { Action, ActionContext } from "./action";

const currentLayout = ({ client }: ActionContext) => client.workbench.get().layout;
const hasTab = (context: ActionContext): boolean => currentLayout(context).activeTab !== null;
const isEditorSplit = (context: ActionContext): boolean =>
  context.client.handles.editor !== undefined && currentLayout(context).otherGroup !== null;

export const fileActions: readonly Action[] = [
  {
    id: "quickOpen",
    group: "files",
    keys: "mod+p",
    perform: ({ client }) => client.workbench.showOverlay("quick_open"),
  },
  {
    id: "findInFile",
    group: "files",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.find(),
  },
  {
    id: "goToLine",
    group: "files",
    keys: "ctrl+g",
    when: hasTab,
    perform: ({ client }) => client.workbench.showOverlay("go_to_line"),
  },
  {
    id: "goToSymbol",
    group: "files",
    keys: "mod+shift+o",
    when: hasTab,
    perform: ({ client }) => client.workbench.showOverlay("go_to_symbol"),
  },
  {
    id: "nextChange",
    group: "files",
    keys: "alt+f3",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.goToChange("next"),
  },
  {
    id: "previousChange",
    group: "files",
    keys: "alt+shift+f3",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.goToChange("previous"),
  },
  {
    id: "foldAll",
    group: "files",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.setFolded(true),
  },
  {
    id: "unfoldAll",
    group: "files",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.setFolded(false),
  },
  {
    id: "save",
    group: "files",
    keys: "mod+s",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.save(),
  },
  {
    id: "formatFile",
    group: "files",
    keys: "alt+shift+f",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.format(),
  },
  {
    id: "reopenWithEncoding",
    group: "files",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.chooseEncoding("reopen"),
  },
  {
    id: "saveWithEncoding",
    group: "files",
    when: hasTab,
    perform: ({ client }) => client.handles.editor?.chooseEncoding("save"),
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
  {
    id: "revealFile",
    group: "files",
    when: hasTab,
    perform: ({ client, leavePage }) => {
      const { activeTab } = client.workbench.get().layout;
      if (activeTab !== null) client.workbench.revealInTree(activeTab);
      leavePage?.();
    },
  },
  {
    id: "addSelection",
    group: "files",
    keys: "alt+m",
    when: ({ client: { handles } }) => handles.editor !== undefined && handles.conversation !== undefined,
    perform: ({ client: { handles } }) => {
      const reference = handles.editor?.reference();
      if (reference) handles.conversation?.attach(reference);
    },
  },
  {
    id: "pinFile",
    group: "files",
    slash: { names: ["pin"], argument: "path" },
    when: ({ client: { handles } }) => (handles.composer?.pins ?? null) !== null,
    perform: (context, path = currentLayout(context).activeTab ?? "") => {
      const pins = context.client.handles.composer?.pins;
      void pins?.setPinned(path, !pins.isPinned(path));
    },
  },
  {
    id: "togglePreview",
    group: "files",
    when: (context) =>
      context.client.handles.editor !== undefined && previewKindOf(currentLayout(context).activeTab ?? "") !== null,
    perform: (context) => context.client.handles.editor?.togglePreview(currentLayout(context).activeTab ?? ""),
  },
  {
    id: "splitEditor",
    group: "files",
    keys: "mod+\\",
    when: (context) => context.client.handles.editor?.canSplit() === true && currentLayout(context).otherGroup === null,
    perform: ({ client }) => client.handles.editor?.split(),
  },
  {
    id: "focusOtherGroup",
    group: "files",
    keys: "alt+g",
    when: isEditorSplit,
    perform: ({ client }) => client.handles.editor?.focusOtherGroup(),
  },
  {
    id: "moveToOtherGroup",
    group: "files",
    when: isEditorSplit,
    perform: ({ client }) => client.handles.editor?.moveToOtherGroup(),
  },
  {
    id: "keepTab",
    group: "files",
    when: (context) => hasTab(context) && currentLayout(context).previewTab === currentLayout(context).activeTab,
    perform: ({ client }) => client.workbench.changeLayout((layout) => keepTab(layout, layout.activeTab ?? "")),
  },
  { id: "trash", group: "files", perform: ({ client }) => client.workbench.showOverlay("trash") },
  { id: "projects", group: "files", perform: ({ client }) => client.workbench.showOverlay("projects") },
  { id: "openFolder", group: "files", perform: ({ client }) => client.workbench.showOverlay("open_folder") },
];
