/** Abortable waiting for promises and delays, without leaked listeners or timers. */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** For work that is never cancelled; any number of waits may share it. */
export const neverAborted = new AbortController().signal;
setMaxListeners(0, neverAborted);

/**
 * Reason of an abort because this process ends: work that others hold for it stays, and the next process continues it. After any
 * other reason no process waits for it.
 */
export const processEnds = new DOMException("this process ends", "AbortError");

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

/**
 * Returns a signal that fires after `ms`, with a TimeoutError as its reason, or as soon as one of `signals` fires. Unlike
 * `AbortSignal.timeout` it cannot be collected before it fires: Node 20 keeps a timeout to which only `AbortSignal.any`
 * refers by a weak reference. Does not keep the process running.
 */
export function timeLimit(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const fire = (): void => controller.abort(new DOMException(`not finished within ${ms} ms`, "TimeoutError"));
  setTimeout(fire, ms).unref();
  return signals.length === 0 ? controller.signal : AbortSignal.any([controller.signal, ...signals]);
}
