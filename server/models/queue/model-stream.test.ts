import { describe, expect, test } from "vitest";
import type { ModelNote } from "@/lib/models/models";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { countTokens } from "@/server/agent/context/prompt-size";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import { cacheUse, type ModelServer, queuedStream, type StreamEnvironment } from "./model-stream";
import { makeHostQueue } from "./host-queue";
import { makePrefixCacheTracker } from "./prefix-cache-tracker";

const request: ModelRequest = {
  provider: "scripted",
  model: "m",
  messages: [{ role: "user", text: "word ".repeat(1_000) }],
  tools: [],
  numCtx: 4_096,
  think: false,
  keepAliveMinutes: 5,
  maxOutputTokens: 100,
};
/** The estimated tokens of the request. */
const estimate = countTokens(request.messages);
const text: ModelPart = { type: "text", text: "hi" };
const userMessage = (words: string): ModelRequest["messages"][number] => ({ role: "user", text: words });
const never = new AbortController().signal;
const finish = (more: object = {}): ModelPart => ({
  type: "finish",
  stop: "done",
  usage: { promptTokens: 1_200, outputTokens: 50, loadMs: 10, promptMs: 2_000, outputMs: 500, ...more },
});

interface StreamReports {
  readonly answered: string[];
  readonly read: (readonly [tokens: number, ms: number])[];
}

/** A server that answers every request with these parts. */
function worldOf(
  parts: readonly ModelPart[],
  { note = {}, whole = true, atOnce = 1 }: { note?: ModelNote; whole?: boolean; atOnce?: number } = {},
): StreamEnvironment & StreamReports {
  const reports: StreamReports = { answered: [], read: [] };
  const server: ModelServer = {
    provider: {
      id: "scripted",
      models: async () => [],
      async *stream() {
        yield* parts;
      },
    },
    host: () => "host",
    note: () => note,
    answerStarted: ({ model }) => void reports.answered.push(model),
    learnReading: (_model, tokens, ms) => void reports.read.push([tokens, ms]),
    atOnce: () => atOnce,
    countsWholePrompt: () => whole,
  };
  const queue = makeHostQueue(() => 1);
  return {
    ...reports,
    server: (id) => (id === "scripted" ? server : undefined),
    queue,
    countTokens,
    maxOutputTokens: () => 80,
    prefixCache: makePrefixCacheTracker(),
  };
}

