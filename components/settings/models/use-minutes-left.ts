"use client";
/** Remaining minutes until a time, rounded like in the status bar and updated by a timer. */
import { useCallback, useSyncExternalStore } from "react";
import { minuteMs } from "@/lib/time/duration";

const tickMs = 5_000;

/** ms until `at`, rounded to whole minutes, not negative; null without a time. */
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
