/** A timer without the browser limit of 24.8 days. */

interface LongTimer {
  /** Starts or restarts the timer. */
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
