import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "@/lib/events/content";
import { makeOpenAiAnswer } from "./openai-answer";
import { makeEventReader, type ServerEvent } from "./openai-sse";
import type { ModelPart } from "../../provider";
import { mergeModelParts } from "../../provider.contract";

const clock = (): (() => number) => {
  let ms = 0;
  return () => (ms += 10);
};
const answer = (maxChars = 100_000) => makeOpenAiAnswer({ maxChars, now: () => 0 });
const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
/** Parts of the deltas and the end of the answer. */
const partsOf = (...deltas: readonly object[]): readonly ModelPart[] => {
  const stream = answer();
  return mergeModelParts([...deltas.flatMap((one) => stream.take(delta(one))), ...stream.end()]);
};
const callsOf = (...fragments: readonly object[]) =>
  partsOf(...fragments.map((fragment) => ({ tool_calls: [fragment] }))).flatMap((part) =>
    part.type === "call" ? [{ name: part.name, input: part.input, id: part.id }] : [],
  );

describe("recorded answers", () => {
  const folder = new URL("./__fixtures__/", import.meta.url);
  const valuesOf = (bytes: Uint8Array, step: number): readonly object[] => {
    const reader = makeEventReader();
    const events: ServerEvent[] = [];
    for (let at = 0; at < bytes.length; at += step) events.push(...reader.push(bytes.subarray(at, at + step)));
    return [...events, ...reader.end()].flatMap((event) => (event.type === "data" ? [event.value] : []));
  };
  const read = (bytes: Uint8Array, step: number): readonly ModelPart[] => {
    const stream = makeOpenAiAnswer({ maxChars: 1_000_000, now: clock() });
    const parts = valuesOf(bytes, step).flatMap((value) => stream.take(value));
    return mergeModelParts([...parts, ...stream.end()].filter(({ type }) => type !== "input"));
  };
  const finish = (stop: "done" | "length", promptTokens: number, outputTokens: number, cachedTokens?: number) => ({
    type: "finish",
    stop,
    usage: expect.objectContaining({
      promptTokens,
      outputTokens,
      loadMs: 0,
      cachedTokens,
    }),
    reading: cachedTokens === undefined ? undefined : { cachedTokens },
  });
  const call = (name: string, input: Json, id?: string) => ({
    type: "call",
    id,
    name,
    input,
  });
  const expected: Record<string, readonly object[]> = {
    "openai-openai.sse": [
      { type: "text", text: "I read both." },
      call("read", { path: "src/größe.ts" }, "call_a1"),
      call("read", { path: "说明.md", limit: 2 }, "call_b2"),
      finish("done", 1204, 87, 1152),
    ],
    "openai-openrouter.sse": [
      { type: "thinking", text: "Two files, read both." },
      { type: "text", text: "I look. 👩‍👩‍👧" },
      call("ls", {}, "chatcmpl-tool-9f"),
      finish("done", 310, 25, 256),
    ],
    "openai-deepseek.sse": [
      { type: "thinking", text: "Is 7 < 9? Yes." },
      { type: "text", text: "Yes, `<think>` is a tag." },
      finish("done", 31, 22, 0),
    ],
    "openai-vllm.sse": [
      { type: "thinking", text: "List it." },
      { type: "text", text: "\n\n" },
      call("ls", { path: "src" }, "chatcmpl-tool-1"),
      finish("done", 700, 42),
    ],
    "openai-llamacpp.sse": [
      { type: "thinking", text: "Short." },
      { type: "text", text: "Grüße 你好" },
      call("read", { path: "a" }, "aB3"),
      {
        type: "finish",
        stop: "done",
        usage: { promptTokens: 300, cachedTokens: 236, outputTokens: 35, loadMs: 0, promptMs: 310, outputMs: 1501 },
        reading: { cachedTokens: 236, promptMs: 310.4 },
      },
    ],
    "openai-lmstudio.sse": [
      { type: "thinking", text: "We answer briefly." },
      { type: "text", text: "x < y\u2028<think>!" },
      finish("length", 80, 9),
    ],
    "openai-gemini.sse": [
      { type: "text", text: "I read two." },
      call("read", { path: "a.ts" }, "function-call-1"),
      call("read", { path: "a.ts" }, "function-call-2"),
      finish("done", 95, 33),
    ],
    "openai-plain.sse": [
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Ok." },
      call("ls", {}),
      call("ls", { path: "b" }),
      finish("done", 0, 0),
    ],
    "openai-function-call.sse": [call("read", { path: "a" }), finish("done", 0, 0)],
  };

  it("are all listed here", () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".sse"));
    expect(names.sort()).toEqual(Object.keys(expected).sort());
  });
  it.each(Object.keys(expected))("%s gives the same parts whole and one byte at a time", (name) => {
    const bytes = readFileSync(new URL(name, folder));
    for (const step of [bytes.length, 1, 2, 3, 7, 64]) expect(read(bytes, step)).toEqual(expected[name]);
  });
});

