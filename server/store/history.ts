/**
 * Searching and counting all sessions: history.db and what asks it. Loaded and opened by open-store with the first question, never
 * on the start path. A file that turns out damaged is made anew and filled again.
 */
import type Database from "better-sqlite3";
import type { Statistics } from "@/lib/history";
import { openHistoryDatabase, removeHistory } from "./history-database";
import { createHistoryIndex } from "./history-index";
import { createHistorySearch, type HistoryPage, type HistoryQuery } from "./history-search";
import { createStatistics, type StatisticsQuery } from "./history-statistics";
import { toStoreError } from "./store-error";

/** Throws StoreError from every method. */
export interface HistoryStore {
  search(query: HistoryQuery): HistoryPage;
  statistics(query: StatisticsQuery): Statistics;
  /** Brings the index some ms nearer to the logs; false = there was nothing to do. */
  step(forMs: number): boolean;
  /** Something was written since, or deleted for good: the next step looks for it. */
  look(): void;
  /** Nothing is left to index, as far as was looked. */
  isComplete(): boolean;
  /** Share of the events that are in the index, 0 to 1. */
  share(): number;
  close(): void;
}

/** `path` of history.db, `logPath` of gopi.db; `now` = ms epoch. */
export function createHistory(path: string, logPath: string, now: () => number): HistoryStore {
  let parts = openParts(path, logPath, now);
  const safely = <T>(work: (open: Parts) => T): T => {
    try {
      return work(parts);
    } catch (error) {
      const told = toStoreError(error, path);
      if (told.code !== "store_corrupt") throw told;
      parts.database.close();
      removeHistory(path);
      parts = openParts(path, logPath, now);
      return work(parts);
    }
  };
  return {
    search: (query) => safely(({ search }) => search(query)),
    statistics: (query) => safely(({ statistics }) => statistics(query)),
    step: (forMs) => safely(({ index }) => index.step(forMs)),
    look: () => parts.index.look(),
    isComplete: () => safely(({ index }) => index.isComplete),
    share: () => safely(({ index }) => index.share()),
    close: () => parts.database.close(),
  };
}

interface Parts {
  readonly database: Database.Database;
  readonly index: ReturnType<typeof createHistoryIndex>;
  readonly search: ReturnType<typeof createHistorySearch>;
  readonly statistics: ReturnType<typeof createStatistics>;
}

function openParts(path: string, logPath: string, now: () => number): Parts {
  const database = openHistoryDatabase(path, logPath);
  return {
    database,
    index: createHistoryIndex(database),
    search: createHistorySearch(database, now),
    statistics: createStatistics(database),
  };
}
