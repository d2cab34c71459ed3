"use client";
/** The current time, updated in a fixed interval while something counts. */
import { useCallback, useSyncExternalStore } from "react";

/** Returns ms epoch, rounded down to a multiple of `updateIntervalMs`; null = no updates. */
export function useNow(everyMs: number | null): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (everyMs === null) return () => undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      // Aligned to multiples of `updateIntervalMs`, so that all counters update at the same moment.
      const wait = (): void => {
        timer = setTimeout(
          () => {
            listener();
            wait();
          },
          everyMs - (Date.now() % everyMs),
        );
      };
      wait();
      return () => clearTimeout(timer);
    },
    [everyMs],
  );
  const step = everyMs ?? 1000;
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / step) * step,
    () => 0,
  );
}
