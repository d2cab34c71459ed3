import { describe, expect, test } from "vitest";
import type { ModelPart, ModelRequest, Provider } from "./providers/provider";
import { queuedStream } from "./model-stream";
import { makeHostQueue } from "./models/queue";

const request: ModelRequest = {
  model: "m",
  messages: [],
  tools: [],
  numCtx: 4_096,
  think: false,
  keepAliveMinutes: 5,
  maxOutputTokens: 100,
};
const text: ModelPart = { type: "text", text: "hi" };
const provider: Provider = {
  id: "scripted",
  models: async () => [],
  async *stream() {
    yield text;
  },
};
const never = new AbortController().signal;

async function partsOf(stream: AsyncIterable<ModelPart>): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("a request in the queue of its server", () => {
  test("streams at once when nobody is ahead, and says so when somebody is", async () => {
    const queue = makeHostQueue(1);
    const release = await queue.enter("host", never);
    const stream = queuedStream(provider, queue, "host", request, never)[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ done: false, value: { type: "phase", phase: "queued" } });
    release();
    expect(await stream.next()).toEqual({ done: false, value: text });
    expect((await stream.next()).done).toBe(true);
    expect(await partsOf(queuedStream(provider, queue, "host", request, never))).toEqual([text]);
  });

  test("that is left while it waits gives its place to the next one", async () => {
    const queue = makeHostQueue(1);
    const release = await queue.enter("host", never);
    for await (const part of queuedStream(provider, queue, "host", request, never)) {
      expect(part).toEqual({ type: "phase", phase: "queued" });
      break;
    }
    release();
    expect(await partsOf(queuedStream(provider, queue, "host", request, never))).toContainEqual(text);
  });

  test("that is aborted while it waits ends without a part, and without an unhandled rejection", async () => {
    const queue = makeHostQueue(1);
    await queue.enter("host", never);
    const controller = new AbortController();
    const stream = queuedStream(provider, queue, "host", request, controller.signal)[Symbol.asyncIterator]();
    await stream.next();
    controller.abort();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});
