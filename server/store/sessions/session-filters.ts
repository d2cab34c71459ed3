/** Session filters as SQL conditions on the table `sessions`. */
import type { ProjectId } from "@/lib/events/id";

export interface SessionFilters {
  readonly projectId?: ProjectId | undefined;
  readonly model?: string | undefined;
  /** ms epoch of `updated_at`; inclusive start, exclusive end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The session changed files. */
  readonly changed?: boolean | undefined;
  /** The session has an active share link. */
  readonly shared?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  /** true = archived sessions only, otherwise unarchived ones; ignored with `deleted`. */
  readonly archived?: boolean | undefined;
  /** true = deleted sessions only, otherwise those not deleted. */
  readonly deleted?: boolean | undefined;
}

/** A WHERE condition with its named values; that of `shared` also requires `@now` (ms epoch). */
export interface SqlCondition {
  readonly sql: string;
  readonly values: Readonly<Record<string, string | number>>;
}

const notPrefix = (isPositive: boolean): string => (isPositive ? "" : "NOT ");

/** Conditions on the table or alias `sessions`, to be joined by AND. */
export const sessionConditions = (filters: SessionFilters): readonly SqlCondition[] => {
  const { projectId, model, from, to, changed, shared, pinned, archived = false, deleted = false } = filters;
  const plain = (sql: string): SqlCondition => ({ sql, values: {} });
  return [
    plain(`sessions.deleted_at IS ${deleted ? "NOT NULL" : "NULL"}`),
    ...(deleted ? [] : [plain(`sessions.archived_at IS ${archived ? "NOT NULL" : "NULL"}`)]),
    ...(projectId === undefined ? [] : [{ sql: "sessions.project_id = @projectId", values: { projectId } }]),
    ...(model === undefined ? [] : [{ sql: "sessions.model = @model", values: { model } }]),
    ...(from === undefined ? [] : [{ sql: "sessions.updated_at >= @from", values: { from } }]),
    ...(to === undefined ? [] : [{ sql: "sessions.updated_at < @to", values: { to } }]),
    ...(changed === undefined ? [] : [plain(`${notPrefix(changed)}(sessions.added + sessions.removed > 0)`)]),
    ...(pinned === undefined ? [] : [plain(`sessions.pinned_at IS ${pinned ? "NOT NULL" : "NULL"}`)]),
    ...(shared === undefined ? [] : [plain(`${notPrefix(shared)}${hasActiveShareSql}`)]),
  ];
};

/** SQL: the session has a share link that is neither revoked nor expired. */
export const hasActiveShareSql =
  "EXISTS (SELECT 1 FROM shares WHERE session_id = sessions.id AND revoked_at IS NULL AND expires_at > @now)";
