/** Brings gopi.db to the program's version (R49). open-store calls it with the only connection there is. */
import type Database from "better-sqlite3";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { limits } from "@/lib/settings";
import { ensurePrivateFile, moveIntoPlace, temporaryName } from "./private-file";
import { StoreError } from "./store-error";

/** SQL files made by drizzle-kit, in their order. The version of a database is how many of them it has seen. */
export const migrationFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map((name) => join(folder, name));

export const versionOf = (database: Database.Database): number => {
  const version: unknown = database.pragma("user_version", { simple: true });
  if (typeof version !== "number") throw new StoreError("store_corrupt", "user_version is not a number");
  return version;
};

/** Runs what is pending in one transaction: a kill leaves the state before or after, never between. Throws on failure. */
export const migrate = (database: Database.Database, files: readonly string[]): void => {
  const version = versionOf(database);
  if (version >= files.length) return;
  // version 0 is a database without tables: nothing to lose
  if (version > 0) backUp(database, version);
  // SQLite ignores this switch inside a transaction, and drizzle-kit rebuilds tables that others point at
  database.pragma("foreign_keys = OFF");
  const apply = database.transaction(() => {
    // Staged rows have no session yet (staged-events.ts); their writer is dead.
    if (version > 0) database.exec("DELETE FROM events WHERE session_id NOT IN (SELECT id FROM sessions)");
    for (const file of files.slice(version)) database.exec(readFileSync(file, "utf8"));
    const broken = database.prepare("PRAGMA foreign_key_check").all().length;
    if (broken > 0) throw new StoreError("store_failed", `the migration breaks ${broken} references`);
    database.pragma(`user_version = ${files.length}`);
  });
  apply.immediate();
  database.pragma("foreign_keys = ON");
  // so that the main file alone tells its version to whoever looks first
  database.pragma("wal_checkpoint(TRUNCATE)");
};

/** A compact copy of the database as it is, `gopi.db.backup-v<version>`, complete or absent; the newest three stay. */
const backUp = (database: Database.Database, version: number): void => {
  const prefix = `${database.name}.backup-v`;
  removeLeftovers(prefix);
  const temporary = temporaryName(`${prefix}${version}`);
  try {
    ensurePrivateFile(temporary);
    database.prepare("VACUUM INTO ?").run(temporary);
    moveIntoPlace(temporary, `${prefix}${version}`);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  for (const old of backupsOf(prefix).slice(limits.backupsKept)) rmSync(old, { force: true });
};

const siblings = (prefix: string): readonly string[] =>
  readdirSync(dirname(prefix)).filter((name) => name.startsWith(basename(prefix)));

const removeLeftovers = (prefix: string): void => {
  for (const name of siblings(prefix)) if (name.endsWith(".tmp")) rmSync(join(dirname(prefix), name), { force: true });
};

/** Newest version first. */
const backupsOf = (prefix: string): readonly string[] =>
  siblings(prefix)
    .map((name) => ({ name, version: Number(name.slice(basename(prefix).length)) }))
    .filter(({ version }) => Number.isInteger(version))
    .sort((a, b) => b.version - a.version)
    .map(({ name }) => join(dirname(prefix), name));
