/** Session lists in the query cache: pages of rows, newest first, updated by pushes. Pure. */
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";

/** Filter of a list; absent = any value, except that archived and deleted sessions must be requested explicitly. */
export interface SessionFilter {
  readonly projectId?: ProjectId;
  /** Only the subagents of this session; absent = the sessions that are not listed below another one. */
  readonly parentId?: SessionId;
  /** The session runs or waits for an approval. */
  readonly active?: true;
  /** Its last run failed or was interrupted. */
  readonly failed?: true;
  readonly model?: string;
  /** ms epoch; inclusive start, exclusive end. */
  readonly from?: number;
  readonly to?: number;
  readonly changed?: true;
  readonly shared?: true;
  readonly pinned?: true;
  readonly archived?: true;
  readonly deleted?: true;
}

export interface SessionListPage {
  readonly rows: readonly SessionRow[];
  readonly more: boolean;
}

const newestFirst = (a: SessionRow, b: SessionRow): number => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1);

/** Returns all loaded rows, each session once: one that moved between two requests may be in two pages. */
export function mergeRows(pages: readonly SessionListPage[] | undefined): readonly SessionRow[] {
  const rows = new Map<string, SessionRow>();
  for (const row of (pages ?? []).flatMap((page) => page.rows)) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

/** For deleted sessions the archived state is ignored. */
const matchesShelf = (row: SessionRow, { archived, deleted }: SessionFilter): boolean =>
  deleted === true
    ? row.deletedAt !== undefined
    : row.deletedAt === undefined && (row.archivedAt !== undefined) === (archived === true);

const matchesFilter = (row: SessionRow, filter: SessionFilter): boolean =>
  matchesShelf(row, filter) &&
  filter.parentId === row.parent?.sessionId &&
  (filter.projectId === undefined || filter.projectId === row.projectId) &&
  (filter.active === undefined || row.status === "running" || row.status === "waiting") &&
  (filter.failed === undefined || row.status === "error" || row.status === "interrupted") &&
  (filter.model === undefined || filter.model === row.model) &&
  row.updatedAt >= (filter.from ?? 0) &&
  row.updatedAt < (filter.to ?? Number.POSITIVE_INFINITY) &&
  (filter.changed === undefined || row.added + row.removed > 0) &&
  (filter.shared === undefined || row.shared === true) &&
  (filter.pinned === undefined || row.pinnedAt !== undefined);

/**
 * Inserts a new or changed row at its sorted position; beyond the loaded pages it is omitted until its page is
 * loaded.
 */
export function upsertRow<P extends SessionListPage>(
  pages: readonly P[],
  row: SessionRow,
  filter: SessionFilter,
): readonly P[] {
  const without = removeRow(pages, row.id);
  if (!matchesFilter(row, filter)) return without;
  const before = without.findIndex((page, index) => {
    const last = page.rows.at(-1);
    const isEnd = index === without.length - 1;
    return (last !== undefined && newestFirst(row, last) < 0) || (isEnd && !page.more);
  });
  if (before < 0) return without;
  return without.map((page, index) =>
    index === before ? { ...page, rows: [...page.rows, row].sort(newestFirst) } : page,
  );
}

export const removeRow = <P extends SessionListPage>(pages: readonly P[], id: SessionId): readonly P[] =>
  pages.map((page) =>
    page.rows.some((row) => row.id === id) ? { ...page, rows: page.rows.filter((row) => row.id !== id) } : page,
  );

interface SessionGroup {
  readonly projectId: ProjectId;
  readonly rows: readonly SessionRow[];
}

/** Groups rows by project: the current one first, then by newest session. */
export function groupByProject(rows: readonly SessionRow[], current: ProjectId | null): readonly SessionGroup[] {
  const groups = new Map<ProjectId, SessionRow[]>();
  if (current !== null) groups.set(current, []);
  for (const row of rows) groups.set(row.projectId, [...(groups.get(row.projectId) ?? []), row]);
  return [...groups].map(([projectId, groupRows]) => ({ projectId, rows: groupRows }));
}

/** Pinned rows have a list of their own. */
export const removePinned = (rows: readonly SessionRow[]): readonly SessionRow[] =>
  rows.filter((row) => row.pinnedAt === undefined);

export const recentDays = ["today", "yesterday", "week", "month"] as const;

/**
 * Group of a row on the history page: one of the recent days, or for older rows a month as yyyy-mm. Days start at
 * local midnight. Both arguments in ms since the epoch.
 */
export function toDayKey(at: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const daysAgo = Math.ceil((midnight - at) / 86_400_000);
  if (daysAgo <= 0) return "today";
  if (daysAgo === 1) return "yesterday";
  if (daysAgo < 30) return daysAgo < 7 ? "week" : "month";
  const date = new Date(at);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}`;
}

interface DayGroup {
  /** Result of `toDayKey`. */
  readonly day: string;
  readonly rows: readonly SessionRow[];
}

/** Groups rows by day, newest first. For deleted sessions the time of deletion counts. `now` in ms since the epoch. */
export function groupByDay(rows: readonly SessionRow[], now: number, isBin: boolean): readonly DayGroup[] {
  const timeOf = (row: SessionRow): number => (isBin ? row.deletedAt : undefined) ?? row.updatedAt;
  const groups = new Map<string, SessionRow[]>();
  for (const row of rows.toSorted((a, b) => timeOf(b) - timeOf(a))) {
    const day = toDayKey(timeOf(row), now);
    groups.set(day, [...(groups.get(day) ?? []), row]);
  }
  return [...groups].map(([day, groupRows]) => ({ day, rows: groupRows }));
}
