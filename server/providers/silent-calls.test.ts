import { createServer, type Server, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { makeOllama } from "./ollama/ollama";
import { makeOpenAi } from "./openai/openai";
import { findPreset } from "./presets";
import type { ModelRequest, Provider } from "./provider";
import { collect } from "./provider.contract";

const request: ModelRequest = {
  provider: "ollama",
  model: "quiet",
  messages: [{ role: "user", text: "write the file" }],
  tools: [{ name: "write", description: "Writes a file.", parameters: { type: "object", properties: {} } }],
  numCtx: 8192,
  think: false,
  keepAliveMinutes: 30,
  maxOutputTokens: 4096,
};
/** As short as a stall limit can be; the number of probes matters, not their duration. */
const stallMs = 15;

/** Wait for a live server that may not send any output, with the provider's factor of 5. */
const patienceMs = 5 * stallMs;

/** Blocks the event loop. */
function pauseProcess(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

interface Wire {
  readonly name: string;
  readonly words: string;
  readonly call: string;
  readonly alive: string;
  readonly last: string;
  make(url: string, tryMs?: number): Provider;
}

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const wires: readonly Wire[] = [
  {
    name: "ollama",
    words: `${JSON.stringify({ message: { content: "I write it." }, done: false })}\n`,
    call: `${JSON.stringify({ message: { content: "", tool_calls: [{ function: { name: "write", arguments: { path: "a" } } }] }, done: false })}\n`,
    alive: JSON.stringify({ models: [{ name: "quiet:latest", size: 1 }] }),
    last: `${JSON.stringify({ message: { content: "" }, done: true, done_reason: "stop" })}\n`,
    make: (url, tryMs) => makeOllama({ host: () => url, stallMs, tryMs }),
  },
  {
    name: "a local server on the OpenAI wire",
    words: event({ choices: [{ index: 0, delta: { content: "I write it." } }] }),
    call: event({
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: "1", function: { name: "write", arguments: '{"path":"a"}' } }] },
        },
      ],
    }),
    alive: JSON.stringify({ data: [{ id: "quiet" }] }),
    last: `${event({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] })}data: [DONE]\n\n`,
    make: (url, tryMs) =>
      makeOpenAi({
        id: "custom",
        baseUrl: () => `${url}/v1`,
        apiKey: () => null,
        stallMs,
        tryMs,
      }),
  },
];

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Quiet {
  readonly url: string;
  /** Number of liveness probes. */
  readonly asked: () => number;
  readonly closed: Promise<void>;
}

/** Sends some text and goes silent; `probed` answers each liveness probe. */
async function startQuiet(
  wire: Wire,
  probed: (answer: ServerResponse, chat: ServerResponse, times: number) => void,
): Promise<Quiet> {
  let requestCount = 0;
  let chat: ServerResponse | undefined;
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const listening = createServer((incoming, response) => {
    incoming.resume();
    if (incoming.method === "POST") {
      chat = response;
      response.once("close", close);
      response.write(wire.words);
      return;
    }
    requestCount += 1;
    if (chat !== undefined) probed(response, chat, requestCount);
  });
  server = listening;
  await new Promise<void>((done) => void listening.listen(0, "127.0.0.1", done));
  const address = listening.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked: () => requestCount, closed };
}

const idle = (): AbortSignal => new AbortController().signal;
const stalled = { type: "failed", error: { code: "stalled" }, retryable: false };

