/** Items of the menu of rows, or of the project when no row is below the pointer. */
import {
  ClipboardPaste,
  Copy,
  CopyPlus,
  Download,
  GitCommitHorizontal,
  FolderDown,
  FilePlus,
  FileText,
  History,
  FolderPlus,
  Link,
  MessageSquarePlus,
  Pencil,
  Pin,
  PinOff,
  Scissors,
  Trash2,
  Upload,
} from "lucide-react";
import { formatShortcut } from "../actions/keys";
import type { FullMessages } from "../messages/full-messages";
import type { MenuItem } from "../ui/controls/menu";
import type { FileTreeRow } from "./file-tree-rows";
import { keysOfOperation, type TreeOperation } from "./tree-keys";

export interface TreeMenuActions {
  readonly open: () => void;
  readonly create: (kind: "file" | "folder") => void;
  readonly upload: () => void;
  readonly rename: () => void;
  readonly duplicate: () => void;
  readonly cut: () => void;
  readonly copy: () => void;
  readonly paste: () => void;
  readonly remove: () => void;
  readonly download: () => void;
  readonly downloadArchive: () => void;
  readonly copyPath: (isRelative: boolean) => void;
  readonly addToMessage: () => void;
  readonly showTimeline: () => void;
  readonly showHistory: () => void;
  /** Absent = no session is shown, or the entry is no file. */
  readonly pin?: { readonly isPinned: boolean; readonly perform: () => void };
}

interface TreeMenuSubject {
  /** Undefined = the project's folder. */
  readonly row: FileTreeRow | undefined;
  /** Number of entries that the items change. */
  readonly count: number;
  readonly canPaste: boolean;
}

export function treeMenuItems(
  { row, count, canPaste }: TreeMenuSubject,
  actions: TreeMenuActions,
  messages: FullMessages,
  isMac: boolean,
): readonly MenuItem[] {
  const { files } = messages;
  const shortcut = (operation: TreeOperation): string | undefined => {
    const keys = keysOfOperation(operation, isMac);
    return keys === undefined ? undefined : formatShortcut(keys, isMac);
  };
  const create = createItems(actions, messages);
  const paste = {
    id: "paste",
    label: files.paste,
    icon: ClipboardPaste,
    shortcut: shortcut("paste"),
    disabled: !canPaste,
    onSelect: actions.paste,
  };
  const archive = { id: "archive", icon: FolderDown, onSelect: actions.downloadArchive };
  if (row === undefined)
    return [...create, { ...paste, separated: true }, { ...archive, label: files.downloadProject, separated: true }];
  const isOne = count === 1;
  const { pin } = actions;
  return [
    ...(isOne && row.kind !== "folder"
      ? [{ id: "open", label: files.open, icon: FileText, onSelect: actions.open }]
      : []),
    ...(isOne ? create : []),
    {
      id: "cut",
      label: files.cut,
      icon: Scissors,
      shortcut: shortcut("cut"),
      separated: isOne,
      onSelect: actions.cut,
    },
    { id: "copy", label: messages.common.copy, icon: Copy, shortcut: shortcut("copy"), onSelect: actions.copy },
    paste,
    { id: "duplicate", label: files.duplicate, icon: CopyPlus, onSelect: actions.duplicate },
    ...(isOne && row.kind === "file"
      ? [{ id: "download", label: files.download, icon: Download, onSelect: actions.download }]
      : []),
    ...(!isOne || row.kind === "folder" ? [{ ...archive, label: files.downloadArchive }] : []),
    {
      id: "path",
      label: files.copyPath,
      icon: Link,
      separated: true,
      onSelect: () => actions.copyPath(false),
    },
    { id: "relative", label: files.copyRelativePath, icon: Link, onSelect: () => actions.copyPath(true) },
    { id: "message", label: files.addToMessage, icon: MessageSquarePlus, onSelect: actions.addToMessage },
    ...(isOne && row.kind === "file" ? [timelineItem(actions, messages)] : []),
    ...(isOne && row.kind === "file" ? [historyItem(actions, messages)] : []),
    ...pinItems(pin, messages),
    ...(isOne
      ? [
          {
            id: "rename",
            label: files.rename,
            icon: Pencil,
            shortcut: shortcut("rename"),
            separated: true,
            onSelect: actions.rename,
          },
        ]
      : []),
    {
      id: "delete",
      label: files.delete,
      icon: Trash2,
      shortcut: shortcut("delete"),
      danger: true,
      separated: !isOne,
      onSelect: actions.remove,
    },
  ];
}

const createItems = (actions: TreeMenuActions, { files }: FullMessages): readonly MenuItem[] => [
  { id: "file", label: files.newFile, icon: FilePlus, onSelect: () => actions.create("file") },
  { id: "folder", label: files.newFolder, icon: FolderPlus, onSelect: () => actions.create("folder") },
  { id: "upload", label: files.upload, icon: Upload, onSelect: actions.upload },
];

const timelineItem = ({ showTimeline }: TreeMenuActions, { changes }: FullMessages): MenuItem => ({
  id: "timeline",
  label: changes.timeline.menu,
  icon: History,
  onSelect: showTimeline,
});

const historyItem = ({ showHistory }: TreeMenuActions, { sourceHistory }: FullMessages): MenuItem => ({
  id: "history",
  label: sourceHistory.fileHistory,
  icon: GitCommitHorizontal,
  onSelect: showHistory,
});

const pinItems = (pin: TreeMenuActions["pin"], { files }: FullMessages): readonly MenuItem[] =>
  pin === undefined
    ? []
    : [
        {
          id: "pin",
          label: pin.isPinned ? files.unpin : files.pin,
          icon: pin.isPinned ? PinOff : Pin,
          onSelect: pin.perform,
        },
      ];
