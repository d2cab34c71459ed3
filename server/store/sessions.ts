/** The session list. The rows themselves are written by events.ts, in the transaction of the events they sum up. */
import type Database from "better-sqlite3";
import type { ProjectId, SessionId } from "@/lib/id";
import type { SessionRow } from "@/lib/session-row";
import type { sessions } from "./schema";
import { guarded } from "./store-error";

export interface SessionQuery {
  readonly projectId?: ProjectId;
  /** Only rows older than this one: the last row of the page before. */
  readonly before?: { readonly updatedAt: number; readonly id: SessionId };
  /** Rows of the page, at least 1. */
  readonly limit: number;
  /** Part of the title, any case, any script. */
  readonly title?: string;
  /** true = the bin alone; otherwise all that is not in it. */
  readonly deleted?: boolean;
}

export interface SessionStore {
  /** Also finds a row in the bin. */
  get(id: SessionId): SessionRow | undefined;
  /** Newest first. */
  list(query: SessionQuery): { readonly rows: SessionRow[]; readonly more: boolean };
  /** Puts a session in the bin; false when it is not there or already in. */
  remove(id: SessionId, at: number): boolean;
  /** Takes a session out of the bin; false when it is not in it. */
  restore(id: SessionId): boolean;
  /** Deletes for good what has been in the bin since before `olderThan` (ms epoch), logs included. Number of sessions. */
  purge(olderThan: number): number;
  /** Sessions a crash may have left open: status running or waiting. */
  openOnes(): SessionId[];
}

type SessionRecord = typeof sessions.$inferSelect;

const columns = `id, project_id AS projectId, cwd, title, status, mode, model, created_at AS createdAt,
  updated_at AS updatedAt, last_seq AS lastSeq, added, removed, deleted_at AS deletedAt`;

const toRow = ({ deletedAt, ...row }: SessionRecord): SessionRow => (deletedAt === null ? row : { ...row, deletedAt });

/** What "the same letters" means when a title is searched: case and width do not matter. */
const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Throws StoreError from every method. */
export const createSessions = (database: Database.Database): SessionStore => {
  // SQLite's own LIKE knows the case of ASCII only
  database.function("folded", { deterministic: true }, (text) => folded(String(text)));
  const byId = database.prepare<[SessionId], SessionRecord>(`SELECT ${columns} FROM sessions WHERE id = ?`);
  const intoBin = database.prepare<[number, SessionId]>(
    "UPDATE sessions SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
  );
  const outOfBin = database.prepare<[SessionId]>(
    "UPDATE sessions SET deleted_at = NULL WHERE id = ? AND deleted_at IS NOT NULL",
  );
  const purged = database.prepare<[number]>("DELETE FROM sessions WHERE deleted_at < ?");
  const open = database.prepare<[], Pick<SessionRecord, "id">>(
    "SELECT id FROM sessions WHERE status IN ('running', 'waiting') ORDER BY updated_at DESC, id DESC",
  );

  const list = ({ projectId, before, limit, title, deleted = false }: SessionQuery) => {
    const conditions: readonly { readonly sql: string; readonly values: readonly unknown[] }[] = [
      { sql: `deleted_at IS ${deleted ? "NOT NULL" : "NULL"}`, values: [] },
      ...(projectId === undefined ? [] : [{ sql: "project_id = ?", values: [projectId] }]),
      ...(before === undefined ? [] : [{ sql: "(updated_at, id) < (?, ?)", values: [before.updatedAt, before.id] }]),
      ...(title === undefined ? [] : [{ sql: "instr(folded(title), ?) > 0", values: [folded(title)] }]),
    ];
    const where = conditions.map(({ sql }) => sql).join(" AND ");
    const found = database
      .prepare<unknown[], SessionRecord>(
        `SELECT ${columns} FROM sessions WHERE ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`,
      )
      // one more than asked for tells whether there is another page
      .all(...conditions.flatMap(({ values }) => values), limit + 1);
    return { rows: found.slice(0, limit).map(toRow), more: found.length > limit };
  };

  const safely = <T>(work: () => T): T => guarded(database.name, work);
  return {
    get: (id) =>
      safely(() => {
        const record = byId.get(id);
        return record === undefined ? undefined : toRow(record);
      }),
    list: (query) => safely(() => list(query)),
    remove: (id, at) => safely(() => intoBin.run(at, id).changes === 1),
    restore: (id) => safely(() => outOfBin.run(id).changes === 1),
    purge: (olderThan) => safely(() => purged.run(olderThan).changes),
    openOnes: () => safely(() => open.all().map(({ id }) => id)),
  };
};
