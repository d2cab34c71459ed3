"use client";
/** Panel beside the rail: files or sessions. */
import { lazy, Suspense } from "react";
import type { SessionRow } from "@/lib/session-row";
import { keysOf } from "../actions/actions";
import { isMacPlatform, keysText } from "../actions/keys";
import { SessionList } from "../sessions/session-list";
import { useClient } from "../state/client";
import type { SidePanel as Panel } from "../state/layout";
import { ErrorBoundary } from "./error-boundary";
import { openNewSession } from "./new-page";
import type { Place } from "./use-place";

const FileTree = lazy(async () => ({ default: (await import("../files/file-tree")).FileTree }));

export interface SidePanelProps {
  readonly panel: Panel;
  readonly place: Place;
  readonly onRemoved: (row: SessionRow) => void;
  readonly onChosen?: () => void;
}

export function SidePanel({ panel, place, onRemoved, onChosen }: SidePanelProps) {
  const { handles, workbench } = useClient();
  const keys = keysOf("newSession");
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
          {...(keys === undefined ? {} : { newShortcut: keysText(keys, isMacPlatform()) })}
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
