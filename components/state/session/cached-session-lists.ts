/** The session lists in the query cache, changed by pushes and by the user's own commands. */
import type { QueryClient, InfiniteData } from "@tanstack/react-query";
import type { SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { removeRow, type SessionFilter, type SessionListPage, upsertRow } from "./session-lists";

export type SessionCursor = { readonly updatedAt: number; readonly id: SessionId } | null;
export type SessionPages = InfiniteData<SessionListPage, SessionCursor>;

/** Inserts or updates a row in every list whose filter matches. */
export function upsertSessionRow(cache: QueryClient, row: SessionRow): void {
  updateSessionLists(cache, (pages, filter) => upsertRow(pages, row, filter));
}

/** Removes a session from the lists and invalidates those of deleted sessions. */
export function removeSessionRow(cache: QueryClient, id: SessionId): void {
  updateSessionLists(cache, (pages) => removeRow(pages, id));
  void cache.invalidateQueries({
    predicate: ({ queryKey: [name, filter] }) =>
      name === "session.list" && isSessionFilter(filter) && filter.deleted === true,
  });
}

function updateSessionLists(
  cache: QueryClient,
  change: (pages: readonly SessionListPage[], filter: SessionFilter) => readonly SessionListPage[],
): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: ["session.list"] })) {
    const filter: SessionFilter = isSessionFilter(query.queryKey[1]) ? query.queryKey[1] : {};
    cache.setQueryData<SessionPages>(
      query.queryKey,
      (data) => data && { ...data, pages: [...change(data.pages, filter)] },
    );
  }
}

const isSessionFilter = (value: unknown): value is SessionFilter => typeof value === "object" && value !== null;
