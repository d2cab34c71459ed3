/** Opens connections that keep little memory: between two runs the model needs it. */
import Database from "better-sqlite3";

/** Page cache of a connection, KiB. better-sqlite3 is built with 16 MiB, which the system's file cache makes unnecessary. */
const pageCacheKib = 2_000;

export function connectDatabase(path: string, options: Database.Options): Database.Database {
  const database = new Database(path, options);
  database.pragma(`cache_size = -${pageCacheKib}`);
  return database;
}
