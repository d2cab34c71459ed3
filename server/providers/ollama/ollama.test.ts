import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Script, type ScriptedModel, startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import { makeLineReader } from "../wire/line-reader";
import { makeOllama, type OllamaOptions } from "./ollama";
import { makeOllamaAnswer } from "./ollama-answer";
import type { ModelPart, ModelRequest } from "../provider";
import { collect, describeProvider, mergeModelParts } from "../provider.contract";

const request: ModelRequest = {
  provider: "ollama",
  model: "scripted:latest",
  messages: [{ role: "user", text: "hi" }],
  tools: [],
  numCtx: 8192,
  think: false,
  keepAliveMinutes: 30,
  maxOutputTokens: 512,
};
const idle = (): AbortSignal => new AbortController().signal;

let server: ScriptedModel | undefined;
let raw: Server | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  raw?.close();
  raw = undefined;
});

async function start(script: Script, options: Omit<OllamaOptions, "host"> = {}) {
  const model = await startScriptedModel(script);
  server = model;
  return { model, ollama: makeOllama({ host: () => model.url, ...options }) };
}

/** A server that writes these bytes on a request, and then ends or stays. */
async function startRaw(answer: string | Uint8Array, then: "end" | "stay" = "end"): Promise<string> {
  const listening = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(answer);
      if (then === "end") socket.end();
    });
  });
  raw = listening;
  await new Promise<void>((done) => void listening.listen(0, "127.0.0.1", done));
  const address = listening.address();
  return `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

describeProvider("ollama", async (turns) => {
  const model = await startScriptedModel({
    turns: turns.map(({ calls, breakAfter, ...turn }) => ({
      ...(calls === undefined
        ? {}
        : { text: "", toolCalls: calls.map(({ name, input }) => ({ name, arguments: input })) }),
      disconnectAfter: breakAfter,
      ...turn,
    })),
  });
  return {
    provider: makeOllama({ host: () => model.url }),
    request,
    connectionClosed: () => model.waitFor((requests) => requests.at(-1)?.closed ?? true),
    close: () => model.close(),
  };
});

describe("a request", () => {
  it("names the window, forbids the server to cut or shift it, and sends think: false explicitly", async () => {
    const { model, ollama } = await start({});
    await collect(ollama.stream(request, idle()));
    expect(model.requests.map(({ method, path, raw: body }) => [method, path, body])).toEqual([
      [
        "POST",
        "/api/chat",
        '{"model":"scripted:latest","messages":[{"role":"user","content":"hi"}],"stream":true,"think":false,"truncate":false,' +
          '"shift":false,"keep_alive":"30m","options":{"num_ctx":8192,"num_predict":512}}',
      ],
    ]);
  });

  it("uses a changed temperature from the next request on, and omits it for the model's default", async () => {
    let now: number | null = 0.7;
    const { model, ollama } = await start({}, { temperature: () => now });
    const options = { num_ctx: 8_192, num_predict: 512 };
    for (now of [0.7, 0, null]) await collect(ollama.stream(request, idle()));
    expect(model.requests.map(({ body }) => body)).toMatchObject([
      { options: { ...options, temperature: 0.7 } },
      { options: { ...options, temperature: 0 } },
      { options },
    ]);
    expect(model.requests.at(-1)?.raw).not.toContain("temperature");
  });

  it("is the only one per answer", async () => {
    const { model, ollama } = await start({});
    await collect(ollama.stream(request, idle()));
    await collect(ollama.stream(request, idle()));
    expect(model.requests.map(({ path }) => path)).toEqual(["/api/chat", "/api/chat"]);
  });

  it("is retried without thinking where the model refuses it, and remembered", async () => {
    const refusal = { status: 400, error: '"scripted:latest" does not support thinking' };
    const { model, ollama } = await start({ turns: [refusal, { text: "a" }, { text: "b" }] });
    const thinking = { ...request, think: true };
    expect(mergeModelParts(await collect(ollama.stream(thinking, idle())))[0]).toEqual({ type: "text", text: "a" });
    expect(mergeModelParts(await collect(ollama.stream(thinking, idle())))[0]).toEqual({ type: "text", text: "b" });
    expect(model.requests.map(({ body }) => body)).toMatchObject([{ think: true }, { think: false }, { think: false }]);
  });

  it("is retried with a lower level if the server does not support it", async () => {
    const refusal = { status: 400, error: 'think value "max" is not supported for this model' };
    const { model, ollama } = await start({ turns: [refusal, { text: "a" }] });
    const parts = await collect(ollama.stream({ ...request, think: "max" }, idle()));
    expect(parts).toMatchObject([{ type: "failed", error: { code: "no_think_level", facts: { level: "max" } } }]);
    expect(model.requests.map(({ body }) => body)).toMatchObject([{ think: "max" }]);
  });

  it("does not enable thinking for a listed model without it", async () => {
    const { model, ollama } = await start({ capabilities: ["completion", "tools"] });
    await ollama.models(idle());
    await collect(ollama.stream({ ...request, think: true }, idle()));
    expect(model.requests.at(-1)?.body).toMatchObject({ think: false });
  });
});

describe("phases", () => {
  const phaseOf = async (isLoaded: boolean | undefined): Promise<ModelPart | undefined> => {
    const { ollama } = await start({}, { isLoaded: () => isLoaded });
    for await (const part of ollama.stream(request, idle())) return part;
    return undefined;
  };
  it.each([
    [false, "loading"],
    [true, "reading"],
    [undefined, "reading"],
  ])("known to be loaded: %s is reported as %s before the first byte", async (isLoaded, phase) => {
    expect(await phaseOf(isLoaded)).toEqual({ type: "phase", phase });
  });
});

describe("the end of an answer", () => {
  const lastOf = async (script: Script, options?: Omit<OllamaOptions, "host">): Promise<ModelPart | undefined> => {
    const { ollama } = await start(script, options);
    return (await collect(ollama.stream(request, idle()))).at(-1);
  };

  it("has counts as reported and times in milliseconds", async () => {
    const last = {
      load_duration: 1_500_000_000,
      prompt_eval_count: 812,
      prompt_eval_duration: 250_400_000,
      eval_count: 4,
      eval_duration: 2e9,
    };
    expect(await lastOf({ turns: [{ last }] })).toEqual({
      type: "finish",
      stop: "done",
      usage: { promptTokens: 812, outputTokens: 4, loadMs: 1500, promptMs: 250, outputMs: 2000 },
      reading: { promptMs: 250 },
    });
  });

  it("has a count of 0 where a fully cached prompt has none", async () => {
    const last = { prompt_eval_count: undefined, prompt_eval_duration: undefined };
    expect(await lastOf({ turns: [{ last }] })).toMatchObject({
      type: "finish",
      usage: { promptTokens: 0, promptMs: 0 },
    });
  });

  it("is length at the output limit", async () => {
    expect(await lastOf({ turns: [{ finish: "length" }] })).toMatchObject({ type: "finish", stop: "length" });
  });

  it("ignores anything after the last line", async () => {
    const afterDone = [{ message: { content: "more" }, done: false }, { error: "late" }];
    const { ollama } = await start({ turns: [{ text: "x", afterDone }] });
    const parts = await collect(ollama.stream(request, idle()));
    expect(parts.map(({ type }) => type)).toEqual(["text", "finish"]);
  });

  it("closes the connection although the server continues after its last line", async () => {
    const body = `{"message":{"content":"x"},"done":true,"done_reason":"stop"}\n`;
    const host = await startRaw(`HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\n\r\n${body}`, "stay");
    const closed = new Promise((done) => raw?.once("connection", (socket) => socket.once("close", done)));
    const parts = await collect(makeOllama({ host: () => host }).stream(request, idle()));
    await closed;
    expect(parts.map(({ type }) => type)).toEqual(["text", "finish"]);
  });

  it("comes at the limit of an endless answer, whose connection is closed", async () => {
    const { model, ollama } = await start({ turns: [{ text: "", tokens: 1_000_000 }] }, { answerMaxChars: 5_002 });
    const parts = mergeModelParts(await collect(ollama.stream(request, idle())));
    await model.waitFor(([first]) => first?.closed ?? false);
    expect(model.requests[0]?.end).toBe("aborted");
    expect(parts[0]).toMatchObject({ type: "text", text: expect.stringMatching(/^( word.?\n?)+ w?$/) });
    expect(parts[0]?.type === "text" && parts[0].text.length).toBe(5_002);
    expect(parts[1]).toMatchObject({ type: "finish", stop: "length", usage: { outputTokens: 0 } });
  });

  it("never splits a character at the limit", () => {
    const parts = makeOllamaAnswer(3).take({ message: { content: "ab😀" } });
    expect(parts).toMatchObject([
      { type: "text", text: "ab" },
      { type: "finish", stop: "length" },
    ]);
  });

  it("comes for endless empty lines, too", () => {
    const answer = makeOllamaAnswer(3);
    const ends = [1, 2, 3, 4].map(() => answer.take({ message: { content: "" } }).length);
    expect(ends).toEqual([0, 0, 0, 1]);
  });
});

describe("faults", () => {
  /** Longer than a limit that must not apply. */
  const longerMs = 50;
  const failureOf = async (script: Script, options?: Omit<OllamaOptions, "host">) => {
    const { ollama } = await start(script, options);
    return mergeModelParts(await collect(ollama.stream(request, idle()))).filter((part) => part.type !== "text");
  };
  const failed = (code: string, retryable: boolean, more: object = {}) => [
    { type: "failed", error: { code, ...more }, retryable },
  ];

  it("an error line in mid-answer", async () => {
    const parts = await failureOf({ turns: [{ text: "one two three", errorAfter: 2, error: "unexpected EOF" }] });
    expect(parts).toMatchObject(failed("server_error", true, { detail: "unexpected EOF" }));
  });

  it("an error line about a call cut by the output limit ends the answer as too long", async () => {
    const error = 'llama-server returned invalid tool call arguments for "write": unexpected end of JSON input';
    const parts = await failureOf({ turns: [{ text: "one two three", errorAfter: 2, error }] });
    expect(parts).toMatchObject([{ type: "finish", stop: "length" }]);
  });

  it.each<readonly [string, readonly object[], number, number | undefined]>([
    ["a swallowed call", ["I ", "call ", "it: "].map((content) => ({ content })), 17, 14],
    ["a swallowed call and nothing else", [], 40, 40],
    ["a swallowed call behind much text", Array.from({ length: 200 }, () => ({ content: "word " })), 300, 100],
    ["marks of the template", [{ content: "Hi" }], 5, undefined],
    ["marks around thinking", [{ thinking: "Hm" }, { content: "Hi" }], 13, undefined],
    [
      "Chinese of several tokens a character",
      [..."我来看看这个文件里面有什么"].map((content) => ({ content })),
      40,
      undefined,
    ],
    ["words that came in one piece", [{ content: "All of these words were held back by the server. " }], 14, undefined],
    ["a call", [{ tool_calls: [{ function: { name: "ls", arguments: {} } }] }], 40, undefined],
  ])("tokens that were counted but never sent: %s", (_name, messages, counted, unseenTokens) => {
    const answer = makeOllamaAnswer(10_000);
    for (const message of messages) answer.take({ message });
    const last = answer.take({ message: { content: "" }, done: true, done_reason: "stop", eval_count: counted }).at(-1);
    expect(last?.type === "finish" ? last.unseenTokens : null).toBe(unseenTokens);
  });

  it("out of memory while generating", async () => {
    const parts = await failureOf({ turns: [{ errorAfter: 1, error: "cudaMalloc failed: out of memory" }] });
    expect(parts).toMatchObject(failed("out_of_memory", false));
  });

  it("a broken line", async () => {
    const parts = await failureOf({
      turns: [{ text: "one two three", malformedAfter: 1, malformedLine: '{"broken": ' }],
    });
    expect(parts).toMatchObject(failed("bad_answer", false, { detail: expect.stringContaining('{"broken":') }));
  });

  it.each(["null", "5", '"text"', "[1]", '{"message":5}', '{"message":{"content":[]}}'])(
    "a line that is not an answer: %s",
    async (line) => {
      const parts = await failureOf({ turns: [{ text: "one two", malformedAfter: 1, malformedLine: line }] });
      expect(parts).toMatchObject(failed("bad_answer", false));
    },
  );

  it("a web page under status 200 gives its readable text", async () => {
    const page =
      "<!DOCTYPE html><html><head><style>p{}</style></head><body><h1>Sign in</h1>\n<p>to the hotel</p></body></html>";
    for (const type of ["text/html", "application/x-ndjson"]) {
      const parts = await failureOf({ turns: [{ raw: page, type }] });
      expect(parts).toMatchObject(failed("bad_answer", false, { detail: "Sign in to the hotel" }));
      await server?.close();
    }
  });

  it("a valid answer under a wrong content type is read", async () => {
    const { ollama } = await start({ turns: [{ text: "fine", type: "text/plain" }] });
    expect(mergeModelParts(await collect(ollama.stream(request, idle())))[0]).toEqual({ type: "text", text: "fine" });
  });

  it("an end without a last line keeps the text and fails as incomplete", async () => {
    const { ollama } = await start({ turns: [{ text: "one two", noDone: true }] });
    const parts = mergeModelParts(await collect(ollama.stream(request, idle())));
    expect(parts).toMatchObject([{ type: "text", text: "one two" }, ...failed("incomplete", false)]);
  });

  it("an empty answer is incomplete", async () => {
    expect(await failureOf({ turns: [{ raw: "" }] })).toMatchObject(failed("incomplete", false));
  });

  it("a truncated last line is incomplete", async () => {
    const parts = await failureOf({ turns: [{ raw: '{"message":{"content":"a"},"done":false}\n{"done":tr' }] });
    expect(parts).toMatchObject(failed("incomplete", false));
  });

  it("an address where nothing listens", async () => {
    const { model, ollama } = await start({});
    await model.close();
    const parts = await collect(ollama.stream(request, idle()));
    expect(parts).toMatchObject(failed("server_unreachable", true, { facts: { host: model.url } }));
  });

  it("a name that does not exist", async () => {
    const parts = await collect(makeOllama({ host: () => "nowhere.invalid" }).stream(request, idle()));
    expect(parts).toMatchObject(
      failed("server_unreachable", true, { facts: { host: "http://nowhere.invalid:11434" } }),
    );
  });

  it("a text that is not an address", async () => {
    const parts = await collect(makeOllama({ host: () => "ftp://box" }).stream(request, idle()));
    expect(parts).toMatchObject(failed("bad_input", false));
  });

  it("credentials of an address are used and never reported", async () => {
    const { model } = await start({});
    const host = model.url.replace("//", "//me:secret@");
    await collect(makeOllama({ host: () => host }).stream(request, idle()));
    expect(model.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:secret").toString("base64")}`);
    await model.close();
    const parts = await collect(makeOllama({ host: () => host }).stream(request, idle()));
    expect(JSON.stringify(parts)).not.toContain("secret");
  });

  it("a server that closes the connection before answering", async () => {
    const host = await startRaw("");
    const parts = await collect(makeOllama({ host: () => host }).stream(request, idle()));
    expect(parts).toMatchObject(failed("connection_lost", true));
  });

  it("a server that speaks another protocol", async () => {
    const host = await startRaw("SSH-2.0-OpenSSH_9.2\r\n");
    const parts = await collect(makeOllama({ host: () => host }).stream(request, idle()));
    expect(parts).toMatchObject(failed("bad_answer", false));
  });

  it("silence after the first byte ends the answer as stalled, and its connection", async () => {
    const { model, ollama } = await start({ turns: [{ text: "one two three", hangAfter: 2 }] }, { stallMs: 40 });
    const parts = mergeModelParts(await collect(ollama.stream(request, idle())));
    expect(parts).toMatchObject([{ type: "text", text: "one two" }, ...failed("stalled", false)]);
    await model.waitFor(([first]) => first?.closed ?? false);
  });

  it("silence before the first byte has no limit", async () => {
    const { model, ollama } = await start({ turns: [{ text: "slow", holdAfter: 0 }] }, { stallMs: 1 });
    const parts = collect(ollama.stream(request, idle()));
    await model.waitFor((requests) => requests.length === 1);
    await new Promise((later) => setTimeout(later, longerMs));
    model.release();
    expect(mergeModelParts(await parts)[0]).toEqual({ type: "text", text: "slow" });
  });

  it("a slow reader is not a stall", async () => {
    const { ollama } = await start({ turns: [{ text: "one two three" }] }, { stallMs: 20 });
    const parts: ModelPart[] = [];
    for await (const part of ollama.stream(request, idle())) {
      parts.push(part);
      if (part.type === "text") await new Promise((later) => setTimeout(later, longerMs));
    }
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
  });

  it.each([
    ["7", 7_000],
    ["9999", 9_999_000],
    // By the clock of the server, which is an hour off.
    ["Sat, 21 Nov 2026 07:00:10 GMT", 10_000],
  ])("a busy server names the wait: %s", async (header, retryAfterMs) => {
    const turn = {
      status: 503,
      error: "server busy, please try again. maximum pending requests exceeded",
      headers: { date: "Sat, 21 Nov 2026 07:00:00 GMT", "retry-after": header },
    };
    const parts = await failureOf({ turns: [turn] }, { now: () => Date.UTC(2026, 10, 21, 8) });
    expect(parts).toMatchObject([{ type: "failed", error: { code: "server_busy" }, retryable: true, retryAfterMs }]);
  });
});

