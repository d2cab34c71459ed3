"use client";
/** Reads the status of source control, and again after changes, while a page shows it. */
import type { ProjectId } from "@/lib/events/id";
import type { CommandFamily } from "@/lib/protocol/command-family";
import { useCommandQuery } from "../../state/use-command-query";
import { useGitRefresh } from "../../state/use-git-refresh";

const refreshPauseMs = 500;
/** Interval for changes in folders that are not watched, ms. */
const refreshIntervalMs = 10_000;
/** A status that takes longer is read only when the user requests it, ms. */
export const slowStatusMs = 3_000;

/** The status, and the diffs that are shown. */
const families: readonly CommandFamily[] = ["source."];
const none: readonly CommandFamily[] = [];

/** `part` = the part of the screen that shows it. */
export function useSourceStatus(projectId: ProjectId, part: "source" | "review") {
  const status = useCommandQuery(
    "source.status",
    { projectId },
    {
      retry: false,
      refetchInterval: ({ state: { data } }) =>
        data?.kind === "status" && data.tookMs < slowStatusMs ? refreshIntervalMs : false,
    },
  );
  const isSlow = status.data?.kind === "status" && status.data.tookMs >= slowStatusMs;
  useGitRefresh({
    projectId,
    part,
    families: isSlow ? none : families,
    pauseMs: refreshPauseMs,
    isOn: status.data?.kind === "status",
  });
  return status;
}
