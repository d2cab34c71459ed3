/** State of this tab that outlives any component: connection, open sessions, lists, workbench, toasts. */
import { QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { Envelope } from "@/lib/events/event";
import type { SessionId, ProjectId } from "@/lib/events/id";
import type { ResyncPush, SentPush } from "@/lib/protocol/push";
import type { PushOf } from "@/lib/protocol/topics";
import { type ServerConnection, createServerConnection } from "./connection/server-connection";
import { watchWakes } from "./connection/watch-wakes";
import type { ComponentHandles, EditorStatus } from "./workbench/component-handles";
import { applyPush, refreshQueries } from "./topic-queries";
import { upsertSessionRow } from "./session/cached-session-lists";
import { createServerState, mergeWelcome, type ServerStateStore } from "./server-state";
import { createOpenSessionStore, type OpenSessionStore } from "./session/open-session-store";
import { pageSecret } from "./connection/sign-in";
import { createStore, type ReadableStore, type WritableStore } from "./store";
import { createToasts, type Toasts } from "./toasts";
import type { RunningUpload } from "./uploads";
import { createTopicSubscriptions, type TopicSubscriptions } from "./topics";
import type { PaneIds } from "./workbench/layout";
import { createWorkbenchStore, type WorkbenchStorage, type WorkbenchStore } from "./workbench/workbench-store";
import { limits } from "@/lib/settings/settings";

export type ScreenPart = "tree" | "editor" | "marks" | "pins" | "source" | "review";

interface WatchedFolders {
  /** Sets the folders of one part of the screen. Another project replaces those of the previous one. */
  readonly show: (projectId: ProjectId, part: ScreenPart, folders: readonly string[]) => void;
  /** Sends all folders again on a new connection. */
  readonly resend: () => void;
}

/** Changes within this time are merged into one call. */
const joinMs = 20;

/** Folders displayed in this tab, by the tree and by open files together; the server watches exactly these. */
function createWatchedFolders(call: ServerConnection["call"]): WatchedFolders {
  let projectId: ProjectId | null = null;
  const parts = new Map<ScreenPart, readonly string[]>();
  let sent = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (): void => {
    timer = undefined;
    if (projectId === null) return;
    const folders = [...new Set([...parts.values()].flat())].slice(0, limits.watchedFolders);
    const text = JSON.stringify([projectId, folders]);
    if (text === sent) return;
    sent = text;
    void call("files.watch", { projectId, folders });
  };
  const soon = (): void => {
    timer ??= setTimeout(send, joinMs);
  };
  return {
    show: (project, part, folders) => {
      if (project !== projectId) parts.clear();
      projectId = project;
      parts.set(part, folders);
      soon();
    },
    resend: () => {
      sent = "";
      soon();
    },
  };
}

export interface AppClient {
  readonly connection: ServerConnection;
  readonly call: ServerConnection["call"];
  readonly cache: QueryClient;
  readonly serverState: ServerStateStore;
  readonly workbench: WorkbenchStore;
  readonly toasts: Toasts;
  readonly uploads: WritableStore<readonly RunningUpload[]>;
  /** Error while the log cannot be written; null = it can. */
  readonly storeError: ReadableStore<PushOf<"store">["error"]>;
  /** Subscriptions of mounted components; they use `useTopic`. */
  readonly topics: TopicSubscriptions;
  /** Folders displayed in this tab, which the server watches. */
  readonly watchedFolders: WatchedFolders;
  /**
   * Returns the store of a session and opens it on the first call. Closes the least recently used stores beyond the
   * limit.
   */
  readonly session: (id: SessionId) => OpenSessionStore;
  /** The text that the editor shows; null = none. */
  readonly editorStatus: WritableStore<EditorStatus | null>;
  /** Imperative handles of mounted components. */
  readonly handles: ComponentHandles;
  /** Connects, and reconnects when the tab becomes visible or the network returns, until the page is left. */
  readonly start: () => void;
}

/** Maximum number of open sessions per tab: the visible one and those visited last. */
const openSessionsMax = 4;

export function createClient(storage: WorkbenchStorage, now: () => number, panes: PaneIds): AppClient {
  const cache = new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: false,
        networkMode: "always",
        meta: { call: (name, input) => connection.call(name, input) },
      },
    },
  });
  const serverState = createServerState();
  const sessions = new Map<SessionId, OpenSessionStore>();
  const storeError = createStore<PushOf<"store">["error"]>(null);

  const onPush = (push: SentPush): void => {
    if (push.type === "store") storeError.set(push.error);
    if (push.type === "resync") resync(push);
    else applyPush(cache, serverState, push);
    topics.deliver(push);
  };
  const resync = ({ sessionId, subject, ended }: ResyncPush): void => {
    // To open a session again would end another subscription.
    if (sessionId !== undefined && ended !== undefined) return;
    if (sessionId !== undefined) sessions.get(sessionId)?.open();
    else if (subject === undefined) fetchState();
    else refreshQueries(cache);
  };
  const fetchState = (): void => {
    void connection.call("app.welcome", {}).then((answer) => {
      if (answer.ok) mergeWelcome(serverState, answer.value);
    });
    refreshQueries(cache);
  };
  const connection: ServerConnection = createServerConnection({
    page: pageSecret,
    onEvents: (envelopes) => deliverEnvelopes(sessions, envelopes),
    onPush,
    onOnline: () => {
      for (const store of sessions.values()) store.open();
      fetchState();
      void connection.call("models.watch", { on: isTabVisible() });
      topics.resend();
      watching.resend();
    },
  });
  const topics = createTopicSubscriptions(connection.call);
  const watching = createWatchedFolders(connection.call);

  const session = (id: SessionId): OpenSessionStore => {
    const open = sessions.get(id);
    const store =
      open ?? createOpenSessionStore({ id, call: connection.call, now, onRow: (row) => upsertSessionRow(cache, row) });
    sessions.delete(id);
    sessions.set(id, store);
    if (open === undefined && connection.state.get() === "online") store.open();
    closeLeastRecent(sessions);
    return store;
  };

  return {
    connection,
    call: connection.call,
    cache,
    serverState,
    workbench: createWorkbenchStore(storage, panes),
    toasts: createToasts(),
    uploads: createStore<readonly RunningUpload[]>([]),
    storeError,
    topics,
    watchedFolders: watching,
    session,
    editorStatus: createStore<EditorStatus | null>(null),
    handles: {},
    start: () => watchConnection(connection),
  };
}

