"use client";
/** How long until a moment, in whole minutes, kept up to date. */
import { useCallback, useSyncExternalStore } from "react";

const tickMs = 5_000;
const minuteMs = 60_000;

/** ms until `at`, rounded up to whole minutes, at least one; null without a moment. */
export function useMinutesLeft(at: number | undefined): number | null {
  const read = useCallback(
    () => (at === undefined ? null : Math.max(1, Math.ceil((at - Date.now()) / minuteMs)) * minuteMs),
    [at],
  );
  return useSyncExternalStore(subscribe, read, () => null);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}
