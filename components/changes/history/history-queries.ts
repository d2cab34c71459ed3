"use client";
/**
 * Queries of the history. What a commit has never changes, so that these are not among the answers that are read again after a
 * change of the files.
 */
import { skipToken, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import type { LogCursor } from "@/lib/workspace/source-history";
import { useClient } from "../../state/client";
import { callValue } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";

/** The commands whose answer about the same commits is always the same. */
type CommittedCommand = "source.commit_view" | "source.compare" | "source.commit_diff";

/** `input` null = it is not called. */
export const useCommitted = <N extends CommittedCommand>(name: N, input: CommandInput<N> | null) =>
  useQuery(
    {
      queryKey: ["history", name, input],
      queryFn: input === null ? skipToken : (context) => callValue(context, name, input),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    useClient().cache,
  );

export type LogSearch = Pick<CommandInput<"source.log">, "text" | "author" | "path" | "content" | "file" | "all">;

const firstPage = (): LogCursor | null => null;

/** Pages of the log, read again when another commit is checked out. `searchId` = the name by which a search is stopped. */
export function useLog(projectId: ProjectId, search: LogSearch, searchId: string) {
  const { cache, call } = useClient();
  // Only what another part of the screen reads: the log is shown without it.
  const status = useCommandQuery("source.status", { projectId }, { enabled: false }).data;
  const head = status?.kind === "status" ? status.branch.commit : null;
  return useInfiniteQuery(
    {
      queryKey: ["history", "source.log", { projectId, ...search }, head],
      retry: false,
      initialPageParam: firstPage(),
      queryFn: async ({ meta, pageParam, signal }) => {
        const stop = (): void => void call("source.stop_log", { searchId });
        signal.addEventListener("abort", stop, { once: true });
        const after = pageParam ?? undefined;
        try {
          return await callValue({ meta }, "source.log", { projectId, ...search, searchId, after });
        } finally {
          signal.removeEventListener("abort", stop);
        }
      },
      getNextPageParam: ({ next }): LogCursor | null => next,
    },
    cache,
  );
}
