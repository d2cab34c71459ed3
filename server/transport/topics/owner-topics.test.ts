import { describe, expect, it } from "vitest";
import type { DurableEnvelope, Envelope, LiveEnvelope } from "@/lib/events/event";
import { asId, type MessageId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { Push, SentPush } from "@/lib/protocol/push";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import { makeOwnerTopics, type OwnerWire } from "./owner-topics";
import { resyncEvents, resyncChars } from "./backlog";
import { clientSubjects } from "./topic";

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

/** A registry's subscribe and release, and one wire that records what it was sent. */
function setUp() {
  let emit = (_envelope: Envelope): void => {};
  const watched: SessionId[] = [];
  const released: SessionId[] = [];
  const source = {
    subscribe(listener: typeof emit) {
      emit = listener;
      return () => {};
    },
    watch: (id: SessionId) => watched.push(id),
    release: (id: SessionId) => released.push(id),
  };
  const topics = makeOwnerTopics(source, () => ({}));
  const sent: Envelope[] = [];
  const pushed: SentPush[] = [];
  const waits = new Set<() => void>();
  const whenSent = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const wait = (): void => {
        if (sent.length >= count) resolve();
      };
      waits.add(wait);
      wait();
    });
  const wire: OwnerWire = {
    events: (envelopes) => {
      sent.push(...envelopes);
      for (const wait of waits) wait();
    },
    push: (push) => pushed.push(push),
  };
  topics.add(wire);
  return {
    topics,
    join: (id: SessionId) => topics.join(wire, "session", id),
    leave: (id: SessionId) => topics.leave(wire, "session", id),
    files: (id: string) => topics.join(wire, "files", id),
    sent,
    whenSent,
    pushed,
    watched,
    released,
    emit: (envelope: Envelope) => emit(envelope),
    drain: () => topics.drained(wire),
  };
}

