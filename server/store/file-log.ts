/** What the log of a session says of files, without the rest of it: the history that undo and the Changes view go by. Read by server/session. */
import type Database from "better-sqlite3";
import type { RestoredFile } from "@/lib/event";
import type { BlobId, CallId, Hash, SessionId } from "@/lib/id";
import { isEventShape, isLeftFiles } from "./event-shape";
import { guarded, StoreError } from "./store-error";

/** In order of seq. `left` are the paths a call said it changed, with the hash they have since; null = nothing is there. */
export type FileRecord =
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
  | { readonly kind: "restore"; readonly seq: number; readonly files: readonly RestoredFile[] };

export interface FileLog {
  /** Throws StoreError. */
  read(sessionId: SessionId): FileRecord[];
}

export const createFileLog = (database: Database.Database): FileLog => {
  type Row = [seq: number, type: "file_change" | "restore" | "tool_call_end", body: string];
  // Outputs and hunks are most of a call's end; only its paths and hashes leave the database.
  const select = database
    .prepare<[SessionId], Row>(
      `SELECT seq, type, CASE type WHEN 'tool_call_end' THEN
         (SELECT json_group_array(json_object('path', value ->> 'path', 'after', value ->> 'after'))
            FROM json_each(body, '$.changes')) ELSE body END
       FROM events WHERE session_id = ? AND type IN ('file_change', 'restore', 'tool_call_end')
         AND (type <> 'tool_call_end' OR json_type(body, '$.changes') = 'array') ORDER BY seq`,
    )
    .raw();
  return {
    read: (sessionId) =>
      guarded(database.name, () =>
        select.all(sessionId).map(([seq, type, body]): FileRecord => {
          const record = recordOf(seq, type, JSON.parse(body));
          if (record === null) throw new StoreError("store_corrupt", "not a record of files", { sessionId, seq });
          return record;
        }),
      ),
  };
};

/** null = the row is damaged. */
function recordOf(seq: number, type: string, value: unknown): FileRecord | null {
  if (type === "tool_call_end") return isLeftFiles(value) ? { kind: "left", seq, files: value } : null;
  if (!isEventShape(value) || value.type !== type) return null;
  if (value.type === "restore") return { kind: "restore", seq, files: value.files };
  if (value.type !== "file_change") return null;
  const { callId, path, before, mode } = value;
  return { kind: "before", seq, callId, path, before, mode };
}
