import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { chunk, type OpenAiServer, startOpenAiServer, type WireTurn, toWireTurn } from "./__fixtures__/openai-server";
import { makeOpenAi, type OpenAiOptions } from "./openai";
import { answerEndMs } from "./stream/openai-reader";
import { findPreset } from "../presets";
import type { ModelPart, ModelRequest } from "../provider";
import { collect, describeProvider, mergeModelParts } from "../provider.contract";

const request: ModelRequest = {
  provider: "custom",
  model: "m",
  messages: [{ role: "user", text: "hi" }],
  tools: [],
  numCtx: 8192,
  think: true,
  keepAliveMinutes: 30,
  maxOutputTokens: 512,
};
const idle = (): AbortSignal => new AbortController().signal;
const key = "sk-test-1234567890abcdefghijkl";

let server: OpenAiServer | undefined;
let raw: Server | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  server = undefined;
  raw?.close();
  raw = undefined;
});

async function start(turns: readonly WireTurn[], options: Partial<OpenAiOptions> = {}) {
  const wire = await startOpenAiServer(turns);
  server = wire;
  const provider = makeOpenAi({ id: "custom", baseUrl: () => wire.base, apiKey: () => key, ...options });
  return { wire, provider };
}

const contentChunks = (...words: readonly string[]): readonly object[] => words.map((content) => chunk({ content }));
const stop = chunk({}, "stop");

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
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`;
}
const askRaw = async (base: string): Promise<readonly ModelPart[]> =>
  mergeModelParts(
    await collect(makeOpenAi({ id: "custom", baseUrl: () => base, apiKey: () => null }).stream(request, idle())),
  );

describeProvider("openai", async (turns) => {
  const wire = await startOpenAiServer(turns.map(toWireTurn));
  return {
    provider: makeOpenAi({ id: "custom", baseUrl: () => wire.base, apiKey: () => null }),
    request,
    connectionClosed: () => wire.waitFor((requests) => requests.at(-1)?.closed ?? true),
    close: () => wire.close(),
  };
});

describe("a request", () => {
  it("contains only what strict servers accept", async () => {
    const { wire, provider } = await start([{ events: [stop] }]);
    await collect(provider.stream(request, idle()));
    expect(wire.requests.map(({ method, path, raw: body }) => [method, path, body])).toEqual([
      [
        "POST",
        "/v1/chat/completions",
        '{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true},"max_tokens":512}',
      ],
    ]);
  });

  it("has few headers: the key, the accepted types, and no description of this machine", async () => {
    const { wire, provider } = await start([{ events: [stop] }]);
    await collect(provider.stream(request, idle()));
    const { host: _host, "content-length": _length, ...headers } = wire.requests[0]?.headers ?? {};
    expect(headers).toEqual({
      accept: "text/event-stream, application/json",
      "accept-encoding": "identity",
      "user-agent": "gopi-web",
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      connection: "close",
    });
  });

  it("never has a key, an address or a header of the environment", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-environment");
    vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin");
    vi.stubEnv("OPENAI_ORG_ID", "org-environment");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-secret: environment");
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
    const { wire, provider } = await start([{ events: [stop] }], { apiKey: () => null });
    await collect(provider.stream(request, idle()));
    expect(wire.requests).toHaveLength(1);
    expect(JSON.stringify(wire.requests[0]?.headers)).not.toMatch(/environment|admin|authorization/);
  });

  it("uses a changed address, key and temperature from the next request on", async () => {
    const other = await startOpenAiServer([{ events: [stop] }]);
    let base = "";
    let now = { key: "first-key", temperature: 0.2 };
    const { wire, provider } = await start([{ events: [stop] }], {
      baseUrl: () => base,
      apiKey: () => now.key,
      temperature: () => now.temperature,
    });
    base = wire.base;
    await collect(provider.stream(request, idle()));
    [base, now] = [other.base, { key: "second-key", temperature: 0 }];
    await collect(provider.stream(request, idle()));
    await other.close();
    expect(wire.requests[0]).toMatchObject({
      headers: { authorization: "Bearer first-key" },
      body: { temperature: 0.2 },
    });
    expect(other.requests[0]).toMatchObject({
      headers: { authorization: "Bearer second-key" },
      body: { temperature: 0 },
    });
  });

  const refusal = (message: string): WireTurn => ({
    status: 400,
    body: { error: { message, type: "invalid_request_error" } },
  });
  it.each([
    ["stream_options", "Extra inputs are not permitted: body.stream_options", {}],
    [
      "temperature",
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      {},
    ],
    [
      "max_completion_tokens",
      "Unsupported parameter: 'max_completion_tokens' is not supported with this model. Use 'max_tokens' instead.",
      { max_tokens: 512 },
    ],
  ])("omits %s after a refusal, is sent again, and this is remembered", async (field, message, instead) => {
    const { wire, provider } = await start(
      [refusal(message), { events: contentChunks("a") }, { events: contentChunks("b") }],
      {
        preset: findPreset("openai"),
        temperature: () => 0.5,
      },
    );
    for (const text of ["a", "b"])
      expect(mergeModelParts(await collect(provider.stream({ ...request, think: "low" }, idle())))[0]).toEqual({
        type: "text",
        text,
      });
    expect(wire.requests.map(({ body }) => field in body)).toEqual([true, false, false]);
    expect(wire.requests[2]?.body).toMatchObject(instead);
  });

  it.each([
    "max_tokens is too large: 512. This model supports at most 100 completion tokens, whereas you provided 512.",
    "Invalid max_tokens value, the valid range of max_tokens is [1, 100]",
    "max_tokens: 512 > 100, which is the maximum allowed number of output tokens for m",
    "`max_tokens` must be less than or equal to `100`, the maximum value for this model",
  ])("requests a shorter answer where the model has a limit: %s", async (message) => {
    const { wire, provider } = await start([
      refusal(message),
      { events: contentChunks("a") },
      { events: contentChunks("b") },
    ]);
    for (const maxOutputTokens of [512, 40]) await collect(provider.stream({ ...request, maxOutputTokens }, idle()));
    expect(wire.requests.map(({ body }) => body.max_tokens)).toEqual([512, 100, 40]);
  });

  it("no longer asks a server to keep reasoning that refuses the option", async () => {
    const { wire, provider } = await start([
      refusal("Extra inputs are not permitted: chat_template_kwargs"),
      { events: contentChunks("a") },
    ]);
    const parts = await collect(provider.stream({ ...request, reasoning: "preserve" }, idle()));
    expect(mergeModelParts(parts)[0]).toEqual({ type: "text", text: "a" });
    expect(wire.requests.map(({ body }) => "chat_template_kwargs" in body)).toEqual([true, false]);
  });

  it("omits only the refused level of thinking", async () => {
    const refused = refusal("Unsupported value: 'reasoning_effort' does not support 'none' with this model.");
    const { wire, provider } = await start([refused, { events: [stop] }, { events: [stop] }], {
      preset: findPreset("openai"),
    });
    for (const think of [false, "high"] as const) await collect(provider.stream({ ...request, think }, idle()));
    expect(wire.requests.map(({ body }) => body.reasoning_effort)).toEqual(["none", undefined, "high"]);
  });

  it.each([
    ["low", "Unsupported value: 'reasoning_effort' does not support 'low' with this model."],
    ["high", "Unsupported value: 'reasoning_effort' does not support 'high' with this model."],
    ["medium", "Unrecognized request argument supplied: reasoning_effort"],
  ] as const)("tells once that the level %s was refused, then leaves it out", async (think, message) => {
    const { wire, provider } = await start([refusal(message), { events: contentChunks("a") }], {
      preset: findPreset("openai"),
    });
    const collectParts = () => collect(provider.stream({ ...request, think }, idle()));
    expect(await collectParts()).toMatchObject([
      { type: "failed", retryable: true, error: { code: "no_think_level", facts: { level: think } } },
    ]);
    expect((await collectParts()).at(-1)).toMatchObject({ type: "finish" });
    expect(wire.requests.map(({ body }) => body.reasoning_effort)).toEqual([think, undefined]);
  });

  it("is not repeated because of a field that it did not have", async () => {
    const { wire, provider } = await start([
      refusal("the temperature must be between 0 and 2; reasoning_effort is not supported"),
    ]);
    expect(await collect(provider.stream(request, idle()))).toMatchObject([{ type: "failed" }]);
    expect(wire.requests).toHaveLength(1);
  });

  it("reports a refusal that concerns no optional field", async () => {
    const { wire, provider } = await start([refusal("messages: unexpected role")]);
    expect(await collect(provider.stream(request, idle()))).toMatchObject([
      { type: "failed", error: { code: "server_error" } },
    ]);
    expect(wire.requests).toHaveLength(1);
  });

  it("is not retried by the provider when a server fails", async () => {
    const { wire, provider } = await start([{ status: 500 }, { status: 500 }]);
    await collect(provider.stream(request, idle()));
    expect(wire.requests).toHaveLength(1);
  });
});

describe("the end of an answer", () => {
  const ask = async (turn: WireTurn, options?: Partial<OpenAiOptions>) => {
    const { wire, provider } = await start([turn], options);
    return { wire, parts: mergeModelParts(await collect(provider.stream(request, idle()))) };
  };

  it("is at [DONE], whatever follows, and the connection is closed", async () => {
    const { wire, parts } = await ask({
      events: [
        ...contentChunks("x"),
        stop,
        "data: [DONE]\n\n",
        chunk({ content: "more" }),
        { error: { message: "late" } },
      ],
      end: "stay",
    });
    await wire.waitFor(([first]) => first?.closed ?? false);
    expect(parts.map(({ type }) => type)).toEqual(["text", "finish"]);
  });

  it("needs no [DONE] after a reason, and no reason before [DONE]", async () => {
    expect((await ask({ events: [...contentChunks("x"), stop], end: "close" })).parts.at(-1)).toMatchObject({
      type: "finish",
      stop: "done",
    });
    await server?.close();
    expect((await ask({ events: contentChunks("x") })).parts.at(-1)).toMatchObject({ type: "finish", stop: "done" });
  });

  it("needs no final empty line", async () => {
    const body = `data: ${JSON.stringify(chunk({ content: "x" }, "stop"))}`;
    const { parts } = await ask({ events: [body], end: "close" });
    expect(parts.map(({ type }) => type)).toEqual(["text", "finish"]);
  });

  it("counts although the connection breaks after the reason; only the counts are lost", async () => {
    const { parts } = await ask({ events: [...contentChunks("x"), stop, ": a comment\n\n"], breakAfter: 2 });
    expect(parts.at(-1)).toMatchObject({ type: "finish", stop: "done", usage: { promptTokens: 0, outputTokens: 0 } });
  });

  it("waits only a limited time for the counts after the reason", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const time = setInterval(() => vi.advanceTimersByTime(answerEndMs), 1);
    try {
      const { wire, provider } = await start([{ events: [...contentChunks("x"), stop], end: "stay" }], {
        stallMs: 2_000_000_000,
      });
      const parts = await collect(provider.stream(request, idle()));
      expect(parts.map(({ type }) => type)).toEqual(["text", "finish"]);
      await wire.waitFor(([first]) => first?.closed ?? false);
    } finally {
      clearInterval(time);
      vi.useRealTimers();
    }
  });

  it("does not wait for the counts of a server that only sends keep-alives", async () => {
    let now = 0;
    const alive = Array.from({ length: 20_000 }, () => ": alive\n\n");
    const options = { now: () => (now += answerEndMs) };
    const { wire, parts } = await ask({ events: [...contentChunks("x"), stop, ...alive], end: "stay" }, options);
    expect(parts.map(({ type }) => type)).toEqual(["text", "finish"]);
    await wire.waitFor(([first]) => first?.closed ?? false);
    expect(wire.requests[0]?.events).toBeLessThan(alive.length);
  });

  it("comes at the limit of an endless answer, whose connection is closed", async () => {
    const { wire, parts } = await ask(
      { events: Array.from({ length: 5_000 }, () => chunk({ content: "aaaaaaaaaa" })), end: "stay" },
      { answerMaxChars: 5_002 },
    );
    await wire.waitFor(([first]) => first?.closed ?? false);
    expect(parts[0]).toEqual({ type: "text", text: "a".repeat(5_002) });
    expect(parts[1]).toMatchObject({ type: "finish", stop: "length" });
  });

  it("is read from a whole answer of a server that cannot stream", async () => {
    const calls = [{ id: "c", type: "function", function: { name: "ls", arguments: '{"path":"."}' } }];
    const message = { role: "assistant", content: "all at once", tool_calls: calls };
    const { parts } = await ask({
      body: {
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason: "tool_calls" }],
        usage: { prompt_tokens: 4, completion_tokens: 2 },
      },
    });
    expect(parts).toMatchObject([
      { type: "text", text: "all at once" },
      { type: "call", name: "ls", input: { path: "." } },
      { type: "finish", stop: "done", usage: { promptTokens: 4, outputTokens: 2 } },
    ]);
  });
});

describe("faults", () => {
  /** Longer than a limit that must not apply. */
  const longerMs = 50;
  const failureOf = async (turn: WireTurn, options?: Partial<OpenAiOptions>) => {
    const { provider } = await start([turn], options);
    return mergeModelParts(await collect(provider.stream(request, idle()))).filter(({ type }) => type !== "text");
  };
  const failed = (code: string, retryable: boolean, more: object = {}) => [
    { type: "failed", error: { code, ...more }, retryable },
  ];

  it("an address where nothing listens", async () => {
    const { wire, provider } = await start([]);
    await wire.close();
    const parts = await collect(provider.stream(request, idle()));
    expect(parts).toMatchObject(failed("server_unreachable", true, { facts: { host: wire.base, reason: "refused" } }));
  });

  it("a name that does not exist", async () => {
    expect(await askRaw("https://nowhere.invalid/v1")).toMatchObject(
      failed("server_unreachable", true, { facts: { host: "https://nowhere.invalid/v1" } }),
    );
  });

  it("TLS with a server that does not speak it", async () => {
    const { wire } = await start([]);
    const parts = await askRaw(wire.base.replace("http:", "https:"));
    expect(parts).toMatchObject(failed("wrong_scheme", false, { facts: { speaks: "http" } }));
  });

  it("a text that is not an address", async () => {
    expect(await askRaw("ftp://box")).toMatchObject(failed("bad_input", false));
  });

  it("a server that closes the connection before answering", async () => {
    expect(await askRaw(await startRaw(""))).toMatchObject(failed("connection_lost", true));
  });

  it("a server that speaks another protocol", async () => {
    expect(await askRaw(await startRaw("SSH-2.0-OpenSSH_9.2\r\n"))).toMatchObject(failed("bad_answer", false));
  });

  it("silence before the first token has no limit, whatever else was sent", async () => {
    const events = [": waiting\n\n", chunk({ role: "assistant", content: "" }), ...contentChunks("slow"), stop];
    const { wire, provider } = await start([{ events, holdAfter: 2 }], { stallMs: 1 });
    const parts = collect(provider.stream(request, idle()));
    await wire.waitFor((requests) => requests.length === 1);
    await new Promise((later) => setTimeout(later, longerMs));
    wire.release();
    expect(mergeModelParts(await parts)[0]).toEqual({ type: "text", text: "slow" });
  });

  it("silence after the first token ends the answer as stalled, and its connection", async () => {
    const { wire, provider } = await start([{ events: contentChunks("one", " two"), end: "stay" }], { stallMs: 40 });
    const parts = mergeModelParts(await collect(provider.stream(request, idle())));
    expect(parts).toMatchObject([{ type: "text", text: "one two" }, ...failed("stalled", false)]);
    await wire.waitFor(([first]) => first?.closed ?? false);
  });

  it("a slow reader is not a stall", async () => {
    const { provider } = await start([{ events: [...contentChunks("one", " two"), stop] }], { stallMs: 20 });
    const parts: ModelPart[] = [];
    for await (const part of provider.stream(request, idle())) {
      parts.push(part);
      if (part.type === "text") await new Promise((later) => setTimeout(later, longerMs));
    }
    expect(parts.at(-1)).toMatchObject({ type: "finish" });
  });

  it("partial lines, CRLF, comments, split characters and empty lines are a normal answer", async () => {
    const wire = Buffer.from(
      [
        ": hello",
        "",
        "event: message",
        "id: 7",
        `data: ${JSON.stringify(chunk({ content: "ü😀" }))}`,
        "",
        "",
        "data: ",
        "retry: 5",
        "data:[DONE]",
        "",
        "",
      ].join("\r\n"),
    );
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    const listening = createServer((socket) => {
      socket.setNoDelay(true).on("error", () => undefined);
      socket.once("data", () => {
        socket.write(head);
        let at = 0;
        const next = (): void => void (at < wire.length ? socket.write(wire.subarray(at, ++at), next) : socket.end());
        next();
      });
    });
    raw = listening;
    await new Promise<void>((done) => void listening.listen(0, "127.0.0.1", done));
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await askRaw(`http://127.0.0.1:${port}/v1`)).toMatchObject([
      { type: "text", text: "ü😀" },
      { type: "finish" },
    ]);
  });

  it.each([
    ["an error event", { error: { message: "boom", code: 500 } }],
    ["an event that is named so", 'event: error\ndata: {"message":"boom"}\n\n'],
    ["a field that is named so", 'error: {"code":500,"message":"boom","type":"server_error"}\n\n'],
    ["a line without a field", '{"error":"boom"}\n'],
    ["a list", 'data: [{"error":{"code":500,"message":"boom"}}]\n\n'],
  ])("%s in mid-answer", async (_name, event) => {
    const { provider } = await start([{ events: [...contentChunks("one"), event] }]);
    expect(mergeModelParts(await collect(provider.stream(request, idle())))).toMatchObject([
      { type: "text", text: "one" },
      ...failed("server_error", true, { detail: expect.stringContaining("boom") }),
    ]);
  });

  it("an error under status 200 instead of a stream", async () => {
    const body = { error: { message: "The model `x` does not exist", type: "NotFoundError", code: 404 } };
    expect(await failureOf({ body })).toMatchObject(failed("model_missing", false, { facts: { model: "m" } }));
  });

  it("a web page under status 200 gives its readable text", async () => {
    const body =
      "<!DOCTYPE html><html><head><style>p{}</style></head><body><h1>Sign in</h1>\n<p>to the hotel</p></body></html>";
    for (const type of ["text/html", "text/event-stream"]) {
      expect(await failureOf({ body, type })).toMatchObject(
        failed("bad_answer", false, { detail: "Sign in to the hotel" }),
      );
      await server?.close();
    }
  });

  it.each([
    'data: {"broken": \n\n',
    "data: null\n\n",
    "data: 5\n\n",
    "garbage\n\n",
    'data: {"choices":5}\n\n',
    'data: {"choices":[{"delta":{"content":7}}]}\n\n',
  ])("an invalid event after valid parts: %j", async (event) => {
    const { provider } = await start([{ events: [...contentChunks("one"), event, ...contentChunks("two")] }]);
    expect(mergeModelParts(await collect(provider.stream(request, idle())))).toMatchObject([
      { type: "text", text: "one" },
      ...failed("bad_answer", false),
    ]);
  });

  it("an end without a reason and [DONE] keeps the text, gives no calls and fails as incomplete", async () => {
    const call = chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "ls", arguments: "{}" } }] });
    const { provider } = await start([{ events: [...contentChunks("one"), call], end: "close" }]);
    expect(mergeModelParts(await collect(provider.stream(request, idle())))).toMatchObject([
      { type: "text", text: "one" },
      ...failed("incomplete", false),
    ]);
  });

  it.each([[""], ['data: {"choi'], ["da"]])("a body cut to %j is incomplete", async (event) => {
    expect(await failureOf({ events: [event], end: "close" })).toMatchObject(failed("incomplete", false));
  });

  it.each([
    [429, { "retry-after": "7" }, 7_000],
    [503, { "retry-after": "9999" }, 9_999_000],
    // By the clock of the server, which is an hour off.
    [429, { date: "Sat, 21 Nov 2026 07:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 07:00:10 GMT" }, 10_000],
    [429, { "retry-after-ms": "250" }, 250],
    [429, { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1.5s" }, 1_500],
  ])("%i names the wait in %j", async (status, headers, retryAfterMs) => {
    const now = (): number => Date.UTC(2026, 10, 21, 8);
    const turn = { status, headers, body: { error: { message: "Rate limit reached", type: "requests" } } };
    expect(await failureOf(turn, { now })).toMatchObject([{ ...failed("server_busy", true)[0], retryAfterMs }]);
  });

  it("a redirect whose body never ends is reported", async () => {
    const headers = { location: "https://api.example.com/v1/chat/completions" };
    const turn: WireTurn = { status: 307, headers, events: ["moved"], end: "stay" };
    expect(await failureOf(turn)).toMatchObject(failed("wrong_address", false));
  });

  it("a redirect is reported and not followed", async () => {
    const turn = { status: 301, headers: { location: "https://api.example.com/v1/chat/completions" }, body: "" };
    expect(await failureOf(turn)).toMatchObject(
      failed("wrong_address", false, { facts: { suggested: "https://api.example.com/v1" } }),
    );
  });
});

