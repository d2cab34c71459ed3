/** A timer that may wait longer than 24.8 days, which is the most that one of the browser can. Used by viewer.ts. */

export interface LongTimer {
  /** Starts it, or starts it again. */
  readonly start: (ms: number) => void;
  readonly stop: () => void;
  readonly isRunning: () => boolean;
}

const timerMaxMs = 2_147_483_647;

export function createLongTimer(run: () => void): LongTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const wait = (ms: number): void => {
    timer = ms > timerMaxMs ? setTimeout(() => wait(ms - timerMaxMs), timerMaxMs) : setTimeout(run, ms);
  };
  return {
    start: (ms) => {
      stop();
      wait(ms);
    },
    stop,
    isRunning: () => timer !== undefined,
  };
}
