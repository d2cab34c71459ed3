"use client";
/** Whole screen: bars, panes, pages, overlays; on a phone a single column. */
import { useCallback, useEffect } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { CurrentActionContext } from "../../actions/current-actions";
import { useSessionCommands } from "../../sessions/list/session-commands";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { Toasts } from "../../ui/overlays/toast";
import { phoneQuery, useMedia } from "../../ui/layout/use-media";
import { watchScreen } from "../../ui/layout/screen-variables";
import { useMessages } from "../../messages/messages";
import { Attention } from "../status/attention";
import { Header } from "./header";
import { openNewSession } from "../navigation/open-new-session";
import { Notices } from "../notices/notices";
import { Overlays } from "../overlays/overlays";
import { Page } from "./page";
import { BottomPanel } from "../panes/bottom-panel";
import { useSearchTypeAhead } from "../panes/use-search-type-ahead";
import { Panes } from "./panes";
import { PhoneShell } from "./phone-shell";
import { Rail } from "./rail";
import { parseRoute } from "../navigation/router";
import { StatusBar } from "../status/status-bar";
import { useActionContext, useGlobalShortcuts } from "../navigation/use-action-context";
import { useWorkbenchLocation } from "../navigation/use-workbench-location";

export function Workbench({ path }: { readonly path: string }) {
  const messages = useMessages();
  const client = useClient();
  const route = parseRoute(path);
  const place = useWorkbenchLocation(route);
  const isPhone = useMedia(phoneQuery);
  const toasts = useStore(client.toasts, (value) => value);
  // Leaves the page of a session that was deleted.
  const onRemoved = useCallback(
    (row: SessionRow) => {
      if (location.pathname === `/s/${row.id}`) openNewSession(client.workbench);
    },
    [client],
  );
  const { remove } = useSessionCommands(onRemoved);
  const { view } = place.session;
  const removeSession = useCallback(() => {
    if (view !== null) remove([rowFromView(view)]);
  }, [view, remove]);
  const isPage = route.page !== "home" && route.page !== "session";
  const context = useActionContext(place, removeSession, isPage);
  useGlobalShortcuts(context);
  useSearchTypeAhead();
  useEffect(watchScreen, []);
  const parts = { place, route, onRemoved, onRemove: removeSession };
  return (
    <CurrentActionContext value={context}>
      {isPhone ? (
        <PhoneShell {...parts} />
      ) : (
        <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[40px_auto_minmax(0,1fr)_24px] bg-canvas">
          <Header {...parts} />
          <Notices place={place} isPage={isPage} />
          <div className="flex min-h-0 min-w-0">
            <Rail route={route} />
            {isPage ? (
              <Page {...parts} />
            ) : (
              <div className="flex min-h-0 min-w-0 flex-1 flex-col">
                <Panes place={place} onRemoved={onRemoved} />
                <BottomPanel place={place} onRemoved={onRemoved} />
              </div>
            )}
          </div>
          <StatusBar place={place} />
        </div>
      )}
      <Overlays context={context} place={place} />
      <Attention place={place} />
      <Toasts toasts={toasts} closeName={messages.shell.closeNews} onClose={client.toasts.close} />
    </CurrentActionContext>
  );
}

/** Builds the minimal session row that deletion needs. */
const rowFromView = (view: NonNullable<ReturnType<typeof useWorkbenchLocation>["session"]["view"]>): SessionRow => ({
  id: view.sessionId,
  projectId: view.projectId,
  cwd: view.cwd,
  title: view.title,
  status: "idle",
  mode: view.mode,
  model: view.model?.model ?? "",
  createdAt: view.createdAt,
  updatedAt: view.updatedAt,
  lastSeq: view.seq,
  added: 0,
  removed: 0,
});
