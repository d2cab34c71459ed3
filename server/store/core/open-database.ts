/** Opens gopi.db: refuses a newer schema version, moves a damaged file aside, migrates an older version. */
import Database from "better-sqlite3";
import { existsSync, readFileSync, renameSync, writeFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { serverLimits } from "@/lib/settings/server-limits";
import { connectDatabase } from "./connect-database";
import { migrate, migrationFiles, readSchemaVersion } from "./migrate";
import { ensurePrivateFile, makePrivateFolder, removeOthersPermissions } from "./private-file";
import { withStoreErrors, StoreError, toStoreError } from "./store-error";

type DatabaseFileInfo =
  | { readonly kind: "new" }
  | { readonly kind: "corrupt" }
  /** `unclean` = the last process did not close it: its write-ahead log exists. */
  | { readonly kind: "database"; readonly version: number; readonly unclean: boolean };

const headerBytes = 100;
const magic = "SQLite format 3\0";
const userVersionOffset = 60;

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Inspects a database file without modifying it. Throws system errors and SQLite errors (locked, not readable). */
const inspectDatabaseFile = (path: string): DatabaseFileInfo => {
  const size = fileSize(path);
  const unclean = fileSize(`${path}-wal`) > 0;
  // a WAL without its database belongs to a lost database; SQLite would delete it
  if (size === 0) return { kind: unclean ? "corrupt" : "new" };
  const header = readHeader(path);
  if (header.length < headerBytes || header.toString("latin1", 0, magic.length) !== magic) return { kind: "corrupt" };
  if (!unclean) return { kind: "database", version: header.readInt32BE(userVersionOffset), unclean };
  // the newest header may be in the WAL; a read-only connection never checkpoints it
  return readThroughWal(path);
};

const readHeader = (path: string): Buffer => {
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(headerBytes);
    return header.subarray(0, readSync(descriptor, header, 0, headerBytes, 0));
  } finally {
    closeSync(descriptor);
  }
};

const readThroughWal = (path: string): DatabaseFileInfo => {
  try {
    const database = new Database(path, { readonly: true });
    try {
      return { kind: "database", version: readSchemaVersion(database), unclean: true };
    } finally {
      database.close();
    }
  } catch (error) {
    if (toStoreError(error, path).code === "store_corrupt") return { kind: "corrupt" };
    throw error;
  }
};

/** Lock timeout of a checkpoint, ms; short, because the next checkpoint follows soon. */
const checkpointBusyMs = 50;

export interface OpenDatabase {
  readonly path: string;
  readonly database: Database.Database;
  readonly uncleanEnd: boolean;
  /** Path to which a damaged database was moved; the opened one is then new. */
  readonly movedAside?: string;
}

interface OpenDatabaseOptions {
  readonly home: string;
  /** ms epoch, for the name of a moved database */
  readonly now: () => number;
  /** Folder of the migrations. */
  readonly migrations: string;
}

const databaseFileSuffixes = ["", "-wal", "-shm"] as const;

/**
 * Opens the database. Requires the home lock. Throws StoreError; with store_newer and store_readonly no file is
 * modified.
 */
export const openDatabase = ({ home, now, migrations }: OpenDatabaseOptions): OpenDatabase => {
  const path = join(home, "gopi.db");
  return withStoreErrors(path, () => {
    makePrivateFolder(home);
    const files = migrationFiles(migrations);
    if (files.length === 0) throw new StoreError("store_failed", "no migrations found", { path: migrations });
    const index = readWalIndex(path);
    try {
      return openInspected(path, files);
    } catch (error) {
      if (toStoreError(error, path).code !== "store_corrupt") throw error;
      const movedAside = moveAside(path, now());
      // Opening a database, even read-only, rewrites the WAL index, so the original one is restored.
      if (index !== null) writeFileSync(`${movedAside}-shm`, index, { mode: 0o600 });
      return { ...openInspected(path, files), movedAside };
    }
  });
};

const readWalIndex = (path: string): Buffer | null => (existsSync(`${path}-shm`) ? readFileSync(`${path}-shm`) : null);

const openInspected = (path: string, files: readonly string[]): OpenDatabase => {
  const info = inspectDatabaseFile(path);
  if (info.kind === "corrupt") throw new StoreError("store_corrupt", "not a database", { path });
  if (info.kind === "database" && info.version > files.length) {
    throw new StoreError("store_newer", "made by a newer program", {
      path,
      version: info.version,
      known: files.length,
    });
  }
  // SQLite creates WAL and shared memory with the permissions of the main file
  ensurePrivateFile(path);
  for (const companion of databaseFileSuffixes) removeOthersPermissions(`${path}${companion}`);
  return { path, database: connect(path, files), uncleanEnd: info.kind === "database" && info.unclean };
};

const connect = (path: string, files: readonly string[]): Database.Database => {
  const witness = new Database(path, { readonly: true });
  try {
    readTableList(witness);
    return connectWithWitness(path, files);
  } finally {
    witness.close();
  }
};

/** Throws if the database is damaged. */
const readTableList = (database: Database.Database): void => void database.prepare("SELECT * FROM sqlite_schema").all();

/**
 * Opens and migrates the database while a read-only witness connection is open. The last connection to close
 * checkpoints the WAL into the file, even into a damaged one; because of the witness this connection is never the last.
 */
const connectWithWitness = (path: string, files: readonly string[]): Database.Database => {
  const database = connectDatabase(path, { timeout: serverLimits.storeBusyMs });
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    migrate(database, files);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Opens a second connection for data that may be lost in a power failure but not by a kill. Its lock timeout is
 * short: its data is written again soon, and waiting blocks the event loop.
 */
export const openRelaxed = (path: string): Database.Database => {
  const database = connectDatabase(path, { timeout: checkpointBusyMs, fileMustExist: true });
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = ON");
  return database;
};

/** Opens a connection without foreign keys, for rows of sessions that do not exist yet. */
export const openStaging = (path: string): Database.Database => {
  const database = connectDatabase(path, { timeout: checkpointBusyMs, fileMustExist: true });
  // The publishing commit (synchronous FULL) makes staged rows durable.
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = OFF");
  return database;
};

/** Renames the database with its WAL and shared memory, so that repair tools can still open the set. */
const moveAside = (path: string, at: number): string => {
  const date = new Date(at).toISOString().replaceAll(":", "-");
  let target = `${path}.corrupt-${date}`;
  for (let next = 2; databaseFileSuffixes.some((companion) => existsSync(`${target}${companion}`)); next += 1) {
    target = `${path}.corrupt-${date}-${next}`;
  }
  for (const companion of databaseFileSuffixes) {
    if (existsSync(`${path}${companion}`)) renameSync(`${path}${companion}`, `${target}${companion}`);
  }
  return target;
};
