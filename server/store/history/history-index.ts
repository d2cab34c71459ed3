/**
 * Incremental indexing of the logs in steps of a few ms. Each step is a transaction, so that a kill leaves complete
 * steps and the next start continues there. Never runs inside a commit of the log.
 */
import type Database from "better-sqlite3";
import type { DurableEvent } from "@/lib/events/event";
import type { SearchPlace } from "@/lib/protocol/history";
import type { ProjectId, SessionId } from "@/lib/events/id";
import {
  type StatisticsFact,
  initialReaderState,
  type IndexedText,
  createHistoryReader,
  type HistoryReader,
  type ReaderState,
  parseReaderState,
} from "./history-reader";
import { extractIndexWords } from "@/lib/text/search-words";
import { StoreError } from "../core/store-error";
import { upcast } from "../sessions/upcast";

/** Private-use character that starts index words for session and project; it never occurs in words of texts. */
const indexWordPrefix = "\ue000";
export const sessionWord = (key: number): string => `${indexWordPrefix}s${key.toString(36)}`;
/** Index word of a project. Not unique in theory, so queries must filter by project too. */
export const projectWord = (id: ProjectId): string =>
  `${indexWordPrefix}p${id.replace(/[^A-Za-z0-9]/g, "").toLowerCase()}`;

export const searchPlaces: readonly SearchPlace[] = ["title", "user", "assistant", "tool"];

/** Document ids ascend with time: this many ids per second. */
const idsPerSecond = 256;
const firstSecond = Date.UTC(2020, 0, 1) / 1_000;
export const firstIdAt = (at: number): number => Math.max(1, (Math.floor(at / 1_000) - firstSecond) * idsPerSecond);

export const slotMs = 900_000;
const rowsPerRead = 24;
const maxStaleSessions = 64;
const purgedRowsPerStep = 50;
const mergedPages = 8;
/** Steps between two WAL checkpoints. */
const checkpointSteps = 8;

interface StaleSession {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly lastSeq: number;
}
interface IndexedRow {
  readonly key: number;
  readonly seq: number;
  readonly readFrom: number;
  readonly title: number | null;
  readonly state: string;
}

interface Cursor extends StaleSession {
  readonly key: number;
  readonly reader: HistoryReader;
  /** seq up to which everything is indexed. */
  done: number;
  /** seq of the last event passed to the reader. */
  taken: number;
  readFrom: number;
  state: ReaderState;
  title: number | null;
  lastId: number;
}

interface HistoryIndex {
  /** Runs one step of about `forMs`; false = nothing to do. */
  step(forMs: number): boolean;
  /** True if every log is indexed, as of the last search for stale logs. */
  readonly isComplete: boolean;
  /** Searches for stale logs again in the next step. */
  refreshStale(): void;
  /** Share of all events that are indexed, 0 to 1. */
  indexedShare(): number;
}

/** Throws SQLite errors. */
export function createHistoryIndex(database: Database.Database): HistoryIndex {
  const read = createLogReader(database);
  const write = createWriter(database);
  const forget = createPurge(database);
  const tidy = createMaintenance(database);
  const find = createFindStale(database);
  let stale: StaleSession[] | null = null;
  let cursor: Cursor | null = null;

  const work = database.transaction((current: Cursor, untilMs: number): boolean => {
    do {
      const rows = read.rows(current.id, current.taken);
      for (const { seq, at, event } of rows) {
        const { found, facts = [] } = event === undefined ? {} : current.reader.read(seq, event);
        current.taken = seq;
        // Events up to `done` are already indexed and only reread to restore the open messages and calls.
        if (seq > current.done) {
          if (found !== undefined) write.document(current, found, seq, at);
          for (const fact of facts) write.fact(current.key, at, fact);
          current.done = seq;
        }
        if (current.reader.closed) [current.readFrom, current.state] = [seq, current.reader.state];
        if (performance.now() >= untilMs) return write.position(current, false);
      }
      if (rows.length < rowsPerRead) return write.position(current, true);
    } while (performance.now() < untilMs);
    return write.position(current, false);
  });
  const next = (): Cursor | null => {
    stale ??= find();
    const session = stale.shift();
    return session === undefined ? null : read.cursor(session);
  };

  return {
    step(forMs) {
      cursor ??= next();
      if (cursor === null) return forget() || tidy(false);
      try {
        if (work(cursor, performance.now() + forMs)) cursor = null;
      } catch (error) {
        // The step was rolled back, but its reader has advanced.
        cursor = null;
        throw error;
      }
      if (cursor === null && stale?.length === 0) stale = null;
      tidy(true);
      return true;
    },
    get isComplete() {
      stale ??= find();
      return cursor === null && stale.length === 0;
    },
    refreshStale() {
      stale = null;
    },
    indexedShare: createIndexedShare(database),
  };
}

