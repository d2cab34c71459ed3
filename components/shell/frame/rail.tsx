"use client";
/** Narrow bar at the left edge; selects the panel beside it and the panel below the columns. */
import { useClient } from "../../state/client";
import { toggleBottomPanel, toggleSidePanel } from "../../state/workbench/layout";
import { useStore } from "../../state/store";
import { IconButton } from "../../ui/controls/icon-button";
import { useMessages } from "../../messages/messages";
import { type Pane, paneRegistry, panesAt } from "../panes/pane-registry";
import { navigate, type Route, lastConversationPath } from "../navigation/router";

interface RailProps {
  readonly route: Route;
  readonly panes?: readonly Pane[];
}

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
          side="below"
          on={isWork && (side === pane.id || bottom === pane.id)}
          onClick={() => choose(pane)}
        />
      ))}
    </nav>
  );
}
