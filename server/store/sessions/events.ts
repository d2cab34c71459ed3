/** Event logs of all sessions. Events are on disk when `commit` returns. */
import type Database from "better-sqlite3";
import type { Json } from "@/lib/events/content";
import { type DurableEvent, updatesSessionTime } from "@/lib/events/event";
import type { CommandId, SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { PlanProgress } from "@/lib/view/checklist";
import { parseJson } from "@/server/base/parse-json";
import { withStoreErrors, StoreError } from "../core/store-error";
import { eventVersion, upcast } from "./upcast";

export interface EventRow {
  /** Consecutive per session, from 1. */
  readonly seq: number;
  /** ms epoch */
  readonly at: number;
  readonly event: DurableEvent;
}

interface StoredEvent extends EventRow {
  /** Version of the stored row; `event` has the current shape. */
  readonly v: number;
}

/** Changes of the list row. `lastSeq` and, if absent, `updatedAt` are derived from the events. */
export type SessionRowPatch = Partial<
  Pick<SessionRow, "cwd" | "title" | "status" | "mode" | "model" | "updatedAt" | "added" | "removed"> & {
    /** Null = the session has none any more. */
    readonly plan: PlanProgress | null;
  }
>;

export type NewSession = Omit<SessionRow, "lastSeq" | "deletedAt">;

interface Receipt {
  readonly commandId: CommandId;
  readonly result: Json;
}

interface CommitInput {
  readonly sessionId: SessionId;
  readonly rows: readonly EventRow[];
  readonly receipt?: Receipt;
  readonly row?: SessionRowPatch;
  /** Keys of checkpoints superseded by the rows. */
  readonly dropCheckpoints?: readonly string[];
}

interface CreateInput extends Omit<CommitInput, "sessionId" | "row"> {
  readonly session: NewSession;
}

/** Copies the rows up to seq `upTo` of another session to a new one, with the same seqs, then appends `rows`. */
interface ForkInput {
  readonly from: SessionId;
  /** 0 = no rows are copied */
  readonly upTo: number;
  readonly session: NewSession;
  readonly rows: readonly EventRow[];
}

export interface Checkpoint {
  readonly key: string;
  readonly body: string;
  /** ms epoch */
  readonly at: number;
}

/** Every method throws StoreError; a call that throws has written nothing. */
export interface EventStore {
  /** Appends events in one transaction; on disk when it returns. Throws `internal` if a seq is not consecutive. */
  commit(input: CommitInput): void;
  /** Creates a session with its list row and first events in one transaction. */
  create(input: CreateInput): void;
  /** Creates a session with a copy of another one's rows in one transaction; the other session is unchanged. */
  fork(input: ForkInput): void;
  /** Event type of a row; undefined = no such row. */
  typeAt(sessionId: SessionId, seq: number): string | undefined;
  /** Reads events in order of seq. An invalid row throws store_corrupt with its seq. */
  read(sessionId: SessionId, options?: { readonly afterSeq?: number; readonly limit?: number }): StoredEvent[];
  /** Result of an executed command; undefined = not executed. */
  receipt(sessionId: SessionId, commandId: CommandId): Json | undefined;
  /** Overwrites the checkpoint of a key. Survives a kill; a power failure may lose the newest ones. */
  checkpoint(sessionId: SessionId, key: string, body: string, at: number): void;
  checkpoints(sessionId: SessionId): Checkpoint[];
}

interface EventConnections {
  /** synchronous = FULL */
  readonly database: Database.Database;
  /** synchronous = NORMAL; opened with the first checkpoint. */
  readonly relaxed: () => Database.Database;
}

export const createEvents = ({ database, relaxed }: EventConnections): EventStore => {
  const path = database.name;
  const append = createAppend(database);
  const commit = database.transaction((input: CommitInput) => append(input));
  const insertSession = createInsertSession(database);
  const create = database.transaction(({ session, ...first }: CreateInput) => {
    insertSession(session);
    append({ ...first, sessionId: session.id, row: { updatedAt: session.updatedAt } });
  });
  const fork = createFork(database, insertSession, append);
  const typeAt = database
    .prepare<[SessionId, number], string>("SELECT type FROM events WHERE session_id = ? AND seq = ?")
    .pluck();
  const checkpoints = database.prepare<[SessionId], Checkpoint>(
    "SELECT key, body, at FROM checkpoints WHERE session_id = ? ORDER BY key",
  );
  const receipt = database.prepare<[SessionId, CommandId], { result: string }>(
    "SELECT result FROM receipts WHERE session_id = ? AND command_id = ?",
  );
  const writeCheckpoint = createCheckpointWriter(relaxed);

  return {
    commit: (input) => withStoreErrors(path, () => commit.immediate(input)),
    create: (input) => withStoreErrors(path, () => create.immediate(input)),
    fork: (input) => withStoreErrors(path, () => fork.immediate(input)),
    typeAt: (sessionId, seq) => withStoreErrors(path, () => typeAt.get(sessionId, seq)),
    read: createRead(database),
    receipt: (sessionId, commandId) =>
      withStoreErrors(path, () => {
        const found = receipt.get(sessionId, commandId);
        const result = found === undefined ? undefined : parseJson(found.result);
        if (found !== undefined && result === undefined)
          throw new StoreError("store_corrupt", "not a receipt", { sessionId, commandId });
        return result;
      }),
    checkpoint: (sessionId, key, body, at) => withStoreErrors(path, () => writeCheckpoint(sessionId, key, body, at)),
    checkpoints: (sessionId) => withStoreErrors(path, () => checkpoints.all(sessionId)),
  };
};

/** Inserts the list row of a session without events; runs in the caller's transaction. Marks are set later. */
export const createInsertSession = (database: Database.Database): ((session: NewSession) => void) => {
  const insert = database.prepare(
    `INSERT INTO sessions (id, project_id, cwd, title, status, mode, model, created_at, updated_at, last_seq, added, removed,
       plan_done, plan_total, parent_id, parent_call)
     VALUES (@id, @projectId, @cwd, @title, @status, @mode, @model, @createdAt, @updatedAt, 0, @added, @removed,
       @planDone, @planTotal, @parentId, @parentCall)`,
  );
  return ({ plan, parent, ...session }) =>
    void insert.run({
      ...session,
      planDone: plan?.done ?? 0,
      planTotal: plan?.total ?? 0,
      parentId: parent?.sessionId ?? null,
      parentCall: parent?.callId ?? null,
    });
};

const createFork = (
  database: Database.Database,
  insertSession: (session: NewSession) => void,
  append: (input: CommitInput) => void,
) => {
  const copy = database.prepare<[SessionId, SessionId, number]>(
    `INSERT INTO events (session_id, seq, v, at, type, body)
     SELECT ?, seq, v, at, type, body FROM events WHERE session_id = ? AND seq <= ? ORDER BY seq`,
  );
  const begin = database.prepare<[number, SessionId, number, SessionId]>(
    "UPDATE sessions SET last_seq = ?, forked_from = ?, forked_at_seq = ? WHERE id = ?",
  );
  return database.transaction(({ from, upTo, session, rows }: ForkInput) => {
    insertSession(session);
    const copied = copy.run(session.id, from, upTo).changes;
    if (copied !== upTo) throw new StoreError("internal", "rows to copy are missing", { from, upTo, copied });
    begin.run(upTo, from, upTo, session.id);
    append({ sessionId: session.id, rows });
  });
};

/** Appends rows, receipt and list row changes; runs in the caller's transaction. */
const createAppend = (database: Database.Database) => {
  const last = database.prepare<[SessionId], { lastSeq: number; updatedAt: number }>(
    "SELECT last_seq AS lastSeq, updated_at AS updatedAt FROM sessions WHERE id = ?",
  );
  const insertEvent = database.prepare<[SessionId, number, number, number, string, string]>(
    "INSERT INTO events (session_id, seq, v, at, type, body) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const insertReceipt = database.prepare<[SessionId, CommandId, string]>(
    "INSERT INTO receipts (session_id, command_id, result) VALUES (?, ?, ?)",
  );
  const dropCheckpoint = database.prepare<[SessionId, string]>(
    "DELETE FROM checkpoints WHERE session_id = ? AND key = ?",
  );
  const update = database.prepare(
    `UPDATE sessions SET last_seq = @lastSeq, updated_at = @updatedAt, cwd = coalesce(@cwd, cwd),
       title = coalesce(@title, title), status = coalesce(@status, status), mode = coalesce(@mode, mode),
       model = coalesce(@model, model), added = coalesce(@added, added), removed = coalesce(@removed, removed),
       plan_done = coalesce(@planDone, plan_done), plan_total = coalesce(@planTotal, plan_total)
     WHERE id = @sessionId`,
  );
  return ({ sessionId, rows, receipt, row = {}, dropCheckpoints = [] }: CommitInput): void => {
    const before = last.get(sessionId);
    if (before === undefined) throw new StoreError("not_found", "no such session", { sessionId });
    rows.forEach(({ seq, at, event }, index) => {
      const expected = before.lastSeq + 1 + index;
      if (seq !== expected) throw new StoreError("internal", "seq does not follow", { sessionId, seq, expected });
      insertEvent.run(sessionId, seq, eventVersion, at, event.type, JSON.stringify(event));
    });
    if (receipt !== undefined) insertReceipt.run(sessionId, receipt.commandId, JSON.stringify(receipt.result));
    for (const key of dropCheckpoints) dropCheckpoint.run(sessionId, key);
    update.run({
      sessionId,
      lastSeq: before.lastSeq + rows.length,
      updatedAt: row.updatedAt ?? rows.findLast(({ event }) => updatesSessionTime(event.type))?.at ?? before.updatedAt,
      // null = unchanged
      cwd: row.cwd ?? null,
      title: row.title ?? null,
      status: row.status ?? null,
      mode: row.mode ?? null,
      model: row.model ?? null,
      added: row.added ?? null,
      removed: row.removed ?? null,
      planDone: row.plan === undefined ? null : (row.plan?.done ?? 0),
      planTotal: row.plan === undefined ? null : (row.plan?.total ?? 0),
    });
  };
};

const createRead = (database: Database.Database): EventStore["read"] => {
  type EventRecord = [seq: number, v: number, at: number, body: string];
  const after = database
    .prepare<[SessionId, number, number], EventRecord>(
      "SELECT seq, v, at, body FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
    )
    .raw();
  const everything = -1;
  return (sessionId, { afterSeq = 0, limit = everything } = {}) =>
    withStoreErrors(database.name, () =>
      after.all(sessionId, afterSeq, limit).map(([seq, v, at, body]) => {
        const event = upcast(v, parseJson(body));
        if (event === undefined) throw new StoreError("store_corrupt", "not an event", { sessionId, seq, v });
        return { seq, at, v, event };
      }),
    );
};

const createCheckpointWriter = (relaxed: () => Database.Database) => {
  let write: Database.Statement<[SessionId, string, string, number]> | undefined;
  return (sessionId: SessionId, key: string, body: string, at: number): void => {
    write ??= relaxed().prepare<[SessionId, string, string, number]>(
      `INSERT INTO checkpoints (session_id, key, body, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET body = excluded.body, at = excluded.at`,
    );
    write.run(sessionId, key, body, at);
  };
};
