"use client";
/** Pages beside the conversation: history, settings, not found. Each is loaded when it is opened. */
import { lazy, Suspense } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { useClient } from "../../state/client";
import { useMessages } from "../../messages/messages";
import { Skeleton } from "../../ui/indicators/skeleton";
import { ErrorBoundary } from "../notices/error-boundary";
import { openNewSession } from "../navigation/open-new-session";
import { NoticePage } from "../notices/notice-page";
import { navigate, type Route, useSearch } from "../navigation/router";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const HistoryPage = lazy(async () => ({ default: (await import("../../sessions/history/history-page")).HistoryPage }));
const OverviewPage = lazy(async () => ({ default: (await import("../overview/overview-page")).OverviewPage }));
const SettingsPage = lazy(async () => {
  // Loads the sections in parallel with the page, so that each is drawn at once.
  void Promise.allSettled([loadSections()]);
  return { default: (await import("../../settings/settings-page")).SettingsPage };
});

async function loadSections(): Promise<void> {
  const { settingsSections } = await import("../../settings/settings-sections");
  await Promise.allSettled(settingsSections.map(({ load }) => load()));
}

const loadEditorKeys = async (isMac: boolean) => (await import("../../editor/text/editor-keys")).listEditorKeys(isMac);

interface PageProps {
  readonly route: Route;
  readonly place: WorkbenchLocation;
  readonly onRemoved: (row: SessionRow) => void;
}

export function Page({ route, place, onRemoved }: PageProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const search = useSearch();
  const missing = <NoticePage title={messages.shell.missing} action={{ label: messages.shell.home, path: "/" }} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <ErrorBoundary resetKey={Object.values(route).join("/")}>
        <Suspense fallback={<Skeleton label={messages.common.loading} className="m-8 h-40" />}>
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
          {route.page === "overview" && <OverviewPage projects={place.projects} />}
          {route.page === "settings" && (
            <SettingsPage tab={route.tab} projects={place.projects} loadEditorKeys={loadEditorKeys} missing={missing} />
          )}
          {route.page === "missing" && missing}
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}
