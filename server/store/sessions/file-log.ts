/** File-related records of a session log: before-images, resulting hashes and restores. */
import type Database from "better-sqlite3";
import type { DurableEvent, RestoredFile } from "@/lib/events/event";
import { asId, type BlobId, type CallId, type Hash, type SessionId } from "@/lib/events/id";
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

/** An event for reviews. `call` = the end of a call and the files it changed. */
type ReviewEvent =
  | Extract<DurableEvent, { type: "file_change" | "restore" | "review" | "review_wait" }>
  | {
      readonly type: "call";
      readonly callId: CallId;
      readonly files: readonly { readonly path: string; readonly after: Hash | null }[];
    };

/** `at` = ms epoch */
export type ReviewLogRecord = ReviewEvent & { readonly at: number; readonly seq: number };

export interface FileLog {
  /** Records in order of seq. Throws StoreError. */
  read(sessionId: SessionId): FileLogRecord[];
  /** Records for reviews, in order of seq. Throws StoreError. */
  readReview(sessionId: SessionId): ReviewLogRecord[];
  /** Whether a decision of a review ever waited in the session. Throws StoreError. */
  hasWaitedReview(sessionId: SessionId): boolean;
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
  type ReviewRow = [seq: number, at: number, callId: string | null, body: string];
  const selectReview = database
    .prepare<[SessionId], ReviewRow>(
      `SELECT seq, at, CASE type WHEN 'tool_call_end' THEN body ->> '$.callId' END,
         CASE type WHEN 'tool_call_end' THEN
         (SELECT json_group_array(json_object('path', value ->> 'path', 'after', value ->> 'after'))
            FROM json_each(body, '$.changes')) ELSE body END
       FROM events WHERE session_id = ? AND type IN ('file_change', 'restore', 'review', 'review_wait', 'tool_call_end')
         AND (type <> 'tool_call_end' OR json_type(body, '$.changes') = 'array') ORDER BY seq`,
    )
    .raw();
  const selectWaited = database.prepare<[SessionId]>(
    "SELECT 1 FROM events WHERE session_id = ? AND type = 'review_wait' LIMIT 1",
  );
  return {
    hasWaitedReview: (sessionId) => withStoreErrors(database.name, () => selectWaited.get(sessionId) !== undefined),
    readReview: (sessionId) =>
      withStoreErrors(database.name, () =>
        selectReview.all(sessionId).map(([seq, at, callId, body]): ReviewLogRecord => {
          const event = toReviewEvent(callId, JSON.parse(body));
          if (event === null) throw new StoreError("store_corrupt", "not a record of files", { sessionId, seq });
          return { ...event, seq, at };
        }),
      ),
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
function toReviewEvent(callId: string | null, value: unknown): ReviewEvent | null {
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
