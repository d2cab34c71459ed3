/**
 * Event log of one session: commit is one transaction, then fold, then publish; live is fold, then publish. Durable
 * envelopes are never dropped and are published in order of seq; receivers may drop live ones.
 */
import type { Json } from "@/lib/content";
import type { DurableEnvelope, DurableEvent, Envelope, LiveEvent } from "@/lib/event";
import { fold } from "@/lib/fold";
import type { CommandId } from "@/lib/id";
import type { SessionView } from "@/lib/view";
import { endedKeys, makeCheckpoints } from "./checkpoints";
import { rowPatch } from "./row";
import type { SessionServices } from "./services";

export interface Receipt {
  readonly commandId: CommandId;
  readonly result: Json;
}

export interface Log {
  view(): SessionView;
  /** Appends events and returns the seq of the last. Throws StoreError with nothing written and nothing published. */
  commit(events: readonly DurableEvent[], receipt?: (seq: number) => Receipt): number;
  live(event: LiveEvent): void;
  /** Synchronous; a throwing listener does not affect the others. Returns the unsubscribe function. */
  subscribe(listener: (envelope: Envelope) => void): () => void;
  /** Writes pending checkpoints and stops the timer. */
  rest(): void;
}

export type LogServices = Pick<SessionServices, "store" | "now" | "storeTrouble">;

export function makeLog(start: SessionView, services: LogServices): Log {
  const { store, now } = services;
  const { sessionId } = start;
  let view = start;
  const outbox = makeOutbox();
  const checkpoints = makeCheckpoints(sessionId, services, () => view);

  return {
    view: () => view,
    commit(events, receipt) {
      if (events.length === 0) return view.seq;
      const at = now();
      const stamped = events.map(
        (event, index): DurableEnvelope => ({ v: 1, sessionId, at, seq: view.seq + 1 + index, event }),
      );
      const next = stamped.reduce(fold, view);
      const seq = view.seq + stamped.length;
      try {
        store.events.commit({
          sessionId,
          rows: stamped.map(({ seq: row, event }) => ({ seq: row, at, event })),
          row: rowPatch(view, next),
          dropCheckpoints: endedKeys(events),
          ...(receipt === undefined ? {} : { receipt: receipt(seq) }),
        });
      } catch (error) {
        services.storeTrouble(error);
        throw error;
      }
      services.storeTrouble(null);
      view = next;
      checkpoints.ended(events);
      outbox.send(stamped);
      return seq;
    },
    live(event) {
      const envelope: Envelope = { v: 1, sessionId, at: now(), after: view.seq, event };
      view = fold(view, envelope);
      checkpoints.grew(event);
      outbox.send([envelope]);
    },
    subscribe: outbox.subscribe,
    rest: checkpoints.rest,
  };
}

/** Publishes in order, even when a listener commits during publishing: an effect is published after its cause. */
function makeOutbox() {
  const listeners = new Set<(envelope: Envelope) => void>();
  const waiting: Envelope[] = [];
  let sending = false;

  const notify = (envelope: Envelope): void => {
    for (const listener of listeners) {
      try {
        listener(envelope);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  };
  return {
    send(envelopes: readonly Envelope[]): void {
      waiting.push(...envelopes);
      if (sending) return;
      sending = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) notify(next);
      sending = false;
    },
    subscribe(listener: (envelope: Envelope) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
