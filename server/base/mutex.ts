/** A keyed async mutex: one holder per key, in request order. */
import { abortable } from "./abort";

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
      try {
        // An aborted waiter stays in the chain, so later ones still wait for the current holder.
        await abortable(before, signal);
        return await work();
      } finally {
        release();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