describe.each(wires)("a native call that takes long to generate: $name", (wire) => {
  it("is awaited while the server is alive", async () => {
    const quiet = await startQuiet(wire, (answer, chat, times) => {
      answer.end(wire.alive);
      if (times === 8) chat.end(wire.call + wire.last);
    });
    const parts = await collect(wire.make(quiet.url).stream(request, idle()));
    expect(parts).toMatchObject([
      { type: "text", text: "I write it." },
      { type: "call", name: "write", input: { path: "a" } },
      { type: "finish", stop: "done" },
    ]);
    expect(quiet.asked()).toBeGreaterThanOrEqual(8);
  });

  it.each<readonly [string, (answer: ServerResponse) => void]>([
    ["refuses", (answer) => void answer.destroy()],
    ["does not answer", () => undefined],
    ["answers with an error", (answer) => void answer.writeHead(500).end("{}")],
    ["answers with a web page", (answer) => void answer.writeHead(200, { "content-type": "text/html" }).end("<html>")],
  ])("ends as stalled when the server %s", async (_how, probed) => {
    const quiet = await startQuiet(wire, probed);
    const parts = await collect(wire.make(quiet.url, 10).stream(request, idle()));
    expect(parts.at(-1)).toMatchObject(stalled);
    await quiet.closed;
  });

  it("is awaited after one failed probe", async () => {
    const quiet = await startQuiet(wire, (answer, chat, times) => {
      if (times % 2 === 1) answer.destroy();
      else answer.end(wire.alive);
      if (times === 6) chat.end(wire.call + wire.last);
    });
    expect((await collect(wire.make(quiet.url).stream(request, idle()))).at(-1)).toMatchObject({ type: "finish" });
  });

  it("is given up on a live server after the time for its whole output", async () => {
    const quiet = await startQuiet(wire, (answer) => void answer.end(wire.alive));
    const parts = await collect(wire.make(quiet.url).stream({ ...request, maxOutputTokens: 0 }, idle()));
    expect(parts.at(-1)).toMatchObject(stalled);
    expect(quiet.asked()).toBeGreaterThan(0);
  });

  it("is awaited after a pause of this process that was longer than the whole output may take", async () => {
    const quiet = await startQuiet(wire, (answer, chat) => {
      answer.end(wire.alive);
      chat.end(wire.call + wire.last);
    });
    const parts = wire.make(quiet.url).stream({ ...request, maxOutputTokens: 0 }, idle());
    const kinds: string[] = [];
    for await (const part of parts) {
      if (part.type === "text") pauseProcess(patienceMs);
      kinds.push(part.type);
    }
    expect(kinds.at(-1)).toBe("finish");
  });

  it("is not expected without native tools: silence is a stall, and no probe is sent", async () => {
    const quiet = await startQuiet(wire, (answer) => void answer.end(wire.alive));
    const parts = await collect(wire.make(quiet.url).stream({ ...request, tools: [] }, idle()));
    expect(parts.at(-1)).toMatchObject(stalled);
    expect(quiet.asked()).toBe(0);
  });

  it("ends on abort while a probe runs", async () => {
    const stop = new AbortController();
    const quiet = await startQuiet(wire, () => stop.abort());
    const parts = await collect(wire.make(quiet.url).stream(request, stop.signal));
    expect(parts).toMatchObject([{ type: "text", text: "I write it." }]);
    await quiet.closed;
  });
});

it("a model that Ollama no longer lists as loaded is not awaited", async () => {
  const [wire] = wires;
  if (wire === undefined) throw new Error("no wire");
  const quiet = await startQuiet(wire, (answer) => void answer.end('{"models":[{"name":"other:latest"}]}'));
  expect((await collect(wire.make(quiet.url).stream(request, idle()))).at(-1)).toMatchObject(stalled);
});

it("a hosted server, which streams its calls, keeps its stall limit", async () => {
  const wire = wires[1];
  if (wire === undefined) throw new Error("no wire");
  const quiet = await startQuiet(wire, (answer) => void answer.end(wire.alive));
  const hosted = makeOpenAi({
    id: "hosted",
    preset: findPreset("openrouter"),
    baseUrl: () => `${quiet.url}/v1`,
    apiKey: () => null,
    stallMs,
  });
  expect((await collect(hosted.stream(request, idle()))).at(-1)).toMatchObject(stalled);
  expect(quiet.asked()).toBe(0);
});
