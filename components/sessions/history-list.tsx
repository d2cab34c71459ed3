"use client";
/**
 * Sessions of the history by day, or by project and day, with pinned sessions on top and multiple selection. Use the
 * filter as the React key.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import type { ProjectId, SessionId } from "@/lib/id";
import type { Project } from "@/lib/project";
import type { SessionRow } from "@/lib/session-row";
import { useClient } from "../state/client";
import { CallFailed, queries } from "../state/queries";
import {
  groupByDay,
  groupByProject,
  recentDays,
  rowsOf,
  type SessionFilter,
  withoutPinned,
} from "../state/session-lists";
import { Button } from "../ui/button";
import { Skeleton } from "../ui/skeleton";
import { useWords, type Words } from "../words/words";
import { Empty } from "./empty";
import type { Grouping, Shelf } from "./history-address";
import { type HistoryCommands, useHistoryCommands } from "./history-commands";
import { HistoryRow } from "./history-row";
import { namesakeMarks } from "./namesakes";
import { PurgeDialog, type Purging } from "./purge-dialog";
import { SelectionBar } from "./selection-bar";

export interface HistoryListProps {
  readonly filter: SessionFilter;
  readonly shelf: Shelf;
  readonly grouping: Grouping;
  readonly projects: readonly Project[];
  readonly onRemoved: (row: SessionRow) => void;
  readonly onNew: () => void;
  /** Clears the filters; null = no filter is set. */
  readonly onClearFilters: (() => void) | null;
}

export function HistoryList({ filter, shelf, grouping, projects, onRemoved, onNew, onClearFilters }: HistoryListProps) {
  const words = useWords();
  const { call } = useClient();
  const commands = useHistoryCommands(onRemoved);
  const list = useInfiniteQuery(queries.sessions(call, filter));
  const pins = useInfiniteQuery(queries.sessions(call, usePinned(filter)));
  const pinned = useMemo(() => rowsOf(pins.data?.pages), [pins.data]);
  const rows = useMemo(() => withoutPinned(rowsOf(list.data?.pages)), [list.data]);
  const [chosen, setChosen] = useState<ReadonlySet<SessionId>>(new Set());
  const [purging, setPurging] = useState<Purging | null>(null);
  const selected = [...pinned, ...rows].filter((row) => chosen.has(row.id));
  const groups = useMemo(() => {
    const byDay = (of: readonly SessionRow[]): readonly Part[] =>
      groupByDay(of, Date.now(), shelf === "bin").map(({ day, rows: those }) => ({
        name: dayName(words, day),
        rows: those,
      }));
    if (grouping === "day") return byDay(rows).map((part) => ({ key: part.name, name: part.name, parts: [part] }));
    return groupByProject(rows, null).map(({ projectId, rows: of }) => ({
      key: projectId,
      name: projectName(words, projects, projectId),
      parts: byDay(of),
    }));
  }, [rows, shelf, grouping, projects, words]);
  const marks = useMemo(
    () => namesakeMarks([...pinned, ...rows], { figures: words.figures, projectName: null }),
    [pinned, rows, words],
  );
  const select = (id: SessionId, isChosen: boolean): void =>
    setChosen((now) => new Set(isChosen ? [...now, id] : [...now].filter((other) => other !== id)));
  const isEmpty = list.isSuccess && rows.length + pinned.length === 0;
  const group = (key: string, name: string, parts: readonly Part[]): ReactNode =>
    parts.some((part) => part.rows.length > 0) && (
      <Group
        key={key}
        name={name}
        parts={parts}
        {...{ shelf, projects, commands, chosen, marks }}
        isSelecting={selected.length > 0}
        onSelect={select}
        onPurge={(row) => setPurging([row])}
      />
    );
  return (
    <>
      {shelf === "bin" && !isEmpty && list.isSuccess && <BinHead onEmpty={() => setPurging("all")} />}
      {list.isPending && <HistorySkeleton label={words.common.loading} />}
      {list.isError && (
        <Empty
          text={words.sessions.failed}
          {...(list.error instanceof CallFailed ? { note: words.errors.sentences[list.error.error.code] } : {})}
        >
          <Button onClick={() => void list.refetch()}>{words.common.retry}</Button>
        </Empty>
      )}
      {isEmpty && <NothingHere {...{ shelf, onNew, onClearFilters }} />}
      {group("pinned", words.sessions.pinned, [{ name: words.sessions.pinned, rows: pinned }])}
      {groups.map(({ key, name, parts }) => group(key, name, parts))}
      {list.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.sessions.more}
          </Button>
        </div>
      )}
      {selected.length > 0 && (
        <SelectionBar
          rows={selected}
          shelf={shelf}
          commands={commands}
          onPurge={() => setPurging(selected)}
          onEnd={() => setChosen(new Set())}
        />
      )}
      {purging !== null && <PurgeDialog of={purging} purge={commands.purge} onClose={() => setPurging(null)} />}
    </>
  );
}

