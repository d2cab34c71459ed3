/**
 * Search and statistics over all sessions, on history.db. A file found damaged is deleted and rebuilt.
 */
import type Database from "better-sqlite3";
import type { Statistics } from "@/lib/protocol/history";
import { openHistoryDatabase, removeHistory } from "./history-database";
import { createHistoryIndex } from "./history-index";
import { createHistorySearch, type SearchHitPage, type HistorySearchQuery } from "./history-search";
import { createStatistics, type StatisticsQuery } from "./history-statistics";
import { toStoreError } from "../core/store-error";

/** Every method throws StoreError. */
export interface HistoryStore {
  search(query: HistorySearchQuery): SearchHitPage;
  statistics(query: StatisticsQuery): Statistics;
  /** Indexes for about `forMs`; false = nothing to do. */
  step(forMs: number): boolean;
  /** Searches for new and purged logs again in the next step. */
  refreshStale(): void;
  /** True if nothing is left to index, as of the last search for stale logs. */
  isComplete(): boolean;
  /** Share of the events that are indexed, 0 to 1. */
  indexedShare(): number;
  close(): void;
}

/** `path` = history.db, `logPath` = gopi.db; `now` = ms epoch. */
export function createHistory(path: string, logPath: string, now: () => number): HistoryStore {
  let parts = openParts(path, logPath, now);
  const safely = <T>(work: (open: HistoryParts) => T): T => {
    try {
      return work(parts);
    } catch (error) {
      const storeError = toStoreError(error, path);
      if (storeError.code !== "store_corrupt") throw storeError;
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
    refreshStale: () => parts.index.refreshStale(),
    isComplete: () => safely(({ index }) => index.isComplete),
    indexedShare: () => safely(({ index }) => index.indexedShare()),
    close: () => parts.database.close(),
  };
}

interface HistoryParts {
  readonly database: Database.Database;
  readonly index: ReturnType<typeof createHistoryIndex>;
  readonly search: ReturnType<typeof createHistorySearch>;
  readonly statistics: ReturnType<typeof createStatistics>;
}

function openParts(path: string, logPath: string, now: () => number): HistoryParts {
  const database = openHistoryDatabase(path, logPath);
  return {
    database,
    index: createHistoryIndex(database),
    search: createHistorySearch(database, now),
    statistics: createStatistics(database),
  };
}
