/** Builds views from events in tests. */
import type { DurableEvent } from "../events/event";
import { fold } from "../view/fold";
import type { SessionView } from "../view/view";

/** Folds the events onto the view, each at time `at` (ms epoch). */
export const appendAt = (view: SessionView, at: number, ...events: readonly DurableEvent[]): SessionView =>
  events.reduce<SessionView>(
    (now, event) => fold(now, { v: 1, sessionId: view.sessionId, seq: now.seq + 1, at, event }),
    view,
  );

export const append = (view: SessionView, ...events: readonly DurableEvent[]): SessionView =>
  appendAt(view, 1, ...events);
