"use client";
/** All sessions of all projects by day, with a filter on titles. Loaded when its address is opened. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import type { ProjectId } from "@/lib/id";
import type { Project } from "@/lib/project";
import type { SessionRow } from "@/lib/session-row";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { type Day, dayOf, type SessionFilter } from "../state/session-lists";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { IconButton } from "../ui/icon-button";
import { Select } from "../ui/select";
import { Skeleton } from "../ui/skeleton";
import { TextField } from "../ui/text-field";
import { useWords } from "../words/words";
import { HistoryRow } from "./history-row";
import { useSessionCommands } from "./session-commands";

export interface HistoryPageProps {
  readonly projects: readonly Project[];
  readonly onRemoved: (row: SessionRow) => void;
  readonly onNew: () => void;
}

export function HistoryPage({ projects, onRemoved, onNew }: HistoryPageProps) {
  const words = useWords();
  const { call } = useClient();
  const [title, setTitle] = useState("");
  const [projectId, setProjectId] = useState<ProjectId | null>(null);
  const filterTitle = useDeferredValue(title.trim());
  const filter: SessionFilter = {
    ...(projectId === null ? {} : { projectId }),
    ...(filterTitle === "" ? {} : { title: filterTitle }),
  };
  const list = useInfiniteQuery({ ...queries.sessions(call, filter), placeholderData: keepPreviousData });
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const isFiltered = filterTitle !== "" || projectId !== null;
  return (
    <main className="min-h-0 flex-1 overflow-y-auto bg-canvas">
      <div className="mx-auto max-w-[880px] px-6 pt-8 pb-16 max-tablet:px-4 max-tablet:pt-4">
        <h1 className="sr-only">{words.sessions.history}</h1>
        <div className="mb-4 flex flex-wrap gap-2">
          <div className="relative min-w-52 flex-1">
            <Icon of={Search} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-faint" />
            <TextField
              type="search"
              value={title}
              maxLength={200}
              aria-label={words.sessions.filter}
              placeholder={words.sessions.filter}
              className="pr-9 pl-8 max-tablet:pr-11"
              onChange={(event) => setTitle(event.target.value)}
            />
            {title !== "" && (
              <IconButton
                icon={X}
                name={words.sessions.clearFilter}
                side="below"
                className="absolute top-0 right-0"
                onClick={() => setTitle("")}
              />
            )}
          </div>
          <Select
            aria-label={words.sessions.project}
            value={projectId ?? ""}
            options={[
              { value: "", label: words.sessions.allProjects },
              ...projects.map((project) => ({ value: String(project.id), label: project.name })),
            ]}
            onChange={(value) => setProjectId(projects.find((project) => project.id === value)?.id ?? null)}
          />
        </div>
        {list.isPending && <HistorySkeleton label={words.common.loading} />}
        {list.isError && (
          <Empty text={words.sessions.failed}>
            <Button onClick={() => void list.refetch()}>{words.common.retry}</Button>
          </Empty>
        )}
        {list.isSuccess && rows.length === 0 && !isFiltered && (
          <Empty text={words.sessions.none} note={words.sessions.noneNote}>
            <Button look="primary" onClick={onNew}>
              {words.sessions.create}
            </Button>
          </Empty>
        )}
        {list.isSuccess && rows.length === 0 && isFiltered && (
          <Empty text={words.sessions.noMatch}>
            <Button
              onClick={() => {
                setTitle("");
                setProjectId(null);
              }}
            >
              {words.sessions.clearFilter}
            </Button>
          </Empty>
        )}
        <HistoryDays rows={rows} projects={projects} onRemoved={onRemoved} />
        {list.hasNextPage && (
          <div className="mt-4 flex justify-center">
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {words.sessions.more}
            </Button>
          </div>
        )}
      </div>
    </main>
  );
}

interface HistoryDaysProps extends Pick<HistoryPageProps, "projects" | "onRemoved"> {
  readonly rows: readonly SessionRow[];
}

function HistoryDays({ rows, projects, onRemoved }: HistoryDaysProps) {
  const words = useWords();
  const commands = useSessionCommands(onRemoved);
  const days = useMemo(() => {
    const now = Date.now();
    const groups = new Map<Day, SessionRow[]>();
    for (const row of rows) {
      const day = dayOf(row.updatedAt, now);
      groups.set(day, [...(groups.get(day) ?? []), row]);
    }
    return [...groups];
  }, [rows]);
  return days.map(([day, of]) => (
    <section key={day} aria-label={words.sessions.days[day]} className="mb-6">
      <h2 className="px-3 pb-1 text-small font-medium text-ink-muted">{words.sessions.days[day]}</h2>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
        {of.map((row) => (
          <HistoryRow
            key={row.id}
            row={row}
            project={projects.find((project) => project.id === row.projectId)?.name ?? words.sessions.otherProject}
            commands={commands}
          />
        ))}
      </ul>
    </section>
  ));
}

function Empty({
  text,
  note,
  children,
}: {
  readonly text: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-1 rounded-card border border-line px-6 py-12 text-center">
      <p className="font-medium">{text}</p>
      {note !== undefined && <p className="text-ink-muted">{note}</p>}
      <div className="mt-4">{children}</div>
    </div>
  );
}

function HistorySkeleton({ label }: { readonly label: string }) {
  return (
    <div className="grid gap-2">
      <Skeleton label={label} className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  );
}
