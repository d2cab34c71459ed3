"use client";
/** A session of this tab as components see it. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { SessionId } from "@/lib/id";
import { useClient } from "../state/client";
import type { OpenSession, SessionStore } from "../state/session-store";

const nothing: OpenSession = { view: null, error: null, echoes: [], older: "idle" };
const noSubscription = () => () => undefined;

export interface SessionInSight {
  readonly store: SessionStore | null;
  readonly session: OpenSession;
}

export function useSession(id: SessionId | null): SessionInSight {
  const client = useClient();
  const store = useMemo(() => (id === null ? null : client.session(id)), [client, id]);
  const session = useSyncExternalStore(
    store?.subscribe ?? noSubscription,
    () => store?.get() ?? nothing,
    () => nothing,
  );
  return { store, session };
}

/** Nobody waits for news by the millisecond: a stream of them draws the screen once a second more at most. */
const newsStepMs = 1_000;
const nowInSteps = (): number => Math.floor(Date.now() / newsStepMs) * newsStepMs;

/** When anything of the session was last heard, ms epoch. */
export function useNewsAt(store: SessionStore): number {
  const [at, setAt] = useState(nowInSteps);
  useEffect(() => store.subscribe(() => setAt(nowInSteps())), [store]);
  return at;
}
