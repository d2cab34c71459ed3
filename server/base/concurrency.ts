/** Functions that limit how much asynchronous work runs at once. */
import { abortable } from "./abort";

/** A keyed async mutex: one holder per key, in request order. */
export interface Mutex {
  /**
   * Runs `work` while holding `key`. If the signal fires while waiting, rejects with its reason; running work is never
   * interrupted.
   */
  hold<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function makeMutex(): Mutex {
  const tails = new Map<string, Promise<void>>();
  return {
    async hold(key, work, signal) {
      signal.throwIfAborted();
      const before = tails.get(key) ?? Promise.resolve();
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const tail = before.then(() => held);
      tails.set(key, tail);
      // Not earlier: a waiter that gave up may be the last one while another still holds the key.
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      try {
        // An aborted waiter stays in the chain, so later ones still wait for the current holder.
        await abortable(before, signal);
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Returns a function that runs at most `count` works at a time, started in order. */
export function makeSlots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/**
 * Returns a function that runs `work` at most once at a time. A running call may predate the caller's last action, so
 * the caller waits for the next. A failure affects its own callers only: the next call works again.
 */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  return function ask(): Promise<T> {
    if (running === undefined) {
      running = work().finally(() => (running = undefined));
      return running;
    }
    const again = (): Promise<T> => {
      next = undefined;
      return ask();
    };
    next ??= running.then(again, again);
    return next;
  };
}

/** Returns a function that starts `work` unless it is running, and returns the promise of the running call. */
export function joinRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}
