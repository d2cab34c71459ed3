/**
 * history.db: search index and statistics derived from the logs. A separate file, because it can be rebuilt at any
 * time: the log database stays small, backups exclude it, and damage to it loses no data.
 */
import type Database from "better-sqlite3";
import { rmSync } from "node:fs";
import { serverLimits } from "@/lib/settings/server-limits";
import { connectDatabase } from "../core/connect-database";
import { ensurePrivateFile } from "../core/private-file";
import { prefixLengths } from "./search-query";
import { toStoreError } from "../core/store-error";

/** Schema version; a file with another version is rebuilt. */
const historySchemaVersion = 2;

/**
 * indexed: progress per log. Everything that ended at or before `seq` is indexed; reading resumes after `read_from`,
 * where nothing was open and `state` was valid. documents: position of each text; ids ascend with time. words: inverted
 * index without the texts. facts: sums per session and quarter of an hour.
 */
const createTablesSql = `
  CREATE TABLE indexed (
    key INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, read_from INTEGER NOT NULL,
    title INTEGER, state TEXT NOT NULL
  );
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, source INTEGER NOT NULL, place INTEGER NOT NULL
  );
  CREATE VIRTUAL TABLE words USING fts5(
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '${prefixLengths.join(" ")}'
  );
  INSERT INTO words (words, rank) VALUES ('automerge', 0);
  CREATE TABLE facts (
    session INTEGER NOT NULL, slot INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
    failed INTEGER NOT NULL, denied INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    load_ms REAL NOT NULL, prompt_ms REAL NOT NULL, output_ms REAL NOT NULL, tool_ms REAL NOT NULL,
    added INTEGER NOT NULL, removed INTEGER NOT NULL, PRIMARY KEY (session, slot, kind, name)
  ) WITHOUT ROWID;
`;

const historyFileSuffixes = ["", "-wal", "-shm"] as const;

/**
 * Opens history.db with gopi.db attached as schema `log`. A damaged file or one of another version is rebuilt. Throws
 * StoreError.
 */
export function openHistoryDatabase(path: string, logPath: string): Database.Database {
  try {
    return connectHistory(path, logPath);
  } catch (error) {
    if (toStoreError(error, path).code !== "store_corrupt") throw toStoreError(error, path);
    removeHistory(path);
    return connectHistory(path, logPath);
  }
}

/** Deletes the database files, which must be closed. */
export const removeHistory = (path: string): void => {
  for (const companion of historyFileSuffixes) rmSync(`${path}${companion}`, { force: true });
};

function connectHistory(path: string, logPath: string): Database.Database {
  ensurePrivateFile(path);
  const database = connectDatabase(path, { timeout: serverLimits.storeBusyMs });
  try {
    database.pragma("journal_mode = WAL");
    // A power failure may lose the newest steps, which are then repeated.
    database.pragma("synchronous = NORMAL");
    // Steps must be short, so the WAL is checkpointed between them.
    database.pragma("wal_autocheckpoint = 0");
    const found = database.pragma("user_version", { simple: true });
    if (found !== historySchemaVersion) recreateTables(database);
    database.prepare("ATTACH ? AS log").run(logPath);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function recreateTables(database: Database.Database): void {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE name IN ('indexed', 'documents', 'words', 'facts')")
    .pluck()
    .all();
  database.transaction(() => {
    for (const table of tables) database.exec(`DROP TABLE ${table}`);
    database.exec(createTablesSql);
    database.pragma(`user_version = ${historySchemaVersion}`);
  })();
}
