/** File-related records of a session log: before-images, resulting hashes and restores. */
import type Database from "better-sqlite3";
import type { DurableEvent, RestoredFile } from "@/lib/events/event";
import { asId, type BlobId, type CallId, type Hash, type SessionId } from "@/lib/events/id";
import { userCommandName } from "@/lib/events/user-command";
import { isEventShape, isChangedFileList } from "./event-shape";
import { withStoreErrors, StoreError } from "../core/store-error";

/**
 * `before` = content before a change; `left` = paths changed by a call with their hash afterwards (null = the file does
 * not exist).
 */
export type FileLogRecord =
  | {
      readonly kind: "before";
      readonly seq: number;
      readonly callId: CallId;
      readonly path: string;
      readonly before: BlobId | null;
      readonly mode: number;
    }
  | {
      readonly kind: "left";
      readonly seq: number;
      readonly files: readonly { readonly path: string; readonly after: Hash | null }[];
    }
  | {
      readonly kind: "restore";
      readonly seq: number;
      readonly toSeq: number;
      readonly files: readonly RestoredFile[];
    };

/** One logged change of one path. `before` and `after` are the sha256 of the content, null = none is stored. */
export interface PathChangeRow {
  readonly seq: number;
  readonly at: number;
  readonly type: "file_change" | "restore";
  readonly before: string | null;
  readonly mode: number;
  readonly after: string | null;
  /** null = the call has no stored end. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Text of the message that started the run; null = none, or a restore. */
  readonly prompt: string | null;
}

/** An event for reviews. `call` = the end of a call and the files it changed; `user_command` = the call is a command of the user. */
type ReviewEvent =
  | Extract<DurableEvent, { type: "file_change" | "restore" | "review" | "review_wait" }>
  | {
      readonly type: "call";
      readonly callId: CallId;
      readonly files: readonly { readonly path: string; readonly after: Hash | null }[];
    }
  | { readonly type: "user_command"; readonly callId: CallId };

/** `at` = ms epoch */
export type ReviewLogRecord = ReviewEvent & { readonly at: number; readonly seq: number };

/** Throws StoreError. */
export interface FileLog {
  /** Records in order of seq. */
  read(sessionId: SessionId): FileLogRecord[];
  /** Changes of one path in order of seq. */
  changesOf(sessionId: SessionId, path: string): PathChangeRow[];
  /** Records for reviews after `seq`, in order of seq. */
  readReview(sessionId: SessionId, seq: number): ReviewLogRecord[];
  /** Whether the session changed one of the paths. */
  hasChanged(sessionId: SessionId, paths: readonly string[]): boolean;
  /** Whether the user ever decided about changes of the session. */
  hasReview(sessionId: SessionId): boolean;
}

export const createFileLog = (database: Database.Database): FileLog => {
  type Row = [seq: number, type: "file_change" | "restore" | "tool_call_end", body: string];
  // tool_call_end rows are dominated by outputs and hunks, so only paths and hashes are selected.
  const select = database
    .prepare<[SessionId], Row>(
      `SELECT seq, type, CASE type WHEN 'tool_call_end' THEN
         (SELECT json_group_array(json_object('path', value ->> 'path', 'after', value ->> 'after'))
            FROM json_each(body, '$.changes')) ELSE body END
       FROM events WHERE session_id = ? AND type IN ('file_change', 'restore', 'tool_call_end')
         AND (type <> 'tool_call_end' OR json_type(body, '$.changes') = 'array') ORDER BY seq`,
    )
    .raw();
  const ofPath = database.prepare<{ readonly sessionId: SessionId; readonly path: string }, PathChangeRow>(
    `WITH ends AS MATERIALIZED (
       SELECT body ->> '$.callId' AS call, value ->> 'after' AS after, value ->> 'added' AS added,
         value ->> 'removed' AS removed
       FROM events, json_each(body, '$.changes')
       WHERE session_id = @sessionId AND events.type = 'tool_call_end' AND json_type(body, '$.changes') = 'array'
         AND value ->> 'path' = @path)
     SELECT seq, at, type, body ->> '$.before' AS before, body ->> '$.mode' AS mode, after, added, removed,
       (SELECT (SELECT value ->> 'text' FROM json_each(prompts.body, '$.blocks') WHERE value ->> 'type' = 'text' LIMIT 1)
          FROM events prompts
          WHERE prompts.session_id = @sessionId AND prompts.type = 'message_end' AND prompts.seq > (
            SELECT runs.seq FROM events runs
            WHERE runs.session_id = @sessionId AND runs.type = 'agent_start' AND runs.seq < events.seq
            ORDER BY runs.seq DESC LIMIT 1)
          ORDER BY prompts.seq LIMIT 1) AS prompt
     FROM events LEFT JOIN ends ON call = body ->> '$.callId'
     WHERE session_id = @sessionId AND type = 'file_change' AND body ->> '$.path' = @path
     UNION ALL
     SELECT seq, at, events.type, value ->> 'before', value ->> 'mode', value ->> 'after', value ->> 'added',
       value ->> 'removed', NULL
     FROM events, json_each(body, '$.files')
     WHERE session_id = @sessionId AND events.type = 'restore' AND value ->> 'path' = @path
     ORDER BY seq`,
  );
  return {
    changesOf: (sessionId, path) => withStoreErrors(database.name, () => ofPath.all({ sessionId, path })),
    ...createReviewQueries(database),
    read: (sessionId) =>
      withStoreErrors(database.name, () =>
        select.all(sessionId).map(([seq, type, body]): FileLogRecord => {
          const record = toFileLogRecord(seq, type, JSON.parse(body));
          if (record === null) throw new StoreError("store_corrupt", "not a record of files", { sessionId, seq });
          return record;
        }),
      ),
  };
};

