import { afterEach, describe, expect, it, vi } from "vitest";

import { asId, type ProjectId } from "@/lib/events/id";
import type { SentPush } from "@/lib/protocol/push";
import type { TopicPolicy, TopicSources } from "@/lib/protocol/topics";
import { resyncChars } from "./backlog";
import { makeOwnerTopics, type OwnerWire } from "./owner-topics";
import { clientSubjects, makeTopic } from "./topic";

/** Output of a terminal: `start` = offset of its first byte. */
interface Output {
  readonly terminal: string;
  readonly start: number;
  readonly bytes: Uint8Array;
}

afterEach(() => void vi.useRealTimers());

const windowBytes = 100;
const outputTopic: TopicPolicy<Output> = {
  audience: "subject",
  subject: ({ terminal }) => terminal,
  join: (first, second) => ({ ...first, bytes: Buffer.concat([first.bytes, second.bytes]) }),
  waits: () => true,
  chars: ({ bytes }) => bytes.length,
  overflow: "join",
  windowChars: windowBytes,
};

interface Client {
  readonly received: Output[];
  /** Shown text: a message that does not follow it replaces it. */
  text: string;
  end: number;
  readonly confirms: (() => void)[];
}

/** A terminal that keeps its last bytes, and its topic. */
function setUp(ringBytes: number) {
  let all = Buffer.alloc(0);
  const ring = (): Output => {
    const start = Math.max(0, all.length - ringBytes);
    return { terminal: "t1", start, bytes: all.subarray(start) };
  };
  const resyncs: string[] = [];
  const behind: boolean[] = [];
  const topic = makeTopic<Client, Output>({
    policy: outputTopic,
    state: (terminal) => (terminal === "t1" ? ring() : null),
    send(clients, outputs, confirmed) {
      for (const client of clients) {
        client.confirms.push(confirmed);
        for (const output of outputs) {
          const text = Buffer.from(output.bytes).toString();
          client.received.push(output);
          client.text = output.start === client.end ? client.text + text : text;
          client.end = output.start + output.bytes.length;
        }
      }
    },
    resync: (_client, subject) => resyncs.push(subject),
    setBehind: (_subject, isBehind) => behind.push(isBehind),
  });
  const print = (text: string): void => {
    const bytes = Buffer.from(text);
    topic.publish([{ terminal: "t1", start: all.length, bytes }]);
    all = Buffer.concat([all, bytes]);
  };
  return { topic, print, resyncs, behind };
}

const makeClient = (): Client => ({ received: [], text: "", end: 0, confirms: [] });
const sizes = ({ received }: Client) => received.map(({ start, bytes }) => [start, bytes.length]);
const confirmAll = ({ confirms }: Client): void => {
  for (let next = confirms.shift(); next !== undefined; next = confirms.shift()) next();
};

