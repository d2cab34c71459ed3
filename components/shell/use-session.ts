"use client";
/** Subscribes a component to a session of this tab. */
import { useMemo, useSyncExternalStore } from "react";
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
