/**
 * Queries and marks of the session list. The rows are created and updated by events.ts, in the transaction of the
 * events.
 */
import type Database from "better-sqlite3";
import type { CallId, ProjectId, SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { SessionTree } from "@/lib/view/tree";
import type { sessions } from "../schema";
import { type SqlCondition, sessionConditions, type SessionFilters, hasActiveShareSql } from "./session-filters";
import { withStoreErrors } from "../core/store-error";

export interface SessionQuery extends SessionFilters {
  /** Only rows older than this one: the last row of the previous page. */
  readonly before?: { readonly updatedAt: number; readonly id: SessionId };
  /** Page size, at least 1. */
  readonly limit: number;
  /** Substring of the title, ignoring case and character width. */
  readonly title?: string;
  /** Only subagents of this session; absent = only sessions that are not listed below another one. */
  readonly parentId?: SessionId | undefined;
  /** Only those that run or wait for an approval. */
  readonly active?: true | undefined;
  /** Only those whose last run failed or was interrupted. */
  readonly failed?: true | undefined;
}

/** undefined = unchanged. */
interface SessionMark {
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly muted?: boolean | undefined;
}

export interface SessionStore {
  /** Finds deleted sessions too. */
  get(id: SessionId): SessionRow | undefined;
  /** Newest first. */
  list(query: SessionQuery): { readonly rows: SessionRow[]; readonly more: boolean };
  /** Forks of the session, newest first, without deleted ones. */
  forks(id: SessionId): SessionTree["forks"];
  /** Subagents of the session with the calls that started them, deleted ones too. */
  subagents(id: SessionId): readonly { readonly id: SessionId; readonly callId: CallId }[];
  /** Marks a session as deleted, with its subagents; false = not found or already deleted. */
  remove(id: SessionId, at: number): boolean;
  /** Restores a deleted session, with the subagents that were deleted with it; false = not deleted. */
  restore(id: SessionId): boolean;
  /** Pins, unpins, archives or unarchives, or switches the notices; returns the rows of the existing sessions. */
  mark(ids: readonly SessionId[], mark: SessionMark, at: number): SessionRow[];
  /**
   * Sets which running sessions wait for an answer that their logs do not contain, such as to a question of a server: their
   * rows say so until the next call or the end of the process. Returns the rows that changed.
   */
  setAsking(ids: ReadonlySet<SessionId>): SessionRow[];
  /** Ids of the deleted sessions. */
  listDeleted(): SessionId[];
  /** Permanently deletes a deleted session and its deleted subagents with their logs; false = not marked as deleted. */
  purge(id: SessionId): boolean;
  /** Model names of sessions that are not deleted, sorted. */
  models(): string[];
  /** Sessions with status running or waiting, which a crash may have left open. */
  listOpen(): SessionId[];
  /** All sessions of a project, including deleted ones and subagents. */
  listOf(projectId: ProjectId): SessionId[];
  /** Sessions of a project in this mode, including deleted ones. */
  listInMode(projectId: ProjectId, mode: Mode): SessionId[];
}

type SessionRecord = Omit<typeof sessions.$inferSelect, "forkedAtSeq"> & {
  readonly shared: 0 | 1;
  readonly imported: 0 | 1;
  readonly subagents: number;
};

/** SQL: the session is listed below its parent: that exists, and both or neither are deleted. */
const isNestedSql = `EXISTS (SELECT 1 FROM sessions parent WHERE parent.id = sessions.parent_id
  AND (parent.deleted_at IS NULL) = (sessions.deleted_at IS NULL))`;
/** SQL: the subagents that are listed below the session. */
const nestedSql = `FROM sessions child WHERE child.parent_id = sessions.id
  AND (child.deleted_at IS NULL) = (sessions.deleted_at IS NULL)`;

/** SQL: the session runs or waits for an approval. */
const isActiveSql = "sessions.status IN ('running', 'waiting')";
const hasFailedSql = "sessions.status IN ('error', 'interrupted')";

/** SQL: whether the session was imported, read from its first event, so that no column is needed. */
const isImportedSql = `EXISTS (SELECT 1 FROM events WHERE session_id = sessions.id AND seq = 1
  AND CASE WHEN json_valid(body) THEN json_extract(body, '$.imported') = 1 ELSE 0 END)`;

const sessionColumns = `id, project_id AS projectId, cwd, title, mode,
  CASE WHEN EXISTS (SELECT 1 ${nestedSql} AND child.status = 'waiting') THEN 'waiting' ELSE status END AS status,
  (SELECT count(*) ${nestedSql}) AS subagents,
  CASE WHEN ${isNestedSql} THEN parent_id END AS parentId, parent_call AS parentCall,
  model, created_at AS createdAt,
  updated_at AS updatedAt, last_seq AS lastSeq, added, removed,
  plan_done AS planDone, plan_total AS planTotal, deleted_at AS deletedAt, pinned_at AS pinnedAt,
  archived_at AS archivedAt, muted, forked_from AS forkedFrom, ${hasActiveShareSql} AS shared, ${isImportedSql} AS imported`;

const toRow = ({
  deletedAt,
  pinnedAt,
  archivedAt,
  muted,
  forkedFrom,
  shared,
  imported,
  planDone,
  planTotal,
  subagents,
  parentId,
  parentCall,
  ...row
}: SessionRecord): SessionRow => ({
  ...row,
  ...(parentId === null || parentCall === null ? {} : { parent: { sessionId: parentId, callId: parentCall } }),
  ...(subagents === 0 ? {} : { subagents }),
  ...(planTotal === 0 ? {} : { plan: { done: planDone, total: planTotal } }),
  ...(pinnedAt === null ? {} : { pinnedAt }),
  ...(archivedAt === null ? {} : { archivedAt }),
  ...(muted === 0 ? {} : { muted: true }),
  ...(forkedFrom === null ? {} : { forkedFrom }),
  ...(imported === 0 ? {} : { imported: true }),
  ...(shared === 0 ? {} : { shared: true }),
  ...(deletedAt === null ? {} : { deletedAt }),
});

/** Folds a title for searching: case and character width are ignored. */
const foldTitle = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Every method throws StoreError. `now` (ms epoch) determines which share links have expired. */
export const createSessions = (database: Database.Database, now: () => number): SessionStore => {
  const byId = database.prepare<{ id: SessionId; now: number }, SessionRecord>(
    `SELECT ${sessionColumns} FROM sessions WHERE id = @id`,
  );
  const forks = database.prepare<[SessionId], SessionTree["forks"][number]>(
    `SELECT id AS sessionId, title, forked_at_seq AS atSeq FROM sessions
     WHERE forked_from = ? AND deleted_at IS NULL ORDER BY created_at DESC, id`,
  );
  const subagents = database.prepare<[SessionId], { id: SessionId; callId: CallId }>(
    "SELECT id, parent_call AS callId FROM sessions WHERE parent_id = ? ORDER BY created_at, id",
  );
  // Subagents that are deleted with their parent have its time, by which they are restored with it.
  const intoBin = database.prepare<{ id: SessionId; at: number }>(
    "UPDATE sessions SET deleted_at = @at WHERE (id = @id OR parent_id = @id) AND deleted_at IS NULL",
  );
  const outOfBin = database.prepare<{ id: SessionId }>(
    `UPDATE sessions SET deleted_at = NULL WHERE deleted_at IS NOT NULL AND (id = @id
       OR (parent_id = @id AND deleted_at = (SELECT deleted_at FROM sessions parent WHERE parent.id = @id)))`,
  );
  const purged = database.prepare<{ id: SessionId }>(
    `DELETE FROM sessions WHERE EXISTS (SELECT 1 FROM sessions one WHERE one.id = @id AND one.deleted_at IS NOT NULL)
       AND (id = @id OR parent_id = @id) AND deleted_at IS NOT NULL`,
  );
  const binned = database.prepare<[], SessionId>("SELECT id FROM sessions WHERE deleted_at IS NOT NULL").pluck();
  const models = database
    .prepare<[], string>("SELECT DISTINCT model FROM sessions WHERE deleted_at IS NULL AND model <> '' ORDER BY model")
    .pluck();
  const open = database.prepare<[], Pick<SessionRecord, "id">>(
    `SELECT id FROM sessions WHERE ${isActiveSql} ORDER BY updated_at DESC, id DESC`,
  );
  const ofProject = database.prepare<[ProjectId], SessionId>("SELECT id FROM sessions WHERE project_id = ?").pluck();
  const inMode = database
    .prepare<[ProjectId, Mode], SessionId>("SELECT id FROM sessions WHERE project_id = ? AND mode = ?")
    .pluck();

  let asking: ReadonlySet<SessionId> = new Set();
  const rowOf = (record: SessionRecord): SessionRow => {
    const row = toRow(record);
    return row.status === "running" && asking.has(row.id) ? { ...row, status: "waiting" } : row;
  };
  const list = createList(database, now, rowOf);
  const get = (id: SessionId): SessionRow | undefined => {
    const record = byId.get({ id, now: now() });
    return record === undefined ? undefined : rowOf(record);
  };
  const setMark = createSetMark(database);
  const mark = database.transaction((ids: readonly SessionId[], wanted: SessionMark, at: number) => {
    for (const id of ids) setMark(id, wanted, at);
    return ids.flatMap((id) => get(id) ?? []);
  });
  const safely = <T>(work: () => T): T => withStoreErrors(database.name, work);
  return {
    get: (id) => safely(() => get(id)),
    list: (query) => safely(() => list(query)),
    forks: (id) => safely(() => forks.all(id)),
    subagents: (id) => safely(() => subagents.all(id)),
    remove: (id, at) => safely(() => intoBin.run({ id, at }).changes > 0),
    restore: (id) => safely(() => outOfBin.run({ id }).changes > 0),
    mark: (ids, wanted, at) => safely(() => mark.immediate(ids, wanted, at)),
    setAsking: (ids) =>
      safely(() => {
        const changed = [...asking, ...ids].filter((id) => asking.has(id) !== ids.has(id));
        asking = ids;
        return changed.flatMap((id) => get(id) ?? []);
      }),
    listDeleted: () => safely(() => binned.all()),
    purge: (id) => safely(() => purged.run({ id }).changes > 0),
    models: () => safely(() => models.all()),
    listOpen: () => safely(() => open.all().map(({ id }) => id)),
    listOf: (projectId) => safely(() => ofProject.all(projectId)),
    listInMode: (projectId, mode) => safely(() => inMode.all(projectId, mode)),
  };
};

const createList = (
  database: Database.Database,
  now: () => number,
  rowOf: (record: SessionRecord) => SessionRow,
): SessionStore["list"] => {
  // SQLite's LIKE ignores case only for ASCII
  database.function("folded", { deterministic: true }, (text) => foldTitle(String(text)));
  return ({ before, limit, title, parentId, active, failed, ...filters }: SessionQuery) => {
    const conditions: readonly SqlCondition[] = [
      ...sessionConditions(filters),
      parentId === undefined
        ? { sql: `NOT ${isNestedSql}`, values: {} }
        : { sql: `sessions.parent_id = @parentId AND ${isNestedSql}`, values: { parentId } },
      ...(active === undefined ? [] : [{ sql: isActiveSql, values: {} }]),
      ...(failed === undefined ? [] : [{ sql: hasFailedSql, values: {} }]),
      ...(before === undefined
        ? []
        : [
            {
              sql: "(updated_at, id) < (@beforeAt, @beforeId)",
              values: { beforeAt: before.updatedAt, beforeId: before.id },
            },
          ]),
      ...(title === undefined
        ? []
        : [{ sql: "instr(folded(title), @title) > 0", values: { title: foldTitle(title) } }]),
    ];
    const found = database
      .prepare<object, SessionRecord>(
        `SELECT ${sessionColumns} FROM sessions WHERE ${conditions.map(({ sql }) => sql).join(" AND ")}
         ORDER BY updated_at DESC, id DESC LIMIT @rows`,
      )
      // one extra row shows whether there is another page
      .all(Object.assign({ now: now(), rows: limit + 1 }, ...conditions.map(({ values }) => values)));
    return { rows: found.slice(0, limit).map(rowOf), more: found.length > limit };
  };
};

/** Repeated pinning or archiving keeps the first time. */
const createSetMark = (database: Database.Database) => {
  const set = (column: "pinned_at" | "archived_at") =>
    database.prepare<{ id: SessionId; on: 0 | 1; at: number }>(
      `UPDATE sessions SET ${column} = CASE WHEN @on THEN coalesce(${column}, @at) END WHERE id = @id`,
    );
  const [pin, archive] = [set("pinned_at"), set("archived_at")];
  const mute = database.prepare<{ id: SessionId; on: 0 | 1 }>("UPDATE sessions SET muted = @on WHERE id = @id");
  return (id: SessionId, { pinned, archived, muted }: SessionMark, at: number): void => {
    if (muted !== undefined) mute.run({ id, on: muted ? 1 : 0 });
    if (pinned !== undefined) pin.run({ id, on: pinned ? 1 : 0, at });
    if (archived !== undefined) archive.run({ id, on: archived ? 1 : 0, at });
  };
};
