"use client";
/** Pages beside the conversation: history, settings, not found. Each is loaded when it is opened. */
import { lazy, Suspense } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { useClient } from "../../state/client";
import { useMessages } from "../../messages/messages";
import { settingsSections } from "../../settings/settings-sections";
import { ErrorBoundary } from "../notices/error-boundary";
import { openNewSession } from "../navigation/open-new-session";
import { NoticePage } from "../notices/notice-page";
import { navigate, type Route, useSearch } from "../navigation/router";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const HistoryPage = lazy(async () => ({ default: (await import("../../sessions/history/history-page")).HistoryPage }));
const OverviewPage = lazy(async () => ({ default: (await import("../overview/overview-page")).OverviewPage }));
const SettingsPage = lazy(async () => {
  // The sections load in parallel with the page, so that each is drawn at once.
  const sections = settingsSections.map(({ load }) => load());
  const [{ SettingsPage }] = await Promise.all([import("../../settings/settings-page"), ...sections]);
  return { default: SettingsPage };
});

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
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <ErrorBoundary resetKey={Object.values(route).join("/")}>
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
          {route.page === "overview" && <OverviewPage projects={place.projects} />}
          {route.page === "settings" && (
            <SettingsPage tab={route.tab} projects={place.projects} loadEditorKeys={loadEditorKeys} />
          )}
          {route.page === "missing" && (
            <NoticePage title={messages.shell.missing} action={{ label: messages.shell.home, path: "/" }} />
          )}
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}
