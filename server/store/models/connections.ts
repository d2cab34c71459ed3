/** Connections to model servers configured by the user, without their API keys. */
import type Database from "better-sqlite3";
import type { KeyUse } from "@/lib/models/key-use";
import { withStoreErrors } from "../core/store-error";

export interface StoredConnection {
  readonly id: string;
  readonly name: string;
  /** An id of providers/presets. */
  readonly preset: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly temperature?: number;
  /** tokens; 0 = as reported by the server */
  readonly numCtx: number;
  /** Absent = the key is sent as a bearer token. */
  readonly keyUse?: KeyUse;
  /** Header with the session's id; absent = by the address, empty = none. */
  readonly sessionHeader?: string;
  /** Answers at once; absent = as reported by the server, or the default. */
  readonly atOnce?: number;
}

/** Throws StoreError. */
export interface ConnectionStore {
  /** In order of creation, or of re-creation after removal. */
  list(): readonly StoredConnection[];
  /** Finds removed connections too: their id may only be reused for the same server. */
  find(id: string): (StoredConnection & { readonly removed: boolean }) | undefined;
  /** Creates, changes or re-creates the connection. */
  save(connection: StoredConnection): void;
  /** false = no such connection. */
  remove(id: string): boolean;
}

interface ConnectionRecord {
  readonly id: string;
  readonly name: string;
  readonly preset: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly temperature: number | null;
  readonly numCtx: number;
  readonly keyUser: string | null;
  readonly keyHeader: string | null;
  readonly sessionHeader: string | null;
  readonly atOnce: number | null;
  readonly removedAt: number | null;
}

const connectionColumns =
  "id, name, preset, base_url AS baseUrl, model, temperature, num_ctx AS numCtx, key_user AS keyUser, key_header AS keyHeader, session_header AS sessionHeader, at_once AS atOnce, removed_at AS removedAt";

export const createConnections = (database: Database.Database, now: () => number): ConnectionStore => ({
  list: () =>
    withStoreErrors(database.name, () =>
      database
        .prepare<[], ConnectionRecord>(
          `SELECT ${connectionColumns} FROM connections WHERE removed_at IS NULL ORDER BY created_at, rowid`,
        )
        .all()
        .map(connectionFromRecord),
    ),
  find: (id) =>
    withStoreErrors(database.name, () => {
      const found = database.prepare<[string], ConnectionRecord>(
        `SELECT ${connectionColumns} FROM connections WHERE id = ?`,
      );
      const record = found.get(id);
      return record === undefined ? undefined : { ...connectionFromRecord(record), removed: record.removedAt !== null };
    }),
  save: ({ id, name, preset, baseUrl, model, temperature, numCtx, keyUse, sessionHeader, atOnce }) =>
    withStoreErrors(database.name, () => {
      const named = (as: KeyUse["as"]): string | null => (keyUse?.as === as ? keyUse.name : null);
      database
        .prepare<[ConnectionRecord & { readonly createdAt: number }]>(
          `INSERT INTO connections (id, name, preset, base_url, model, temperature, num_ctx, key_user, key_header,
             session_header, at_once, created_at)
           VALUES (@id, @name, @preset, @baseUrl, @model, @temperature, @numCtx, @keyUser, @keyHeader,
             @sessionHeader, @atOnce, @createdAt)
           ON CONFLICT DO UPDATE SET name = excluded.name, preset = excluded.preset, base_url = excluded.base_url,
             model = excluded.model, temperature = excluded.temperature, num_ctx = excluded.num_ctx,
             key_user = excluded.key_user, key_header = excluded.key_header,
             session_header = excluded.session_header, at_once = excluded.at_once, removed_at = NULL,
             created_at = CASE WHEN removed_at IS NULL THEN created_at ELSE excluded.created_at END`,
        )
        .run({
          id,
          name,
          preset,
          baseUrl,
          model,
          temperature: temperature ?? null,
          numCtx,
          keyUser: named("password"),
          keyHeader: named("header"),
          sessionHeader: sessionHeader ?? null,
          atOnce: atOnce ?? null,
          removedAt: null,
          createdAt: now(),
        });
    }),
  remove: (id) =>
    withStoreErrors(database.name, () => {
      const mark = database.prepare<[number, string]>(
        "UPDATE connections SET removed_at = ? WHERE id = ? AND removed_at IS NULL",
      );
      return mark.run(now(), id).changes === 1;
    }),
});

function connectionFromRecord({
  removedAt: _removedAt,
  temperature,
  keyUser,
  keyHeader,
  sessionHeader,
  atOnce,
  ...rest
}: ConnectionRecord): StoredConnection {
  const stored = {
    ...rest,
    temperature: temperature ?? undefined,
    ...(sessionHeader === null ? {} : { sessionHeader }),
    ...(atOnce === null ? {} : { atOnce }),
  };
  if (keyUser !== null) return { ...stored, keyUse: { as: "password", name: keyUser } };
  return keyHeader === null ? stored : { ...stored, keyUse: { as: "header", name: keyHeader } };
}
