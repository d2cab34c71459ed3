/**
 * Locks of one session on paths and the shell, granted in call order and held from the decision to the end of the
 * call.
 */
import { abortable } from "@/server/base/abort";

export interface Locks {
  /** Resolves when all keys are free for this caller, in call order. Rejects with the signal's reason. */
  take(keys: readonly string[], signal: AbortSignal): Promise<() => void>;
}

export function makeLocks(): Locks {
  const tails = new Map<string, Promise<void>>();
  return {
    async take(keys, signal) {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const before = keys.map((key) => tails.get(key));
      for (const [index, key] of keys.entries()) {
        const tail = (before[index] ?? Promise.resolve()).then(() => held);
        tails.set(key, tail);
        void tail.then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      }
      try {
        await abortable(Promise.all(before), signal);
      } catch (reason) {
        release();
        throw reason;
      }
      return release;
    },
  };
}
