/**
 * One HTTP request on node:http, for answers that may take hours: no time limits, one connection each, gone with the signal.
 * (fetch gives up after 300 s without headers, which a model server needs for loading.) Called by the fetch of each provider.
 */
import type { ClientRequest, IncomingMessage } from "node:http";

/** How often a silent connection is probed, so that a machine that fell asleep is noticed. */
const probeMs = 30_000;
/** What may lie between the connection and its reader. */
const waitingMaxBytes = 1_048_576;
const noBytes = new Uint8Array();

/** The connection failed. `connected` false = nobody was reached. */
export class SocketError extends Error {
  override readonly name = "SocketError";
  constructor(
    readonly connected: boolean,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export interface NodeResponse {
  readonly status: number;
  readonly statusText: string;
  header(name: string): string | undefined;
  /** Read once; leaving the loop early closes the connection. Throws SocketError. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection; a read that waits throws `reason`. */
  destroy(reason?: Error): void;
}

export interface NodeRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The chunks in order. They are taken off the response as they come: what it still holds when the connection breaks would be
 * lost, and the text that had come is to be kept. A reader that falls behind stops the sender.
 */
async function* bodyOf(response: IncomingMessage, reason: () => Error | undefined): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let waiting = 0;
  let end: { readonly cause?: unknown } | undefined;
  let wake = (): void => undefined;
  const ended = (cause?: unknown): void => {
    end ??= cause === undefined ? {} : { cause };
    wake();
  };
  response.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk);
    waiting += chunk.length;
    if (waiting > waitingMaxBytes) response.pause();
    wake();
  });
  response.once("end", () => ended());
  response.on("error", ended);
  response.once("close", () => ended(new Error("closed early")));
  try {
    for (;;) {
      if (chunks.length === 0 && end === undefined) await new Promise<void>((resolve) => (wake = resolve));
      const taken = chunks;
      chunks = [];
      waiting = 0;
      response.resume();
      // What came while nobody read is one chunk: every reader behind waits a turn for each.
      if (taken.length > 0) yield taken.length === 1 ? (taken[0] ?? noBytes) : Buffer.concat(taken);
      if (taken.length > 0 || end === undefined) continue;
      if (end.cause !== undefined) throw reason() ?? new SocketError(true, end.cause);
      return;
    }
  } finally {
    response.destroy();
  }
}

/** Node names no length for the body of a DELETE by itself, and servers then read it as the next request. */
const headersOf = ({ headers, body }: NodeRequest): NodeRequest["headers"] =>
  body === undefined ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) };

/** Resolves with the head of the answer. Rejects with SocketError, or with the signal's reason once it aborted. */
export async function nodeFetch(address: string, init: NodeRequest, signal: AbortSignal): Promise<NodeResponse> {
  signal.throwIfAborted();
  const url = new URL(address);
  const { request: open } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // It may have fired while the module came: nobody would be told any more.
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let connected = false;
    let reason: Error | undefined;
    // No pool: a kept connection that the server is just closing would look like a lost answer.
    const request: ClientRequest = open(url, { method: init.method, headers: headersOf(init), agent: false });
    const abort = (): void => void request.destroy();
    signal.addEventListener("abort", abort, { once: true });
    request.once("close", () => signal.removeEventListener("abort", abort));
    request.once("socket", (socket) => {
      socket.setKeepAlive(true, probeMs);
      socket.once("connect", () => (connected = true));
    });
    request.on("error", (cause) => reject(signal.aborted ? signal.reason : new SocketError(connected, cause)));
    request.once("response", (response) =>
      resolve({
        status: response.statusCode ?? 0,
        statusText: response.statusMessage ?? "",
        header: (name) => {
          const value = response.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body: bodyOf(response, () => reason),
        destroy(why) {
          reason = why;
          request.destroy();
        },
      }),
    );
    request.end(init.body);
  });
}
