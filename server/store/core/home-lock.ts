/** Exclusive lock of a home folder: one process per home (R48). */
import Database from "better-sqlite3";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { ensurePrivateFile, makePrivateFolder } from "./private-file";
import { toStoreError } from "./store-error";

interface HomeLock {
  readonly path: string;
  /** Releases the lock; a second call does nothing. */
  release(): void;
}

/** Keeps the databases of held locks reachable: garbage collection would close them and release the lock. */
const heldLocks = new Set<Database.Database>();

/**
 * Takes an exclusive SQLite lock on an empty file. The system releases it when the process ends in any way, so a held
 * lock always has a live holder and needs no cleanup. The file is never written.
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

/**
 * Takes the lock of a home, creating folder and file if missing. Errors: store_locked (held by another process),
 * store_readonly, store_failed.
 */
export const takeHomeLock = (home: string): Result<HomeLock> => {
  const path = join(home, "lock.db");
  try {
    makePrivateFolder(home);
    const database = lockEvenIfDamaged(path);
    heldLocks.add(database);
    const release = (): void => {
      heldLocks.delete(database);
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