describe("recorded answers", () => {
  const folder = new URL("./__fixtures__/", import.meta.url);
  const partsOf = (bytes: Uint8Array, step: number): readonly ModelPart[] => {
    const reader = makeLineReader(1_000_000);
    const answer = makeOllamaAnswer(1_000_000);
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += step) lines.push(...reader.push(bytes.subarray(at, at + step)));
    return mergeModelParts([...lines, ...reader.end()].flatMap((line) => answer.take(JSON.parse(line))));
  };
  const usage = (promptTokens: number, outputTokens: number, loadMs: number, promptMs: number, outputMs: number) => ({
    promptTokens,
    outputTokens,
    loadMs,
    promptMs,
    outputMs,
  });
  const expected: Record<string, readonly ModelPart[]> = {
    "thinking-and-calls.ndjson": [
      { type: "thinking", text: "Two files, read both." },
      { type: "text", text: "I read both." },
      { type: "call", id: "call_a1", name: "read", input: { path: "src/größe.ts", limit: 20 } },
      { type: "call", id: "call_b2", name: "read", input: { path: "说明.md" } },
      { type: "finish", stop: "done", usage: usage(1204, 87, 52, 310, 1500), reading: { promptMs: 310 } },
    ],
    "text-crlf.ndjson": [
      { type: "text", text: "Grüße 👩‍👩‍👧 你好\nx < y\u2028<think>!" },
      { type: "finish", stop: "length", usage: usage(0, 9, 1, 0, 120) },
    ],
    "think-tags.ndjson": [
      { type: "thinking", text: "Is 7 < 9? Yes." },
      { type: "text", text: "Yes, `<think>` is a tag." },
      { type: "finish", stop: "done", usage: usage(31, 22, 0, 0, 800), reading: { promptMs: 0 } },
    ],
  };

  it("are all listed here", () => {
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith(".ndjson"))
        .sort(),
    ).toEqual(Object.keys(expected).sort());
  });
  it.each(Object.keys(expected))("%s gives the same parts whole and one byte at a time", (name) => {
    const bytes = readFileSync(new URL(name, folder));
    for (const step of [bytes.length, 1, 2, 3, 7, 64]) expect(partsOf(bytes, step)).toEqual(expected[name]);
  });

  it.each([
    ["an object", { a: 1 }, { a: 1 }],
    ["an object as text", '{"a":1}', { a: 1 }],
    ["text that is not an object", '{"a":', '{"a":'],
    ["a list as text", "[1]", "[1]"],
    ["nothing", undefined, {}],
    ["null", null, {}],
  ])("arguments that are %s", (_name, written, input) => {
    const parts = makeOllamaAnswer(1000).take({
      message: { tool_calls: [{ function: { name: "x", arguments: written } }] },
    });
    expect(parts).toEqual([{ type: "call", name: "x", input }]);
  });

  it("a call interrupts a held-back tag without losing a character", () => {
    const answer = makeOllamaAnswer(1000);
    const calls = [{ function: { name: "x", arguments: {} } }];
    const parts = [{ content: " <thi" }, { tool_calls: calls }, { content: "nk>" }].flatMap((message) =>
      answer.take({ message }),
    );
    expect(parts.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([" <thi", "call", "nk>"]);
  });

  it("a tag in the text of a server that separates thinking itself is text", () => {
    const answer = makeOllamaAnswer(1000);
    const parts = [{ thinking: "t" }, { content: "<think>" }].flatMap((message) => answer.take({ message }));
    expect(parts).toEqual([
      { type: "thinking", text: "t", field: "thinking" },
      { type: "text", text: "<think>" },
    ]);
  });

  it.each([
    [40, "length"],
    [39, "done"],
  ])("a call at the output limit is cut, whatever the server reports: %d of 40 tokens", (eval_count, stop) => {
    const answer = makeOllamaAnswer(1000, 40);
    answer.take({ message: { tool_calls: [{ function: { name: "x", arguments: {} } }] } });
    expect(answer.take({ done: true, done_reason: "stop", eval_count }).at(-1)).toMatchObject({ stop });
  });
});
