"use client";
/** Phone layout: one column with tabs at the bottom. */
import { ChevronLeft, FileDiff, Files, List, MessageSquare, Settings, SquarePen } from "lucide-react";
import { lazy, Suspense } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import type { PhoneTab } from "../../state/workbench/workbench-store";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { useMessages } from "../../messages/messages";
import { ConversationPane } from "../session/conversation-pane";
import { ErrorBoundary } from "../notices/error-boundary";
import { ProjectMenu, TitleMenu } from "./header";
import { Notices } from "../notices/notices";
import { Page } from "./page";
import { openNewSession } from "../navigation/open-new-session";
import { NetworkBadge, ShareBadge } from "../status/exposure-badges";
import { navigate, type Route, lastConversationPath } from "../navigation/router";
import { SidePanel } from "./side-panel";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const ReviewPane = lazy(async () => ({ default: (await import("./review-pane")).ReviewPane }));
const EditorPane = lazy(async () => ({ default: (await import("../../editor/editor-pane")).EditorPane }));

export interface PhoneShellProps {
  readonly place: WorkbenchLocation;
  readonly route: Route;
  readonly onRemoved: (row: SessionRow) => void;
  readonly onRemove: () => void;
}

export function PhoneShell({ place, route, onRemoved, onRemove }: PhoneShellProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const chosen = useStore(workbench, (state) => state.phoneTab);
  const isPage = route.page !== "home" && route.page !== "session";
  const tab: PhoneTab | "settings" | null = route.page === "settings" ? "settings" : isPage ? null : chosen;
  return (
    <div className="grid h-(--visible-height,100dvh) grid-cols-[minmax(0,1fr)] grid-rows-[48px_auto_minmax(0,1fr)_auto] bg-canvas">
      <header className="flex min-w-0 items-center justify-between gap-2 border-b border-line bg-surface pr-1 pl-2">
        {tab === "chat" || isPage ? (
          <div className="flex min-w-0 items-center pl-1">
            {isPage && (
              <IconButton
                icon={ChevronLeft}
                name={messages.shell.back}
                side="below"
                onClick={() => navigate(lastConversationPath())}
              />
            )}
            <TitleMenu place={place} route={route} onRemove={onRemove} hasProject />
          </div>
        ) : (
          <ProjectMenu place={place} />
        )}
        <div className="flex shrink-0 items-center">
          <NetworkBadge compact />
          <ShareBadge compact />
          {tab === "chat" && route.page === "session" && (
            <IconButton
              icon={SquarePen}
              name={messages.shell.newSession}
              side="below"
              onClick={() => openNewSession(workbench)}
            />
          )}
        </div>
      </header>
      <Notices place={place} isPage={isPage} />
      <div className="flex min-h-0 min-w-0 flex-col">
        {isPage && <Page route={route} place={place} onRemoved={onRemoved} />}
        {tab === "chat" && (
          // Keeps position: fixed content above the tabs.
          <div className="flex min-h-0 flex-1 flex-col [contain:layout]">
            <ErrorBoundary>
              <ConversationPane isLoaded={place.isLoaded} projectId={place.projectId} sessionId={place.sessionId} />
            </ErrorBoundary>
          </div>
        )}
        {tab === "files" && <PhoneFiles place={place} onRemoved={onRemoved} />}
        {tab === "changes" && place.projectId !== null && (
          <ErrorBoundary>
            <Suspense fallback={<div className="flex-1 bg-canvas" />}>
              <ReviewPane place={place} projectId={place.projectId} />
            </Suspense>
          </ErrorBoundary>
        )}
        {tab === "sessions" && (
          <div
            className="flex min-h-0 flex-1 flex-col bg-surface"
            onClick={(event) => isSessionLink(event.target) && workbench.showPhoneTab("chat")}
          >
            <SidePanel
              panel="sessions"
              place={place}
              onRemoved={onRemoved}
              onChosen={() => workbench.showPhoneTab("chat")}
            />
          </div>
        )}
      </div>
      <PhoneTabs tab={tab} />
    </div>
  );
}

/** Whether the click hit a session row (a link). */
const isSessionLink = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("a[data-session]") !== null;

/** File tree, or an open file with a button back to the tree. */
function PhoneFiles({ place, onRemoved }: Pick<PhoneShellProps, "place" | "onRemoved">) {
  const messages = useMessages();
  const { workbench } = useClient();
  const isOpen = useStore(workbench, ({ layout }) => layout.activeTab !== null && !layout.editorHidden);
  if (!isOpen || place.projectId === null)
    return (
      <div className="flex min-h-0 flex-1 flex-col bg-surface">
        <SidePanel panel="files" place={place} onRemoved={onRemoved} />
      </div>
    );
  return (
    <ErrorBoundary>
      <Suspense fallback={<div className="flex-1 bg-canvas" />}>
        <EditorPane key={place.projectId} projectId={place.projectId}>
          <IconButton
            icon={Files}
            name={messages.shell.files}
            side="below"
            className="m-0.5"
            onClick={() => workbench.changeLayout((layout) => ({ ...layout, editorHidden: true }))}
          />
        </EditorPane>
      </Suspense>
    </ErrorBoundary>
  );
}

const tabs = [
  { id: "chat", icon: MessageSquare },
  { id: "files", icon: Files },
  { id: "changes", icon: FileDiff },
  { id: "sessions", icon: List },
  { id: "settings", icon: Settings },
] as const;

function PhoneTabs({ tab }: { readonly tab: PhoneTab | "settings" | null }) {
  const messages = useMessages();
  const { workbench } = useClient();
  const choose = (id: (typeof tabs)[number]["id"]): void => {
    if (id === "settings") return navigate("/settings/model");
    if (tab === null || tab === "settings") navigate(lastConversationPath());
    // Selecting the active tab again returns from the file to the tree.
    if (id === "files" && tab === "files") workbench.changeLayout((layout) => ({ ...layout, editorHidden: true }));
    workbench.showPhoneTab(id);
  };
  return (
    <nav
      aria-label={messages.shell.views}
      className="grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      {tabs.map(({ id, icon }) => (
        <button
          key={id}
          type="button"
          aria-current={tab === id ? "page" : undefined}
          onClick={() => choose(id)}
          className={classes(
            "flex h-14 flex-col items-center justify-center gap-1 text-tiny outline-offset-[-2px]",
            tab === id ? "text-accent" : "text-ink-muted",
          )}
        >
          <Icon of={icon} size={20} />
          {messages.shell[id]}
        </button>
      ))}
    </nav>
  );
}
