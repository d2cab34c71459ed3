"use client";
/**
 * Sessions of the history by day, or by project and day, with pinned sessions on top and multiple selection. Use the
 * filter as the React key.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import type { SessionRow } from "@/lib/protocol/session-row";
import {
  groupByDay,
  groupByProject,
  recentDays,
  mergeRows,
  type SessionFilter,
  removePinned,
} from "../../state/session/session-lists";
import { CallError } from "../../state/command-query";
import { queries } from "../../state/queries";
import { Button } from "../../ui/controls/button";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import { useMessages, type Messages } from "../../messages/messages";
import { EmptyState } from "../list/empty-state";
import type { HistoryGrouping, SessionShelf } from "./history-view";
import { type HistoryCommands, useHistoryCommands } from "./history-commands";
import { HistoryRow } from "./history-row";
import { duplicateTitleMarks } from "../list/duplicate-title-marks";
import { SelectionBar } from "./selection-bar";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { countedMessage } from "../list/session-commands";

/** These sessions, or all deleted ones. */
type PurgeTarget = readonly SessionRow[] | "all";

interface PurgeDialogProps {
  readonly of: PurgeTarget;
  readonly purge: HistoryCommands["purge"];
  readonly onClose: () => void;
}

/** Confirmation before sessions are deleted irreversibly. */
function PurgeDialog({ of, purge, onClose }: PurgeDialogProps) {
  const messages = useFullMessages();
  const { bin } = messages.sessions;
  const { purge: history } = messages.sessionHistory;
  const [isBusy, setBusy] = useState(false);
  const isAll = of === "all";
  return (
    <ConfirmDialog
      title={isAll ? history.emptyTitle : history.title}
      yes={isAll ? bin.empty : bin.purge}
      busy={isBusy}
      onClose={onClose}
      onYes={() => {
        setBusy(true);
        void purge(isAll ? null : of).then(onClose);
      }}
    >
      <p>{isAll ? history.emptyNote : countedMessage(messages, of, history.note, history.manyNote)}</p>
    </ConfirmDialog>
  );
}

interface HistoryListProps {
  readonly filter: SessionFilter;
  readonly shelf: SessionShelf;
  readonly grouping: HistoryGrouping;
  readonly projects: readonly Project[];
  readonly onRemoved: (row: SessionRow) => void;
  readonly onNew: () => void;
  /** Clears the filters; null = no filter is set. */
  readonly onClearFilters: (() => void) | null;
}