describe("the key", () => {
  const echoes: readonly (readonly [string, WireTurn])[] = [
    ["whole", { status: 401, body: { error: { message: `Incorrect API key provided: ${key}.` } } }],
    ["in part", { status: 401, body: { error: { message: `bad key ${key.slice(0, 12)}…${key.slice(-9)}` } } }],
    [
      "as the server shortened it",
      { status: 401, body: { error: { message: "Incorrect API key provided: sk-te***ijkl" } } },
    ],
    ["in a page", { status: 502, type: "text/html", body: `<html><body>authorization: Bearer ${key}</body></html>` }],
    ["cut by the limit of the detail", { status: 400, body: { error: { message: `${"x ".repeat(92)}${key}` } } }],
    ["in the stream", { events: [{ error: { message: `upstream said ${key}` } }] }],
    ["in an invalid event", { events: [`${key}\n\n`] }],
    ["in a whole body", { body: `"${key}"`, type: "application/json" }],
  ];
  it.each(echoes)("is never reported, although the server echoes it %s", async (_name, turn) => {
    const { provider } = await start([turn]);
    const received = JSON.stringify(await collect(provider.stream(request, idle())));
    expect(received).toContain("failed");
    for (let from = 0; from + 9 <= key.length; from++) expect(received).not.toContain(key.slice(from, from + 9));
    expect(received).not.toContain("ijkl");
  });

  it("is in no thrown error", async () => {
    const wire = await startOpenAiServer([], {
      "GET /v1/models": { status: 403, body: { error: { message: `no: ${key}` } } },
    });
    server = wire;
    const thrown = await makeOpenAi({ id: "custom", baseUrl: () => wire.base, apiKey: () => key })
      .models(idle())
      .catch((cause: unknown) => cause);
    expect(thrown).toMatchObject({ error: { code: "key_refused", detail: "no: ***" } });
    expect(thrown instanceof Error && `${thrown.stack} ${thrown.message} ${String(thrown.cause)}`).not.toContain(key);
  });

  it("that is malformed is refused before it is sent", async () => {
    const { wire, provider } = await start([{ events: [stop] }], { apiKey: () => "two words\nand a line" });
    const parts = await collect(provider.stream(request, idle()));
    expect(parts).toMatchObject([{ type: "failed", error: { code: "key_refused", facts: { malformed: true } } }]);
    expect(wire.requests).toEqual([]);
  });

  it("credentials in the address are used and never reported", async () => {
    const { wire } = await start([{ events: [stop] }]);
    const base = wire.base.replace("//", "//me:secret@");
    await askRaw(base);
    expect(wire.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:secret").toString("base64")}`);
    await wire.close();
    expect(JSON.stringify(await askRaw(base))).not.toContain("secret");
  });
});
