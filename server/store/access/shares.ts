/** Share links; only the hash of the token is stored. */
import type Database from "better-sqlite3";
import type { SessionId, ShareId } from "@/lib/events/id";
import type { Share } from "@/lib/protocol/share";
import { withStoreErrors } from "../core/store-error";

/** All times ms epoch. */
export interface StoredShare extends Omit<Share, "viewers"> {
  /** sha256 of the token, hex */
  readonly tokenHash: string;
  /** seq of the last event visible in a frozen share; for a live one the newest at creation. */
  readonly atSeq: number;
}

/** Active = neither revoked nor expired, and the session is not deleted. Throws StoreError. */
export interface ShareStore {
  create(share: StoredShare): void;
  /** Newest first. */
  active(now: number): readonly StoredShare[];
  /** undefined = not found or not active. */
  get(id: ShareId, now: number): StoredShare | undefined;
  byToken(tokenHash: string, now: number): StoredShare | undefined;
  /** false = not active. */
  revoke(id: ShareId, at: number): boolean;
}

interface ShareRecord extends Omit<StoredShare, "outputs" | "sessionId"> {
  readonly sessionId: SessionId;
  readonly outputs: number;
}

const selectActiveShares = `SELECT shares.id, token_hash AS tokenHash, session_id AS sessionId, kind, at_seq AS atSeq, outputs,
  shares.created_at AS createdAt, expires_at AS expiresAt
  FROM shares JOIN sessions ON sessions.id = session_id
  WHERE revoked_at IS NULL AND deleted_at IS NULL AND expires_at > ?`;

export const createShares = (database: Database.Database): ShareStore => {
  const insert = database.prepare<ShareRecord>(
    `INSERT INTO shares (id, token_hash, session_id, kind, at_seq, outputs, created_at, expires_at)
     VALUES (@id, @tokenHash, @sessionId, @kind, @atSeq, @outputs, @createdAt, @expiresAt)`,
  );
  const all = database.prepare<[number], ShareRecord>(
    `${selectActiveShares} ORDER BY shares.created_at DESC, shares.id`,
  );
  const byId = database.prepare<[number, ShareId], ShareRecord>(`${selectActiveShares} AND shares.id = ?`);
  const byHash = database.prepare<[number, string], ShareRecord>(`${selectActiveShares} AND token_hash = ?`);
  const revoke = database.prepare<[number, ShareId, number]>(
    "UPDATE shares SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL AND expires_at > ?",
  );
  const toShare = (record: ShareRecord): StoredShare => ({ ...record, outputs: record.outputs === 1 });
  const one = (record: ShareRecord | undefined): StoredShare | undefined =>
    record === undefined ? undefined : toShare(record);
  return {
    create: (share) =>
      withStoreErrors(database.name, () => void insert.run({ ...share, outputs: share.outputs ? 1 : 0 })),
    active: (now) => withStoreErrors(database.name, () => all.all(now).map(toShare)),
    get: (id, now) => withStoreErrors(database.name, () => one(byId.get(now, id))),
    byToken: (tokenHash, now) => withStoreErrors(database.name, () => one(byHash.get(now, tokenHash))),
    revoke: (id, at) => withStoreErrors(database.name, () => revoke.run(at, id, at).changes === 1),
  };
};
