"use client";
/** Reads git's marks of the project, and again after its files, its index or its branch changed. */
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { useTopic } from "../../state/use-topic";
import { buildTreeMarks, type TreeMarks } from "./tree-marks";

/** Pause after a change until git runs, so that one run follows many changes, ms. */
const refreshPauseMs = 300;

const noMarks: TreeMarks = buildTreeMarks([]);
/** Its index and its branch change there. */
const gitFolders: readonly string[] = [".git"];
const noFolders: readonly string[] = [];

export function useTreeMarks(projectId: ProjectId): TreeMarks {
  const { cache, watchedFolders } = useClient();
  const isTrusted = useCommandQuery("project.open", { projectId }).data?.trusted === true;
  const { data } = useCommandQuery(
    "project.marks",
    { projectId },
    { retry: false, enabled: isTrusted, select: ({ marks: listed }) => listed },
  );
  const marks = isTrusted ? (data ?? null) : null;
  const isRepository = marks !== null;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refreshSoon = useCallback((): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void invalidateCommands(cache, ["project.marks"], { projectId }), refreshPauseMs);
  }, [cache, projectId]);
  useTopic("files", projectId, refreshSoon);
  useEffect(
    () => watchedFolders.show(projectId, "marks", isRepository ? gitFolders : noFolders),
    [watchedFolders, projectId, isRepository],
  );
  useEffect(() => {
    // Folders that are not shown are not watched.
    window.addEventListener("focus", refreshSoon);
    return () => {
      clearTimeout(timer.current);
      window.removeEventListener("focus", refreshSoon);
    };
  }, [refreshSoon]);
  return useMemo(() => (marks === null ? noMarks : buildTreeMarks(marks)), [marks]);
}
