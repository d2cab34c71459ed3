"use client";
/** Sessions in the side panel: those of the current project first, then the other projects. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { ListFilter, Plus } from "lucide-react";
import { lazy, useMemo, useState } from "react";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import type { SessionRow } from "@/lib/protocol/session-row";
import { groupByProject, mergeRows, removePinned, type SessionFilter } from "../../state/session/session-lists";
import { queries } from "../../state/queries";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { LazyMenuButton } from "../../ui/controls/lazy-menu-button";
import { classes } from "../../ui/theme/classes";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useMessages } from "../../messages/messages";
import { moveFocus } from "./move-focus";
import { duplicateTitleMarks } from "./duplicate-title-marks";
import { useSessionCommands } from "./session-commands";
import { SessionItem } from "./session-item";
import { withBasePath } from "../../state/base-path";

interface SessionListProps {
  readonly projectId: ProjectId | null;
  readonly projects: readonly Project[];
  readonly currentId: SessionId | null;
  readonly newShortcut?: string;
  readonly onNew: () => void;
  readonly onRemoved: (row: SessionRow) => void;
}

export type ShownSessions = "all" | "running" | "waiting" | "failed";

const active = { active: true } as const;
/** The list scrolls and loads more on request; more filters are on the history page. */
const filters: Readonly<Record<ShownSessions, SessionFilter>> = {
  all: {},
  running: active,
  waiting: active,
  failed: { failed: true },
};
const pinnedSessions = { pinned: true } as const;
const ShownSessionsMenu = lazy(async () => ({ default: (await import("./shown-sessions-menu")).ShownSessionsMenu }));

export function SessionList({ projectId, projects, currentId, newShortcut, onNew, onRemoved }: SessionListProps) {
  const messages = useMessages();
  const [shown, setShown] = useState<ShownSessions>("all");
  const list = useInfiniteQuery(queries.sessions(filters[shown]));
  const commands = useSessionCommands(onRemoved);
  const pins = useInfiniteQuery(queries.sessions(pinnedSessions)).data;
  const pinned = useMemo(() => (shown === "all" ? mergeRows(pins?.pages) : []), [pins, shown]);
  const groups = useMemo(() => {
    const rows = mergeRows(list.data?.pages);
    // Whether a session runs or waits may change without an answer of the server.
    const wanted = filters[shown] === active ? rows.filter(({ status }) => status === shown) : rows;
    return groupByProject(shown === "all" ? removePinned(wanted) : wanted, projectId);
  }, [list.data, projectId, shown]);
  const marks = useMemo(
    () =>
      duplicateTitleMarks(mergeRows([...(list.data?.pages ?? []), ...(pins?.pages ?? [])]), {
        figures: messages.figures,
        projectName: null,
      }),
    [list.data, pins, messages],
  );
  const nameOf = (id: ProjectId): string =>
    projects.find((project) => project.id === id)?.name ?? messages.sessions.otherProject;
  const total = groups.reduce((sum, group) => sum + group.rows.length, pinned.length);
  const item = (row: SessionRow) => (
    <SessionItem key={row.id} row={row} currentId={currentId} mark={marks.get(row.id)} commands={commands} />
  );
  return (
    <nav aria-label={messages.sessions.title} className="flex min-h-0 flex-1 flex-col" onKeyDown={moveFocus}>
      <div className="flex h-9 shrink-0 items-center justify-between pt-1 pr-2 pl-3">
        <h2 className="text-small font-medium text-ink-muted">{messages.sessions.title}</h2>
        <span className="flex">
          <LazyMenuButton
            icon={ListFilter}
            name={messages.sessions.filter}
            className={classes(
              "grid size-6 shrink-0 place-items-center rounded-control hover:bg-hover data-[state=open]:bg-pressed max-tablet:size-11",
              shown === "all" ? "text-ink-muted hover:text-ink" : "text-accent",
            )}
          >
            {(menu) => <ShownSessionsMenu {...menu} shown={shown} onShown={setShown} />}
          </LazyMenuButton>
          <IconButton
            icon={Plus}
            name={messages.sessions.create}
            size="small"
            shortcut={newShortcut}
            side="below"
            onClick={onNew}
          />
        </span>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto pb-2">
        {list.isPending && <ListSkeleton label={messages.common.loading} />}
        {list.isError && (
          <p role="alert" className="flex flex-wrap items-center gap-2 px-3 py-1 text-small text-ink-muted">
            {messages.sessions.failed}
            <Button size="small" onClick={() => void list.refetch()}>
              {messages.common.retry}
            </Button>
          </p>
        )}
        {list.isSuccess && total === 0 && (
          <p className="px-3 py-1 text-small text-ink-muted">
            {shown === "all" ? messages.sessions.none : messages.sessions.noMatch}
          </p>
        )}
        {pinned.length > 0 && (
          <section aria-label={messages.sessions.pinned} className="mb-2">
            <ul>{pinned.map(item)}</ul>
          </section>
        )}
        {groups.map((group) => (
          <section key={group.projectId} aria-label={nameOf(group.projectId)}>
            {group.projectId !== projectId && (
              <h3 className="cut px-3 pt-4 pb-1 text-small font-medium text-ink-muted">{nameOf(group.projectId)}</h3>
            )}
            <ul>{group.rows.map(item)}</ul>
          </section>
        ))}
        {list.hasNextPage && (
          <Button
            look="quiet"
            size="small"
            className="mx-1.5 mt-1"
            busy={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {messages.sessions.more}
          </Button>
        )}
      </div>
      <div className="flex shrink-0 border-t border-line text-small text-ink-muted">
        {(["history", "overview"] as const).map((page) => (
          <a
            key={page}
            href={withBasePath(`/${page}`)}
            className="px-3 py-2 outline-offset-[-2px] hover:text-ink max-tablet:py-4"
          >
            {messages.sessions[page]}
          </a>
        ))}
      </div>
    </nav>
  );
}

function ListSkeleton({ label }: { readonly label: string }) {
  return (
    <div className="grid gap-2 px-3 py-2">
      <Skeleton label={label} className="h-4 w-4/5" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