/** Stale sessions, newest first, so that recent texts are searchable first. */
function createFindStale(database: Database.Database) {
  const query = database.prepare<[number], StaleSession>(
    `SELECT l.id, l.project_id AS projectId, l.last_seq AS lastSeq FROM log.sessions l
     LEFT JOIN indexed i ON i.session_id = l.id
     WHERE l.last_seq > coalesce(i.seq, 0) ORDER BY l.updated_at DESC LIMIT ?`,
  );
  return (): StaleSession[] => query.all(maxStaleSessions);
}

function createLogReader(database: Database.Database) {
  const rows = database.prepare<[SessionId, number, number], { seq: number; v: number; at: number; body: string }>(
    "SELECT seq, v, at, body FROM log.events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const indexed = database.prepare<[SessionId], IndexedRow>(
    "SELECT key, seq, read_from AS readFrom, title, state FROM indexed WHERE session_id = ?",
  );
  const insert = database.prepare<[SessionId, string]>(
    "INSERT INTO indexed (session_id, seq, read_from, state) VALUES (?, 0, 0, ?)",
  );
  return {
    /** Next rows after a seq; `event` is undefined for unknown events. */
    rows: (id: SessionId, after: number) =>
      rows.all(id, after, rowsPerRead).map(({ seq, v, at, body }) => ({ seq, at, event: parseStoredEvent(v, body) })),
    cursor(session: StaleSession): Cursor {
      const row = indexed.get(session.id);
      const state = row === undefined ? initialReaderState : requireReaderState(row.state);
      const key = row?.key ?? Number(insert.run(session.id, JSON.stringify(state)).lastInsertRowid);
      const { seq = 0, readFrom = 0, title = null } = row ?? {};
      return {
        ...session,
        key,
        reader: createHistoryReader(state),
        done: seq,
        taken: readFrom,
        readFrom,
        state,
        title,
        lastId: 0,
      };
    },
  };
}

