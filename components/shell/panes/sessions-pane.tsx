"use client";
/** Side panel with the sessions of the project. */
import { shortcutKeys } from "../../actions/actions";
import { isMacPlatform, formatShortcut } from "../../actions/keys";
import { SessionList } from "../../sessions/list/session-list";
import { useClient } from "../../state/client";
import { openNewSession } from "../navigation/open-new-session";
import type { PaneContext } from "./pane-registry";

export function SessionsPane({ place, onRemoved, onChosen }: PaneContext) {
  const { handles, workbench } = useClient();
  const keys = shortcutKeys("newSession");
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
      newShortcut={keys === undefined ? undefined : formatShortcut(keys, isMacPlatform())}
    />
  );
}
