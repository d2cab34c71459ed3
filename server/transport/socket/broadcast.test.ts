import { describe, expect, it } from "vitest";
import type { DurableEnvelope, Envelope, LiveEnvelope } from "@/lib/events/event";
import { asId, type CallId, type MessageId, type SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import { limits } from "@/lib/settings/settings";
import { joinDeltas, makeBroadcast } from "./broadcast";

const sessionId = asId<SessionId>("s1");
const messageId = asId<MessageId>("m1");
const delta = (offset: number, text: string, block = 0): LiveEnvelope => ({
  v: 1,
  sessionId,
  at: 1,
  after: 3,
  event: { type: "message_delta", messageId, block, kind: "text", offset, text },
});
const durable = (seq: number): DurableEnvelope => ({ v: 1, sessionId, at: 1, seq, event: { type: "hidden" } });

describe("joining deltas", () => {
  it("joins consecutive deltas of one block", () => {
    expect(joinDeltas([delta(0, "ab"), delta(2, "c"), delta(3, "d")])).toEqual([delta(0, "abcd")]);
  });

  it("keeps separate: another block, a gap, another kind of event", () => {
    const output: LiveEnvelope = {
      ...delta(0, ""),
      event: { type: "tool_call_delta", callId: asId<CallId>("c1"), offset: 2, text: "x" },
    };
    const parts = [delta(0, "ab"), delta(2, "c", 1), delta(9, "d", 1), output];
    expect(joinDeltas(parts)).toEqual(parts);
  });

  it("keeps the newest of several consecutive phases", () => {
    const phase = (sinceMs: number): LiveEnvelope => ({
      ...delta(0, ""),
      event: { type: "phase", phase: "writing", sinceMs },
    });
    expect(joinDeltas([phase(1), phase(2)])).toEqual([phase(2)]);
  });
});

/** A registry's subscribe and release, and one wire that records what it was sent. */
function setUp() {
  let emit = (_envelope: Envelope): void => {};
  const watched: SessionId[] = [];
  const released: SessionId[] = [];
  const broadcast = makeBroadcast({
    subscribe(listener) {
      emit = listener;
      return () => {};
    },
    watch: (id) => watched.push(id),
    release: (id) => released.push(id),
  });
  const sent: Envelope[] = [];
  const pushed: Push[] = [];
  const waits = new Set<() => void>();
  const whenSent = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const wait = (): void => {
        if (sent.length >= count) resolve();
      };
      waits.add(wait);
      wait();
    });
  let drain = (): void => {};
  const wire = broadcast.add({
    send: (envelopes) => {
      sent.push(...envelopes);
      for (const wait of waits) wait();
    },
    push: (push) => pushed.push(push),
    onDrain: (listener) => {
      drain = listener;
    },
  });
  return {
    broadcast,
    wire,
    sent,
    whenSent,
    pushed,
    watched,
    released,
    emit: (envelope: Envelope) => emit(envelope),
    drain: () => drain(),
  };
}

describe("broadcast", () => {
  it("sends a durable envelope at once, after the deltas before it", () => {
    const { wire, emit, sent } = setUp();
    wire.join(sessionId);
    emit(delta(0, "a"));
    emit(delta(1, "b"));
    emit(delta(2, "c"));
    emit(durable(4));
    expect(sent).toEqual([delta(0, "a"), delta(1, "bc"), durable(4)]);
  });

  it("sends the first delta after a pause at once, and those within the window together at its end", async () => {
    const { wire, emit, sent, whenSent } = setUp();
    wire.join(sessionId);
    emit(delta(0, "a"));
    expect(sent).toEqual([delta(0, "a")]);
    emit(delta(1, "b"));
    emit(delta(2, "c"));
    expect(sent).toHaveLength(1);
    await whenSent(2);
    expect(sent).toEqual([delta(0, "a"), delta(1, "bc")]);
  });

  it("sends nothing of a session that was not joined or was left", () => {
    const { wire, emit, sent, watched, released } = setUp();
    emit(durable(4));
    wire.join(sessionId);
    wire.leave(sessionId);
    emit(durable(5));
    expect(sent).toEqual([]);
    expect(watched).toEqual([sessionId]);
    expect(released).toEqual([sessionId]);
  });

  it("stops sending to a client that does not read, and sends a resync when it reads again", () => {
    const { wire, emit, sent, pushed, drain } = setUp();
    wire.join(sessionId);
    for (let seq = 1; seq <= limits.resyncEvents + 50; seq += 1) emit(durable(seq));
    expect(sent).toHaveLength(limits.resyncEvents);
    drain();
    expect(pushed).toEqual([{ type: "resync", sessionId }]);
    wire.join(sessionId);
    emit(durable(9_999));
    expect(sent.at(-1)).toEqual(durable(9_999));
  });

  it("buffers about a million characters for a client that does not read, and one batch of any size", () => {
    const { wire, emit, sent, pushed, drain } = setUp();
    wire.join(sessionId);
    const half = "x".repeat(limits.resyncChars / 2);
    const text = (): number =>
      sent.reduce(
        (sum, { event }) => sum + ("text" in event && typeof event.text === "string" ? event.text.length : 0),
        0,
      );
    for (let index = 0; index < 20; index += 1) {
      emit(delta(index * half.length, half));
      emit(durable(index + 1));
    }
    expect(text()).toBeLessThanOrEqual(limits.resyncChars);
    expect(sent.length).toBeLessThan(5);
    drain();
    expect(pushed).toEqual([{ type: "resync", sessionId }]);
    wire.join(sessionId);
    const before = text();
    emit(delta(0, half + half + half));
    emit(durable(21));
    expect(text() - before).toBe(3 * half.length);
  });

  it("sends no resync to a client that reads", () => {
    const { wire, emit, pushed, drain } = setUp();
    wire.join(sessionId);
    for (let seq = 1; seq <= 2 * limits.resyncEvents; seq += 1) {
      emit(durable(seq));
      drain();
    }
    expect(pushed).toEqual([]);
  });
});
