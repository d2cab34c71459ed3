/** A keyed async mutex: one holder per key, in the order of asking. Used by files.ts for the last write step and by shell.ts. */
import { orAborted } from "./abort";

export interface Mutex {
  /** Runs `work` when nobody else holds `key`. Rejects with the signal's reason while waiting; never interrupts `work`. */
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
      try {
        // Who gives up keeps its place empty, so the order holds.
        await orAborted(before, signal);
        return await work();
      } finally {
        release();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
