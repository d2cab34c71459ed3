"use client";
/** Session row of the side panel: status, title, age; a menu to rename, pin, archive and delete. */
import { Archive, BellOff, Ellipsis, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { useState } from "react";
import type { SessionId } from "@/lib/events/id";
import { isSettledStatus, type SessionRow } from "@/lib/protocol/session-row";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { Menu } from "../../ui/controls/menu";
import { StatusDot } from "../../ui/indicators/status-dot";
import { Time } from "../../ui/text/time";
import { useMessages } from "../../messages/messages";
import { DuplicateTitleMark, RowMarks } from "./row-marks";
import { LazySubagentToggle } from "./lazy-subagent-rows";
import { SessionBranch, type SubagentToggle } from "./session-branch";
import { type SessionListCommands, sessionTitle } from "./session-commands";
import { TitleField } from "./title-field";
import { withBasePath } from "../../state/base-path";

interface SessionItemProps {
  readonly row: SessionRow;
  readonly currentId: SessionId | null;
  /** Mark that distinguishes the session from others with the same title. */
  readonly mark: string | undefined;
  readonly commands: SessionListCommands;
}

export const SessionItem = (props: SessionItemProps) => (
  <SessionBranch row={props.row} currentId={props.currentId}>
    {(toggle) => <SessionLine {...props} toggle={toggle} />}
  </SessionBranch>
);

interface SessionLineProps extends SessionItemProps {
  /** Toggle of a session with subagents. */
  readonly toggle: SubagentToggle | undefined;
}

function SessionLine({ row, currentId, mark, commands, toggle }: SessionLineProps) {
  const messages = useMessages();
  const isCurrent = row.id === currentId;
  const [isRenaming, setRenaming] = useState(false);
  const title = sessionTitle(messages, row);
  const isPinned = row.pinnedAt !== undefined;
  if (isRenaming)
    return (
      <li className="mx-1.5 py-px">
        <TitleField
          title={row.title}
          className="h-7!"
          onDone={(text) => {
            setRenaming(false);
            if (text !== null) commands.rename(row, text);
          }}
        />
      </li>
    );
  return (
    <li
      className={classes(
        "group relative mx-1.5 flex h-7 items-center rounded-control transition-colors max-tablet:h-12",
        isCurrent ? "bg-pressed" : "hover:bg-hover",
      )}
    >
      {toggle !== undefined && <LazySubagentToggle {...{ toggle, row, currentId }} />}
      <a
        href={withBasePath(`/s/${row.id}`)}
        data-session={row.id}
        aria-current={isCurrent ? "page" : undefined}
        className={classes(
          "flex h-full min-w-0 flex-1 items-center gap-2 rounded-control px-2 outline-offset-[-2px]",
          toggle !== undefined && "pl-5 max-tablet:pl-11",
        )}
      >
        {isPinned && isSettledStatus(row.status) ? (
          <Icon of={Pin} size={12} label={messages.sessions.pinned} className="-mx-[3px] text-ink-faint" />
        ) : (
          <StatusDot
            status={row.status}
            label={isSettledStatus(row.status) ? undefined : messages.sessions.status[row.status]}
          />
        )}
        <span className="flex min-w-0 flex-1 items-baseline gap-1.5">
          <span className="min-w-0 cut max-tablet:text-[15px]">{title}</span>
          {mark !== undefined && <DuplicateTitleMark mark={mark} />}
        </span>
        <RowMarks row={row} />
        <Time
          at={row.updatedAt}
          figures={messages.figures}
          className={classes(
            "text-small group-focus-within:opacity-0 group-hover:opacity-0 pointer-coarse:mr-7 pointer-coarse:opacity-100! max-tablet:mr-9 max-tablet:opacity-100!",
            isCurrent ? "text-ink-muted" : "text-ink-faint",
          )}
        />
      </a>
      <Menu
        name={messages.sessions.menu(title)}
        aria-label={messages.sessions.menu(title)}
        align="end"
        className="absolute right-1 grid size-6 place-items-center rounded-control text-ink-muted opacity-0 group-hover:opacity-100 hover:bg-pressed hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100 max-tablet:size-11 max-tablet:opacity-100"
        items={[
          { id: "rename", label: messages.sessions.rename, icon: Pencil, onSelect: () => setRenaming(true) },
          {
            id: "pin",
            label: isPinned ? messages.sessions.unpin : messages.sessions.pin,
            icon: isPinned ? PinOff : Pin,
            onSelect: () => commands.mark([row], { pinned: !isPinned }),
          },
          {
            id: "mute",
            label: row.muted === true ? messages.sessions.unmute : messages.sessions.mute,
            icon: BellOff,
            onSelect: () => commands.mark([row], { muted: row.muted !== true }),
          },
          {
            id: "archive",
            label: messages.sessions.archive,
            icon: Archive,
            onSelect: () => commands.mark([row], { archived: true }),
          },
          {
            id: "delete",
            label: messages.sessions.remove,
            icon: Trash2,
            danger: true,
            separated: true,
            onSelect: () => commands.remove([row]),
          },
        ]}
      >
        <Icon of={Ellipsis} />
      </Menu>
    </li>
  );
}
