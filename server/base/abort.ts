/** Waiting that an AbortSignal ends, with no listener or timer left behind. Used by whatever waits for something that cannot be stopped itself. */
import { setTimeout as sleep } from "node:timers/promises";

/** `promise`, unless the signal fires first: then its reason is thrown. What is behind the promise goes on. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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

/** Resolves after `ms` with true, or with false as soon as the signal fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal }).catch(() => false);
