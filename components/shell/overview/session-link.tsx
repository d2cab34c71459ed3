"use client";
/** A session in the overview: state, title, project, progress, age. */
import type { SessionRow } from "@/lib/protocol/session-row";
import { useFullMessages } from "../../messages/full-messages";
import { sessionTitle } from "../../sessions/list/session-commands";
import { StatusDot } from "../../ui/indicators/status-dot";
import { Time } from "../../ui/text/time";
import { withBasePath } from "../../state/base-path";

export function SessionLink({ row, project }: { readonly row: SessionRow; readonly project: string }) {
  const messages = useFullMessages();
  const { plan, status } = row;
  const facts = [
    project,
    ...(plan === undefined ? [] : [messages.overview.plan(String(plan.done), String(plan.total))]),
    ...(status === "idle" || status === "aborted" ? [] : [messages.sessions.status[status]]),
  ];
  return (
    <a
      href={withBasePath(`/s/${row.id}`)}
      data-session={row.id}
      className="flex min-h-9 min-w-0 items-center gap-2.5 rounded-control px-2 hover:bg-hover max-tablet:min-h-12"
    >
      <StatusDot status={status} />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <span className="max-w-full cut font-medium">{sessionTitle(messages, row)}</span>
        <span className="min-w-0 cut text-small text-ink-muted">{facts.join(" · ")}</span>
      </span>
      <Time at={row.updatedAt} figures={messages.figures} className="shrink-0 text-small text-ink-faint" />
    </a>
  );
}
