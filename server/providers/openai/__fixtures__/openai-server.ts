/** Scripted OpenAI-compatible server on plain node:http, for tests. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { Json } from "@/lib/events/content";
import type { ContractTurn } from "../../provider.contract";

/** One scripted answer; the caller keeps the fields consistent. */
export interface WireTurn {
  /** Stream events: an object is sent as one data event, a string as it is. */
  readonly events?: readonly (object | string)[];
  /** Whole body instead of a stream; an object is sent as JSON. */
  readonly body?: object | string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  /** Pauses after this many events until `release`; 0 = before the response head. */
  readonly holdAfter?: number;
  /** Breaks the connection after this many events. */
  readonly breakAfter?: number;
  /** After the events: [DONE] and end, end alone, or keep the connection open. */
  readonly end?: "done" | "close" | "stay";
}

interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly body: { readonly [name: string]: Json };
  /** Events written so far. */
  events: number;
  closed: boolean;
}

export interface OpenAiServer {
  /** http://127.0.0.1:port, without /v1 */
  readonly url: string;
  readonly base: string;
  readonly requests: readonly WireRequest[];
  release(): void;
  /** Resolves as soon as `check` returns true. */
  waitFor(check: (requests: readonly WireRequest[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

const formatEvent = (one: object | string): string =>
  typeof one === "string" ? one : `data: ${JSON.stringify(one)}\n\n`;

export const chunk = (delta: object, finish: string | null = null): object => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const splitPieces = (text: string): readonly string[] => text.match(/\s*\S{1,6}|\s+/gu) ?? [];

/** Wire form of a turn of the provider contract. */
export function toWireTurn({ thinking, text, calls = [], ...turn }: ContractTurn): WireTurn {
  const events = [
    ...splitPieces(thinking ?? "").map((piece) => chunk({ reasoning_content: piece })),
    ...splitPieces(text ?? "").map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ name, input }, index) => [
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: "" } }] }),
      ...splitPieces(JSON.stringify(input)).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, calls.length === 0 ? "stop" : "tool_calls"),
  ];
  return { events, ...turn };
}

/** Writes one answer; awaits `hold` where the turn asks for it. */
async function writeTurn(
  response: ServerResponse,
  turn: WireTurn,
  entry: WireRequest,
  hold: () => Promise<void>,
): Promise<void> {
  if (turn.holdAfter === 0) await hold();
  const whole = turn.body ?? (turn.events === undefined ? { error: { message: "scripted error" } } : undefined);
  const type = turn.type ?? (whole === undefined ? "text/event-stream" : "application/json");
  response.writeHead(turn.status ?? 200, { "content-type": type, ...turn.headers });
  if (whole !== undefined || (turn.status ?? 200) >= 300)
    return void response.end(typeof whole === "string" ? whole : JSON.stringify(whole ?? { error: "scripted error" }));
  response.flushHeaders();
  for (const [at, one] of (turn.events ?? []).entries()) {
    if (response.destroyed) return;
    // Reader and writer share this process: yield after each event so that the reader runs.
    await new Promise<void>((done) => void response.write(formatEvent(one), () => setImmediate(done)));
    entry.events += 1;
    if (at + 1 === turn.breakAfter) return void response.socket?.destroy();
    if (at + 1 === turn.holdAfter) await hold();
  }
  if (turn.end === "stay") return;
  response.end(turn.end === "close" ? "" : "data: [DONE]\n\n");
}

/** Re-evaluates pending `waitFor` checks on every change. */
function makeRequestWaiters(requests: readonly WireRequest[]) {
  const waiting = new Set<() => void>();
  return {
    notify: (): void => [...waiting].forEach((ask) => ask()),
    waitFor: (check: (requests: readonly WireRequest[]) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const ask = (): void => {
          if (!check(requests)) return;
          waiting.delete(ask);
          resolve();
        };
        waiting.add(ask);
        ask();
      }),
  };
}

/** Answers each POST with the next turn, other requests from `fixed` ("GET /v1/models"), else 404. */
export async function startOpenAiServer(
  turns: readonly WireTurn[] = [],
  fixed: Readonly<Record<string, WireTurn>> = {},
): Promise<OpenAiServer> {
  const requests: WireRequest[] = [];
  const held = new Set<() => void>();
  const news = makeRequestWaiters(requests);
  let next = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = "";
    for await (const piece of request.setEncoding("utf8")) raw += String(piece);
    const { method = "", url = "", headers } = request;
    const body: WireRequest["body"] = raw === "" ? {} : JSON.parse(raw);
    const entry: WireRequest = { method, path: url, headers, raw, body, events: 0, closed: false };
    requests.push(entry);
    response.once("close", () => {
      entry.closed = true;
      news.notify();
    });
    news.notify();
    const turn = fixed[`${method} ${url}`] ?? (method === "POST" ? turns[next++] : undefined);
    const hold = (): Promise<void> =>
      new Promise((go) => {
        held.add(go);
        response.once("close", go);
      });
    await writeTurn(response, turn ?? { status: 404, body: "404 page not found", type: "text/plain" }, entry, hold);
  }

  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const release = (): void => {
    for (const go of [...held]) go();
    held.clear();
  };
  return {
    url,
    base: `${url}/v1`,
    requests,
    release,
    waitFor: news.waitFor,
    async close() {
      release();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