describe("calls", () => {
  it("are assembled from interleaved fragments by index", () => {
    const calls = callsOf(
      { index: 0, id: "a", function: { name: "read", arguments: "" } },
      { index: 1, id: "b", function: { name: "ls", arguments: "{" } },
      { index: 0, function: { arguments: '{"path":"x"}' } },
      { index: 1, function: { arguments: "}" } },
    );
    expect(calls).toEqual([
      { id: "a", name: "read", input: { path: "x" } },
      { id: "b", name: "ls", input: {} },
    ]);
  });

  it.each([
    ["ids that differ", { id: "a" }, { id: "b" }],
    ["no ids, whole arguments", {}, {}],
    ["no index and no ids", { index: undefined }, { index: undefined }],
  ])("all under index 0 are separated: %s", (_name, first, second) => {
    const calls = callsOf(
      { index: 0, ...first, function: { name: "read", arguments: '{"path":"a"}' } },
      { index: 0, ...second, function: { name: "read", arguments: '{"path":"a"}' } },
    );
    expect(calls).toMatchObject([{ input: { path: "a" } }, { input: { path: "a" } }]);
  });

  it("with a long string of braces, one at a time, are one call at constant cost per fragment", () => {
    const pieces = Array.from({ length: 120_000 }, () => ({ index: 0, function: { arguments: "{x}" } }));
    const stream = answer(1_000_000);
    const begin = { index: 0, id: "c1", function: { name: "write", arguments: '{"content":"' } };
    for (const one of [begin, ...pieces, { index: 0, function: { arguments: '"}' } }])
      stream.take(delta({ tool_calls: [one] }));
    const calls = stream.end().filter(({ type }) => type === "call");
    expect(calls).toEqual([{ type: "call", id: "c1", name: "write", input: { content: "{x}".repeat(120_000) } }]);
  });

  it("all under index 0 without ids, in pieces, are separated", () => {
    const calls = callsOf(
      { index: 0, function: { name: "read", arguments: "" } },
      { index: 0, function: { arguments: '{"path":' } },
      { index: 0, function: { arguments: '"a"}' } },
      { index: 0, function: { name: "read", arguments: "" } },
      { index: 0, function: { arguments: '{"path":"b"' } },
      { index: 0, function: { arguments: "}" } },
    );
    expect(calls).toEqual([
      { name: "read", input: { path: "a" } },
      { name: "read", input: { path: "b" } },
    ]);
  });

  it.each([
    ["the name", { name: "read" }, {}],
    ["the name and the id", { name: "read" }, { id: "a" }],
  ])("of a server that repeats %s with each fragment are one call", (_name, named, more) => {
    const calls = callsOf(
      { index: 0, id: "a", function: { name: "read", arguments: "" } },
      { index: 0, ...more, function: { ...named, arguments: '{"path"' } },
      { index: 0, ...more, function: { ...named, arguments: ':"a"}' } },
      { index: 0, ...more, function: { ...named, arguments: "" } },
    );
    expect(calls).toEqual([{ id: "a", name: "read", input: { path: "a" } }]);
  });

  it("are not started by code in an argument", () => {
    const calls = callsOf(
      { index: 0, function: { name: "write", arguments: '{"text":"a }' } },
      { index: 0, function: { arguments: "{ b }" } },
      { index: 0, function: { arguments: '"}' } },
    );
    expect(calls).toEqual([{ name: "write", input: { text: "a }{ b }" } }]);
  });

  it("stream while being generated: the name first, then each piece with the index of the call", () => {
    const parts = partsOf(
      { tool_calls: [{ index: 3, id: "x", function: { name: "ls", arguments: "" } }] },
      { tool_calls: [{ index: 3, function: { arguments: "{" } }] },
      { tool_calls: [{ index: 3, function: { arguments: "}" } }] },
    );
    expect(parts.filter(({ type }) => type === "input")).toEqual([
      { type: "input", index: 0, name: "ls", text: "" },
      { type: "input", index: 0, text: "{" },
      { type: "input", index: 0, text: "}" },
    ]);
  });

  it.each([
    ["broken", '{"a":', '{"a":'],
    ["a list", "[1]", "[1]"],
    ["an object", { a: 1 }, { a: 1 }],
    ["missing", undefined, {}],
    ["null", null, {}],
  ])("with arguments that are %s", (_name, rawArguments, input) => {
    expect(callsOf({ index: 0, function: { name: "x", arguments: rawArguments } })).toEqual([{ name: "x", input }]);
  });

  it("are complete for two hundred at once", () => {
    const calls = Array.from({ length: 200 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: { name: "ls", arguments: "{}" },
    }));
    expect(partsOf({ tool_calls: calls }).filter(({ type }) => type === "call")).toHaveLength(200);
  });

  it("interrupt a held-back tag without losing a character", () => {
    const parts = partsOf(
      { content: " <thi" },
      { tool_calls: [{ index: 0, function: { name: "x" } }] },
      { content: "nk>" },
    );
    expect(parts.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
      " <thi",
      "input",
      "nk>",
      "call",
      "finish",
    ]);
  });
});