export function HistoryList({ filter, shelf, grouping, projects, onRemoved, onNew, onClearFilters }: HistoryListProps) {
  const messages = useMessages();
  const commands = useHistoryCommands(onRemoved);
  const list = useInfiniteQuery(queries.sessions(filter));
  const pins = useInfiniteQuery(queries.sessions(usePinnedFilter(filter)));
  const pinned = useMemo(() => mergeRows(pins.data?.pages), [pins.data]);
  const rows = useMemo(() => removePinned(mergeRows(list.data?.pages)), [list.data]);
  const [chosen, setChosen] = useState<ReadonlySet<SessionId>>(new Set());
  const [purging, setPurging] = useState<PurgeTarget | null>(null);
  const selected = [...pinned, ...rows].filter((row) => chosen.has(row.id));
  const groups = useMemo(() => {
    const byDay = (list: readonly SessionRow[]): readonly HistorySubgroup[] =>
      groupByDay(list, Date.now(), shelf === "bin").map(({ day, rows: dayRows }) => ({
        name: dayName(messages, day),
        rows: dayRows,
      }));
    if (grouping === "day") return byDay(rows).map((part) => ({ key: part.name, name: part.name, parts: [part] }));
    return groupByProject(rows, null).map(({ projectId, rows: projectRows }) => ({
      key: projectId,
      name: projectName(messages, projects, projectId),
      parts: byDay(projectRows),
    }));
  }, [rows, shelf, grouping, projects, messages]);
  const marks = useMemo(
    () => duplicateTitleMarks([...pinned, ...rows], { figures: messages.figures, projectName: null }),
    [pinned, rows, messages],
  );
  const select = (id: SessionId, isChosen: boolean): void =>
    setChosen((now) => new Set(isChosen ? [...now, id] : [...now].filter((other) => other !== id)));
  const isEmpty = list.isSuccess && rows.length + pinned.length === 0;
  const group = (key: string, name: string, parts: readonly HistorySubgroup[]): ReactNode =>
    parts.some((part) => part.rows.length > 0) && (
      <HistoryGroup
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
      {shelf === "bin" && !isEmpty && list.isSuccess && <DeletedHeader onEmpty={() => setPurging("all")} />}
      {list.isPending && <HistorySkeleton label={messages.common.loading} />}
      {list.isError && (
        <EmptyState
          text={messages.sessions.failed}
          note={list.error instanceof CallError ? messages.errors.sentences[list.error.error.code] : undefined}
        >
          <Button onClick={() => void list.refetch()}>{messages.common.retry}</Button>
        </EmptyState>
      )}
      {isEmpty && <EmptyShelf {...{ shelf, onNew, onClearFilters }} />}
      {group("pinned", messages.sessions.pinned, [{ name: messages.sessions.pinned, rows: pinned }])}
      {groups.map(({ key, name, parts }) => group(key, name, parts))}
      {list.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {messages.sessions.more}
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

const usePinnedFilter = (filter: SessionFilter): SessionFilter =>
  useMemo<SessionFilter>(() => ({ ...filter, pinned: true }), [filter]);

/** Names a recent day, or the month of an older one. */
function dayName(messages: Messages, day: string): string {
  const { days } = messages.sessions;
  const recent = recentDays.find((one) => one === day);
  if (recent !== undefined) return days[recent];
  const [year, month] = day.split("-").map(Number);
  return new Intl.DateTimeFormat(messages.figures.locale, { year: "numeric", month: "long" }).format(
    new Date(year ?? 0, (month ?? 1) - 1, 1),
  );
}

const projectName = (messages: Messages, projects: readonly Project[], id: ProjectId): string =>
  projects.find((project) => project.id === id)?.name ?? messages.sessions.otherProject;

/** Rows below one subheading. */
interface HistorySubgroup {
  readonly name: string;
  readonly rows: readonly SessionRow[];
}

interface HistoryGroupProps extends Pick<HistoryListProps, "shelf" | "projects"> {
  readonly name: string;
  /** A part with the group's name has no subheading. */
  readonly parts: readonly HistorySubgroup[];
  readonly commands: HistoryCommands;
  readonly chosen: ReadonlySet<SessionId>;
  /** Distinguishing marks of sessions with the same title. */
  readonly marks: ReadonlyMap<SessionId, string>;
  readonly isSelecting: boolean;
  readonly onSelect: (id: SessionId, isChosen: boolean) => void;
  readonly onPurge: (row: SessionRow) => void;
}

function HistoryGroup({ name, parts, ...rows }: HistoryGroupProps) {
  return (
    <section aria-label={name} className="mb-6">
      <h2 className="pb-1 pl-9 text-small font-medium text-ink-muted max-tablet:pl-3 [overflow-wrap:anywhere]">
        {name}
      </h2>
      {parts.map((part) => (
        <div key={part.name} className="mb-3 last:mb-0">
          {part.name !== name && <h3 className="pb-1 pl-9 text-small text-ink-faint max-tablet:pl-3">{part.name}</h3>}
          <HistoryRows name={part.name} of={part.rows} {...rows} />
        </div>
      ))}
    </section>
  );
}

interface HistoryRowsProps extends Omit<HistoryGroupProps, "parts"> {
  readonly of: readonly SessionRow[];
}

function HistoryRows({
  name,
  of,
  shelf,
  projects,
  commands,
  chosen,
  marks,
  isSelecting,
  onSelect,
  onPurge,
}: HistoryRowsProps) {
  const messages = useMessages();
  return (
    <ul aria-label={name} className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
      {of.map((row) => (
        <HistoryRow
          key={row.id}
          row={row}
          shelf={shelf}
          project={projectName(messages, projects, row.projectId)}
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

function DeletedHeader({ onEmpty }: { readonly onEmpty: () => void }) {
  const { sessions, sessionHistory } = useFullMessages();
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-2 pl-9 max-tablet:pl-3">
      <p className="min-w-0 flex-1 text-small text-ink-muted">{sessionHistory.noneHereNote.bin}</p>
      <Button look="danger" size="small" onClick={onEmpty}>
        {sessions.bin.empty}
      </Button>
    </div>
  );
}

function EmptyShelf({ shelf, onNew, onClearFilters }: Pick<HistoryListProps, "shelf" | "onNew" | "onClearFilters">) {
  const { sessions, sessionHistory } = useFullMessages();
  if (onClearFilters !== null)
    return (
      <EmptyState text={sessions.noMatch}>
        <Button onClick={onClearFilters}>{sessionHistory.filters.clear}</Button>
      </EmptyState>
    );
  if (shelf !== "active")
    return <EmptyState text={sessionHistory.noneHere[shelf]} note={sessionHistory.noneHereNote[shelf]} />;
  return (
    <EmptyState text={sessions.none} note={sessions.noneNote}>
      <Button look="primary" onClick={onNew}>
        {sessions.create}
      </Button>
    </EmptyState>
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
