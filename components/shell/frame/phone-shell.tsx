"use client";
/** Parts of the phone layout: one column with tabs at the bottom. */
import { ChevronLeft, Files, Settings, SquarePen } from "lucide-react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { useMessages } from "../../messages/messages";
import { ProjectMenu, TitleMenu } from "./header";
import { openNewSession } from "../navigation/open-new-session";
import { StatusItems } from "../status/status-bar";
import { navigate, type Route, lastConversationPath } from "../navigation/router";
import { findPane, type Pane, paneRegistry } from "../panes/pane-registry";
import { PaneView } from "../panes/pane-view";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

interface PhoneHeaderProps {
  readonly tab: string | null;
  readonly place: WorkbenchLocation;
  readonly route: Route;
  readonly isPage: boolean;
  readonly onRemove: () => void;
}

/** Returns the selected tab; null = a page that is no tab. */
export function usePhoneTab(route: Route, isPage: boolean): string | null {
  const { workbench } = useClient();
  const chosen = useStore(workbench, (state) => state.phoneTab);
  if (route.page === "settings") return "settings";
  return isPage ? null : chosen;
}

export function PhoneHeader({ tab, place, route, isPage, onRemove }: PhoneHeaderProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  return (
    <header className="flex min-w-0 items-center justify-between gap-2 border-b border-line bg-surface pr-1 pl-2">
      {tab === "conversation" || isPage ? (
        <div className="flex min-w-0 items-center pl-1">
          {isPage && (
            <IconButton
              icon={ChevronLeft}
              name={messages.shell.back}
              side="below"
              onClick={() =>
                navigate(route.page === "settings" && route.tab !== null ? "/settings" : lastConversationPath())
              }
            />
          )}
          <TitleMenu place={place} route={route} onRemove={onRemove} hasProject />
        </div>
      ) : (
        <ProjectMenu place={place} />
      )}
      <div className="flex shrink-0 items-center">
        <StatusItems area="phone" place={place} />
        {tab === "conversation" && route.page === "session" && (
          <IconButton
            icon={SquarePen}
            name={messages.shell.newSession}
            side="below"
            onClick={() => openNewSession(workbench)}
          />
        )}
      </div>
    </header>
  );
}

/** Whether the click hit a session row (a link). */
const isSessionLink = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("a[data-session]") !== null;

interface PhonePaneProps {
  readonly tab: string;
  readonly place: WorkbenchLocation;
  readonly onRemoved: (row: SessionRow) => void;
}

/** The pane of the selected tab. */
export function PhonePane({ tab, ...context }: PhonePaneProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const pane = findPane(paneRegistry, tab);
  const showConversation = (): void => workbench.showPhoneTab("conversation");
  if (pane === undefined) return null;
  const isConversation = tab === "conversation";
  const isSide = pane.place === "side";
  return (
    <main
      className={classes(
        "flex min-h-0 flex-1 flex-col",
        isSide && "bg-surface",
        // Keeps position: fixed content above the tabs.
        isConversation && "[contain:layout]",
      )}
      onClick={(event) => isSide && isSessionLink(event.target) && showConversation()}
    >
      {!isConversation && <h1 className="sr-only">{pane.title(messages)}</h1>}
      {tab === "files" ? (
        <PhoneFiles {...context} />
      ) : (
        <PaneView pane={pane} {...context} {...(isSide ? { onChosen: showConversation } : {})} />
      )}
    </main>
  );
}

/** File tree, or an open file with a button back to the tree. */
function PhoneFiles({ place, onRemoved }: Omit<PhonePaneProps, "tab">) {
  const messages = useMessages();
  const { workbench } = useClient();
  const isOpen = useStore(workbench, ({ layout }) => layout.activeTab !== null && !layout.editorHidden);
  if (!isOpen || place.projectId === null)
    return (
      <div className="flex min-h-0 flex-1 flex-col bg-surface">
        <PaneView pane={findPane(paneRegistry, "files")} place={place} onRemoved={onRemoved} />
      </div>
    );
  return (
    <PaneView
      pane={findPane(paneRegistry, "editor")}
      place={place}
      onRemoved={onRemoved}
      controls={
        <IconButton
          icon={Files}
          name={messages.shell.files}
          side="below"
          className="m-0.5"
          onClick={() => workbench.changeLayout((layout) => ({ ...layout, editorHidden: true }))}
        />
      }
    />
  );
}

const settingsTab: Pick<Pane, "id" | "title" | "icon"> = {
  id: "settings",
  title: ({ shell }) => shell.settings,
  icon: Settings,
};
const tabs = [...paneRegistry.filter(({ onPhone }) => onPhone), settingsTab];

export function PhoneTabs({ tab }: { readonly tab: string | null }) {
  const messages = useMessages();
  const { workbench } = useClient();
  const choose = (id: string): void => {
    if (id === settingsTab.id) return navigate("/settings");
    if (tab === null || tab === "settings") navigate(lastConversationPath());
    // Selecting the active tab again returns from the file to the tree.
    if (id === "files" && tab === "files") workbench.changeLayout((layout) => ({ ...layout, editorHidden: true }));
    workbench.showPhoneTab(id);
  };
  return (
    <nav
      aria-label={messages.shell.views}
      className="grid border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
      style={{ gridTemplateColumns: `repeat(${tabs.length}, minmax(0, 1fr))` }}
    >
      {tabs.map(({ id, title, icon }) => (
        <button
          key={id}
          type="button"
          aria-current={tab === id ? "page" : undefined}
          onClick={() => choose(id)}
          className={classes(
            "flex h-14 flex-col items-center justify-center gap-1 outline-offset-[-2px]",
            tab === id ? "text-accent" : "text-ink-muted",
          )}
        >
          <Icon of={icon} size={20} />
          <span className="max-w-full cut text-[clamp(9px,2.8vw,11px)]">{title(messages)}</span>
        </button>
      ))}
    </nav>
  );
}