/** Parses a stored event; undefined = damaged, or written by a newer program version. */
export function parseStoredEvent(version: number, body: string): DurableEvent | undefined {
  try {
    return upcast(version, JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** Parses a stored reader state; missing fields get defaults. Throws store_corrupt if it is invalid. */
export function requireReaderState(text: string): ReaderState {
  const state = parseReaderState(text);
  if (state === null) throw new StoreError("store_corrupt", "not a state of the index");
  return state;
}

function createWriter(database: Database.Database) {
  const isTaken = database.prepare<[number]>("SELECT 1 FROM documents WHERE id = ?");
  const addDocument = database.prepare<[number, number, number, number, number]>(
    "INSERT INTO documents (id, session, seq, source, place) VALUES (?, ?, ?, ?, ?)",
  );
  const addWords = database.prepare<[number, string]>("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const dropDocument = database.prepare<[number]>("DELETE FROM documents WHERE id = ?");
  const dropWords = database.prepare<[number]>("DELETE FROM words WHERE rowid = ?");
  const move = database.prepare<[number, number, number | null, string, number]>(
    "UPDATE indexed SET seq = ?, read_from = ?, title = ?, state = ? WHERE key = ?",
  );
  const addFact = database.prepare(
    `INSERT INTO facts VALUES (@session, @slot, @kind, @name, 1, @failed, @denied, @promptTokens, @outputTokens, @loadMs,
       @promptMs, @outputMs, @toolMs, @added, @removed)
     ON CONFLICT DO UPDATE SET count = count + 1, failed = failed + excluded.failed, denied = denied + excluded.denied,
       prompt_tokens = prompt_tokens + excluded.prompt_tokens, output_tokens = output_tokens + excluded.output_tokens,
       load_ms = load_ms + excluded.load_ms, prompt_ms = prompt_ms + excluded.prompt_ms,
       output_ms = output_ms + excluded.output_ms, tool_ms = tool_ms + excluded.tool_ms, added = added + excluded.added,
       removed = removed + excluded.removed`,
  );
  const freeId = (at: number, after: number): number => {
    let id = Math.max(firstIdAt(at), after + 1);
    while (isTaken.get(id) !== undefined) id += 1;
    return id;
  };
  return {
    document(cursor: Cursor, { place, seq, text }: IndexedText, source: number, at: number): void {
      const id = freeId(at, cursor.lastId);
      cursor.lastId = id;
      if (place === "title") {
        if (cursor.title !== null) {
          dropDocument.run(cursor.title);
          dropWords.run(cursor.title);
        }
        cursor.title = id;
      }
      const words = extractIndexWords(text, new Set([sessionWord(cursor.key), projectWord(cursor.projectId)]));
      addDocument.run(id, cursor.key, seq, source, searchPlaces.indexOf(place));
      addWords.run(id, [...words].join(" "));
    },
    fact(session: number, at: number, fact: StatisticsFact): void {
      addFact.run({ ...noFact, ...fact, session, slot: Math.floor(at / slotMs) });
    },
    /** Stores the position; returns `isDone`. */
    position(cursor: Cursor, isDone: boolean): boolean {
      move.run(cursor.done, cursor.readFrom, cursor.title, JSON.stringify(cursor.state), cursor.key);
      return isDone;
    },
  };
}

const noFact = {
  failed: 0,
  denied: 0,
  promptTokens: 0,
  outputTokens: 0,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
  toolMs: 0,
  added: 0,
  removed: 0,
} as const;

/** Deletes the index rows of purged sessions, `purgedRowsPerStep` at a time; false = none left. */
function createPurge(database: Database.Database) {
  const statement = database
    .prepare<[], number>(
      "SELECT key FROM indexed WHERE NOT EXISTS (SELECT 1 FROM log.sessions l WHERE l.id = indexed.session_id) LIMIT 1",
    )
    .pluck();
  const rows = database
    .prepare<[string, number], number>("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?")
    .pluck();
  const dropDocument = database.prepare<[number]>("DELETE FROM documents WHERE id = ?");
  const dropWords = database.prepare<[number]>("DELETE FROM words WHERE rowid = ?");
  const dropFacts = database.prepare<[number]>("DELETE FROM facts WHERE session = ?");
  const dropSession = database.prepare<[number]>("DELETE FROM indexed WHERE key = ?");
  const some = database.transaction((): boolean => {
    const key = statement.get();
    if (key === undefined) return false;
    const ids = rows.all(`"${sessionWord(key)}"`, purgedRowsPerStep);
    for (const id of ids) {
      dropDocument.run(id);
      dropWords.run(id);
    }
    if (ids.length < purgedRowsPerStep) {
      dropFacts.run(key);
      dropSession.run(key);
    }
    return true;
  });
  return (): boolean => some();
}

/** Merges FTS segments and checkpoints the WAL, a little per call; false = nothing to merge. */
function createMaintenance(database: Database.Database) {
  const merge = database.prepare<[number]>("INSERT INTO words (words, rank) VALUES ('merge', ?)");
  const changes = database.prepare<[], number>("SELECT total_changes()").pluck();
  let steps = 0;
  return (isBusy: boolean): boolean => {
    const before = changes.get() ?? 0;
    merge.run(mergedPages);
    // As documented by SQLite: fewer than two changes mean that there was nothing to merge.
    const merged = (changes.get() ?? 0) - before >= 2;
    steps += 1;
    const isLast = !isBusy && !merged;
    if (steps >= checkpointSteps || (isLast && steps > 1)) {
      steps = 0;
      database.pragma("main.wal_checkpoint(PASSIVE)");
    }
    return merged;
  };
}

function createIndexedShare(database: Database.Database) {
  const sums = database.prepare<[], { done: number; all: number }>(
    `SELECT total(min(coalesce(i.seq, 0), l.last_seq)) AS done, total(l.last_seq) AS "all"
     FROM log.sessions l LEFT JOIN indexed i ON i.session_id = l.id`,
  );
  return (): number => {
    const { done, all } = sums.get() ?? { done: 0, all: 0 };
    return all === 0 ? 1 : done / all;
  };
}
