/** Menu items of a session in the history; they depend on whether it is active, archived or deleted. Pure. */
import {
  Archive,
  ArchiveRestore,
  BellOff,
  Download,
  Pencil,
  Pin,
  PinOff,
  SquareCheck,
  Trash2,
  Undo2,
} from "lucide-react";
import { exportFormats } from "@/lib/protocol/history";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { MenuItem } from "../../ui/controls/menu";
import type { FullMessages } from "../../messages/full-messages";
import type { SessionShelf } from "./history-view";
import type { HistoryCommands } from "./history-commands";

interface RowItemsInput {
  readonly row: SessionRow;
  readonly shelf: SessionShelf;
  readonly commands: HistoryCommands;
  readonly messages: FullMessages;
  readonly onRename: () => void;
  readonly onSelect: () => void;
  /** Opens a confirmation. */
  readonly onPurge: () => void;
}

export function rowItems({ row, shelf, commands, messages, ...on }: RowItemsInput): readonly MenuItem[] {
  const { sessions, sessionHistory } = messages;
  const select = { id: "select", label: sessionHistory.selection.begin, icon: SquareCheck, onSelect: on.onSelect };
  const saves = exportFormats.map((format, index) => ({
    id: format,
    label: sessions.exportAs[format],
    icon: Download,
    separated: index === 0,
    onSelect: () => void commands.save(row, format),
  }));
  if (shelf === "bin")
    return [
      { id: "restore", label: sessions.bin.restore, icon: Undo2, onSelect: () => commands.restore([row]) },
      select,
      { id: "purge", label: sessions.bin.purge, icon: Trash2, danger: true, separated: true, onSelect: on.onPurge },
    ];
  const isPinned = row.pinnedAt !== undefined;
  const isArchived = row.archivedAt !== undefined;
  return [
    { id: "rename", label: sessions.rename, icon: Pencil, onSelect: on.onRename },
    {
      id: "pin",
      label: isPinned ? sessions.unpin : sessions.pin,
      icon: isPinned ? PinOff : Pin,
      onSelect: () => commands.mark([row], { pinned: !isPinned }),
    },
    {
      id: "mute",
      label: row.muted === true ? sessions.unmute : sessions.mute,
      icon: BellOff,
      onSelect: () => commands.mark([row], { muted: row.muted !== true }),
    },
    {
      id: "archive",
      label: isArchived ? sessions.unarchive : sessions.archive,
      icon: isArchived ? ArchiveRestore : Archive,
      onSelect: () => commands.mark([row], { archived: !isArchived }),
    },
    select,
    ...saves,
    {
      id: "delete",
      label: sessions.remove,
      icon: Trash2,
      danger: true,
      separated: true,
      onSelect: () => commands.remove([row]),
    },
  ];
}
