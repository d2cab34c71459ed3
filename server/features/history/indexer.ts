/**
 * Keeps the search index up to date with the logs: short steps while the server is idle, longer pauses between them
 * while a run is active. The first step runs `startMs` after the start or with the first query. A query waits up to
 * `waitMs` for the newest events to be indexed.
 */
import { serverLimits } from "@/lib/settings/server-limits";
import type { HistoryStore } from "@/server/store/history/history";

/** Duration of an indexing step, ms. */
const indexStepMs = 2.5;
/** Pause between steps during a run, ms. */
const indexPauseMs = 100;
/** Delay after a failed step, ms. */
const indexRetryMs = 30_000;
/** Maximum wait of a search for the newest events to be indexed, ms. */
const indexWaitMs = 150;

interface Indexer {
  /** The store, with the newest events indexed if that takes at most `waitMs`. Rejects with StoreError. */
  upToDateStore(): Promise<HistoryStore>;
  /** A log has grown or was deleted. */
  notifyLogChange(): void;
  close(): void;
}

export interface IndexerOptions {
  open(): Promise<HistoryStore>;
  /** A model or a tool is running; it has priority. */
  isBusy(): boolean;
  /** Reports an error of a step to the server's log. The step is retried with the next query and after `retryMs`. */
  reportBug(error: unknown): void;
  /** Delay until the first step without a query, ms. */
  readonly startMs?: number;
  readonly retryMs?: number;
  /** Longest wait of a query, ms. */
  readonly waitMs?: number;
}

export function makeIndexer(options: IndexerOptions): Indexer {
  const { open, isBusy, reportBug, startMs = serverLimits.indexStartMs, retryMs = indexRetryMs } = options;
  let history: HistoryStore | null = null;
  let isClosed = false;
  let isTouched = true;
  const { plan, unplan } = makeSchedule(() => go());
  /** Retries only after `retryMs`, so that a full disk does not fail again with every event. */
  const failed = (error: unknown): false => {
    reportBug(error);
    unplan();
    plan(retryMs);
    return false;
  };
  /** false = there is nothing to do, or it cannot be done now. */
  const step = (): boolean => {
    if (history === null || isClosed) return false;
    if (isTouched) history.refreshStale();
    isTouched = false;
    try {
      return history.step(indexStepMs);
    } catch (error) {
      return failed(error);
    }
  };
  const go = (): void => {
    if (isClosed) return;
    if (history === null) return void opened().then(() => plan(0), failed);
    if (step()) plan(isBusy() ? indexPauseMs : 0);
  };
  const opened = async (): Promise<HistoryStore> => {
    if (history !== null) return history;
    history = await open();
    // A query came before the scheduled first step; indexing continues from here.
    unplan();
    return history;
  };
  plan(startMs);
  return {
    async upToDateStore() {
      const store = await opened();
      const untilMs = performance.now() + (options.waitMs ?? indexWaitMs);
      if (isTouched || !store.isComplete())
        while (performance.now() < untilMs && step()) {
          if (store.isComplete()) break;
          await new Promise((resolve) => setImmediate(resolve));
        }
      plan(0);
      return store;
    },
    notifyLogChange() {
      isTouched = true;
      // Nothing is opened before the first query.
      if (history !== null) plan(indexPauseMs);
    },
    close() {
      isClosed = true;
      unplan();
    },
  };
}

/** One timer; a schedule that already exists is kept. */
function makeSchedule(go: () => void) {
  let timer: NodeJS.Timeout | null = null;
  return {
    plan(waitMs: number): void {
      timer ??= setTimeout(() => {
        timer = null;
        go();
      }, waitMs).unref();
    },
    unplan(): void {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
