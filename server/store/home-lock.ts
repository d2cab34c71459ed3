/** One process per home (R48). main takes it before it opens the store; who does not get it talks to the holder. */
import Database from "better-sqlite3";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/error";
import { ensurePrivateFile, makePrivateFolder } from "./private-file";
import { toStoreError } from "./store-error";

export interface HomeLock {
  readonly path: string;
  /** Lets go; a second call does nothing. */
  release(): void;
}

/** Keeps a lock whose caller forgot it: a collected database is a closed one, and the lock would be gone. */
const held = new Set<Database.Database>();

/**
 * An exclusive SQLite lock on an empty file: the system drops it with the process, however that ends, so a lock that is
 * held always has a living holder and nothing has to be cleaned up. The file holds no data and is never written.
 */
const lockFile = (path: string): Database.Database => {
  ensurePrivateFile(path);
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const isNotDatabase = (error: unknown): boolean =>
  error instanceof Database.SqliteError && (error.code === "SQLITE_NOTADB" || error.code.startsWith("SQLITE_CORRUPT"));

/** The lock of a home, made if it is missing. Errors: store_locked (somebody lives here), store_readonly, store_failed. */
export const takeHomeLock = (home: string): Result<HomeLock> => {
  const path = join(home, "lock.db");
  try {
    makePrivateFolder(home);
    const database = lockEvenIfDamaged(path);
    held.add(database);
    const release = (): void => {
      held.delete(database);
      database.close();
    };
    return ok({ path, release });
  } catch (error) {
    const { code, message, facts } = toStoreError(error, path);
    return fail(code, message, facts);
  }
};

const lockEvenIfDamaged = (path: string): Database.Database => {
  try {
    return lockFile(path);
  } catch (error) {
    if (!isNotDatabase(error)) throw error;
    truncateSync(path);
    return lockFile(path);
  }
};
