"use client";
/** The subagents of a session, below its row in the lists. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SessionId } from "@/lib/events/id";
import { isSettledStatus } from "@/lib/protocol/session-row";
import { mergeRows } from "../../state/session/session-lists";
import { queries } from "../../state/queries";
import { StatusDot } from "../../ui/indicators/status-dot";
import { Time } from "../../ui/text/time";
import { classes } from "../../ui/theme/classes";
import { useMessages } from "../../messages/messages";
import { sessionTitle } from "./session-commands";
import { withBasePath } from "../../state/base-path";

interface SubagentRowsProps {
  readonly parentId: SessionId;
  readonly currentId: SessionId | null;
}

export function SubagentRows({ parentId, currentId }: SubagentRowsProps) {
  const messages = useMessages();
  const { data } = useInfiniteQuery(queries.sessions({ parentId }));
  const rows = useMemo(() => mergeRows(data?.pages).toSorted((a, b) => a.createdAt - b.createdAt), [data]);
  return (
    <ul aria-label={messages.sessions.subagents(rows.length)}>
      {rows.map((row) => (
        <li key={row.id} className="mx-1.5">
          <a
            href={withBasePath(`/s/${row.id}`)}
            data-session={row.id}
            aria-current={row.id === currentId ? "page" : undefined}
            className={classes(
              "flex h-7 items-center gap-2 rounded-control pr-2 pl-8 outline-offset-[-2px] max-tablet:h-12 max-tablet:pl-12",
              row.id === currentId ? "bg-pressed" : "hover:bg-hover",
            )}
          >
            <StatusDot
              status={row.status}
              label={isSettledStatus(row.status) ? undefined : messages.sessions.status[row.status]}
            />
            <span className="min-w-0 flex-1 cut text-ink-muted">{sessionTitle(messages, row)}</span>
            <Time at={row.updatedAt} figures={messages.figures} className="text-small text-ink-faint" />
          </a>
        </li>
      ))}
    </ul>
  );
}
