"use client";
/** Relative age of a time with the full date as tooltip. Updates every 30 seconds. */
import { useSyncExternalStore } from "react";

/** The required part of `words.figures`. */
interface TimeFigures {
  readonly age: (at: number, now: number) => string;
  readonly dateTime: (at: number) => string;
}

const tickMs = 30_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  return () => clearInterval(timer);
}
const roundedNow = (): number => Math.floor(Date.now() / tickMs) * tickMs;

export function Time({
  at,
  figures,
  className,
}: {
  readonly at: number;
  readonly figures: TimeFigures;
  readonly className?: string;
}) {
  const current = useSyncExternalStore(subscribe, roundedNow, () => at);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={figures.dateTime(at)}
      className={`tabular-nums ${className ?? ""}`}
    >
      {figures.age(at, Math.max(at, current))}
    </time>
  );
}