function createReviewQueries(database: Database.Database): Pick<FileLog, "readReview" | "hasReview" | "hasChanged"> {
  type ReviewRow = [seq: number, at: number, type: string, callId: string | null, body: string];
  // The message with a command of the user is the row before the start of its call.
  const selectReview = database
    .prepare<[SessionId, number, string], ReviewRow>(
      `SELECT seq, at, type, CASE WHEN type LIKE 'tool_call%' THEN body ->> '$.callId' END,
         CASE type WHEN 'tool_call_end' THEN
         (SELECT json_group_array(json_object('path', value ->> 'path', 'after', value ->> 'after'))
            FROM json_each(body, '$.changes')) ELSE body END
       FROM events WHERE session_id = ? AND seq > ? AND (type IN ('file_change', 'restore', 'review', 'review_wait')
         OR (type = 'tool_call_end' AND json_type(body, '$.changes') = 'array')
         OR (type = 'tool_call_start' AND body ->> '$.kind' = 'shell' AND ? = (SELECT message.body ->> '$.blocks[0].name'
           FROM events message WHERE message.session_id = events.session_id AND message.seq = events.seq - 1)))
       ORDER BY seq`,
    )
    .raw();
  const selectChanged = database.prepare<[SessionId, string]>(
    `SELECT 1 FROM events WHERE session_id = ? AND type = 'file_change'
       AND body ->> '$.path' IN (SELECT value FROM json_each(?)) LIMIT 1`,
  );
  const selectDecided = database.prepare<[SessionId]>(
    "SELECT 1 FROM events WHERE session_id = ? AND type IN ('review', 'review_wait') LIMIT 1",
  );
  return {
    hasChanged: (sessionId, paths) =>
      withStoreErrors(database.name, () => selectChanged.get(sessionId, JSON.stringify(paths)) !== undefined),
    hasReview: (sessionId) => withStoreErrors(database.name, () => selectDecided.get(sessionId) !== undefined),
    readReview: (sessionId, after) =>
      withStoreErrors(database.name, () =>
        selectReview.all(sessionId, after, userCommandName).map(([seq, at, type, callId, body]): ReviewLogRecord => {
          const event = toReviewEvent(type, callId, JSON.parse(body));
          if (event === null) throw new StoreError("store_corrupt", "not a record of files", { sessionId, seq });
          return { ...event, seq, at };
        }),
      ),
  };
}

/** Converts a row to a record; null = the row is damaged. */
function toFileLogRecord(seq: number, type: string, value: unknown): FileLogRecord | null {
  if (type === "tool_call_end") return isChangedFileList(value) ? { kind: "left", seq, files: value } : null;
  if (!isEventShape(value) || value.type !== type) return null;
  if (value.type === "restore") return { kind: "restore", seq, toSeq: value.toSeq, files: value.files };
  if (value.type !== "file_change") return null;
  const { callId, path, before, mode } = value;
  return { kind: "before", seq, callId, path, before, mode };
}

/** Converts a row to an event for reviews; null = the row is damaged. */
function toReviewEvent(type: string, callId: string | null, value: unknown): ReviewEvent | null {
  if (callId !== null && type === "tool_call_start") return { type: "user_command", callId: asId<CallId>(callId) };
  if (callId !== null)
    return isChangedFileList(value) ? { type: "call", callId: asId<CallId>(callId), files: value } : null;
  if (!isEventShape(value)) return null;
  switch (value.type) {
    case "file_change":
    case "restore":
    case "review":
    case "review_wait":
      return value;
    default:
      return null;
  }
}
