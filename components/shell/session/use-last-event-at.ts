"use client";
/** Time of the last event of an open session, for the line that shows how long it has been silent. */
import { useEffect, useState } from "react";
import type { OpenSessionStore } from "../../state/session/open-session-store";

/** Rounded to seconds, so that a stream of events renders the screen at most once per second. */
const stepMs = 1_000;
const roundedNow = (): number => Math.floor(Date.now() / stepMs) * stepMs;

/** Returns the time of the session's last event, ms epoch, rounded down to a second. */
export function useLastEventAt(store: OpenSessionStore): number {
  const [at, setAt] = useState(roundedNow);
  useEffect(() => store.subscribe(() => setAt(roundedNow())), [store]);
  return at;
}
