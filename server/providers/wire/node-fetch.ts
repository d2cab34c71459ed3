/**
 * One HTTP request on node:http, for answers that may take hours: no time limits, one connection per request, closed on
 * abort. (fetch gives up after 300 s without headers, which a model server may need for loading.)
 */
import type { ClientRequest, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";

/** TCP keep-alive interval, ms; detects a machine that went to sleep. */
const keepAliveMs = 30_000;
/** Bytes buffered before the sender is paused. */
const maxBufferedBytes = 1_048_576;
const noBytes = new Uint8Array();

/** The connection failed. `connected` false = no connection was made. */
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
  /** Can be read once; leaving the loop early closes the connection. Throws SocketError. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection; a pending read throws `reason`. */
  destroy(reason?: Error): void;
}

export interface NodeRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Gets the server's address when a connection is made; false = it is closed before the request is sent over https. */
  accepts?(address: string): boolean;
  /** Resolves the name of the server; absent = by the system. An address in place of a name is not resolved. */
  readonly lookup?: LookupFunction;
  /** Absent = Node's own limit. */
  readonly maxHeaderBytes?: number;
}

/**
 * Yields the chunks in order. They are taken off the response as they arrive: data still in it when the connection
 * breaks would be lost. A slow reader pauses the sender.
 */
async function* readBody(response: IncomingMessage, reason: () => Error | undefined): AsyncGenerator<Uint8Array> {
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
    if (waiting > maxBufferedBytes) response.pause();
    wake();
  });
  response.once("end", () => ended());
  response.on("error", ended);
  response.once("close", () => ended(new Error("closed early")));
  try {
    for (;;) {
      if (chunks.length === 0 && end === undefined) await new Promise<void>((resolve) => (wake = resolve));
      const received = chunks;
      chunks = [];
      waiting = 0;
      response.resume();
      // Chunks that arrived meanwhile are merged: each chunk costs every later stage one event loop turn.
      if (received.length > 0) yield received.length === 1 ? (received[0] ?? noBytes) : Buffer.concat(received);
      if (received.length > 0 || end === undefined) continue;
      if (end.cause !== undefined) throw reason() ?? new SocketError(true, end.cause);
      return;
    }
  } finally {
    response.destroy();
  }
}

/** Node sets no Content-Length for the body of a DELETE; servers then parse the body as the next request. */
const withContentLength = ({ headers, body }: NodeRequest): NodeRequest["headers"] =>
  body === undefined ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) };

/** Resolves with the response head. Rejects with SocketError, or with the signal's reason after an abort. */
export async function nodeFetch(address: string, init: NodeRequest, signal: AbortSignal): Promise<NodeResponse> {
  signal.throwIfAborted();
  const url = new URL(address);
  const { request: open } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // The signal may have aborted during the import, before the listener below exists.
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let connected = false;
    let reason: Error | undefined;
    // No pool: a kept-alive connection that the server is closing would look like a lost answer.
    const request: ClientRequest = open(url, {
      method: init.method,
      headers: withContentLength(init),
      agent: false,
      ...(init.lookup === undefined ? {} : { lookup: init.lookup }),
      ...(init.maxHeaderBytes === undefined ? {} : { maxHeaderSize: init.maxHeaderBytes }),
    });
    const abort = (): void => void request.destroy();
    signal.addEventListener("abort", abort, { once: true });
    request.once("close", () => signal.removeEventListener("abort", abort));
    request.once("socket", (socket) => {
      socket.setKeepAlive(true, keepAliveMs);
      socket.once("connect", () => {
        connected = true;
        const address = socket.remoteAddress ?? "";
        if (init.accepts?.(address) === false) request.destroy(new Error(`${address} is not accepted`));
      });
    });
    const fail = (cause: unknown): void => reject(signal.aborted ? signal.reason : new SocketError(connected, cause));
    request.on("error", fail);
    // Without an error after an answer that Node does not pass on, such as 101. After an answer it has no effect.
    request.once("close", () => fail(new Error("closed without an answer")));
    request.once("response", (response) =>
      resolve({
        status: response.statusCode ?? 0,
        statusText: response.statusMessage ?? "",
        header: (name) => {
          const value = response.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body: readBody(response, () => reason),
        destroy(error) {
          reason = error;
          request.destroy();
        },
      }),
    );
    request.end(init.body);
  });
}
