/** What the history can be narrowed to, as conditions on the rows of `sessions`. Used by the session list and the full-text search. */
import type { ProjectId } from "@/lib/id";

export interface SessionFilters {
  readonly projectId?: ProjectId | undefined;
  readonly model?: string | undefined;
  /** ms epoch of the newest event; a range has its start and not its end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** It changed files. */
  readonly changed?: boolean | undefined;
  /** A share link of it is active. */
  readonly shared?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  /** true = what was put away alone; otherwise all that was not. The bin makes no difference. */
  readonly archived?: boolean | undefined;
  /** true = the bin alone; otherwise all that is not in it. */
  readonly deleted?: boolean | undefined;
}

/** A part of a WHERE with its named values; those of `shared` want `@now` as well (ms epoch). */
export interface Condition {
  readonly sql: string;
  readonly values: Readonly<Record<string, string | number>>;
}

const not = (is: boolean): string => (is ? "" : "NOT ");

/** Over the table or alias `sessions`, all of them together. */
export const conditionsOf = (filters: SessionFilters): readonly Condition[] => {
  const { projectId, model, from, to, changed, shared, pinned, archived = false, deleted = false } = filters;
  const plain = (sql: string): Condition => ({ sql, values: {} });
  return [
    plain(`sessions.deleted_at IS ${deleted ? "NOT NULL" : "NULL"}`),
    ...(deleted ? [] : [plain(`sessions.archived_at IS ${archived ? "NOT NULL" : "NULL"}`)]),
    ...(projectId === undefined ? [] : [{ sql: "sessions.project_id = @projectId", values: { projectId } }]),
    ...(model === undefined ? [] : [{ sql: "sessions.model = @model", values: { model } }]),
    ...(from === undefined ? [] : [{ sql: "sessions.updated_at >= @from", values: { from } }]),
    ...(to === undefined ? [] : [{ sql: "sessions.updated_at < @to", values: { to } }]),
    ...(changed === undefined ? [] : [plain(`${not(changed)}(sessions.added + sessions.removed > 0)`)]),
    ...(pinned === undefined ? [] : [plain(`sessions.pinned_at IS ${pinned ? "NOT NULL" : "NULL"}`)]),
    ...(shared === undefined ? [] : [plain(`${not(shared)}${sharedNow}`)]),
  ];
};

/** A link that is neither revoked nor over. */
export const sharedNow =
  "EXISTS (SELECT 1 FROM shares WHERE session_id = sessions.id AND revoked_at IS NULL AND expires_at > @now)";
