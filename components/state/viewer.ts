/**
 * What a viewer's page shows: the way in, the shared session and its end. When the link is over the session is let go at
 * once: nothing of it stays in memory. Used by components/shell/viewer-app.
 */
import type { SharedSession } from "@/lib/share";
import { createSessionStore, type SessionStore } from "./session-store";
import { createStore, type Readable } from "./store";
import { createViewerConnection, type Refusal, type ViewerConnection } from "./viewer-connection";

/** online; lost = trying again; gone = for so long that nobody may be there any more. */
export type ViewerLink = "online" | "lost" | "gone";

export type ViewerState =
  | { readonly at: "connecting"; readonly link: ViewerLink }
  | { readonly at: "refused"; readonly why: Refusal }
  | {
      readonly at: "open";
      readonly link: ViewerLink;
      readonly share: SharedSession;
      /** ms epoch by this machine's clock */
      readonly endsAt: number;
      readonly store: SessionStore;
      readonly call: ViewerConnection["call"];
    };

export interface Viewer extends Readable<ViewerState> {
  /** Connects, also after a refusal. */
  readonly start: () => void;
  readonly stop: () => void;
}

export interface ViewerInput {
  readonly token: string;
  readonly address?: string;
  /** ms epoch */
  readonly now: () => number;
  readonly goneMs?: number;
}

const defaultGoneMs = 12_000;
/** The longest a timer of a browser can wait. */
const timerMostMs = 2_147_483_647;

export function createViewer(input: ViewerInput): Viewer {
  const state = createStore<ViewerState>({ at: "connecting", link: "online" });
  let goneTimer: ReturnType<typeof setTimeout> | undefined;
  let endTimer: ReturnType<typeof setTimeout> | undefined;

  const storeOf = (now: ViewerState): SessionStore | null => (now.at === "open" ? now.store : null);
  const setLink = (link: ViewerLink): void =>
    state.update((now) => (now.at === "refused" || now.link === link ? now : { ...now, link }));
  const clearTimers = (): void => {
    clearTimeout(goneTimer);
    clearTimeout(endTimer);
    goneTimer = undefined;
  };
  const refused = (why: Refusal): void => {
    clearTimers();
    storeOf(state.get())?.close();
    state.set({ at: "refused", why });
  };
  const connection = createViewerConnection({
    token: input.token,
    ...(input.address === undefined ? {} : { address: input.address }),
    onEvents: (envelopes) => storeOf(state.get())?.receive(envelopes),
    onResync: () => storeOf(state.get())?.open(),
    onRefused: refused,
    onLost: () => {
      if (state.get().at !== "refused") goneTimer ??= setTimeout(() => setLink("gone"), input.goneMs ?? defaultGoneMs);
      state.update((now) => (now.at === "open" && now.link === "online" ? { ...now, link: "lost" } : now));
    },
    onOnline: () => {
      clearTimeout(goneTimer);
      goneTimer = undefined;
      setLink("online");
      void connection.call("share.open", {}).then((answer) => {
        if (answer.ok) opened(answer.value);
        else end("ended");
      });
    },
  });
  const end = (why: Refusal): void => {
    connection.close();
    refused(why);
  };
  const opened = (share: SharedSession): void => {
    const before = storeOf(state.get());
    const store =
      before?.id === share.sessionId
        ? before
        : createSessionStore({ id: share.sessionId, call: connection.call, now: input.now, onRow: () => undefined });
    const leftMs = share.expiresAt - share.now;
    clearTimeout(endTimer);
    endTimer = setTimeout(() => end("expired"), Math.min(leftMs, timerMostMs));
    store.open();
    state.set({ at: "open", link: "online", share, endsAt: input.now() + leftMs, store, call: connection.call });
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    start: () => {
      if (state.get().at === "refused") state.set({ at: "connecting", link: "online" });
      connection.connect();
    },
    stop: () => {
      clearTimers();
      connection.close();
    },
  };
}
