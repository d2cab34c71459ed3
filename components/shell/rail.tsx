"use client";
/** Narrow bar at the left edge; selects the panel beside it. */
import { Files, List } from "lucide-react";
import { useClient } from "../state/client";
import { type SidePanel, withSide } from "../state/layout";
import { useStore } from "../state/store";
import { IconButton } from "../ui/icon-button";
import { useWords } from "../words/words";
import { navigate, type Route, workPath } from "./router";

const panels = [
  { id: "files", icon: Files },
  { id: "sessions", icon: List },
] as const;

export function Rail({ route }: { readonly route: Route }) {
  const words = useWords();
  const { workbench } = useClient();
  const side = useStore(workbench, (state) => state.layout.side);
  const isWork = route.page === "home" || route.page === "session";
  const choose = (panel: SidePanel): void => {
    if (isWork) return workbench.changeLayout((layout) => withSide(layout, panel));
    workbench.changeLayout((layout) => ({ ...layout, side: panel, lastSide: panel }));
    navigate(workPath());
  };
  return (
    <nav
      aria-label={words.shell.views}
      className="flex w-11 shrink-0 flex-col items-center gap-1 border-r border-line bg-surface py-1.5"
    >
      {panels.map(({ id, icon }) => (
        <IconButton
          key={id}
          icon={icon}
          name={words.shell[id]}
          side="below"
          on={isWork && side === id}
          onClick={() => choose(id)}
        />
      ))}
    </nav>
  );
}
