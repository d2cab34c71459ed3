import { describe, expect, test } from "vitest";
import type { Block } from "@/lib/events/content";
import type { QueuedMessage } from "@/lib/events/event";
import { asId, type BlobId } from "@/lib/events/id";
import { append } from "@/lib/testing/test-view";
import { testSessionId } from "@/lib/testing/test-log";
import { emptyView, type SessionView } from "@/lib/view/view";
import { editQueued, removeQueued, takeQueued } from "./queue";

const queued = (id: string, intent: "steer" | "followUp", more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  id: asId(id),
  commandId: asId(`k-${id}`),
  intent,
  text: `text of ${id}`,
  at: 1,
  ...more,
});
const withQueue = (...messages: readonly QueuedMessage[]): SessionView =>
  append(emptyView(testSessionId), { type: "queue_change", queued: messages });

const image = { blob: asId<BlobId>("b1"), mime: "image/png" } as const;
const notice: Block = { type: "context", kind: "notice", topic: "mode", text: "plan mode" };
/** The events, as the texts of the messages with their context, and what is left in the queue. */
function takeTexts(view: SessionView, intent: "steer" | "followUp") {
  let ids = 0;
  const events = takeQueued(
    view,
    intent,
    () => asId(`m${(ids += 1)}`),
    (text) => [notice, { type: "text", text }],
  );
  const blocks = events.flatMap((event) =>
    event.type === "message_end" ? [event.blocks.map(({ type }) => type)] : [],
  );
  return { events, blocks, left: append(view, ...events).queue.map(({ id }) => id) };
}

describe("taking queued messages", () => {
  const view = withQueue(
    queued("f1", "followUp"),
    queued("s1", "steer"),
    queued("f2", "followUp"),
    queued("s2", "steer", { images: [image], origin: { kind: "cli" } }),
  );

  test("takes all steers, in order; the context is before the first of them only", () => {
    const { events, blocks, left } = takeTexts(view, "steer");
    expect(blocks).toEqual([
      ["context", "text"],
      ["text", "image"],
    ]);
    expect(left).toEqual(["f1", "f2"]);
    expect(events.filter(({ type }) => type === "message_start")).toEqual([
      { type: "message_start", messageId: "m1", role: "user", commandId: "k-s1" },
      { type: "message_start", messageId: "m2", role: "user", commandId: "k-s2", origin: { kind: "cli" } },
    ]);
    expect(events.at(-1)).toMatchObject({ blocks: [{ text: "text of s2" }, image], stop: "done" });
  });

  test("takes the oldest follow-up only", () => {
    expect(takeTexts(view, "followUp")).toMatchObject({ blocks: [["context", "text"]], left: ["s1", "f2", "s2"] });
  });

  test("returns no events when none has this intent", () => {
    expect(takeTexts(withQueue(queued("f1", "followUp")), "steer").events).toEqual([]);
    expect(takeTexts(withQueue(queued("s1", "steer")), "followUp").events).toEqual([]);
  });
});

test("a queued message is edited or removed by its id; one that was taken cannot be", () => {
  const view = withQueue(queued("a", "steer"), queued("b", "followUp"));
  const texts = (event: ReturnType<typeof editQueued>) =>
    event?.type === "queue_change" ? event.queued.map(({ text }) => text) : null;
  expect(texts(editQueued(view, asId("b"), "new"))).toEqual(["text of a", "new"]);
  expect(texts(removeQueued(view, asId("a")))).toEqual(["text of b"]);
  expect([editQueued(view, asId("x"), "new"), removeQueued(view, asId("x"))]).toEqual([null, null]);
});