async function partsOf(stream: AsyncIterable<ModelPart>): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("a request in the queue of its server", () => {
  test("streams at once when none is ahead, and reports each change of its position", async () => {
    const environment = worldOf([text]);
    const leaveFirst = await environment.queue.enter("host", "one", never);
    const second = environment.queue.enter("host", "two", never);
    const stream = queuedStream(environment, request, never, "three")[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => (await stream.next()).value;
    expect(await next()).toEqual({ type: "phase", phase: "queued", ahead: 2 });
    leaveFirst();
    expect(await next()).toEqual({ type: "phase", phase: "queued", ahead: 1 });
    (await second)();
    expect(await next()).toEqual(text);
    expect((await stream.next()).done).toBe(true);
    expect(await partsOf(queuedStream(environment, request, never, "four"))).toEqual([text]);
  });

  test("moved to the front reports its new position and runs before the others", async () => {
    const environment = worldOf([text]);
    const leave = await environment.queue.enter("host", "one", never);
    const other = environment.queue.enter("host", "two", never);
    const stream = queuedStream(environment, request, never, "three")[Symbol.asyncIterator]();
    await stream.next();
    expect(environment.queue.runFirst("three")).toBe(true);
    expect((await stream.next()).value).toEqual({ type: "phase", phase: "queued", ahead: 1 });
    leave();
    expect((await stream.next()).value).toEqual(text);
    expect((await stream.next()).done).toBe(true);
    (await other)();
  });

  test("frees its position when its reader leaves while it waits", async () => {
    const environment = worldOf([text]);
    const release = await environment.queue.enter("host", "one", never);
    for await (const part of queuedStream(environment, request, never, "two")) {
      expect(part).toEqual({ type: "phase", phase: "queued", ahead: 1 });
      break;
    }
    release();
    expect(await partsOf(queuedStream(environment, request, never, "three"))).toContainEqual(text);
  });

  test("aborted while waiting ends without a part, and without an unhandled rejection", async () => {
    const environment = worldOf([text]);
    await environment.queue.enter("host", "one", never);
    const controller = new AbortController();
    const stream = queuedStream(environment, request, controller.signal, "two")[Symbol.asyncIterator]();
    await stream.next();
    const waiting = stream.next();
    controller.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test("for a missing server fails with the model's name", async () => {
    expect(await partsOf(queuedStream(worldOf([]), { ...request, provider: "gone" }, never, "one"))).toEqual([
      {
        type: "failed",
        error: { code: "model_missing", facts: { model: "m", provider: "gone" } },
        retryable: false,
      },
    ]);
  });
});

describe("the expectations from a model's past", () => {
  const reading: ModelPart = { type: "phase", phase: "reading" };

  test("are the loading and reading times", async () => {
    const loading: ModelPart = { type: "phase", phase: "loading" };
    const environment = worldOf([loading, reading], { note: { loadMs: 4_200, readPerSecond: 500 } });
    const [first, second] = await partsOf(queuedStream(environment, request, never, "one"));
    expect(first).toEqual({ ...loading, expectMs: 4_200 });
    expect(second).toEqual({ ...reading, tokens: estimate, expectMs: estimate * 2 });
  });

  test("keep the token count of a server that reports progress", async () => {
    const counted: ModelPart = { ...reading, tokens: 900, read: 256 };
    const [part] = await partsOf(
      queuedStream(worldOf([counted], { note: { readPerSecond: 100 } }), request, never, "one"),
    );
    expect(part).toEqual({ ...counted, expectMs: 9_000 });
  });

  test("are absent for a new model", async () => {
    expect(await partsOf(queuedStream(worldOf([reading]), request, never, "one"))).toEqual([
      { ...reading, tokens: estimate },
    ]);
  });

  test("correct the estimate by the server's count, and exclude the cached part of the last request", async () => {
    const note = { tokenRatio: 1.5, readPerSecond: 100 };
    const environment = worldOf([reading, text, finish()], { note });
    const [before] = await partsOf(queuedStream(environment, request, never, "one"));
    const whole = Math.ceil(estimate * 1.5);
    expect(before).toMatchObject({ tokens: whole });
    const answer = { role: "assistant", text: "Good." } as const;
    const more = { role: "user", text: "word ".repeat(200) } as const;
    const longer = { ...request, messages: [...request.messages, answer, more] };
    // The last request and its answer are cached, whatever the estimate of them.
    const [after] = await partsOf(queuedStream(environment, longer, never, "one"));
    const isNew = Math.ceil(countTokens([more]) * 1.5);
    expect(after).toMatchObject({ tokens: isNew, expectMs: isNew * 10 });
    const shorter = { ...request, messages: [{ role: "user" as const, text: "word ".repeat(100) }] };
    const [compacted] = await partsOf(queuedStream(environment, shorter, never, "one"));
    expect(compacted).toMatchObject({ tokens: Math.ceil(countTokens(shorter.messages) * 1.5) });
  });

  test("keep the system text and the tools across sessions, and nothing after a change of tools", async () => {
    const system = { role: "system", text: "You are a coding agent. ".repeat(100) } as const;
    const tools = [{ name: "read", description: "Reads a file.".repeat(20), parameters: {} }];
    const requestWith = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
      ...request,
      tools,
      messages: [system, { role: "user", text }],
      ...more,
    });
    // It has twice as many tokens as estimated.
    const one = requestWith("One. ".repeat(300));
    const counted = 2 * (countTokens(one.messages) + estimateTokens(JSON.stringify(tools)));
    const environment = worldOf([reading, text, finish({ promptTokens: counted })], { note: { readPerSecond: 100 } });
    await partsOf(queuedStream(environment, one, never, "one"));
    const [other] = await partsOf(queuedStream(environment, requestWith("Two. ".repeat(40)), never, "two"));
    const isNew = 2 * countTokens([{ role: "user", text: "Two. ".repeat(40) }]);
    const reportedTokens = other?.type === "phase" ? (other.tokens ?? 0) : 0;
    expect(Math.abs(reportedTokens - isNew)).toBeLessThan(isNew * 0.1);
    const [changed] = await partsOf(queuedStream(environment, requestWith("Two.", { tools: [] }), never, "two"));
    expect(changed).toMatchObject({ tokens: countTokens(requestWith("Two.").messages) });
  });

  test("keep the prompt of an abandoned answer as cached", async () => {
    const environment = worldOf([reading, text, text]);
    for await (const part of queuedStream(environment, request, never, "one")) if (part.type === "text") break;
    const again = { ...request, messages: [...request.messages, { role: "user" as const, text: "Go on." }] };
    const [next] = await partsOf(queuedStream(environment, again, never, "one"));
    expect(next).toMatchObject({ tokens: countTokens([{ role: "user", text: "Go on." }]) });
  });
});

describe("measurements from an answer", () => {
  test("report the model as loaded at the first part", async () => {
    const environment = worldOf([{ type: "phase", phase: "reading" }, text, text, finish()]);
    await partsOf(queuedStream(environment, request, never, "one"));
    expect(environment.answered).toEqual(["m"]);
    const failing = worldOf([{ type: "failed", error: { code: "out_of_memory" }, retryable: false }]);
    await partsOf(queuedStream(failing, request, never, "one"));
    expect(failing.answered).toEqual([]);
  });

  test("include the reading speed only if the cached tokens are known", async () => {
    const environment = worldOf([finish()]);
    await partsOf(queuedStream(environment, request, never, "one"));
    expect(environment.read).toEqual([]);
    const longer = worldOf([finish({ promptTokens: 2_800, promptMs: 4_000 })]);
    const start = { ...request, messages: [], promptTokens: 750, outputTokens: 50, thinking: "" };
    longer.prefixCache.requestEnded({ host: "host", model: "m" }, { ...start, messages: [userMessage("Hello.")] });
    const grown = {
      ...request,
      messages: [userMessage("Hello."), { role: "assistant" as const, text: "Yes?" }, userMessage("So.")],
    };
    await partsOf(queuedStream(longer, grown, never, "one"));
    expect(longer.read).toEqual([[2_000, 4_000]]);
  });

  test.each([
    ["after a load no token was cached", { loadMs: 3_000 }, [1_200, 2_000]],
    ["the server reports the cached tokens", { cachedTokens: 1_000 }, [200, 2_000]],
  ])("%s", async (_name, usage, read) => {
    const environment = worldOf([finish(usage)]);
    await partsOf(queuedStream(environment, request, never, "one"));
    expect(environment.read).toEqual([read]);
  });

  test.each([
    ["tokens it cannot have read in that time were cached", 500, 100, 1_150],
    ["a prompt that was read completely had none cached", 500, 2_400, 0],
    ["slower reading than usual means none cached", 500, 9_000, 0],
  ])("are approximate without expectations: %s", async (_name, readPerSecond, promptMs, cachedTokens) => {
    const environment = worldOf([finish({ promptMs })], { note: { readPerSecond } });
    expect(await partsOf(queuedStream(environment, request, never, "one"))).toEqual([
      finish({ promptMs, cachedTokens, cachedAbout: true }),
    ]);
  });

  test.each([
    ["the whole last request, whatever the time taken", [userMessage("Hello.")], 900, { cachedTokens: 1_000 }],
    [
      "approximately that, where it took as long as reading all of it",
      [userMessage("Hello.")],
      9_000,
      { cachedTokens: 1_000, cachedAbout: true },
    ],
    [
      "approximately its start, where another session sent a request in between",
      [userMessage("Hello."), userMessage("Other.")],
      900,
      { cachedAbout: true },
    ],
  ])("find as cached: %s", async (_name, messages, promptMs, expected) => {
    const environment = worldOf([finish({ promptMs })], { note: { readPerSecond: 500 } });
    environment.prefixCache.requestEnded(
      { host: "host", model: "m" },
      { ...request, messages, promptTokens: 1_000, outputTokens: 9, thinking: "" },
    );
    const next = { ...request, messages: [userMessage("Hello."), userMessage("So.")] };
    const [end] = await partsOf(queuedStream(environment, next, never, "one"));
    expect(end).toMatchObject({ usage: expected });
  });

  test.each([
    ["a count of the server", { cachedTokens: 7 }, { readPerSecond: 500 }],
    ["an unknown speed", {}, {}],
    ["a missing reading time", { promptMs: 0 }, { readPerSecond: 500 }],
  ])("estimate no cached tokens with %s", async (_name, usage, note) => {
    const environment = worldOf([finish(usage)], { note });
    expect(await partsOf(queuedStream(environment, request, never, "one"))).toEqual([finish(usage)]);
  });

  test("are dropped where counts exclude cached tokens, and a low count is not reported", async () => {
    const low = worldOf([finish({ loadMs: 3_000, promptTokens: estimate / 2 })], { whole: false });
    expect(await partsOf(queuedStream(low, request, never, "one"))).toEqual([
      finish({ loadMs: 3_000, promptTokens: 0 }),
    ]);
    const high = worldOf([finish({ loadMs: 3_000 })], { whole: false });
    expect(await partsOf(queuedStream(high, request, never, "one"))).toEqual([finish({ loadMs: 3_000 })]);
    expect([...low.read, ...high.read]).toEqual([]);
  });
});

describe("what a server holds of a conversation", () => {
  const next: ModelRequest = { ...request, messages: [...request.messages, { role: "assistant", text: "hi" }] };
  const another: ModelRequest = { ...next, messages: [userMessage("Another."), ...next.messages.slice(1)] };

  test("a request continues if it begins with the whole last one of its model, with the same tools and thinking", async () => {
    const environment = worldOf([text, finish()]);
    expect(cacheUse(environment, next)).toBe("unknown");
    await partsOf(queuedStream(environment, request, never, "one"));
    expect(cacheUse(environment, next)).toBe("continues");
    const instruction = (text: string): ModelRequest => ({ ...next, messages: [...next.messages, userMessage(text)] });
    await partsOf(queuedStream(environment, instruction("A title."), never, "one"));
    expect(cacheUse(environment, instruction("A message."))).toBe("continues");
    expect(cacheUse(environment, next)).toBe("replaces");
    await partsOf(queuedStream(environment, request, never, "one"));
    expect(cacheUse(environment, { ...next, think: true })).toBe("replaces");
    expect(cacheUse(environment, another)).toBe("replaces");
    expect(cacheUse(environment, { ...next, model: "other" })).toBe("unknown");
    expect(cacheUse(environment, { ...next, provider: "gone" })).toBe("unknown");
    const several = { ...worldOf([], { atOnce: 2 }), prefixCache: environment.prefixCache };
    expect([next, another].map((one) => cacheUse(several, one))).toEqual(["continues", "unknown"]);
  });

  test("nothing is known while it answers, or when its model was unloaded after the answer", async () => {
    const environment = worldOf([text, finish()]);
    await partsOf(queuedStream(environment, request, never, "one"));
    const release = await environment.queue.enter("host", "two", never);
    expect(cacheUse(environment, next)).toBe("busy");
    release();
    expect(cacheUse(environment, next)).toBe("continues");
    expect(cacheUse(environment, { ...next, keepAliveMinutes: 0 })).toBe("unknown");
    const unloading = { ...worldOf([], { note: { keepAliveMinutes: 0 } }), prefixCache: environment.prefixCache };
    expect(cacheUse(unloading, next)).toBe("unknown");
  });
});
