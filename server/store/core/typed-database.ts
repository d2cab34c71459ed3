/** drizzle's query builder on gopi.db, for modules that are loaded late: it is not loaded at the start. */
import type Database from "better-sqlite3";
import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { BaseSQLiteDatabase, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { withStoreErrors } from "./store-error";

type TypedDatabase = BaseSQLiteDatabase<"sync", Database.RunResult>;

/** Runs queries; what they throw becomes a StoreError. */
export type Queries = <T>(work: (database: TypedDatabase) => T) => T;

/** drizzle's own function imports the native module, which is another one here (native-module.ts). */
export function makeQueries(database: Database.Database): Queries {
  const dialect = new SQLiteSyncDialect();
  const typed: TypedDatabase = new BaseSQLiteDatabase(
    "sync",
    dialect,
    new BetterSQLiteSession(database, dialect, undefined),
    undefined,
  );
  return (work) => withStoreErrors(database.name, () => work(typed));
}
