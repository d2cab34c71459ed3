"use client";
/** Menu of the text in the editor. Loaded with its first use. */
import { EditorSelection, type EditorState, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import {
  ClipboardPaste,
  Copy,
  FileSymlink,
  FolderTree,
  GitCommitHorizontal,
  History,
  Lightbulb,
  Link,
  MessageCircleQuestion,
  MessageSquarePlus,
  Scissors,
  UserPen,
  Wrench,
} from "lucide-react";
import type { ProjectId } from "@/lib/events/id";
import { formatShortcut, isMacPlatform } from "../../actions/keys";
import { useShortcut } from "../../actions/use-shortcut";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { getHistoryRequest, type HistoryRequest } from "../../state/history-request";
import { addToMessage } from "../../state/workbench/add-to-message";
import { ContextMenu } from "../../ui/controls/context-menu";
import { copyText } from "../../ui/controls/copy-button";
import type { MenuItem } from "../../ui/controls/menu";
import { blamedCommitAt, type BlameSubject, toggleBlame } from "../git-marks/blame";
import { selectionReference } from "../selection-reference";
import { findEnclosing } from "../text/symbols";

/** Where the menu was requested. */
export interface EditorMenuRequest {
  /** px of the viewport */
  readonly at: { readonly x: number; readonly y: number };
  /** The file that the text names there; null = none. */
  readonly named: { readonly path: string; readonly line?: number } | null;
}

interface EditorMenuProps {
  readonly projectId: ProjectId;
  readonly request: EditorMenuRequest;
  readonly view: EditorView;
  readonly path: string;
  readonly isDirty: boolean;
  readonly onClose: () => void;
}

export function EditorMenu({ projectId, request: { at, named }, view, path, isDirty, onClose }: EditorMenuProps) {
  const client = useClient();
  const messages = useFullMessages();
  const { editor, files, changes, common, attach } = messages;
  const addKeys = useShortcut("addSelection");
  const { workbench, toasts } = client;
  const key = (keys: string): string => formatShortcut(keys, isMacPlatform());
  const paste = async (): Promise<void> => {
    try {
      const text = await navigator.clipboard.readText();
      if (text === "") return void toasts.show({ text: attach.nothingToPaste });
      // A pasted text may have other line endings than the file.
      const change = view.state.replaceSelection(Text.of(text.split(/\r\n?|\n/)));
      view.dispatch(change, { userEvent: "input.paste", scrollIntoView: true });
    } catch {
      toasts.show({ text: attach.notAllowed, look: "danger" });
    }
  };
  const ask = (text: string) => (): void =>
    addToMessage(client, [selectionReference(withSelection(view.state), path, isDirty)], text);
  const { readOnly } = view.state;
  const line = view.state.doc.lineAt(view.state.selection.main.head).number;
  const items: readonly MenuItem[] = [
    ...(named === null
      ? []
      : [
          {
            id: "goTo",
            label: editor.menu.goTo(named.line === undefined ? named.path : `${named.path}:${String(named.line)}`),
            icon: FileSymlink,
            onSelect: () => workbench.openFile(named.path, named.line ?? null),
          },
        ]),
    {
      id: "cut",
      label: files.cut,
      icon: Scissors,
      shortcut: key("mod+x"),
      disabled: readOnly,
      separated: named !== null,
      onSelect: () => document.execCommand("cut"),
    },
    {
      id: "copy",
      label: common.copy,
      icon: Copy,
      shortcut: key("mod+c"),
      onSelect: () => document.execCommand("copy"),
    },
    // Absent on pages over plain HTTP.
    ...("clipboard" in navigator
      ? [
          {
            id: "paste",
            label: files.paste,
            icon: ClipboardPaste,
            shortcut: key("mod+v"),
            disabled: readOnly,
            onSelect: () => void paste(),
          },
        ]
      : []),
    { id: "ask", label: editor.menu.ask, icon: MessageCircleQuestion, separated: true, onSelect: ask("") },
    { id: "explain", label: editor.menu.explain, icon: Lightbulb, onSelect: ask(editor.menu.explainText) },
    { id: "fix", label: editor.menu.fix, icon: Wrench, onSelect: ask(editor.menu.fixText) },
    {
      id: "message",
      label: files.addToMessage,
      icon: MessageSquarePlus,
      shortcut: addKeys,
      onSelect: () => addToMessage(client, [selectionReference(view.state, path, isDirty)]),
    },
    ...historyItems({ client, messages, projectId, view, path, isDirty }),
    {
      id: "reveal",
      label: editor.reveal,
      icon: FolderTree,
      separated: true,
      onSelect: () => workbench.revealInTree(path),
    },
    {
      id: "timeline",
      label: changes.timeline.menu,
      icon: History,
      onSelect: () => workbench.showTimeline(path),
    },
    {
      id: "copyPlace",
      label: editor.menu.copyPlace,
      icon: Link,
      onSelect: () => void copyText(`${path}:${String(line)}`),
    },
  ];
  return (
    <ContextMenu
      at={at}
      items={items}
      name={editor.tabMenu(path)}
      onClose={(isRefocused) => {
        onClose();
        if (isRefocused) view.focus();
      }}
    />
  );
}

/** Items about the commits of the file. */
function historyItems(subject: BlameSubject): readonly MenuItem[] {
  const { client, messages, path, view } = subject;
  const { sourceHistory } = messages;
  const show = (shown: HistoryRequest["shown"]) => (): void => getHistoryRequest(client).set({ pane: "editor", shown });
  const commit = blamedCommitAt(view.state, view.state.selection.main.head);
  return [
    {
      id: "history",
      label: sourceHistory.fileHistory,
      icon: GitCommitHorizontal,
      separated: true,
      onSelect: show({ file: path }),
    },
    { id: "blame", label: sourceHistory.blame, icon: UserPen, onSelect: () => void toggleBlame(subject) },
    ...(commit === null
      ? []
      : [
          {
            id: "blameCommit",
            label: sourceHistory.blameCommit,
            icon: GitCommitHorizontal,
            onSelect: show({ commit }),
          },
        ]),
  ];
}

/** Without a selection a question is about the declaration around the caret. */
function withSelection(state: EditorState): EditorState {
  const { main } = state.selection;
  const around = main.empty ? findEnclosing(state, main.head).at(-1) : undefined;
  return around === undefined
    ? state
    : state.update({ selection: EditorSelection.single(around.from, around.to) }).state;
}
