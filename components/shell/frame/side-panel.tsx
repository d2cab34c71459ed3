"use client";
/** Panel beside the rail: files or sessions. */
import { lazy, Suspense } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { shortcutKeys } from "../../actions/actions";
import { isMacPlatform, formatShortcut } from "../../actions/keys";
import { SessionList } from "../../sessions/list/session-list";
import { useClient } from "../../state/client";
import type { SidePanel as Panel } from "../../state/workbench/layout";
import { ErrorBoundary } from "../notices/error-boundary";
import { openNewSession } from "../navigation/open-new-session";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const FileTree = lazy(async () => ({ default: (await import("../../files/file-tree")).FileTree }));

export interface SidePanelProps {
  readonly panel: Panel;
  readonly place: WorkbenchLocation;
  readonly onRemoved: (row: SessionRow) => void;
  readonly onChosen?: () => void;
}

export function SidePanel({ panel, place, onRemoved, onChosen }: SidePanelProps) {
  const { handles, workbench } = useClient();
  const keys = shortcutKeys("newSession");
  const begin = (): void => {
    openNewSession(workbench);
    onChosen?.();
    requestAnimationFrame(() => handles.conversation?.focusComposer());
  };
  return (
    <ErrorBoundary>
      {panel === "sessions" && (
        <SessionList
          projectId={place.projectId}
          projects={place.projects}
          currentId={place.sessionId}
          onNew={begin}
          onRemoved={onRemoved}
          {...(keys === undefined ? {} : { newShortcut: formatShortcut(keys, isMacPlatform()) })}
        />
      )}
      {panel === "files" && place.projectId !== null && (
        <Suspense>
          <FileTree
            key={place.projectId}
            projectId={place.projectId}
            {...(onChosen === undefined ? {} : { onOpened: onChosen })}
          />
        </Suspense>
      )}
    </ErrorBoundary>
  );
}
