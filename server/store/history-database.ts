/**
 * history.db: what is derived from the logs for searching and counting. A file of its own, because it can be made anew at any time:
 * the log stays small, is backed up without it, and its damage costs nothing but work. Opened by history.ts with the first question.
 */
import Database from "better-sqlite3";
import { rmSync } from "node:fs";
import { limits } from "@/lib/settings";
import { ensurePrivateFile } from "./private-file";
import { startLengths } from "./search-query";
import { toStoreError } from "./store-error";

/** Another number makes the file anew: it holds nothing of its own. */
const shape = 2;

/**
 * indexed: how far each log is in. Everything that ended at or before `seq` is; reading goes on behind `read_from`, where nothing
 * was open and `state` held. documents: where a text stands; the id grows with its time. words: which texts have a word; no text.
 * facts: sums by session and quarter of an hour.
 */
const schema = `
  CREATE TABLE indexed (
    key INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, read_from INTEGER NOT NULL,
    title INTEGER, state TEXT NOT NULL
  );
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, source INTEGER NOT NULL, place INTEGER NOT NULL
  );
  CREATE VIRTUAL TABLE words USING fts5(
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '${startLengths.join(" ")}'
  );
  INSERT INTO words (words, rank) VALUES ('automerge', 0);
  CREATE TABLE facts (
    session INTEGER NOT NULL, slot INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
    failed INTEGER NOT NULL, denied INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    load_ms REAL NOT NULL, prompt_ms REAL NOT NULL, output_ms REAL NOT NULL, tool_ms REAL NOT NULL,
    added INTEGER NOT NULL, removed INTEGER NOT NULL, PRIMARY KEY (session, slot, kind, name)
  ) WITHOUT ROWID;
`;

const companions = ["", "-wal", "-shm"] as const;

/** The logs stand in it as the schema `log`. Throws StoreError; a file that is damaged or of another shape is made anew. */
export function openHistoryDatabase(path: string, logPath: string): Database.Database {
  try {
    return connect(path, logPath);
  } catch (error) {
    if (toStoreError(error, path).code !== "store_corrupt") throw toStoreError(error, path);
    removeHistory(path);
    return connect(path, logPath);
  }
}

/** Closed before. */
export const removeHistory = (path: string): void => {
  for (const companion of companions) rmSync(`${path}${companion}`, { force: true });
};

function connect(path: string, logPath: string): Database.Database {
  ensurePrivateFile(path);
  const database = new Database(path, { timeout: limits.storeBusyMs });
  try {
    database.pragma("journal_mode = WAL");
    // A power cut may take the newest steps: they are done again.
    database.pragma("synchronous = NORMAL");
    // Steps are short; the log of this file is folded in between them.
    database.pragma("wal_autocheckpoint = 0");
    const found = database.pragma("user_version", { simple: true });
    if (found !== shape) makeAnew(database);
    database.prepare("ATTACH ? AS log").run(logPath);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeAnew(database: Database.Database): void {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE name IN ('indexed', 'documents', 'words', 'facts')")
    .pluck()
    .all();
  database.transaction(() => {
    for (const table of tables) database.exec(`DROP TABLE ${table}`);
    database.exec(schema);
    database.pragma(`user_version = ${shape}`);
  })();
}