describe("thinking", () => {
  const thinking = { type: "thinking", text: "t" };
  it.each([
    [{ reasoning_content: "t" }],
    [{ reasoning: "t" }],
    [{ thinking: "t" }],
    [{ reasoning_details: [{ type: "reasoning.text", text: "t" }] }],
    [{ reasoning_details: [{ type: "reasoning.summary", summary: "t" }] }],
    [{ reasoning: "t", reasoning_content: "t", reasoning_details: [{ text: "t" }] }],
    [{ content: [{ type: "thinking", thinking: [{ type: "text", text: "t" }] }] }],
    [{ content: "<think>t</think>" }],
  ])("is read from %j", (fields) => {
    expect(partsOf(fields)[0]).toEqual(thinking);
  });

  it("is left out if encrypted or of an unknown shape", () => {
    const parts = partsOf({
      reasoning_details: [{ type: "reasoning.encrypted", data: "x" }],
      reasoning: { a: 1 },
      content: "a",
    });
    expect(parts[0]).toEqual({ type: "text", text: "a" });
  });

  it("is not read from a tag in the text of a server that separates it itself", () => {
    expect(partsOf({ reasoning: "t" }, { content: "<think>" })[1]).toEqual({ type: "text", text: "<think>" });
  });
});

describe("text", () => {
  it("is read from a list of parts and from a refusal", () => {
    expect(partsOf({ content: [{ type: "text", text: "a" }] }, { refusal: " No." })[0]).toEqual({
      type: "text",
      text: "a No.",
    });
  });

  it("of another choice than the first is ignored", () => {
    const stream = answer();
    const other = { choices: [{ index: 1, delta: { content: "b" } }] };
    expect([...stream.take(other), ...stream.take(delta({ content: "a" }))]).toEqual([{ type: "text", text: "a" }]);
  });
});

