/** Queries of lists that are fetched page by page. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { Folder } from "@/lib/workspace/project-files";
import { callValue, pushed } from "./command-query";
import { fetchFolder } from "./folder-pages";
import type { SessionCursor, SessionPages } from "./session/cached-session-lists";
import type { SessionFilter, SessionListPage } from "./session/session-lists";

export const queries = {
  folder: (projectId: ProjectId, path: string) =>
    queryOptions({
      ...pushed,
      queryKey: ["files.list", { projectId, path }],
      // The signal is not used: an aborted query would keep the first page as the whole folder.
      queryFn: ({ client, queryKey, meta }) =>
        fetchFolder(
          (after) => callValue({ meta }, "files.list", { projectId, path, after }),
          (first) => client.setQueryData<Folder>(queryKey, (cached) => cached ?? first),
        ),
    }),
  sessions: (filter: SessionFilter) =>
    infiniteQueryOptions<SessionListPage, Error, SessionPages, readonly [string, SessionFilter], SessionCursor>({
      ...pushed,
      queryKey: ["session.list", filter],
      initialPageParam: null,
      queryFn: ({ meta, pageParam }) =>
        callValue({ meta }, "session.list", { ...filter, before: pageParam ?? undefined }),
      getNextPageParam: (page) => {
        const last = page.rows.at(-1);
        return page.more && last !== undefined ? { updatedAt: last.updatedAt, id: last.id } : null;
      },
    }),
} as const;
