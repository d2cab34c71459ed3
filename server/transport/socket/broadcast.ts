/**
 * Sends envelopes to clients. Durable ones are sent at once and in order; streamed text is joined for at most
 * `joinDeltasMs`. A client that stops reading costs bounded memory: over the limit it is sent nothing more, and when it
 * reads again, a `resync`.
 */
import { type Envelope, isDurable, type LiveEnvelope } from "@/lib/events/event";
import type { SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { limits } from "@/lib/settings/settings";
import type { Registry } from "@/server/session/loading/registry";

/** One client connection. */
export interface ClientWire {
  send(envelopes: readonly Envelope[]): void;
  push(push: Push): void;
  /** Registers a listener for when the network has taken everything sent. */
  onDrain(listener: () => void): void;
}

export interface ClientWireHandle {
  join(id: SessionId): void;
  leave(id: SessionId): void;
  close(): void;
}

interface Member {
  readonly wire: ClientWire;
  readonly joined: Set<SessionId>;
  /** Sessions of which it was not sent everything. */
  readonly missed: Set<SessionId>;
  /** Envelopes, and approximate characters, sent since the network last had taken everything. */
  unsent: number;
  unsentChars: number;
}

/** Functions of the registry that broadcasting needs. */
export type BroadcastSessions = Pick<Registry, "watch" | "release"> & {
  subscribe(listener: (envelope: Envelope) => void): () => void;
};

export interface Broadcast {
  add(wire: ClientWire): ClientWireHandle;
  close(): void;
}

export function makeBroadcast(sessions: BroadcastSessions): Broadcast {
  const membersBySession = new Map<SessionId, Set<Member>>();
  const stop = forward(sessions, membersBySession);
  const leave = (member: Member, id: SessionId): void => {
    member.joined.delete(id);
    member.missed.delete(id);
    const members = membersBySession.get(id);
    members?.delete(member);
    if (members?.size !== 0) return;
    membersBySession.delete(id);
    sessions.release(id);
  };
  return {
    add(wire) {
      const member: Member = { wire, joined: new Set(), missed: new Set(), unsent: 0, unsentChars: 0 };
      wire.onDrain(() => {
        member.unsent = 0;
        member.unsentChars = 0;
        for (const sessionId of member.missed) wire.push({ type: "resync", sessionId });
        member.missed.clear();
      });
      return {
        join(id) {
          member.joined.add(id);
          member.missed.delete(id);
          if (!membersBySession.has(id)) sessions.watch(id);
          const members = membersBySession.get(id) ?? new Set();
          membersBySession.set(id, members.add(member));
        },
        leave: (id) => leave(member, id),
        close: () => {
          for (const id of [...member.joined]) leave(member, id);
        },
      };
    },
    close: stop,
  };
}

/** Forwards the sessions' envelopes to the subscribed clients; returns the function that stops it. */
function forward(
  sessions: BroadcastSessions,
  membersBySession: ReadonlyMap<SessionId, ReadonlySet<Member>>,
): () => void {
  const pending = new Map<SessionId, LiveEnvelope[]>();
  let timer: NodeJS.Timeout | null = null;

  const flush = (id: SessionId, durable?: Envelope): void => {
    const waiting = pending.get(id) ?? [];
    pending.delete(id);
    const batch: Envelope[] = joinDeltas(waiting);
    if (durable !== undefined) batch.push(durable);
    if (batch.length === 0) return;
    const chars = batch.reduce((sum, envelope) => sum + wireChars(envelope), 0);
    for (const member of membersBySession.get(id) ?? []) deliver(member, id, batch, chars);
  };
  // The first delta after a pause is sent at once; those that follow within the window are sent together at its end.
  const closeWindow = (): void => {
    timer = pending.size > 0 ? setTimeout(closeWindow, limits.joinDeltasMs) : null;
    for (const id of [...pending.keys()]) flush(id);
  };
  const unsubscribe = sessions.subscribe((envelope) => {
    const id = envelope.sessionId;
    if (!membersBySession.has(id)) return;
    if (isDurable(envelope)) return flush(id, envelope);
    const waiting = pending.get(id);
    if (waiting === undefined) pending.set(id, [envelope]);
    else waiting.push(envelope);
    if (timer === null) closeWindow();
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
    unsubscribe();
  };
}

/**
 * Sends a batch. One over the limit is not buffered: the client opens the session again. A client without backlog gets
 * a batch of any size.
 */
function deliver(member: Member, id: SessionId, batch: readonly Envelope[], chars: number): void {
  if (member.missed.has(id)) return;
  const isTooMuch = member.unsentChars > 0 && member.unsentChars + chars > limits.resyncChars;
  member.unsent += batch.length;
  if (isTooMuch || member.unsent > limits.resyncEvents) return void member.missed.add(id);
  member.unsentChars += chars;
  member.wire.send(batch);
}

/** Approximate size on the wire, characters. */
const wireChars = (envelope: Envelope): number =>
  isDurable(envelope) || !("text" in envelope.event) ? JSON.stringify(envelope).length : envelope.event.text.length;

/** Joins consecutive deltas of one block. Order and offsets are kept. */
export function joinDeltas(envelopes: readonly LiveEnvelope[]): Envelope[] {
  const joined: LiveEnvelope[] = [];
  for (const envelope of envelopes) {
    const last = joined.at(-1);
    const both = last === undefined ? null : joinPair(last, envelope);
    if (both === null) joined.push(envelope);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

function joinPair(a: LiveEnvelope, b: LiveEnvelope): LiveEnvelope | null {
  const first = a.event;
  const second = b.event;
  if (first.type === "phase" || second.type === "phase") return first.type === second.type ? b : null;
  if (second.offset !== first.offset + first.text.length) return null;
  if (first.type === "message_delta" && second.type === "message_delta") {
    const same = first.messageId === second.messageId && first.block === second.block && first.kind === second.kind;
    return same ? { ...a, event: { ...first, text: first.text + second.text } } : null;
  }
  if (first.type === "tool_call_delta" && second.type === "tool_call_delta" && first.callId === second.callId) {
    return { ...a, event: { ...first, text: first.text + second.text } };
  }
  return null;
}
