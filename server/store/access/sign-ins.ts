/** Signed-in browsers; no secret is stored. The lookup runs on every request, so its statement is prepared once. */
import type Database from "better-sqlite3";
import { randomBytes } from "node:crypto";
import { withStoreErrors } from "../core/store-error";

/** All times ms epoch. */
interface SignIn {
  readonly id: string;
  /** sha256 of the cookie's secret and its page's together, hex. */
  readonly tokenHash: string;
  /** sha256 of the cookie's secret, hex; null until a browser that signed in with an older version is seen. */
  readonly cookieHash: string | null;
  /** Browser and system, for display. */
  readonly label: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** Throws StoreError. */
export interface SignInStore {
  create(input: {
    readonly tokenHash: string;
    readonly cookieHash?: string;
    readonly label: string;
    readonly now: number;
    readonly expiresAt: number;
  }): SignIn;
  /** Finds a sign-in that has not expired. */
  find(tokenHash: string): SignIn | undefined;
  /** Whether a sign-in that has not expired has this cookie. */
  hasCookie(cookieHash: string): boolean;
  touch(id: string, at: number, cookieHash?: string): void;
  /** Deletes the sign-in; false = not found. */
  remove(id: string): boolean;
  /** Sign-ins, last used first, including expired ones. */
  list(): SignIn[];
}

const signInColumns =
  "id, token_hash AS tokenHash, cookie_hash AS cookieHash, label, created_at AS createdAt, last_used_at AS lastUsedAt, expires_at AS expiresAt";

export const createSignIns = (database: Database.Database, now: () => number): SignInStore => {
  const insert = database.prepare<SignIn>(
    `INSERT INTO sign_ins (id, token_hash, cookie_hash, label, created_at, last_used_at, expires_at)
     VALUES (@id, @tokenHash, @cookieHash, @label, @createdAt, @lastUsedAt, @expiresAt)`,
  );
  const byHash = database.prepare<[string, number], SignIn>(
    `SELECT ${signInColumns} FROM sign_ins WHERE token_hash = ? AND expires_at > ?`,
  );
  const byCookie = database.prepare<[string, number]>(
    "SELECT 1 FROM sign_ins WHERE cookie_hash = ? AND expires_at > ?",
  );
  const all = database.prepare<[], SignIn>(`SELECT ${signInColumns} FROM sign_ins ORDER BY last_used_at DESC, id`);
  const used = database.prepare<[number, string | null, string]>(
    "UPDATE sign_ins SET last_used_at = ?, cookie_hash = COALESCE(?, cookie_hash) WHERE id = ?",
  );
  const remove = database.prepare<[string]>("DELETE FROM sign_ins WHERE id = ?");

  return {
    create: ({ tokenHash, cookieHash = null, label, now: createdAt, expiresAt }) => {
      const id = `sgn${randomBytes(12).toString("hex")}`;
      const signIn = { id, tokenHash, cookieHash, label, createdAt, lastUsedAt: createdAt, expiresAt };
      withStoreErrors(database.name, () => insert.run(signIn));
      return signIn;
    },
    find: (tokenHash) => withStoreErrors(database.name, () => byHash.get(tokenHash, now())),
    hasCookie: (hash) => withStoreErrors(database.name, () => byCookie.get(hash, now()) !== undefined),
    touch: (id, at, cookieHash) => withStoreErrors(database.name, () => void used.run(at, cookieHash ?? null, id)),
    remove: (id) => withStoreErrors(database.name, () => remove.run(id).changes === 1),
    list: () => withStoreErrors(database.name, () => all.all()),
  };
};
