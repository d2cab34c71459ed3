"use client";
/** Side panel with the sessions of the project. */
import { useShortcut } from "../../actions/use-shortcut";
import { SessionList } from "../../sessions/list/session-list";
import { useClient } from "../../state/client";
import { openNewSession } from "../navigation/open-new-session";
import type { PaneContext } from "./pane-registry";

export function SessionsPane({ place, onRemoved, onChosen }: PaneContext) {
  const { handles, workbench } = useClient();
  const newShortcut = useShortcut("newSession");
  const begin = (): void => {
    openNewSession(workbench);
    onChosen?.();
    requestAnimationFrame(() => handles.conversation?.focusComposer());
  };
  return (
    <SessionList
      projectId={place.projectId}
      projects={place.projects}
      currentId={place.sessionId}
      onNew={begin}
      onRemoved={onRemoved}
      newShortcut={newShortcut}
    />
  );
}
