"use client";
/** How long until a moment, in whole minutes as the status bar rounds them, kept up to date. */
import { useCallback, useSyncExternalStore } from "react";

const tickMs = 5_000;
const minuteMs = 60_000;

/** ms until `at`, to the nearest whole minute; null without a moment. */
export function useMinutesLeft(at: number | undefined): number | null {
  const read = useCallback(
    () => (at === undefined ? null : Math.max(0, Math.round((at - Date.now()) / minuteMs)) * minuteMs),
    [at],
  );
  return useSyncExternalStore(subscribe, read, () => null);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}
