"use client";
/** All running work of all projects: what waits for the user, runs, has failed, and is due next. */
import type { ReactNode } from "react";
import type { AutomationView } from "@/lib/automations/automation";
import type { ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Skeleton } from "../../ui/indicators/skeleton";
import { NoticePage } from "../notices/notice-page";
import { SessionLink } from "./session-link";
import { useOverview } from "./use-overview";
import { WaitingSession } from "./waiting-session";
import { withBasePath } from "../../state/base-path";
import { useCommandQuery } from "../../state/use-command-query";

/** Sessions whose cards are shown at once: a tab has four open sessions, one of which is that of its page. */
const openCards = 3;
/** Automations that are listed. */
const nextShown = 5;

export function OverviewPage({ projects }: { readonly projects: readonly Project[] }) {
  const messages = useFullMessages();
  const { overview: text } = messages;
  const sessions = useOverview();
  const due = dueNext(
    useCommandQuery("automations.list", {}, { select: ({ automations: listed }) => listed }).data ?? [],
  );
  if (sessions === undefined)
    return (
      <PageFrame title={messages.sessions.overview}>
        <Skeleton label={messages.common.loading} className="h-60" />
      </PageFrame>
    );
  const { waiting, running, failed } = sessions;
  const projectOf = ({ projectId }: { readonly projectId: ProjectId }): string =>
    projects.find(({ id }) => id === projectId)?.name ?? text.removedProject;
  const isQuiet = waiting.length + running.length + failed.length + due.length === 0;
  if (isQuiet)
    return (
      <main className="flex min-h-0 flex-1 overflow-y-auto">
        <NoticePage title={text.quiet} note={text.quietNote} action={{ label: messages.shell.newSession, path: "/" }} />
      </main>
    );
  return (
    <PageFrame title={messages.sessions.overview}>
      <Group title={text.waiting} count={waiting.length}>
        {waiting.slice(0, openCards).map((row) => (
          <WaitingSession key={row.id} row={row} project={projectOf(row)} />
        ))}
        {waiting.length > openCards && (
          <li className="px-2 py-1.5 text-small text-ink-muted">{text.moreWaiting(waiting.length - openCards)}</li>
        )}
      </Group>
      {[
        { title: text.running, rows: running },
        { title: text.failed, rows: failed },
      ].map(({ title, rows }) => (
        <Group key={title} title={title} count={rows.length}>
          {rows.map((row) => (
            <li key={row.id}>
              <SessionLink row={row} project={projectOf(row)} />
            </li>
          ))}
        </Group>
      ))}
      <Group title={text.next} count={due.length}>
        {due.map(({ automation, at }) => (
          <li key={automation.id}>
            <a
              href={withBasePath(`/settings/automations#${encodeURIComponent(automation.id)}`)}
              className="flex min-h-9 min-w-0 items-center gap-2 rounded-control px-2 pl-6 hover:bg-hover max-tablet:min-h-12"
            >
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
                <span className="max-w-full cut font-medium">{automation.name}</span>
                <span className="min-w-0 cut text-small text-ink-muted">{projectOf(automation)}</span>
              </span>
              <span className="shrink-0 text-small text-ink-muted tabular-nums">{messages.figures.dateTime(at)}</span>
            </a>
          </li>
        ))}
      </Group>
    </PageFrame>
  );
}

/** The automations with a time, the nearest first. */
const dueNext = (
  automations: readonly AutomationView[],
): readonly { readonly automation: AutomationView; readonly at: number }[] =>
  automations
    .flatMap((automation) =>
      automation.isOn && automation.next[0] !== undefined ? [{ automation, at: automation.next[0] }] : [],
    )
    .toSorted((a, b) => a.at - b.at)
    .slice(0, nextShown);

const PageFrame = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable]">
    <div className="mx-auto grid max-w-[880px] grid-cols-1 gap-6 px-6 pt-6 pb-16 max-tablet:px-3 max-tablet:pt-4">
      <h1 className="sr-only">{title}</h1>
      {children}
    </div>
  </main>
);

interface GroupProps {
  readonly title: string;
  /** 0 = it is not shown. */
  readonly count: number;
  readonly children: ReactNode;
}

const Group = ({ title, count, children }: GroupProps) =>
  count === 0 ? null : (
    <section aria-label={title}>
      <h2 className="mb-1 flex items-baseline gap-2 px-2 text-small font-medium text-ink-muted">
        {title} <span className="tabular-nums">{count}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  );
