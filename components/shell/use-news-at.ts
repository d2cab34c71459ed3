"use client";
/** Time of the last event of an open session, for the line that shows how long it has been silent. */
import { useEffect, useState } from "react";
import type { SessionStore } from "../state/session-store";

/** Rounded to seconds, so that a stream of events renders the screen at most once per second. */
const newsStepMs = 1_000;
const nowInSteps = (): number => Math.floor(Date.now() / newsStepMs) * newsStepMs;

/** Returns the time of the session's last event, ms epoch, rounded down to a second. */
export function useNewsAt(store: SessionStore): number {
  const [at, setAt] = useState(nowInSteps);
  useEffect(() => store.subscribe(() => setAt(nowInSteps())), [store]);
  return at;
}
