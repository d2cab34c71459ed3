/**
 * Event log of one session: commit is one transaction, then fold, then publish; live is fold, then publish. Durable
 * envelopes are never dropped and are published in order of seq; receivers may drop live ones.
 */
import type { Json } from "@/lib/events/content";
import type { DurableEnvelope, DurableEvent, Envelope, LiveEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import type { CommandId, SessionId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import { obsoleteKeys, makeCheckpoints } from "../recovery/checkpoints";
import { rowPatch } from "./session-row";
import type { SessionServices } from "./services";
import type { Committed } from "./session-types";

interface CommandReceipt {
  readonly commandId: CommandId;
  readonly result: Json;
}

export interface SessionLog {
  view(): SessionView;
  /** Appends events and returns the seq of the last. Throws StoreError with nothing written and nothing published. */
  commit(events: readonly DurableEvent[], receipt?: (seq: number) => CommandReceipt): number;
  live(event: LiveEvent): void;
  /** Synchronous; a throwing listener does not affect the others. Returns the unsubscribe function. */
  subscribe(listener: (envelope: Envelope) => void): () => void;
  /** Writes pending checkpoints and stops the timer. */
  suspend(): void;
}

export function makeSessionLog(start: SessionView, services: SessionServices): SessionLog {
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
          dropCheckpoints: obsoleteKeys(events),
          ...(receipt === undefined ? {} : { receipt: receipt(seq) }),
        });
      } catch (error) {
        services.reportStoreError(error);
        throw error;
      }
      services.reportStoreError(null);
      view = next;
      checkpoints.forgetEnded(events);
      outbox.send(stamped);
      return seq;
    },
    live(event) {
      const envelope: Envelope = { v: 1, sessionId, at: now(), after: view.seq, event };
      view = fold(view, envelope);
      checkpoints.markGrown(event);
      outbox.send([envelope]);
    },
    subscribe: outbox.subscribe,
    suspend: checkpoints.suspend,
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

export const makeReceipt =
  (commandId: CommandId) =>
  (seq: number): CommandReceipt => ({ commandId, result: { seq } });

/** Returns the stored result of a command; null = it is new. */
export function readReceipt({ store }: SessionServices, sessionId: SessionId, commandId: CommandId): Committed | null {
  const result = store.events.receipt(sessionId, commandId);
  return typeof result === "object" && result !== null && "seq" in result && typeof result.seq === "number"
    ? { seq: result.seq }
    : null;
}
