"use client";
/** Narrow bar at the left edge; selects the panel beside it. */
import { Files, List } from "lucide-react";
import { useClient } from "../../state/client";
import { type SidePanel, toggleSidePanel } from "../../state/workbench/layout";
import { useStore } from "../../state/store";
import { IconButton } from "../../ui/controls/icon-button";
import { useMessages } from "../../messages/messages";
import { navigate, type Route, lastConversationPath } from "../navigation/router";

const panels = [
  { id: "files", icon: Files },
  { id: "sessions", icon: List },
] as const;

export function Rail({ route }: { readonly route: Route }) {
  const messages = useMessages();
  const { workbench } = useClient();
  const side = useStore(workbench, (state) => state.layout.side);
  const isWork = route.page === "home" || route.page === "session";
  const choose = (panel: SidePanel): void => {
    if (isWork) return workbench.changeLayout((layout) => toggleSidePanel(layout, panel));
    workbench.changeLayout((layout) => ({ ...layout, side: panel, lastSide: panel }));
    navigate(lastConversationPath());
  };
  return (
    <nav
      aria-label={messages.shell.views}
      className="flex w-11 shrink-0 flex-col items-center gap-1 border-r border-line bg-surface py-1.5"
    >
      {panels.map(({ id, icon }) => (
        <IconButton
          key={id}
          icon={icon}
          name={messages.shell[id]}
          side="below"
          on={isWork && side === id}
          onClick={() => choose(id)}
        />
      ))}
    </nav>
  );
}
