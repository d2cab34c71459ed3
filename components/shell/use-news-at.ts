"use client";
/** When anything of an open session was last heard, for the line that says how long it has been silent. */
import { useEffect, useState } from "react";
import type { SessionStore } from "../state/session-store";

/** Nobody waits for news by the millisecond: a stream of them draws the screen once a second more at most. */
const newsStepMs = 1_000;
const nowInSteps = (): number => Math.floor(Date.now() / newsStepMs) * newsStepMs;

/** When anything of the session was last heard, ms epoch. */
export function useNewsAt(store: SessionStore): number {
  const [at, setAt] = useState(nowInSteps);
  useEffect(() => store.subscribe(() => setAt(nowInSteps())), [store]);
  return at;
}
