"use client";
/** Reads git's marks of the project, and again after its files, its index or its branch changed. */
import { useMemo } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { CommandFamily } from "@/lib/protocol/command-family";
import { useCommandQuery } from "../../state/use-command-query";
import { useGitRefresh } from "../../state/use-git-refresh";
import { buildTreeMarks, type TreeMarks } from "./tree-marks";

const refreshPauseMs = 300;
const families: readonly CommandFamily[] = ["project.marks"];

const noMarks: TreeMarks = buildTreeMarks([]);

export function useTreeMarks(projectId: ProjectId): TreeMarks {
  const isTrusted = useCommandQuery("project.open", { projectId }).data?.trusted === true;
  const { data } = useCommandQuery(
    "project.marks",
    { projectId },
    { retry: false, enabled: isTrusted, select: ({ marks: listed }) => listed },
  );
  const marks = isTrusted ? (data ?? null) : null;
  useGitRefresh({ projectId, part: "marks", families, pauseMs: refreshPauseMs, isOn: marks !== null });
  return useMemo(() => (marks === null ? noMarks : buildTreeMarks(marks)), [marks]);
}
