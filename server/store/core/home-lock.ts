/** Exclusive lock of a home folder: one process per home. */
import Database from "better-sqlite3";
import { randomBytes } from "node:crypto";
import { rmSync, truncateSync } from "node:fs";
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
 * store_no_locks (the file system cannot lock files), store_readonly, store_failed. `lock` locks a file.
 */
export const takeHomeLock = (home: string, lock: (path: string) => Database.Database = lockFile): Result<HomeLock> => {
  const path = join(home, "lock.db");
  try {
    makePrivateFolder(home);
    const database = lockEvenIfDamaged(path, lock);
    heldLocks.add(database);
    const release = (): void => {
      heldLocks.delete(database);
      database.close();
    };
    return ok({ path, release });
  } catch (error) {
    const { code, message, facts } = toStoreError(error, path);
    const isLockError = code === "store_locked" || String(facts.systemCode).startsWith("SQLITE_IOERR");
    return isLockError && !canLock(home, lock) ? fail("store_no_locks", message, facts) : fail(code, message, facts);
  }
};

const lockEvenIfDamaged = (path: string, lock: (path: string) => Database.Database): Database.Database => {
  try {
    return lock(path);
  } catch (error) {
    if (!isNotDatabase(error)) throw error;
    truncateSync(path);
    return lock(path);
  }
};

/** Returns whether a new file can be locked in the folder: some network file systems refuse every lock. */
function canLock(folder: string, lock: (path: string) => Database.Database): boolean {
  const path = join(folder, `lock-${randomBytes(6).toString("hex")}.db`);
  try {
    lock(path).close();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}
