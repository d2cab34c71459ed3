"use client";
/** Row of the history page: selection checkbox, session facts, menu. */
import { Bot, Ellipsis } from "lucide-react";
import { useState } from "react";
import { isSettledStatus, type SessionRow } from "@/lib/protocol/session-row";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Menu } from "../../ui/controls/menu";
import { StatusDot } from "../../ui/indicators/status-dot";
import { Time } from "../../ui/text/time";
import { useFullMessages } from "../../messages/full-messages";
import { useMessages } from "../../messages/messages";
import type { SessionShelf } from "./history-view";
import type { HistoryCommands } from "./history-commands";
import { rowItems } from "./row-items";
import { DuplicateTitleMark, RowMarks } from "../list/row-marks";
import { sessionTitle } from "../list/session-commands";
import { SessionBranch, type SubagentToggle } from "../list/session-branch";
import { TitleField } from "../list/title-field";
import { withBasePath } from "../../state/base-path";

interface HistoryRowProps {
  readonly row: SessionRow;
  readonly project: string;
  /** Mark that distinguishes the session from others with the same title. */
  readonly mark: string | undefined;
  readonly shelf: SessionShelf;
  readonly commands: HistoryCommands;
  readonly isSelected: boolean;
  /** A selection exists: all checkboxes are visible. */
  readonly isSelecting: boolean;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onPurge: () => void;
}

export const HistoryRow = (props: HistoryRowProps) => (
  <SessionBranch row={props.row} currentId={null} className="py-1 pl-3">
    {(toggle) => <HistoryLine {...props} toggle={toggle} />}
  </SessionBranch>
);

interface HistoryLineProps extends HistoryRowProps {
  /** Toggle of a session with subagents. */
  readonly toggle: SubagentToggle | undefined;
}

function HistoryLine(props: HistoryLineProps) {
  const { row, shelf, commands, isSelected, isSelecting, onSelect, onPurge, toggle } = props;
  const messages = useFullMessages();
  const [isRenaming, setRenaming] = useState(false);
  const title = sessionTitle(messages, row);
  return (
    <li
      className={classes(
        "group flex min-h-13 items-center gap-1 pr-2 transition-colors",
        isSelected ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <label
        className={classes(
          "-mr-1 grid w-9 shrink-0 place-items-center self-stretch max-tablet:w-11",
          !isSelecting &&
            "opacity-0 group-hover:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100 max-tablet:hidden",
        )}
      >
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={messages.sessionHistory.selection.one(title)}
          className="size-4 accent-accent"
          onChange={(event) => onSelect(event.target.checked)}
        />
      </label>
      {isRenaming ? (
        <div className="flex-1 py-2">
          <TitleField
            title={row.title}
            onDone={(text) => {
              setRenaming(false);
              if (text !== null) commands.rename(row, text);
            }}
          />
        </div>
      ) : (
        <RowLink {...props} title={title} />
      )}
      {toggle !== undefined && (
        <button
          type="button"
          aria-expanded={toggle.isOpen}
          aria-label={`${messages.sessions.subagents(row.subagents ?? 0)}: ${title}`}
          onClick={toggle.onToggle}
          className="flex h-8 shrink-0 items-center gap-1 rounded-control px-2 text-small text-ink-muted tabular-nums hover:bg-hover hover:text-ink aria-expanded:bg-pressed max-tablet:h-11"
        >
          <Icon of={Bot} size={14} />
          {row.subagents}
        </button>
      )}
      <Menu
        name={messages.sessions.menu(title)}
        aria-label={messages.sessions.menu(title)}
        align="end"
        className="grid size-8 shrink-0 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink data-[state=open]:bg-pressed max-tablet:size-11"
        items={rowItems({
          row,
          shelf,
          commands,
          messages,
          onRename: () => setRenaming(true),
          onSelect: () => onSelect(!isSelected),
          onPurge,
        })}
      >
        <Icon of={Ellipsis} />
      </Menu>
    </li>
  );
}

function RowLink({
  row,
  project,
  mark,
  shelf,
  isSelecting,
  title,
}: Pick<HistoryRowProps, "row" | "project" | "mark" | "shelf" | "isSelecting"> & { readonly title: string }) {
  const messages = useMessages();
  const facts = [isSettledStatus(row.status) ? "" : messages.sessions.status[row.status], project, row.model];
  return (
    <a
      href={withBasePath(`/s/${row.id}`)}
      data-session={row.id}
      className={classes(
        "flex min-w-0 flex-1 items-center gap-3 self-stretch py-2 outline-offset-[-2px]",
        !isSelecting && "max-tablet:pl-3",
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span className="min-w-0 cut font-medium">{title}</span>
          {mark !== undefined && <DuplicateTitleMark mark={mark} />}
          <RowMarks row={row} />
        </span>
        <span className="flex items-center gap-1.5 text-small text-ink-muted">
          {!isSettledStatus(row.status) && <StatusDot status={row.status} />}
          <span className="min-w-0 cut">{facts.filter((part) => part !== "").join(" · ")}</span>
        </span>
      </span>
      <ChangeCounts added={row.added} removed={row.removed} />
      <Time
        at={(shelf === "bin" ? row.deletedAt : undefined) ?? row.updatedAt}
        figures={messages.figures}
        className="w-16 shrink-0 text-right text-small text-ink-muted"
      />
    </a>
  );
}

function ChangeCounts({ added, removed }: Pick<SessionRow, "added" | "removed">) {
  const messages = useMessages();
  if (added === 0 && removed === 0) return null;
  return (
    <span
      className="flex shrink-0 gap-1.5 text-small tabular-nums max-tablet:hidden"
      role="img"
      aria-label={messages.sessions.changed(messages.figures.number(added), messages.figures.number(removed))}
    >
      {added > 0 && <span className="text-added">{`+${messages.figures.number(added)}`}</span>}
      {removed > 0 && <span className="text-removed">{`−${messages.figures.number(removed)}`}</span>}
    </span>
  );
}
