/**
 * State of a viewer's page: connecting, the shared session, its end. When the link is over the session is released at
 * once, so that no part of it stays in memory.
 */
import type { SharedSession } from "@/lib/protocol/share";
import { createLongTimer } from "../long-timer";
import { createOpenSessionStore, type OpenSessionStore } from "../session/open-session-store";
import { createStore, type ReadableStore } from "../store";
import { createViewerConnection, type ViewerRefusal, type ViewerConnection } from "../connection/viewer-connection";

/** online; lost = reconnecting; gone = lost for so long that the server has probably ended. */
type ViewerLink = "online" | "lost" | "gone";

export type ViewerState =
  | { readonly at: "connecting"; readonly link: ViewerLink }
  | { readonly at: "refused"; readonly why: ViewerRefusal }
  | {
      readonly at: "open";
      readonly link: ViewerLink;
      readonly share: SharedSession;
      /** ms epoch by this machine's clock */
      readonly endsAt: number;
      readonly store: OpenSessionStore;
      readonly call: ViewerConnection["call"];
    };

export interface Viewer extends ReadableStore<ViewerState> {
  /** Connects, also after a refusal. */
  readonly start: () => void;
  readonly stop: () => void;
}

interface ViewerOptions {
  readonly token: string;
  readonly address?: string;
  /** ms epoch */
  readonly now: () => number;
  readonly goneMs?: number;
}

const defaultGoneMs = 12_000;

export function createViewer(input: ViewerOptions): Viewer {
  const state = createStore<ViewerState>({ at: "connecting", link: "online" });
  const store = (): OpenSessionStore | null => sessionStoreIn(state.get());
  const setLink = (link: ViewerLink): void =>
    state.update((now) => (now.at === "refused" || now.link === link ? now : { ...now, link }));
  const goneTimer = createLongTimer(() => setLink("gone"));
  const over = createLongTimer(() => end("expired"));
  const refused = (refusal: ViewerRefusal): void => {
    goneTimer.stop();
    over.stop();
    store()?.close();
    state.set({ at: "refused", why: refusal });
  };
  const connection = createViewerConnection({
    token: input.token,
    address: input.address,
    onEvents: (envelopes) => store()?.receive(envelopes),
    onResync: () => store()?.open(),
    onRefused: refused,
    onLost: () => {
      if (!goneTimer.isRunning()) goneTimer.start(input.goneMs ?? defaultGoneMs);
      state.update((now) => (now.at === "open" && now.link === "online" ? { ...now, link: "lost" } : now));
    },
    onOnline: () => {
      goneTimer.stop();
      setLink("online");
      void connection.call("share.open", {}).then((answer) => (answer.ok ? opened(answer.value) : end("ended")));
    },
  });
  const end = (refusal: ViewerRefusal): void => {
    connection.close();
    refused(refusal);
  };
  const opened = (share: SharedSession): void => {
    const { call } = connection;
    const { now } = input;
    const leftMs = share.expiresAt - share.now;
    const before = store();
    const reusable = before?.id === share.sessionId ? before : null;
    const shown = reusable ?? createOpenSessionStore({ id: share.sessionId, call, now, onRow: () => undefined });
    over.start(leftMs);
    shown.open();
    state.set({ at: "open", link: "online", share, endsAt: now() + leftMs, store: shown, call });
  };
  return {
    get: state.get,
    subscribe: state.subscribe,
    start: () => {
      if (state.get().at === "refused") state.set({ at: "connecting", link: "online" });
      connection.connect();
    },
    stop: () => {
      goneTimer.stop();
      over.stop();
      connection.close();
    },
  };
}

const sessionStoreIn = (state: ViewerState): OpenSessionStore | null => (state.at === "open" ? state.store : null);
