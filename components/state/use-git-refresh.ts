"use client";
/** Reads again what commands report about a git repository, after its files, its index or its branch changed. */
import { useCallback, useEffect, useRef } from "react";
import type { ProjectId } from "@/lib/events/id";
import { type ScreenPart, useClient } from "./client";
import type { CommandFamily } from "@/lib/protocol/command-family";
import { invalidateCommands } from "./command-query";
import { useTopic } from "./use-topic";

/** Its index and its branch change there. */
const gitFolders: readonly string[] = [".git"];
const noFolders: readonly string[] = [];

interface GitRefresh {
  readonly projectId: ProjectId;
  /** The part of the screen that shows what is read. */
  readonly part: ScreenPart;
  /** Commands whose answers are read again; must be stable. */
  readonly families: readonly CommandFamily[];
  /** Pause after a change until git runs, so that one run follows many changes, ms. */
  readonly pauseMs: number;
  /** Whether there is a repository that git is run for. */
  readonly isOn: boolean;
}

/** Returns a function that reads again after the pause. */
export function useGitRefresh({ projectId, part, families, pauseMs, isOn }: GitRefresh): () => void {
  const { cache, watchedFolders } = useClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refreshSoon = useCallback((): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void invalidateCommands(cache, families, { projectId }), pauseMs);
  }, [cache, families, projectId, pauseMs]);
  useTopic("files", projectId, refreshSoon);
  useEffect(
    () => watchedFolders.show(projectId, part, isOn ? gitFolders : noFolders),
    [watchedFolders, projectId, part, isOn],
  );
  useEffect(() => {
    // Folders that are not shown are not watched.
    window.addEventListener("focus", refreshSoon);
    return () => {
      clearTimeout(timer.current);
      window.removeEventListener("focus", refreshSoon);
    };
  }, [refreshSoon]);
  return refreshSoon;
}
