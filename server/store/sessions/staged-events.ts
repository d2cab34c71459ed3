/**
 * Staged logs: written in parts, published atomically. The rows of a staged log belong to a session that does not exist
 * yet, so that no list, search or reader finds them. Rows of an interrupted writer are removed.
 */
import type Database from "better-sqlite3";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionId } from "@/lib/events/id";
import { makeMutex } from "@/server/base/concurrency";
import { createInsertSession, type EventRow, type NewSession } from "./events";
import { withStoreErrors, StoreError } from "../core/store-error";
import { eventVersion } from "./upcast";
import { neverAborted } from "@/server/base/abort";

/** Rows removed in one transaction. */
const removedRows = 500;

interface StagedWriter {
  /** Appends to a staged log in one transaction. Seqs start at 1. */
  write(sessionId: SessionId, rows: readonly EventRow[]): void;
  /** Creates the sessions with their staged events in one small transaction; on disk when it returns. */
  publish(sessions: readonly { readonly session: NewSession; readonly lastSeq: number }[]): void;
}

/** Every method throws StoreError. */
export interface StagedEvents {
  /** Runs one writer at a time. Rows it has not published when it ends are removed. */
  write<T>(work: (staging: StagedWriter) => Promise<T>): Promise<T>;
  /** Removes rows staged by a killed process. */
  removeStale(): Promise<void>;
}

interface StagedConnections {
  /** synchronous = FULL */
  readonly database: Database.Database;
  /** A connection without foreign keys; closed after use. */
  connect(): Database.Database;
}

export function createStagedEvents({ database, connect }: StagedConnections): StagedEvents {
  const mutex = makeMutex();
  const publish = createPublish(database);
  const write = <T>(work: (staging: StagedWriter) => Promise<T>): Promise<T> =>
    mutex.hold(
      "",
      async () => {
        const connection = withStoreErrors(database.name, connect);
        try {
          await removeStagedRows(connection);
          try {
            return await work({ write: createWrite(connection), publish });
          } finally {
            await removeStagedRows(connection);
          }
        } finally {
          connection.close();
        }
      },
      neverAborted,
    );
  return { write, removeStale: () => write(async () => {}) };
}

function createPublish(database: Database.Database): StagedWriter["publish"] {
  const insertSession = createInsertSession(database);
  const last = database.prepare<[SessionId], number | null>("SELECT max(seq) FROM events WHERE session_id = ?").pluck();
  const begin = database.prepare<[number, SessionId]>("UPDATE sessions SET last_seq = ? WHERE id = ?");
  const all: (...input: Parameters<StagedWriter["publish"]>) => void = database.transaction((sessions) => {
    for (const { session, lastSeq } of sessions) {
      if (last.get(session.id) !== lastSeq)
        throw new StoreError("internal", "staged rows are missing", { sessionId: session.id, lastSeq });
      insertSession(session);
      begin.run(lastSeq, session.id);
    }
  }).immediate;
  return (sessions) => withStoreErrors(database.name, () => all(sessions));
}

function createWrite(connection: Database.Database): StagedWriter["write"] {
  const insert = connection.prepare<[SessionId, number, number, number, string, string]>(
    "INSERT INTO events (session_id, seq, v, at, type, body) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const all: (...input: Parameters<StagedWriter["write"]>) => void = connection.transaction((sessionId, rows) => {
    for (const { seq, at: time, event } of rows)
      insert.run(sessionId, seq, eventVersion, time, event.type, JSON.stringify(event));
  }).immediate;
  return (sessionId, rows) => withStoreErrors(connection.name, () => all(sessionId, rows));
}

async function removeStagedRows(connection: Database.Database): Promise<void> {
  // Skip scan: one index lookup per session.
  const staged = connection
    .prepare<[], SessionId>(
      `WITH RECURSIVE logs(id) AS (
         SELECT min(session_id) FROM events
         UNION ALL SELECT (SELECT min(session_id) FROM events WHERE session_id > id) FROM logs WHERE id IS NOT NULL)
       SELECT id FROM logs WHERE id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = logs.id)`,
    )
    .pluck();
  const remove = connection.prepare<[SessionId, SessionId, number]>(
    `DELETE FROM events WHERE session_id = ? AND seq IN
       (SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT ?)`,
  );
  for (const id of withStoreErrors(connection.name, () => staged.all())) {
    while (withStoreErrors(connection.name, () => remove.run(id, id, removedRows).changes) > 0) await nextTurn();
  }
}
