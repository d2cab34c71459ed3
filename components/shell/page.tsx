"use client";
/** Pages beside the conversation: history, settings, not found. Each is loaded when it is opened. */
import { lazy, Suspense } from "react";
import type { SessionRow } from "@/lib/session-row";
import { useClient } from "../state/client";
import { useWords } from "../words/words";
import { ErrorBoundary } from "./error-boundary";
import { openNewSession } from "./new-page";
import { Notice } from "./notice-page";
import { navigate, type Route, useSearch } from "./router";
import type { Place } from "./use-place";

const HistoryPage = lazy(async () => ({ default: (await import("../sessions/history-page")).HistoryPage }));
const SettingsPage = lazy(async () => ({ default: (await import("../settings/settings-page")).SettingsPage }));

export interface PageProps {
  readonly route: Route;
  readonly place: Place;
  readonly onRemoved: (row: SessionRow) => void;
}

export function Page({ route, place, onRemoved }: PageProps) {
  const words = useWords();
  const { workbench } = useClient();
  const search = useSearch();
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <ErrorBoundary>
        <Suspense>
          {route.page === "history" && (
            <HistoryPage
              projects={place.projects}
              projectId={place.projectId}
              search={search}
              onRemoved={onRemoved}
              onNew={() => openNewSession(workbench)}
              onOpen={navigate}
            />
          )}
          {route.page === "settings" && <SettingsPage tab={route.tab} projects={place.projects} />}
          {route.page === "missing" && (
            <Notice title={words.shell.missing} action={{ label: words.shell.home, href: "/" }} />
          )}
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}
