/** State of this tab that outlives any component: connection, open sessions, lists, workbench, toasts. */
import { QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { Envelope } from "@/lib/event";
import type { SessionId } from "@/lib/id";
import type { Push } from "@/lib/push";
import { type Connection, createConnection } from "./connection";
import type { Handles } from "./handles";
import { applyPush, patchRow, refreshQueries, seedQueries } from "./queries";
import { createSessionStore, type SessionStore } from "./session-store";
import { pageSecret } from "./sign-in";
import { createStore, type Readable } from "./store";
import { createToasts, type Toasts } from "./toasts";
import { createWatching, type Watching } from "./watching";
import { createWorkbenchStore, type WorkbenchStorage, type WorkbenchStore } from "./workbench-store";

export interface Client {
  readonly connection: Connection;
  readonly call: Connection["call"];
  readonly cache: QueryClient;
  readonly workbench: WorkbenchStore;
  readonly toasts: Toasts;
  /** Error while the log cannot be written; null = it can. */
  readonly storeError: Readable<Extract<Push, { type: "store" }>["error"]>;
  /** Folders displayed in this tab, which the server watches. */
  readonly watching: Watching;
  /**
   * Returns the store of a session and opens it on the first call. Closes the least recently used stores beyond the
   * limit.
   */
  readonly session: (id: SessionId) => SessionStore;
  /** Imperative handles of mounted components. */
  readonly handles: Handles;
  readonly onPush: (listener: (push: Push) => void) => () => void;
  /** Connects, and reconnects when the tab becomes visible or the network returns, until the page is left. */
  readonly start: () => void;
}

/** Maximum number of open sessions per tab: the visible one and those visited last. */
const openSessions = 4;

export function createClient(storage: WorkbenchStorage, now: () => number): Client {
  const cache = new QueryClient({
    defaultOptions: { queries: { refetchOnWindowFocus: false, networkMode: "always" } },
  });
  const sessions = new Map<SessionId, SessionStore>();
  const listeners = new Set<(push: Push) => void>();
  const storeError = createStore<Extract<Push, { type: "store" }>["error"]>(null);

  const onPush = (push: Push): void => {
    if (push.type === "store") storeError.set(push.error);
    if (push.type === "resync") sessions.get(push.sessionId)?.open();
    applyPush(cache, push);
    for (const listener of [...listeners]) listener(push);
  };
  const connection: Connection = createConnection({
    page: pageSecret,
    onEvents: (envelopes) => deliver(sessions, envelopes),
    onPush,
    onOnline: () => {
      for (const store of sessions.values()) store.open();
      void connection.call("app.welcome", {}).then((answer) => {
        if (answer.ok) seedQueries(cache, answer.value);
      });
      void connection.call("models.watch", { on: isSeen() });
      watching.again();
      refreshQueries(cache);
    },
  });
  const watching = createWatching(connection.call);

  const session = (id: SessionId): SessionStore => {
    const known = sessions.get(id);
    const store = known ?? createSessionStore({ id, call: connection.call, now, onRow: (row) => patchRow(cache, row) });
    sessions.delete(id);
    sessions.set(id, store);
    if (known === undefined && connection.state.get() === "online") store.open();
    closeOldest(sessions);
    return store;
  };

  return {
    connection,
    call: connection.call,
    cache,
    workbench: createWorkbenchStore(storage),
    toasts: createToasts(),
    storeError,
    watching,
    session,
    handles: {},
    onPush: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => startLooking(connection),
  };
}

function closeOldest(sessions: Map<SessionId, SessionStore>): void {
  for (const [id, store] of sessions) {
    if (sessions.size <= openSessions) return;
    sessions.delete(id);
    store.close();
  }
}

const isSeen = (): boolean => document.visibilityState === "visible";

/** Delivers a batch, which may contain envelopes of several sessions, to each session in order. */
function deliver(sessions: ReadonlyMap<SessionId, SessionStore>, envelopes: readonly Envelope[]): void {
  const ids = new Set(envelopes.map((envelope) => envelope.sessionId));
  for (const id of ids) sessions.get(id)?.receive(envelopes.filter((envelope) => envelope.sessionId === id));
}

/** Reconnects at once when the tab becomes visible; model state is watched only while it is visible. */
function startLooking(connection: Connection): void {
  const look = (): void => {
    const state = connection.state.get();
    if (isSeen() && (state === "offline" || state === "gone")) connection.connect();
    if (state === "online") void connection.call("models.watch", { on: isSeen() });
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  addEventListener("online", look);
  connection.connect();
}

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("useClient outside ClientContext");
  return client;
}
