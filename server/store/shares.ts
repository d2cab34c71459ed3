/** Share links; only the hash of the token is stored. */
import type Database from "better-sqlite3";
import type { SessionId, ShareId } from "@/lib/id";
import type { Share } from "@/lib/share";
import { guarded } from "./store-error";

/** All times ms epoch. */
export interface KeptShare extends Omit<Share, "viewers"> {
  /** sha256 of the token, hex */
  readonly tokenHash: string;
  /** seq of the last event visible in a frozen share; for a live one the newest at creation. */
  readonly atSeq: number;
}

/** Active = neither revoked nor expired, and the session is not deleted. Throws StoreError. */
export interface ShareStore {
  create(share: KeptShare): void;
  /** Newest first. */
  active(now: number): readonly KeptShare[];
  /** undefined = not found or not active. */
  get(id: ShareId, now: number): KeptShare | undefined;
  byToken(tokenHash: string, now: number): KeptShare | undefined;
  /** false = not active. */
  revoke(id: ShareId, at: number): boolean;
}

interface ShareRecord extends Omit<KeptShare, "outputs" | "sessionId"> {
  readonly sessionId: SessionId;
  readonly outputs: number;
}

const select = `SELECT shares.id, token_hash AS tokenHash, session_id AS sessionId, kind, at_seq AS atSeq, outputs,
  shares.created_at AS createdAt, expires_at AS expiresAt
  FROM shares JOIN sessions ON sessions.id = session_id
  WHERE revoked_at IS NULL AND deleted_at IS NULL AND expires_at > ?`;

export const createShares = (database: Database.Database): ShareStore => {
  const insert = database.prepare<ShareRecord>(
    `INSERT INTO shares (id, token_hash, session_id, kind, at_seq, outputs, created_at, expires_at)
     VALUES (@id, @tokenHash, @sessionId, @kind, @atSeq, @outputs, @createdAt, @expiresAt)`,
  );
  const all = database.prepare<[number], ShareRecord>(`${select} ORDER BY shares.created_at DESC, shares.id`);
  const byId = database.prepare<[number, ShareId], ShareRecord>(`${select} AND shares.id = ?`);
  const byHash = database.prepare<[number, string], ShareRecord>(`${select} AND token_hash = ?`);
  const revoke = database.prepare<[number, ShareId, number]>(
    "UPDATE shares SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL AND expires_at > ?",
  );
  const toShare = (record: ShareRecord): KeptShare => ({ ...record, outputs: record.outputs === 1 });
  const one = (record: ShareRecord | undefined): KeptShare | undefined =>
    record === undefined ? undefined : toShare(record);
  return {
    create: (share) => guarded(database.name, () => void insert.run({ ...share, outputs: share.outputs ? 1 : 0 })),
    active: (now) => guarded(database.name, () => all.all(now).map(toShare)),
    get: (id, now) => guarded(database.name, () => one(byId.get(now, id))),
    byToken: (tokenHash, now) => guarded(database.name, () => one(byHash.get(now, tokenHash))),
    revoke: (id, at) => guarded(database.name, () => revoke.run(at, id, at).changes === 1),
  };
};