function closeLeastRecent(sessions: Map<SessionId, OpenSessionStore>): void {
  for (const [id, store] of sessions) {
    if (sessions.size <= openSessionsMax) return;
    sessions.delete(id);
    store.close();
  }
}

const isTabVisible = (): boolean => document.visibilityState === "visible";

/** Delivers a batch, which may contain envelopes of several sessions, to each session in order. */
function deliverEnvelopes(sessions: ReadonlyMap<SessionId, OpenSessionStore>, envelopes: readonly Envelope[]): void {
  const ids = new Set(envelopes.map((envelope) => envelope.sessionId));
  for (const id of ids) sessions.get(id)?.receive(envelopes.filter((envelope) => envelope.sessionId === id));
}

/** Reconnects at once after sleep and when the tab becomes visible; model state is watched only while it is visible. */
function watchConnection(connection: ServerConnection): void {
  watchWakes(() => {
    const state = connection.state.get();
    if (isTabVisible() && (state === "offline" || state === "gone")) connection.connect();
    if (state === "online") connection.verify(connection.call("models.watch", { on: isTabVisible() }));
  });
  connection.connect();
}

export const AppClientContext = createContext<AppClient | null>(null);

export function useClient(): AppClient {
  const client = useContext(AppClientContext);
  if (client === null) throw new Error("useClient outside ClientContext");
  return client;
}
