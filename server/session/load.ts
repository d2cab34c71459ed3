/** A session from the store: its log folded, and once after a start made honest. Used by the registry. */
import type { DurableEvent } from "@/lib/event";
import { fold } from "@/lib/fold";
import type { SessionId } from "@/lib/id";
import { emptyView, type SessionView } from "@/lib/view";
import { roomOf } from "../agent/window";
import { makeLog } from "./log";
import { recover } from "./recover";
import type { SessionServices } from "./services";

/** null = no such session. Throws StoreError. */
export function loadView({ store }: Pick<SessionServices, "store">, id: SessionId): SessionView | null {
  if (store.sessions.get(id) === undefined) return null;
  let view = emptyView(id);
  for (const { seq, at, event } of store.events.read(id)) view = fold(view, { v: 1, sessionId: id, seq, at, event });
  return view;
}

/** Nobody listens yet: what recover appends is read by the first who opens the session. Throws StoreError. */
export function recovered(view: SessionView, services: SessionServices): SessionView {
  const checkpoints = view.run === null ? [] : services.store.events.checkpoints(view.sessionId);
  const log = makeLog(view, services);
  const window = view.model === null ? undefined : roomOf(services.modelFacts(view.model)).tokens;
  log.commit(recover(view, checkpoints, window));
  return log.view();
}

/** The view of a session that has just these events, all at one time. */
export const viewOfFirst = (id: SessionId, at: number, events: readonly DurableEvent[]): SessionView =>
  events.reduce<SessionView>(
    (view, event, index) => fold(view, { v: 1, sessionId: id, at, seq: index + 1, event }),
    emptyView(id),
  );