describe("the end", () => {
  const endOf = (...values: readonly unknown[]): ModelPart | undefined => {
    const stream = makeOpenAiAnswer({ maxChars: 1000, now: clock() });
    return [...values.flatMap((value) => stream.take(value)), ...stream.end()].at(-1);
  };

  it.each([
    ["stop", "done"],
    ["tool_calls", "done"],
    ["eos", "done"],
    ["length", "length"],
    ["max_tokens", "length"],
  ])("%s is %s", (reason, stop) => {
    expect(endOf(delta({ content: "a" }, reason), delta({}))).toMatchObject({ type: "finish", stop });
  });

  it.each([
    ["content_filter", "answer_filtered", false],
    ["error", "server_error", true],
    ["insufficient_system_resource", "server_busy", true],
  ])("%s is a failure", (reason, code, retryable) => {
    expect(endOf(delta({ content: "a" }, reason))).toMatchObject({ type: "failed", error: { code }, retryable });
  });

  it("has the server's counts from any place, the newest last", () => {
    const inChoice = { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 7, completion_tokens: 3 } }] };
    expect(endOf(inChoice)).toMatchObject({ usage: { promptTokens: 7, outputTokens: 3 } });
    expect(
      endOf(inChoice, { usage: { prompt_tokens: 8, completion_tokens: 4, prompt_cache_hit_tokens: 5 } }),
    ).toMatchObject({
      usage: { promptTokens: 8, cachedTokens: 5, outputTokens: 4 },
    });
    expect(endOf({ timings: { prompt_n: 3, cache_n: 4, predicted_n: 2 } })).toMatchObject({
      usage: { promptTokens: 7, cachedTokens: 4, outputTokens: 2 },
    });
  });

  it("reports how much of a prompt was read, without its cached part, until the answer begins", () => {
    const stream = answer();
    const reading = (processed: number, fields: object = { role: "assistant", content: null }) =>
      stream.take({ ...delta(fields), prompt_progress: { total: 1_000, cache: 200, processed, time_ms: 5 } });
    expect(reading(200)).toEqual([{ type: "phase", phase: "reading", tokens: 800, read: 0 }]);
    expect(reading(712)).toEqual([{ type: "phase", phase: "reading", tokens: 800, read: 512 }]);
    expect(reading(1_000, { content: "Hi." })).not.toContainEqual(expect.objectContaining({ type: "phase" }));
    expect(reading(1_000)).toEqual([]);
    expect(answer().take({ ...delta({}), prompt_progress: { total: "many" } })).toEqual([]);
  });

  it("invents no counts, and measures times to the first token and to the last", () => {
    // The clock advances 10 ms per call: at the start, and at each token.
    const last = endOf(
      delta({ role: "assistant" }),
      delta({ content: "a" }),
      delta({ content: "b" }),
      delta({ content: "c" }),
    );
    expect(last).toEqual({
      type: "finish",
      stop: "done",
      usage: { promptTokens: 0, outputTokens: 0, loadMs: 0, promptMs: 10, outputMs: 20 },
    });
  });

  it.each([
    5,
    "text",
    null,
    [1],
    { choices: 5 },
    { choices: [{ delta: 5 }] },
    { choices: [{ delta: { content: 5 } }] },
  ])("an invalid event: %j", (value) => {
    expect(() => answer().take(value)).toThrow(
      expect.objectContaining({ error: expect.objectContaining({ code: "bad_answer" }) }),
    );
  });

  it("comes at the limit of text, thinking and inputs together, without splitting a character", () => {
    const stream = answer(6);
    const parts = [
      { reasoning: "ab" },
      { content: "c" },
      { tool_calls: [{ index: 0, function: { name: "x", arguments: "{}😀" } }] },
    ].flatMap((one) => stream.take(delta(one)));
    expect(parts).toMatchObject([
      { type: "thinking", text: "ab" },
      { type: "text", text: "c" },
      { type: "input", text: "{}" },
      { type: "call" },
      { type: "finish", stop: "length" },
    ]);
  });

  it("comes for endless empty events, too", () => {
    const stream = answer(3);
    expect([1, 2, 3, 4].map(() => stream.take(delta({ content: "" })).length)).toEqual([0, 0, 0, 1]);
  });
});

