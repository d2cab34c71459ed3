/** Abortable waiting for promises and delays, without leaked listeners or timers. */
import { setTimeout as sleep } from "node:timers/promises";

/** For work that is never cancelled. */
export const neverAborted = new AbortController().signal;

/**
 * Awaits `promise`; rejects with the signal's reason if the signal fires first. The underlying operation is not
 * cancelled.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    const fire = (): void => reject(signal.reason);
    if (signal.aborted) return fire();
    signal.addEventListener("abort", fire, { once: true });
    stop = () => signal.removeEventListener("abort", fire);
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    stop();
  }
}

/** Resolves with true after `ms`, or with false as soon as the signal fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal }).catch(() => false);

/** Resolves when the signal fires. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