describe("the topics of the owner", () => {
  it("sends a durable envelope at once, after the deltas before it", () => {
    const { join, emit, sent } = setUp();
    join(sessionId);
    emit(delta(0, "a"));
    emit(delta(1, "b"));
    emit(delta(2, "c"));
    emit(durable(4));
    expect(sent).toEqual([delta(0, "a"), delta(1, "bc"), durable(4)]);
  });

  it("sends the first delta after a pause at once, and those within the window together at its end", async () => {
    const { join, emit, sent, whenSent } = setUp();
    join(sessionId);
    emit(delta(0, "a"));
    expect(sent).toEqual([delta(0, "a")]);
    emit(delta(1, "b"));
    emit(delta(2, "c"));
    expect(sent).toHaveLength(1);
    await whenSent(2);
    expect(sent).toEqual([delta(0, "a"), delta(1, "bc")]);
  });

  it("sends nothing of a session that was not joined or was left", () => {
    const { join, leave, emit, sent, watched, released } = setUp();
    emit(durable(4));
    join(sessionId);
    leave(sessionId);
    emit(durable(5));
    expect(sent).toEqual([]);
    expect(watched).toEqual([sessionId]);
    expect(released).toEqual([sessionId]);
  });

  it("stops sending to a client that does not read, and sends a resync when it reads again", () => {
    const { join, emit, sent, pushed, drain } = setUp();
    join(sessionId);
    for (let seq = 1; seq <= resyncEvents + 50; seq += 1) emit(durable(seq));
    expect(sent).toHaveLength(resyncEvents);
    drain();
    expect(pushed).toEqual([{ type: "resync", sessionId }]);
    join(sessionId);
    emit(durable(9_999));
    expect(sent.at(-1)).toEqual(durable(9_999));
  });

  it("sends no resync for a subscription that has begun again since", () => {
    const { join, emit, pushed, drain } = setUp();
    join(sessionId);
    for (let seq = 1; seq <= resyncEvents + 1; seq += 1) emit(durable(seq));
    join(sessionId);
    drain();
    expect(pushed).toEqual([]);
  });

  it("sends no resync for a subscription that has ended", () => {
    const { join, leave, emit, pushed, drain } = setUp();
    join(sessionId);
    for (let seq = 1; seq <= resyncEvents + 1; seq += 1) emit(durable(seq));
    leave(sessionId);
    drain();
    expect(pushed).toEqual([]);
  });

  it("counts what a client has not read also after it has left another session", () => {
    const { join, leave, emit, sent } = setUp();
    join(asId<SessionId>("s0"));
    join(sessionId);
    leave(asId<SessionId>("s0"));
    leave(asId<SessionId>("never joined"));
    for (let seq = 1; seq <= resyncEvents + 50; seq += 1) emit(durable(seq));
    expect(sent).toHaveLength(resyncEvents);
  });

  it("watches a session again that is joined again after its last client has left", () => {
    const { join, leave, watched, released } = setUp();
    // Without a subscription there is nothing to end.
    leave(sessionId);
    for (let count = 0; count < 2; count += 1) {
      join(sessionId);
      leave(sessionId);
    }
    expect(watched).toEqual([sessionId, sessionId]);
    expect(released).toEqual([sessionId, sessionId]);
  });

  it("buffers about a million characters for a client that does not read, and one batch of any size", () => {
    const { join, emit, sent, pushed, drain } = setUp();
    join(sessionId);
    const half = "x".repeat(resyncChars / 2);
    const text = (): number =>
      sent.reduce(
        (sum, { event }) => sum + ("text" in event && typeof event.text === "string" ? event.text.length : 0),
        0,
      );
    for (let index = 0; index < 20; index += 1) {
      emit(delta(index * half.length, half));
      emit(durable(index + 1));
    }
    expect(text()).toBeLessThanOrEqual(resyncChars);
    expect(sent.length).toBeLessThan(5);
    drain();
    expect(pushed).toEqual([{ type: "resync", sessionId }]);
    join(sessionId);
    const before = text();
    emit(delta(0, half + half + half));
    emit(durable(21));
    expect(text() - before).toBe(3 * half.length);
  });

  it("sends no resync to a client that reads", () => {
    const { join, emit, pushed, drain } = setUp();
    join(sessionId);
    for (let seq = 1; seq <= 2 * resyncEvents; seq += 1) {
      emit(durable(seq));
      drain();
    }
    expect(pushed).toEqual([]);
  });

  it("sends a client that does not read the newest state of each row once it reads, and the others nothing new", () => {
    const { topics, pushed, drain } = setUp();
    const push = (index: number, bytes: number): Push => ({
      type: "pull",
      pull: {
        name: `model ${index % 3}`,
        status: "downloading",
        completedBytes: bytes,
        totalBytes: 9,
        bytesPerSecond: 1,
      },
    });
    for (let index = 0; index < resyncEvents + 30; index += 1) topics.publish(push(index, index));
    expect(pushed).toHaveLength(resyncEvents);
    topics.publish({ type: "store", error: null });
    expect(pushed).toHaveLength(resyncEvents + 1);
    drain();
    const last = resyncEvents + 30;
    expect(pushed.slice(resyncEvents + 1)).toEqual([last - 3, last - 2, last - 1].map((index) => push(index, index)));
    drain();
    expect(pushed).toHaveLength(resyncEvents + 4);
  });

  it("drops the state of more rows than fit, and sends one resync of the topic", () => {
    const { topics, pushed, drain } = setUp();
    for (let index = 0; index < 3 * resyncEvents; index += 1)
      topics.publish({ type: "trash", projectId: asId<ProjectId>(`p${index}`) });
    expect(pushed).toHaveLength(resyncEvents);
    drain();
    expect(pushed.slice(resyncEvents)).toEqual([{ type: "resync", topic: "trash" }]);
  });

  it("never sends a row of a session after its removal", () => {
    const { topics, pushed, drain } = setUp();
    const row = (id: string): Push => ({ type: "session_row", row: makeSessionRow({ id: asId<SessionId>(id) }) });
    for (let index = 0; index < resyncEvents; index += 1) topics.publish(row(`s${index}`));
    topics.publish(row("late"));
    topics.publish({ type: "session_removed", sessionId: asId<SessionId>("late") });
    drain();
    expect(pushed.slice(resyncEvents)).toEqual([
      { type: "session_removed", sessionId: "late" },
      { type: "resync", topic: "session_row" },
    ]);
  });

  it("reports the files of subscribed projects only, and a resync of the project that was missed", () => {
    const { topics, files, pushed, drain } = setUp();
    const push = (id: string): Push => ({
      type: "files",
      projectId: asId<ProjectId>(id),
      folders: [""],
      paths: [],
      gone: false,
      branch: null,
    });
    files("p1");
    topics.publish(push("p1"));
    topics.publish(push("p2"));
    expect(pushed).toEqual([{ ...push("p1"), subject: "p1" }]);
    for (let count = 0; count < resyncEvents; count += 1) topics.publish(push("p1"));
    drain();
    expect(pushed.slice(resyncEvents)).toEqual([{ type: "resync", topic: "files", subject: "p1" }]);
    topics.publish(push("p1"));
    expect(pushed.at(-1)).toEqual({ ...push("p1"), subject: "p1" });
  });

  it("ends the oldest subscription of a client with too many", () => {
    const { join, watched, released } = setUp();
    for (let index = 0; index <= clientSubjects; index += 1) join(asId<SessionId>(`s${index}`));
    expect([watched.length, released]).toEqual([clientSubjects + 1, ["s0"]]);
  });

  it("ends no subscription that was renewed", () => {
    const { join, released } = setUp();
    for (let index = 0; index < clientSubjects; index += 1) join(asId<SessionId>(`s${index}`));
    join(asId<SessionId>("s0"));
    join(asId<SessionId>("new"));
    expect(released).toEqual(["s1"]);
  });
});
