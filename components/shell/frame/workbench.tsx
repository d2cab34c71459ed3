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
import { classes } from "../../ui/theme/classes";
import { watchScreen } from "../../ui/layout/screen-variables";
import { useMessages } from "../../messages/messages";
import { Attention } from "../status/attention";
import { Header } from "./header";
import { openNewSession } from "../navigation/open-new-session";
import { Notices } from "../notices/notices";
import { Overlays } from "../overlays/overlays";
import { Page } from "./page";
import { Panes } from "./panes";
import { PhoneHeader, PhonePane, PhoneTabs, usePhoneTab } from "./phone-shell";
import { parseRoute, navigate, type Route, lastConversationPath } from "../navigation/router";
import { StatusBar } from "../status/status-bar";
import { useActionContext, useGlobalShortcuts } from "../navigation/use-action-context";
import { useWorkbenchLocation } from "../navigation/use-workbench-location";
import { currentPath } from "../../state/base-path";
import { startTypeAhead } from "../../ui/browser/type-ahead";
import { toggleBottomPanel, toggleSidePanel } from "../../state/workbench/layout";
import { IconButton } from "../../ui/controls/icon-button";
import { type Pane, paneRegistry, panesAt } from "../panes/pane-registry";

interface RailProps {
  readonly route: Route;
  readonly panes?: readonly Pane[];
}

/** Narrow bar at the left edge; selects the panel beside it and the bottom panel. */
export function Rail({ route, panes = paneRegistry }: RailProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const { side, bottom } = useStore(workbench, (state) => state.layout);
  const isWork = route.page === "home" || route.page === "session";
  const choose = ({ id, place }: Pane): void => {
    if (place === "bottom")
      workbench.changeLayout((layout) => (isWork ? toggleBottomPanel(layout, id) : { ...layout, bottom: id }));
    else if (isWork) workbench.changeLayout((layout) => toggleSidePanel(layout, id));
    else workbench.changeLayout((layout) => ({ ...layout, side: id, lastSide: id }));
    if (!isWork) navigate(lastConversationPath());
  };
  return (
    <nav
      aria-label={messages.shell.views}
      className="flex w-11 shrink-0 flex-col items-center gap-1 border-r border-line bg-surface py-1.5"
    >
      {[...panesAt(panes, "side"), ...panesAt(panes, "bottom")].map((pane) => (
        <IconButton
          key={pane.id}
          icon={pane.icon}
          name={pane.title(messages)}
          side="right"
          on={isWork && (side === pane.id || bottom === pane.id)}
          onClick={() => choose(pane)}
        />
      ))}
    </nav>
  );
}

/**
 * Captures what is typed between the request to search and the first time the search pane is drawn. A pane that is
 * already drawn clears the request in its own effect, which runs before this one.
 */
function useSearchTypeAhead(): void {
  const { workbench, handles } = useClient();
  const { shell } = useMessages();
  const request = useStore(workbench, (state) => state.searchRequest);
  useEffect(() => {
    if (request === null || workbench.get().searchRequest === null) return;
    const typeAhead = startTypeAhead(shell.search);
    handles.typeAhead = typeAhead;
    return () => {
      typeAhead.take();
      if (handles.typeAhead === typeAhead) delete handles.typeAhead;
    };
  }, [request, workbench, handles, shell]);
}

const phoneRows = "h-(--visible-height,100dvh) grid-rows-[48px_auto_minmax(0,1fr)_auto]";
const desktopRows = "h-dvh grid-rows-[40px_auto_minmax(0,1fr)_auto]";

export function Workbench({ path }: { readonly path: string }) {
  const messages = useMessages();
  const client = useClient();
  const route = parseRoute(path);
  const place = useWorkbenchLocation(route);
  const isPhone = useMedia(phoneQuery);
  const shown = useStore(client.toasts, (value) => value);
  const toasts = <Toasts toasts={shown} closeName={messages.shell.closeNews} onClose={client.toasts.close} />;
  // Leaves the page of a session that was deleted.
  const onRemoved = useCallback(
    (row: SessionRow) => {
      if (currentPath() === `/s/${row.id}`) openNewSession(client.workbench);
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
  const tab = usePhoneTab(route, isPage);
  const parts = { place, route, onRemoved, onRemove: removeSession };
  return (
    <CurrentActionContext value={context}>
      <div className={classes("grid grid-cols-[minmax(0,1fr)] bg-canvas", isPhone ? phoneRows : desktopRows)}>
        {isPhone ? <PhoneHeader tab={tab} isPage={isPage} {...parts} /> : <Header {...parts} />}
        <Notices place={place} isPage={isPage} />
        <div className={classes("flex min-h-0 min-w-0", isPhone && "flex-col")}>
          {!isPhone && <Rail route={route} />}
          {/* The same element in both layouts: a page keeps what is typed in it when the window becomes narrow or wide. */}
          {isPage && <Page {...parts} />}
          {isPhone && tab !== null && <PhonePane tab={tab} place={place} onRemoved={onRemoved} />}
          {!isPhone && !isPage && (
            <main className="flex min-h-0 min-w-0 flex-1 flex-col">
              <Panes place={place} onRemoved={onRemoved} />
            </main>
          )}
        </div>
        {isPhone ? (
          <div>
            {toasts}
            <PhoneTabs tab={tab} />
          </div>
        ) : (
          <StatusBar place={place}>{toasts}</StatusBar>
        )}
      </div>
      <Overlays context={context} place={place} />
      <Attention place={place} />
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