const usePinned = (filter: SessionFilter): SessionFilter =>
  useMemo<SessionFilter>(() => ({ ...filter, pinned: true }), [filter]);

/** Names a recent day, or the month of an older one. */
function dayName(words: Words, day: string): string {
  const { days } = words.sessions;
  const recent = recentDays.find((one) => one === day);
  if (recent !== undefined) return days[recent];
  const [year, month] = day.split("-").map(Number);
  return new Intl.DateTimeFormat(words.figures.locale, { year: "numeric", month: "long" }).format(
    new Date(year ?? 0, (month ?? 1) - 1, 1),
  );
}

const projectName = (words: Words, projects: readonly Project[], id: ProjectId): string =>
  projects.find((project) => project.id === id)?.name ?? words.sessions.otherProject;

/** Rows below one subheading. */
interface Part {
  readonly name: string;
  readonly rows: readonly SessionRow[];
}

interface GroupProps extends Pick<HistoryListProps, "shelf" | "projects"> {
  readonly name: string;
  /** A part with the group's name has no subheading. */
  readonly parts: readonly Part[];
  readonly commands: HistoryCommands;
  readonly chosen: ReadonlySet<SessionId>;
  /** Distinguishing marks of sessions with the same title. */
  readonly marks: ReadonlyMap<SessionId, string>;
  readonly isSelecting: boolean;
  readonly onSelect: (id: SessionId, isChosen: boolean) => void;
  readonly onPurge: (row: SessionRow) => void;
}

function Group({ name, parts, ...rows }: GroupProps) {
  return (
    <section aria-label={name} className="mb-6">
      <h2 className="pb-1 pl-9 text-small font-medium text-ink-muted max-tablet:pl-3 [overflow-wrap:anywhere]">
        {name}
      </h2>
      {parts.map((part) => (
        <div key={part.name} className="mb-3 last:mb-0">
          {part.name !== name && <h3 className="pb-1 pl-9 text-small text-ink-faint max-tablet:pl-3">{part.name}</h3>}
          <Rows name={part.name} of={part.rows} {...rows} />
        </div>
      ))}
    </section>
  );
}

interface RowsProps extends Omit<GroupProps, "parts"> {
  readonly of: readonly SessionRow[];
}

function Rows({ name, of, shelf, projects, commands, chosen, marks, isSelecting, onSelect, onPurge }: RowsProps) {
  const words = useWords();
  return (
    <ul aria-label={name} className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
      {of.map((row) => (
        <HistoryRow
          key={row.id}
          row={row}
          shelf={shelf}
          project={projectName(words, projects, row.projectId)}
          mark={marks.get(row.id)}
          commands={commands}
          isSelected={chosen.has(row.id)}
          isSelecting={isSelecting}
          onSelect={(isChosen) => onSelect(row.id, isChosen)}
          onPurge={() => onPurge(row)}
        />
      ))}
    </ul>
  );
}

function BinHead({ onEmpty }: { readonly onEmpty: () => void }) {
  const { bin, noneHereNote } = useWords().sessions;
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-2 pl-9 max-tablet:pl-3">
      <p className="min-w-0 flex-1 text-small text-ink-muted">{noneHereNote.bin}</p>
      <Button look="danger" size="small" onClick={onEmpty}>
        {bin.empty}
      </Button>
    </div>
  );
}

function NothingHere({ shelf, onNew, onClearFilters }: Pick<HistoryListProps, "shelf" | "onNew" | "onClearFilters">) {
  const { sessions } = useWords();
  if (onClearFilters !== null)
    return (
      <Empty text={sessions.noMatch}>
        <Button onClick={onClearFilters}>{sessions.filters.clear}</Button>
      </Empty>
    );
  if (shelf !== "active") return <Empty text={sessions.noneHere[shelf]} note={sessions.noneHereNote[shelf]} />;
  return (
    <Empty text={sessions.none} note={sessions.noneNote}>
      <Button look="primary" onClick={onNew}>
        {sessions.create}
      </Button>
    </Empty>
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
