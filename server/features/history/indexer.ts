/**
 * Keeps the index of the history near the logs: short steps while nothing runs, longer pauses between them while something does.
 * Made by core; the first step comes some time after the start or with the first question. Whoever asks waits a moment for what was
 * said last, and is told how much is in.
 */
import { limits } from "@/lib/settings";
import type { HistoryStore } from "../../store/history";

export interface Indexer {
  /** The store, with what was said last in it where that takes no longer than a moment. Rejects with StoreError. */
  fresh(): Promise<HistoryStore>;
  /** A log has grown, or is gone. */
  touch(): void;
  close(): void;
}

export interface IndexerOptions {
  open(): Promise<HistoryStore>;
  /** A model or a tool is at work: it goes first. */
  isBusy(): boolean;
  /** Trouble of a step, for the server's own log. It is tried again with the next question and after `retryMs`. */
  bug(error: unknown): void;
  /** ms until the first step nobody asked for. */
  readonly startMs?: number;
  readonly retryMs?: number;
  /** A question waits at most this long. */
  readonly waitMs?: number;
}

export function makeIndexer(options: IndexerOptions): Indexer {
  const { open, isBusy, bug, startMs = limits.indexStartMs, retryMs = limits.indexRetryMs } = options;
  let history: HistoryStore | null = null;
  let isClosed = false;
  let isTouched = true;
  const { plan, unplan } = makePlan(() => go());
  /** A full disk is not asked again with every word that is said. */
  const failed = (error: unknown): false => {
    bug(error);
    unplan();
    plan(retryMs);
    return false;
  };
  /** false = there is nothing to do, or it cannot be done now. */
  const step = (): boolean => {
    if (history === null || isClosed) return false;
    if (isTouched) history.look();
    isTouched = false;
    try {
      return history.step(limits.indexStepMs);
    } catch (error) {
      return failed(error);
    }
  };
  const go = (): void => {
    if (isClosed) return;
    if (history === null) return void opened().then(() => plan(0), failed);
    if (step()) plan(isBusy() ? limits.indexPauseMs : 0);
  };
  const opened = async (): Promise<HistoryStore> => {
    if (history !== null) return history;
    history = await open();
    // Somebody asks before the time of the first step: it goes on from here.
    unplan();
    return history;
  };
  plan(startMs);
  return {
    async fresh() {
      const store = await opened();
      const untilMs = performance.now() + (options.waitMs ?? limits.indexWaitMs);
      if (isTouched || !store.isComplete())
        while (performance.now() < untilMs && step()) {
          if (store.isComplete()) break;
          await new Promise((resolve) => setImmediate(resolve));
        }
      plan(0);
      return store;
    },
    touch() {
      isTouched = true;
      // Before the first question nothing is opened for it.
      if (history !== null) plan(limits.indexPauseMs);
    },
    close() {
      isClosed = true;
      unplan();
    },
  };
}

/** One time at which to go on; the first that was planned holds. */
function makePlan(go: () => void) {
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
