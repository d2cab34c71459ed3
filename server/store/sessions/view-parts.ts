/** Stored folded views of long sessions, in parts. Derived data: losing it only costs time. */
import type Database from "better-sqlite3";
import type { SessionId } from "@/lib/events/id";
import { withStoreErrors } from "../core/store-error";

export interface ViewPart {
  readonly hash: string;
  readonly body: string;
}

/** Part 0 describes the others. Throws StoreError. */
export interface ViewPartStore {
  read(sessionId: SessionId, part: number): ViewPart | undefined;
  /** Hash of a part; undefined = no such part. */
  hash(sessionId: SessionId, part: number): string | undefined;
  /** Overwrites the part. A power failure may lose it. */
  write(sessionId: SessionId, part: number, content: ViewPart): void;
}

/** `relaxed` = the connection with synchronous NORMAL. */
export const createViewParts = (database: Database.Database, relaxed: () => Database.Database): ViewPartStore => ({
  read: (sessionId, part) =>
    withStoreErrors(database.name, () =>
      database
        .prepare<[SessionId, number], ViewPart>("SELECT hash, body FROM view_parts WHERE session_id = ? AND part = ?")
        .get(sessionId, part),
    ),
  hash: (sessionId, part) =>
    withStoreErrors(database.name, () =>
      database
        .prepare<[SessionId, number], string>("SELECT hash FROM view_parts WHERE session_id = ? AND part = ?")
        .pluck()
        .get(sessionId, part),
    ),
  write: (sessionId, part, { hash, body }) =>
    withStoreErrors(database.name, () => {
      relaxed()
        .prepare<[SessionId, number, string, string]>(
          `INSERT INTO view_parts (session_id, part, hash, body) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET hash = excluded.hash, body = excluded.body`,
        )
        .run(sessionId, part, hash, body);
    }),
});
