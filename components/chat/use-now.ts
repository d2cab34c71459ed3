"use client";
/** The time, told anew every so often while something counts. */
import { useCallback, useSyncExternalStore } from "react";

/** ms epoch, in whole steps of `everyMs`; stands still when it is null. */
export function useNow(everyMs: number | null): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (everyMs === null) return () => undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      // All that count do so in the same moment.
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
