/**
 * The time of a server's life and calls, which tests replace, and the limits of one request: without progress, and in all.
 * Neither counts while the user is being asked.
 */

export interface Clock {
  /** ms, never goes back */
  now(): number;
  /** Runs `work` after `ms`; the returned function cancels it. Does not keep the process running. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

export interface CallLimits {
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface CallLimit {
  /** Fires when a limit is reached. */
  readonly signal: AbortSignal;
  /** The limit that was reached, ms; null = none. */
  reached(): number | null;
  /** The time without progress begins again. */
  progress(): void;
  pause(): void;
  resume(): void;
  /** Releases the timers. */
  stop(): void;
}

export function beginCallLimit({ idleMs, totalMs }: CallLimits, clock: Clock, isPaused: boolean): CallLimit {
  const controller = new AbortController();
  let reached: number | null = null;
  let remainingMs = totalMs;
  let resumedAt: number | null = null;
  let cancelIdle = (): void => {};
  let cancelTotal = (): void => {};
  const fire = (ms: number): void => {
    reached = ms;
    stop();
    controller.abort();
  };
  const stop = (): void => {
    if (resumedAt !== null) remainingMs -= clock.now() - resumedAt;
    resumedAt = null;
    cancelIdle();
    cancelTotal();
  };
  const resume = (): void => {
    if (resumedAt !== null || reached !== null) return;
    resumedAt = clock.now();
    cancelIdle = clock.after(idleMs, () => fire(idleMs));
    cancelTotal = clock.after(Math.max(0, remainingMs), () => fire(totalMs));
  };
  if (!isPaused) resume();
  return {
    signal: controller.signal,
    reached: () => reached,
    progress() {
      if (resumedAt === null) return;
      cancelIdle();
      cancelIdle = clock.after(idleMs, () => fire(idleMs));
    },
    pause: stop,
    resume,
    stop,
  };
}