describe("a call at the output limit is cut, whatever the server reports", () => {
  const endOf = (written: string, outputTokens: number, counted: number, reason = "tool_calls"): string | undefined => {
    const stream = makeOpenAiAnswer({ maxChars: 1_000, outputTokens, now: () => 0 });
    const call = { index: 0, id: "c", function: { name: "write", arguments: written } };
    stream.take(delta({ tool_calls: [call] }));
    stream.take({ ...delta({}, reason), usage: { prompt_tokens: 9, completion_tokens: counted } });
    return stream.end().flatMap((part) => (part.type === "finish" ? [part.stop] : []))[0];
  };

  it.each([
    ["within a string", '{"path": "a.txt", "content": "half a li', 100, 0, "length"],
    ["by its own count", '{"path": "a.txt"}', 100, 100, "length"],
    ["not, with all of its arguments", '{"path": "a.txt"}', 100, 40, "done"],
    ["not, where a mark is missing", '{"path": "a.txt"', 100, 40, "done"],
  ])("%s", (_name, written, most, counted, stop) => {
    expect(endOf(written, most, counted)).toBe(stop);
  });

  it.each([
    ["after a brace in code", '{"content": "function f() { return 1; }', "tool_calls", "length"],
    ["after two braces in code", '{"content": "const a = { b: {} }', "tool_calls", "length"],
    ["after an object in code", '{"content": "{\\"a\\": \\"b\\"}', "tool_calls", "length"],
    ["after a value, with no reason for its end", '{"path": "a.txt", "limit": 1', "", "length"],
    ["not, where a quote is not escaped", '{"content": "a 5" disk"}', "tool_calls", "done"],
    ["not, where a quote is not escaped in a list", '{"lines": ["a 5" disk"] }', "tool_calls", "done"],
    ["not, in single quotes", "{'content': 'a 5\" disk'}", "tool_calls", "done"],
    ["not, with all of its arguments and no reason for its end", '{"path": "a.txt"}', "", "done"],
    ["not, without arguments", "", "", "done"],
  ])("where the server counts nothing: %s", (_name, written, reason, stop) => {
    expect(endOf(written, 100, 0, reason)).toBe(stop);
  });
});

describe("comments before the first token", () => {
  const waiting = (...comments: readonly string[]) => {
    let ms = 0;
    const stream = makeOpenAiAnswer({ maxChars: 100, now: () => ms });
    const parts = comments.flatMap((comment) => {
      ms += 2_000;
      return stream.takeComment(comment);
    });
    ms += 500;
    return { parts, stream };
  };

  it("report the place in the queue, then that the server reads; the wait is no reading time", () => {
    const { parts, stream } = waiting("queued 3", "queued 3", "queued 1", "processing");
    expect(parts).toEqual([
      { type: "phase", phase: "queued", position: 3 },
      { type: "phase", phase: "queued", position: 3 },
      { type: "phase", phase: "queued", position: 1 },
      { type: "phase", phase: "reading" },
    ]);
    stream.take(delta({ content: "Hi" }, "stop"));
    expect(stream.end().at(-1)).toMatchObject({ type: "finish", usage: { promptMs: 2_500 } });
  });

  it("without words keep the place: a router writes them only to keep the connection", () => {
    const comments = ["queued 3", "", "ping - 2026-11-30 20:15:01", "keep-alive", ": heartbeat"];
    expect(waiting(...comments).parts).toEqual(comments.map(() => ({ type: "phase", phase: "queued", position: 3 })));
    expect(waiting("ping").parts).toEqual([{ type: "phase", phase: "reading" }]);
  });

  it("are no events if they repeat at once, if the server counts what it reads, and after the first token", () => {
    const stream = answer();
    expect(stream.takeComment("queued 3")).toHaveLength(1);
    expect(stream.takeComment("queued 3")).toEqual([]);
    stream.take({ prompt_progress: { total: 10, cache: 0, processed: 5 } });
    expect(stream.takeComment("queued 2")).toEqual([]);
    stream.take(delta({ content: "Hi" }));
    expect(stream.takeComment("queued 1")).toEqual([]);
  });
});
