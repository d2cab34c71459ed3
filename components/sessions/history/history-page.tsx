"use client";
/**
 * All sessions of all projects: search, filters, archived and deleted sessions, import; and the statistics. Loaded when
 * its URL is opened.
 */
import { type KeyboardEvent, lazy, Suspense, useCallback, useMemo, useRef } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import type { SessionRow } from "@/lib/protocol/session-row";
import { Segmented } from "../../ui/controls/segmented";
import { useMessages } from "../../messages/messages";
import {
  toSessionFilter,
  type HistoryView,
  historyTabs,
  hasFilters,
  formatHistoryView,
  parseHistoryView,
  withoutFilters,
} from "./history-view";
import { HistoryFilters } from "./history-filters";
import { HistoryList } from "./history-list";
import { DropArea, ImportButton, ImportStatus } from "../import/import-panel";
import { moveFocus } from "../list/move-focus";
import { SearchField } from "../search/search-field";
import { SearchResults } from "../search/search-results";
import { useImport } from "../import/use-import";

const Statistics = lazy(async () => ({ default: (await import("../statistics/statistics")).Statistics }));

interface HistoryPageProps {
  readonly projects: readonly Project[];
  /** The current project; imported sessions are added to it, unless the filter names another. */
  readonly projectId: ProjectId | null;
  /** The URL's query string including "?". */
  readonly search: string;
  readonly onRemoved: (row: SessionRow) => void;
  readonly onNew: () => void;
  /** Navigates to a URL of this application. `replace` adds no history entry. */
  readonly onOpen: (address: string, method?: "push" | "replace") => void;
}

export function HistoryPage({ projects, projectId, search, onRemoved, onNew, onOpen }: HistoryPageProps) {
  const messages = useMessages();
  const view = useMemo(() => parseHistoryView(search), [search]);
  const show = useCallback(
    (next: HistoryView, method: "push" | "replace" = "push") => onOpen(`/history${formatHistoryView(next)}`, method),
    [onOpen],
  );
  const into = view.projectId ?? projectId;
  const imports = useImport(into, onOpen);
  return (
    <DropArea
      project={projects.find((project) => project.id === into)?.name ?? null}
      onFiles={imports.add}
      className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto bg-canvas [scrollbar-gutter:stable]"
    >
      <div className="mx-auto max-w-[880px] px-6 pt-6 pb-16 max-tablet:px-4 max-tablet:pt-4">
        <h1 className="sr-only">{messages.sessions.history}</h1>
        <div className="mb-4 flex min-h-8 items-center justify-between gap-2 max-tablet:min-h-11">
          <Segmented
            name={messages.sessions.tabsName}
            value={view.tab}
            options={historyTabs.map((tab) => ({ value: tab, label: messages.sessions.tabs[tab] }))}
            onChange={(tab) => show({ ...view, tab })}
          />
          {view.tab === "sessions" && <ImportButton imports={imports} />}
        </div>
        <ImportStatus imports={imports} />
        {view.tab === "statistics" ? (
          <Suspense>
            <Statistics view={view} projects={projects} onView={show} />
          </Suspense>
        ) : (
          <SessionsView {...{ view, projects, onRemoved, onNew }} onView={show} />
        )}
      </div>
    </DropArea>
  );
}

interface SessionsViewProps extends Pick<HistoryPageProps, "projects" | "onRemoved" | "onNew"> {
  readonly view: HistoryView;
  readonly onView: (view: HistoryView, method?: "push" | "replace") => void;
}

function SessionsView({ view, projects, onRemoved, onNew, onView }: SessionsViewProps) {
  const field = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const filter = useMemo(() => toSessionFilter(view, Date.now()), [view]);
  const query = view.query.trim();
  const onClearFilters = hasFilters(view) ? () => onView(withoutFilters(view)) : null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => moveFocus(event, field.current);
  const onQuery = useCallback((text: string) => onView({ ...view, query: text }, "replace"), [view, onView]);
  return (
    <div ref={body} onKeyDown={onKeyDown}>
      <SearchField
        query={view.query}
        onQuery={onQuery}
        onEnter={() => body.current?.querySelector<HTMLElement>("a[data-hit], a[data-session]")?.click()}
        field={field}
      />
      <HistoryFilters view={view} projects={projects} onView={onView} />
      {query === "" ? (
        <HistoryList
          key={JSON.stringify(filter)}
          shelf={view.shelf}
          grouping={view.grouping}
          {...{ filter, projects, onRemoved, onNew, onClearFilters }}
        />
      ) : (
        <SearchResults {...{ query, filter, projects, onClearFilters }} />
      )}
    </div>
  );
}
