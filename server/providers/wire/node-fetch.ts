/**
 * One HTTP request on node:http, through the proxy of the environment where it has one for the address, for answers that may take hours: no time limits, one connection per request, closed on
 * abort. (fetch gives up after 300 s without headers, which a model server may need for loading.)
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import { thrownText } from "@/lib/events/error";
import { abortable } from "@/server/base/abort";
import { addressScope } from "@/server/base/address-scope";
import { findProxy, isUncheckedHostAllowed, type Proxy, resolveHost } from "./proxy/find-proxy";
import { openTunnel } from "./proxy/open-tunnel";

/** TCP keep-alive interval, ms; detects a machine that went to sleep. */
const keepAliveMs = 30_000;
/** Bytes buffered before the sender is paused. */
const maxBufferedBytes = 1_048_576;
const noBytes = new Uint8Array();

/** The connection failed. `connected` false = no connection was made. `proxy` = host and port of the proxy it was made through. */
export class SocketError extends Error {
  override readonly name = "SocketError";
  constructor(
    readonly connected: boolean,
    override readonly cause: unknown,
    readonly proxy: string | null = null,
  ) {
    const text = thrownText(cause);
    super(proxy === null ? text : `proxy ${proxy}: ${text}`, { cause });
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
  readonly body?: string | Uint8Array | undefined;
  /**
   * Gets the server's address when a connection is made; false = it is closed before the request is sent over https. Through a
   * proxy it gets the addresses that the name has here, before anything is sent.
   */
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

/** The proxy for a request; null = it is sent directly. Throws SocketError for addresses that are not accepted. */
async function chooseProxy(url: URL, init: NodeRequest, signal: AbortSignal): Promise<Proxy | null> {
  const found = findProxy(url);
  if (!found.ok) throw new SocketError(false, new Error(found.error));
  const proxy = found.value;
  if (proxy === null) return null;
  const fails = (message: string): never => {
    throw new SocketError(false, new Error(message), proxy.host);
  };
  const addresses = await abortable(resolveHost(url, init.lookup), signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new SocketError(false, error, proxy.host);
  });
  // A name of the company's network.
  if (addresses.length > 0 && addresses.every((one) => ["machine", "network"].includes(addressScope(one)))) return null;
  if (init.accepts === undefined) return proxy;
  const refused = addresses.find((one) => init.accepts?.(one) === false);
  if (refused !== undefined) return fails(`${refused} is not accepted`);
  if (addresses.length === 0 && !isUncheckedHostAllowed(url)) return fails(`${url.host} has no address here`);
  return proxy;
}

interface Route {
  readonly url: URL;
  readonly options: RequestOptions;
  /** The connection to the server exists. */
  readonly isConnected: boolean;
}

async function openRoute(url: URL, init: NodeRequest, proxy: Proxy | null, signal: AbortSignal): Promise<Route> {
  const headers = withContentLength(init);
  if (proxy === null) {
    const lookup = init.lookup === undefined ? {} : { lookup: init.lookup };
    // No pool: a kept-alive connection that the server is closing would look like a lost answer.
    return { url, options: { headers, agent: false, ...lookup }, isConnected: false };
  }
  if (url.protocol === "http:") {
    const all = { ...headers, ...proxy.headers, Host: url.host };
    return { url: proxy.url, options: { headers: all, agent: false, path: url.href }, isConnected: false };
  }
  const tunnel = await openTunnel(url, proxy, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new SocketError(false, error, proxy.host);
  });
  return { url, options: { headers, createConnection: () => tunnel }, isConnected: true };
}

/** Resolves with the response head. Rejects with SocketError, or with the signal's reason after an abort. */
export async function nodeFetch(address: string, init: NodeRequest, signal: AbortSignal): Promise<NodeResponse> {
  signal.throwIfAborted();
  const url = new URL(address);
  const proxy = await chooseProxy(url, init, signal);
  const route = await openRoute(url, init, proxy, signal);
  const { request: open } = route.url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // The signal may have aborted during the import, before the listener below exists.
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let connected = route.isConnected;
    let reason: Error | undefined;
    const request: ClientRequest = open(route.url, {
      method: init.method,
      ...route.options,
      ...(init.maxHeaderBytes === undefined ? {} : { maxHeaderSize: init.maxHeaderBytes }),
    });
    const abort = (): void => void request.destroy();
    signal.addEventListener("abort", abort, { once: true });
    request.once("close", () => signal.removeEventListener("abort", abort));
    request.once("socket", (socket) => {
      socket.setKeepAlive(true, keepAliveMs);
      socket.once("connect", () => {
        connected = true;
        if (proxy !== null) return;
        const address = socket.remoteAddress ?? "";
        if (init.accepts?.(address) === false) request.destroy(new Error(`${address} is not accepted`));
      });
    });
    const fail = (cause: unknown): void =>
      reject(signal.aborted ? signal.reason : new SocketError(connected, cause, proxy?.host));
    request.on("error", fail);
    // Without an error after an answer that Node does not pass on, such as 101. After an answer it has no effect.
    request.once("close", () => fail(new Error("closed without an answer")));
    request.once("response", (response) => {
      if (proxy !== null && response.statusCode === 407) {
        reject(new SocketError(false, new Error("407 Proxy Authentication Required"), proxy.host));
        return void request.destroy();
      }
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
      });
    });
    request.end(init.body);
  });
}
