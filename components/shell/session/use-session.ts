"use client";
/** Subscribes a component to a session of this tab. */
import { useMemo, useSyncExternalStore } from "react";
import type { SessionId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import type { OpenSession, OpenSessionStore } from "../../state/session/open-session-store";

const emptySession: OpenSession = { view: null, error: null, echoes: [], older: "idle" };
const noSubscription = () => () => undefined;

interface CurrentSession {
  readonly store: OpenSessionStore | null;
  readonly session: OpenSession;
}

export function useSession(id: SessionId | null): CurrentSession {
  const client = useClient();
  const store = useMemo(() => (id === null ? null : client.session(id)), [client, id]);
  const session = useSyncExternalStore(
    store?.subscribe ?? noSubscription,
    () => store?.get() ?? emptySession,
    () => emptySession,
  );
  return { store, session };
}
