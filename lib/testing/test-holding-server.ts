/**
 * For tests: a model server with the wire of llama-server's resumable streams. It writes the test's events, holds the answer apart
 * from its connections, and counts the prompts that it reads.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Tokens of each prompt that it reads. */
export const heldPromptTokens = 4_000;

/** One answer in progress, or at its end. */
class HeldAnswer {
  readonly readers = new Set<ServerResponse>();
  #bytes = Buffer.alloc(0);
  #dropped = 0;
  isDone = false;

  constructor(readonly isHeld: boolean) {}

  /** null = its start was dropped. */
  read(from: number): Buffer | null {
    return from < this.#dropped ? null : this.#bytes.subarray(from - this.#dropped);
  }
  append(text: string): void {
    const bytes = Buffer.from(text);
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (const reader of this.readers) reader.write(bytes);
  }
  end(): void {
    this.isDone = true;
    for (const reader of this.readers) reader.end();
    this.readers.clear();
  }
  /** As a full ring does. */
  drop(): void {
    this.#dropped += this.#bytes.length;
    this.#bytes = Buffer.alloc(0);
  }
}

export interface HoldingServer {
  /** Base URL for a connection. */
  readonly baseUrl: string;
  /** Method, path without its query. */
  readonly requests: readonly string[];
  /** Bodies of the requests for an answer. */
  readonly bodies: readonly string[];
  /** Prompts that were read. */
  readonly reads: number;
  /** Resolves when `check` returns true, after a request or the end of one. */
  waitFor(check: () => boolean): Promise<void>;
  /** Writes one event of this text, or of this thinking, to the newest answer. */
  write(text: string, kind?: "content" | "reasoning_content"): void;
  /** Ends the newest answer. */
  finish(): void;
  /** Ends the newest answer with an error. */
  fail(message: string): void;
  /** Breaks the connections of all answers. */
  cut(): void;
  /** Drops the start of all answers, or all of them, as a server that was started again. */
  lose(part: "start" | "answers"): void;
  close(): Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += String(piece);
  return body;
};

function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

const toError = (code: number, message: string): object => ({
  error: { code, message, type: "invalid_request_error" },
});

const usage = {
  prompt_tokens: heldPromptTokens,
  completion_tokens: 40,
  total_tokens: heldPromptTokens + 40,
  prompt_tokens_details: { cached_tokens: 0 },
};

/** `holds` false = an older server, which ignores the header. */
export async function startHoldingServer({ holds = true, isSleeping = false } = {}): Promise<HoldingServer> {
  const answers = new Map<string, HeldAnswer>();
  const waiting = new Set<() => void>();
  const requests: string[] = [];
  const bodies: string[] = [];
  let newest = new HeldAnswer(false);
  let reads = 0;
  const notify = (): void => [...waiting].forEach((check) => check());
  const event = (value: object): void =>
    newest.append(`data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", ...value })}\n\n`);

  function attach(answer: HeldAnswer, response: ServerResponse, from: number): void {
    const start = answer.read(from);
    if (start === null) return sendJson(response, toError(400, "Stream offset lost, please restart"), 400);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    response.write(start);
    if (answer.isDone) return void response.end();
    answer.readers.add(response);
    response.once("close", () => {
      answer.readers.delete(response);
      if (!answer.isHeld) answer.isDone = true;
      notify();
    });
  }
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "", headers } = request;
    const { pathname, searchParams } = new URL(url, "http://server");
    const body = await readBody(request);
    const id = searchParams.get("conv_id") ?? "";
    requests.push(`${method} ${pathname}`);
    switch (`${method} ${pathname}`) {
      case "GET /v1/models":
        sendJson(response, { data: [{ id: "held-model", meta: { n_params: 8e9, n_ctx: 16_384 } }] });
        break;
      case "GET /props":
        sendJson(response, { total_slots: 1, is_sleeping: isSleeping });
        break;
      case "POST /v1/chat/completions/input_tokens":
        sendJson(response, { object: "response.input_tokens", input_tokens: heldPromptTokens });
        break;
      case "POST /v1/streams/lookup":
        if (holds) sendJson(response, []);
        else sendJson(response, toError(404, "File Not Found"), 404);
        break;
      case "POST /v1/chat/completions": {
        const held = headers["x-conversation-id"];
        newest = new HeldAnswer(holds && held !== undefined);
        if (newest.isHeld) answers.set(String(held), newest);
        reads += 1;
        bodies.push(body);
        attach(newest, response, 0);
        break;
      }
      case "POST /v1/chat/completions/control":
        if (holds) sendJson(response, { success: true });
        else sendJson(response, toError(404, "File Not Found"), 404);
        break;
      case "GET /v1/stream": {
        const answer = answers.get(id);
        if (answer === undefined) sendJson(response, toError(404, "Stream not found or expired"), 404);
        else attach(answer, response, Number(searchParams.get("from") ?? 0));
        break;
      }
      case "DELETE /v1/stream":
        answers.get(id)?.end();
        answers.delete(id);
        response.writeHead(204).end();
        break;
      default:
        sendJson(response, toError(404, "File Not Found"), 404);
    }
    notify();
  }

  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    handle(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`,
    requests,
    bodies,
    get reads() {
      return reads;
    },
    waitFor: (check) =>
      new Promise((resolve) => {
        const ask = (): void => {
          if (!check()) return;
          waiting.delete(ask);
          resolve();
        };
        waiting.add(ask);
        ask();
      }),
    write: (text, kind = "content") => event({ choices: [{ index: 0, delta: { [kind]: text }, finish_reason: null }] }),
    finish() {
      event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
      event({ choices: [], usage });
      newest.append("data: [DONE]\n\n");
      newest.end();
    },
    fail(message) {
      newest.append(`data: ${JSON.stringify({ error: { code: 500, message, type: "server_error" } })}\n\n`);
      newest.end();
    },
    cut: () => newest.readers.forEach((reader) => reader.destroy()),
    lose(part) {
      if (part === "start") for (const answer of answers.values()) answer.drop();
      else answers.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
