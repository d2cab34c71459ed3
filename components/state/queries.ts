/** Queries of lists that are fetched page by page. */
import { type InfiniteData, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import type { SearchResult } from "@/lib/protocol/history";
import type { Folder } from "@/lib/workspace/project-files";
import { callValue, pushed } from "./command-query";
import { fetchFolder } from "./folder-pages";
import type { SessionCursor, SessionPages } from "./session/cached-session-lists";
import type { SessionFilter, SessionListPage } from "./session/session-lists";

type SearchCursor = string | null;
type SearchPages = InfiniteData<SearchResult, SearchCursor>;
type SearchInput = SessionFilter & { readonly query: string };

export const queries = {
  trash: (projectId: ProjectId) =>
    infiniteQueryOptions({
      queryKey: ["trash.list", { projectId }],
      retry: false,
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: (context) => callValue(context, "trash.list", { projectId, before: context.pageParam }),
      getNextPageParam: (page: CommandOutput<"trash.list">) => (page.more ? (page.entries.at(-1)?.at ?? null) : null),
    }),
  /** Fetched on each mount: decisions are made continuously. */
  decisions: (filter: Pick<CommandInput<"decisions.list">, "kind" | "projectId" | "sessionId">) =>
    infiniteQueryOptions({
      queryKey: ["decisions.list", filter],
      retry: false,
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: (context) => callValue(context, "decisions.list", { ...filter, before: context.pageParam }),
      getNextPageParam: (page: CommandOutput<"decisions.list">) =>
        page.more ? (page.decisions.at(-1)?.id ?? null) : null,
    }),
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
  /** Fetched on each mount: answers are written continuously. */
  search: (input: SearchInput) =>
    infiniteQueryOptions<SearchResult, Error, SearchPages, readonly [string, SearchInput], SearchCursor>({
      retry: false,
      queryKey: ["history.search", input],
      initialPageParam: null,
      queryFn: ({ meta, pageParam }) =>
        callValue({ meta }, "history.search", { ...input, next: pageParam ?? undefined }),
      getNextPageParam: (page) => page.next,
    }),
} as const;