describe("a topic with a state", () => {
  it("sends a new subscriber the state first, then every later item once, and the others nothing twice", () => {
    const { topic, print } = setUp(1_000);
    const [first, second] = [makeClient(), makeClient()];
    topic.subscribe(first, "t1");
    print("ab");
    // Waits to be joined with the next one when the second client subscribes.
    print("cd");
    topic.subscribe(second, "t1");
    print("ef");
    confirmAll(first);
    confirmAll(second);
    topic.subscribe(makeClient(), "t1");
    confirmAll(first);
    confirmAll(second);
    expect([first.text, second.text]).toEqual(["abcdef", "abcdef"]);
    expect(sizes(first).slice(1)).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
    ]);
    expect(sizes(second)).toEqual([
      [0, 4],
      [4, 2],
    ]);
  });

  it("sends the state again to a client that subscribes again, and nothing of the subscription before", () => {
    const { topic, print } = setUp(1_000);
    const client = makeClient();
    topic.subscribe(client, "t1");
    print("x".repeat(windowBytes));
    confirmAll(client);
    print("y");
    print("z".repeat(windowBytes));
    topic.subscribe(client, "t1");
    const before = client.received.length;
    confirmAll(client);
    expect(client.received).toHaveLength(before);
    expect(client.received.at(-1)?.start).toBe(0);
    expect(client.end).toBe(2 * windowBytes + 1);
  });

  it("sends a client that missed items the state in place of a resync", () => {
    const { topic, print, resyncs } = setUp(10);
    const client = makeClient();
    topic.subscribe(client, "t1");
    print("first");
    for (let count = 0; count < 3; count += 1) {
      print("x".repeat(resyncChars / 2));
      topic.subscribe(makeClient(), "t1");
    }
    print("the end ok");
    confirmAll(client);
    topic.subscribe(makeClient(), "t1");
    confirmAll(client);
    expect([client.text, resyncs]).toEqual(["the end ok", []]);
  });

  it("sends such a state after the output that waits to be joined, which is part of it", () => {
    vi.useFakeTimers();
    const { topic, print } = setUp(1_000);
    const client = makeClient();
    topic.subscribe(client, "t1");
    for (let count = 0; count < 3; count += 1) {
      print("x".repeat(resyncChars / 2));
      vi.runAllTimers();
    }
    print("the end ");
    print("ok");
    confirmAll(client);
    vi.runAllTimers();
    confirmAll(client);
    expect(client.text).toMatch(/^x+the end ok$/);
  });

  it("sends nothing first about a subject without a state", () => {
    const { topic } = setUp(10);
    const client = makeClient();
    topic.subscribe(client, "t2");
    expect(client.received).toEqual([]);
  });
});

it("reports when every subscriber is behind, and when one has read or none is left", () => {
  vi.useFakeTimers();
  const { topic, print, behind } = setUp(1_000);
  const [quick, slow] = [makeClient(), makeClient()];
  topic.subscribe(quick, "t1");
  topic.subscribe(slow, "t1");
  const printWindow = (): void => {
    print("x".repeat(windowBytes));
    vi.runAllTimers();
  };
  printWindow();
  confirmAll(quick);
  printWindow();
  expect(behind).toEqual([]);
  printWindow();
  expect(behind).toEqual([true]);
  confirmAll(quick);
  expect(behind).toEqual([true, false]);
  printWindow();
  printWindow();
  topic.remove(quick);
  expect(behind).toEqual([true, false, true]);
  topic.remove(slow);
  expect(behind).toEqual([true, false, true, false]);
});

it("is not behind when the last subscriber leaves while output waits to be joined", () => {
  vi.useFakeTimers();
  const { topic, print, behind } = setUp(1_000);
  const client = makeClient();
  topic.subscribe(client, "t1");
  print("a");
  print("b");
  topic.unsubscribe(client, "t1");
  vi.runAllTimers();
  expect(behind).toEqual([]);
});

const sessions = { subscribe: () => () => {}, watch: () => {}, release: () => {} };

function makeWire() {
  const pushed: SentPush[] = [];
  const wire: OwnerWire = { events: () => {}, push: (push) => pushed.push(push) };
  return { wire, pushed };
}

it("reads the state that a feature has at the time of the subscription, and sends it with its subject", () => {
  const { wire, pushed } = makeWire();
  const files = (id: string) => ({ projectId: asId<ProjectId>(id), folders: [], paths: [], gone: false, branch: null });
  let states: TopicSources = {};
  const topics = makeOwnerTopics(sessions, () => states);
  topics.join(wire, "files", "p1");
  states = { files: { state: (id) => ({ type: "files", ...files(id) }) } };
  topics.join(wire, "files", "p2");
  expect(pushed).toEqual([{ type: "files", ...files("p2"), subject: "p2" }]);
});

it("reports an error to a client whose oldest subscription ends because of too many", () => {
  const { wire, pushed } = makeWire();
  const topics = makeOwnerTopics(sessions, () => ({}));
  for (let count = 0; count <= clientSubjects; count += 1) {
    topics.join(wire, "files", `p${count}`);
    topics.join(wire, "session", `s${count}`);
  }
  const ended = { code: "too_many" };
  expect(pushed).toEqual([
    { type: "resync", topic: "files", subject: "p0", ended },
    { type: "resync", sessionId: "s0", ended },
  ]);
});
