"use client";
/** Toolbar with the actions for the selected sessions, at the bottom of the list. */
import { Archive, ArchiveRestore, Pin, PinOff, Trash2, Undo2, X } from "lucide-react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { useFullMessages } from "../../messages/full-messages";
import type { SessionShelf } from "./history-view";
import type { HistoryCommands } from "./history-commands";

interface SelectionBarProps {
  readonly rows: readonly SessionRow[];
  readonly shelf: SessionShelf;
  readonly commands: HistoryCommands;
  /** Opens a confirmation. */
  readonly onPurge: () => void;
  readonly onEnd: () => void;
}

export function SelectionBar({ rows, shelf, commands, onPurge, onEnd }: SelectionBarProps) {
  const messages = useFullMessages();
  const { bin, ...sessions } = messages.sessions;
  const { selection } = messages.sessionHistory;
  const isPinned = rows.every((row) => row.pinnedAt !== undefined);
  const then = (act: () => void) => () => {
    act();
    onEnd();
  };
  return (
    <div
      role="toolbar"
      aria-label={selection.name}
      className="sticky bottom-4 z-10 mx-auto flex w-fit max-w-full animate-rise flex-wrap items-center gap-1 rounded-dialog border border-line bg-raised p-1.5 pl-3 shadow-float"
    >
      <span role="status" className="pr-2 font-medium tabular-nums">
        {selection.count(rows.length)}
      </span>
      {shelf === "bin" ? (
        <>
          <SelectionAction icon={Undo2} name={bin.restore} onClick={then(() => commands.restore(rows))} />
          <SelectionAction icon={Trash2} name={bin.purge} danger onClick={onPurge} />
        </>
      ) : (
        <>
          <SelectionAction
            icon={isPinned ? PinOff : Pin}
            name={isPinned ? sessions.unpin : sessions.pin}
            onClick={then(() => commands.mark(rows, { pinned: !isPinned }))}
          />
          <SelectionAction
            icon={shelf === "archived" ? ArchiveRestore : Archive}
            name={shelf === "archived" ? sessions.unarchive : sessions.archive}
            onClick={then(() => commands.mark(rows, { archived: shelf !== "archived" }))}
          />
          <SelectionAction icon={Trash2} name={sessions.remove} danger onClick={then(() => commands.remove(rows))} />
        </>
      )}
      <IconButton icon={X} name={selection.end} onClick={onEnd} />
    </div>
  );
}

function SelectionAction({
  icon,
  name,
  danger = false,
  onClick,
}: {
  readonly icon: typeof Pin;
  readonly name: string;
  readonly danger?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <Button look="quiet" className={danger ? "text-danger! hover:bg-danger-soft" : "text-ink!"} onClick={onClick}>
      <Icon of={icon} className={danger ? "" : "text-ink-muted"} />
      {name}
    </Button>
  );
}
