/** Opens gopi.db in home for open-store: looks first, refuses what is newer, keeps what is damaged, migrates what is old. */
import Database from "better-sqlite3";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@/lib/settings";
import { lookAt } from "./look";
import { migrate, migrationFiles } from "./migrate";
import { ensurePrivateFile, makePrivateFolder, tightenFile } from "./private-file";
import { guarded, StoreError, toStoreError } from "./store-error";

export interface OpenDatabase {
  readonly path: string;
  readonly database: Database.Database;
  readonly uncleanEnd: boolean;
  /** Where a damaged database was put; the open one is empty then. */
  readonly movedAside?: string;
}

export interface OpenDatabaseOptions {
  readonly home: string;
  /** ms epoch, names what is moved aside */
  readonly now: () => number;
  /** Folder of the migrations. */
  readonly migrations: string;
}

const companions = ["", "-wal", "-shm"] as const;

/** Call it while holding the home's lock. Throws StoreError: store_newer and store_readonly leave every byte as it was. */
export const openDatabase = ({ home, now, migrations }: OpenDatabaseOptions): OpenDatabase => {
  const path = join(home, "gopi.db");
  return guarded(path, () => {
    makePrivateFolder(home);
    const files = migrationFiles(migrations);
    if (files.length === 0) throw new StoreError("store_failed", "no migrations found", { path: migrations });
    const index = readIndex(path);
    try {
      return openLooked(path, files);
    } catch (error) {
      if (toStoreError(error, path).code !== "store_corrupt") throw error;
      const movedAside = moveAside(path, now());
      // Whoever opens a database, be it to read, makes the index of its log anew.
      if (index !== null) writeFileSync(`${movedAside}-shm`, index, { mode: 0o600 });
      return { ...openLooked(path, files), movedAside };
    }
  });
};

const readIndex = (path: string): Buffer | null => (existsSync(`${path}-shm`) ? readFileSync(`${path}-shm`) : null);

const openLooked = (path: string, files: readonly string[]): OpenDatabase => {
  const look = lookAt(path);
  if (look.kind === "corrupt") throw new StoreError("store_corrupt", "not a database", { path });
  if (look.kind === "database" && look.version > files.length) {
    throw new StoreError("store_newer", "made by a newer program", {
      path,
      version: look.version,
      known: files.length,
    });
  }
  // SQLite gives the log and the shared memory the rights of the main file
  ensurePrivateFile(path);
  for (const companion of companions) tightenFile(`${path}${companion}`);
  return { path, database: connect(path, files), uncleanEnd: look.kind === "database" && look.unclean };
};

const connect = (path: string, files: readonly string[]): Database.Database => {
  const witness = new Database(path, { readonly: true });
  try {
    readTableList(witness);
    return connectBeside(path, files);
  } finally {
    witness.close();
  }
};

/** Throws when it is damaged. */
const readTableList = (database: Database.Database): void => void database.prepare("SELECT * FROM sqlite_schema").all();

/**
 * The last connection that closes folds the log into the file, also into one that turned out to be damaged. While another one
 * that may only read stands beside it, it is not the last.
 */
const connectBeside = (path: string, files: readonly string[]): Database.Database => {
  const database = new Database(path, { timeout: limits.storeBusyMs });
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
 * The second connection, for what may be lost by a power cut but not by a kill (R47). It hardly waits for a lock: what it writes
 * is written again a moment later, and nobody can be answered while it waits.
 */
export const openRelaxed = (path: string): Database.Database => {
  const database = new Database(path, { timeout: limits.checkpointBusyMs, fileMustExist: true });
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = ON");
  return database;
};

/** A third connection, for rows of sessions that are not there yet. */
export const openStaging = (path: string): Database.Database => {
  const database = new Database(path, { timeout: limits.checkpointBusyMs, fileMustExist: true });
  // What is published is on disk with the commit that publishes it.
  database.pragma("synchronous = NORMAL");
  database.pragma("foreign_keys = OFF");
  return database;
};

/** Renames the database and what belongs to it together, so that the set can still be opened by repair tools. */
const moveAside = (path: string, at: number): string => {
  const date = new Date(at).toISOString().replaceAll(":", "-");
  let target = `${path}.corrupt-${date}`;
  for (let next = 2; companions.some((companion) => existsSync(`${target}${companion}`)); next += 1) {
    target = `${path}.corrupt-${date}-${next}`;
  }
  for (const companion of companions) {
    if (existsSync(`${path}${companion}`)) renameSync(`${path}${companion}`, `${target}${companion}`);
  }
  return target;
};
