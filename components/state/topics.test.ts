import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { SentPush } from "@/lib/protocol/push";
import { createTopicSubscriptions } from "./topics";

const files = (id: string): SentPush => ({
  type: "files",
  projectId: asId<ProjectId>(id),
  folders: [""],
  paths: [`${id}.ts`],
  gone: false,
  branch: null,
  subject: id,
});

function setUp() {
  const called: string[] = [];
  const topics = createTopicSubscriptions((name, input) => {
    called.push(`${name} ${"subject" in input ? input.subject : ""}`);
    return new Promise(() => {});
  });
  return { topics, called };
}

test("two subscriptions to one subject are one for the server, from the first to the last", () => {
  const { topics, called } = setUp();
  const first = topics.subscribe("files", "p1");
  const second = topics.subscribe("files", "p1");
  topics.subscribe("files", "p2");
  expect(called).toEqual(["topic.subscribe p1", "topic.subscribe p2"]);
  first();
  expect(called).toHaveLength(2);
  second();
  expect(called.slice(2)).toEqual(["topic.unsubscribe p1"]);
});

test("a listener gets the messages about its subject, and null when some were dropped", () => {
  const { topics } = setUp();
  const received: unknown[] = [];
  const stop = topics.subscribe("files", "p1", (push) => received.push(push?.paths ?? null));
  for (const push of [
    files("p1"),
    files("p2"),
    { type: "trash", projectId: asId<ProjectId>("p1"), subject: "p1" } as const,
    { type: "resync", topic: "files", subject: "p2" } as const,
    { type: "resync", topic: "files", subject: "p1" } as const,
  ])
    topics.deliver(push);
  expect(received).toEqual([["p1.ts"], null]);
  stop();
  topics.deliver(files("p1"));
  expect(received).toHaveLength(2);
});

test("a new connection gets the subscriptions that still exist", () => {
  const { topics, called } = setUp();
  topics.subscribe("files", "p1")();
  topics.subscribe("files", "p2");
  called.splice(0);
  topics.resend();
  expect(called).toEqual(["topic.subscribe p2"]);
});
