/**
 * Requests to the Bot API, whose failures are plain data. The token is a part of every address: no text that leaves this module
 * contains it.
 */
import { Api, GrammyError, HttpError } from "grammy/web";
import type { AgentError } from "@/lib/events/error";
import { parseJson } from "@/server/base/parse-json";
import { timeLimit } from "@/server/base/abort";
import { readUnpacked } from "@/server/providers/egress/read-unpacked";
import { nodeFetch, SocketError } from "@/server/providers/wire/node-fetch";
import type { TelegramTimings } from "./telegram-timings";

export type TelegramFailure =
  | { readonly kind: "aborted" }
  /** The server refuses the request; `words` are its own. */
  | { readonly kind: "refused"; readonly status: number; readonly words: string }
  /** Too many requests: the next one is allowed after this time. */
  | { readonly kind: "too_fast"; readonly waitMs: number }
  /** There was no answer, or none of the Bot API. */
  | { readonly kind: "broken"; readonly error: AgentError };

export type TelegramAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: TelegramFailure };

type TelegramDownload =
  | { readonly kind: "loaded"; readonly bytes: Uint8Array }
  /** It is longer than the limit. */
  | { readonly kind: "too_large" }
  | { readonly kind: "missing" };

export interface TelegramClient {
  /** Sends the requests of `ask`, and waits at most `limitMs` for all of them. Never rejects. */
  call<T>(ask: (api: Api) => Promise<T>, limitMs: number, signal: AbortSignal): Promise<TelegramAnswer<T>>;
  /** Loads a file by its path on the server. Never rejects. */
  download(
    path: string,
    maxBytes: number,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<TelegramAnswer<TelegramDownload>>;
}

interface TelegramClientOptions {
  readonly token: string;
  /** Without a slash at its end. */
  readonly apiAddress: string;
  readonly timings: Pick<TelegramTimings, "secondMs">;
}

/** Limit of an answer; the updates of one poll are the largest. */
const answerMaxBytes = 50_000_000;
/** A longer wait that a server requests is not believed, seconds. */
const waitMaxSeconds = 3_600;

/** The answer does not come from a Bot API. */
class ForeignAnswerError extends Error {
  override readonly name = "ForeignAnswerError";
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array>;
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** The part of `fetch` that the library uses, through the proxy of the environment and with a connection for each request. */
function fetchUntil(signal: AbortSignal) {
  return async (address: string, { method, headers, body }: FetchOptions): Promise<{ json(): Promise<unknown> }> => {
    const bytes = typeof body === "string" ? body : await readAll(body);
    const sent = { ...headers, connection: "close" };
    const response = await nodeFetch(address, { method, headers: sent, body: bytes }, signal);
    const { bytes: answer, isCut } = await readUnpacked(response, answerMaxBytes, signal);
    const json = isCut ? undefined : parseJson(answer.toString("utf8"));
    const isOfApi = typeof json === "object" && json !== null && "ok" in json && typeof json.ok === "boolean";
    if (!isOfApi) throw new ForeignAnswerError(response.status);
    return { json: async () => json };
  };
}

export function makeTelegramClient({ token, apiAddress, timings }: TelegramClientOptions): TelegramClient {
  const withoutToken = (text: string): string => text.replaceAll(token, "…");
  const toWords = (error: unknown): string => withoutToken(error instanceof Error ? error.message : "");

  function toFailure(error: unknown, limit: AbortSignal, signal: AbortSignal): TelegramFailure {
    if (signal.aborted) return { kind: "aborted" };
    if (limit.aborted) return { kind: "broken", error: { code: "timeout" } };
    if (error instanceof GrammyError) return toRefusal(error.error_code, error.description, error.parameters);
    // The inner error is one of ours.
    const inner = error instanceof HttpError ? error.error : error;
    if (inner instanceof ForeignAnswerError) return ofStatus(inner.status, inner.message);
    const code = inner instanceof SocketError && inner.connected ? "connection_lost" : "server_unreachable";
    return { kind: "broken", error: { code, detail: toWords(inner) } };
  }

  function toRefusal(status: number, words: string, parameters: { readonly retry_after?: number }): TelegramFailure {
    if (status === 429) {
      const seconds = Math.min(Math.max(parameters.retry_after ?? 1, 1), waitMaxSeconds);
      return { kind: "too_fast", waitMs: seconds * timings.secondMs };
    }
    return status >= 500 ? ofStatus(status, words) : { kind: "refused", status, words: withoutToken(words) };
  }

  const ofStatus = (status: number, words: string): TelegramFailure => ({
    kind: "broken",
    error: {
      code: status >= 500 ? "server_error" : "wrong_address",
      detail: withoutToken(words),
      facts: { status },
    },
  });

  async function attempt<T>(
    work: (limit: AbortSignal) => Promise<T>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<TelegramAnswer<T>> {
    const limit = timeLimit(limitMs, signal);
    try {
      return { ok: true, value: await work(limit) };
    } catch (error) {
      return { ok: false, failure: toFailure(error, limit, signal) };
    }
  }

  return {
    call: (ask, limitMs, signal) =>
      attempt(
        async (limit) => ask(new Api(token, { apiRoot: apiAddress, fetch: fetchUntil(limit), timeoutSeconds: 3_600 })),
        limitMs,
        signal,
      ),
    download: (path, maxBytes, limitMs, signal) =>
      attempt(
        async (limit) => {
          const address = `${apiAddress}/file/bot${token}/${path.split("/").map(encodeURIComponent).join("/")}`;
          const response = await nodeFetch(address, { method: "GET", headers: {} }, limit);
          try {
            if (response.status === 404) return { kind: "missing" };
            if (response.status !== 200) throw new ForeignAnswerError(response.status);
            const { bytes, isCut } = await readUnpacked(response, maxBytes, limit);
            return isCut ? { kind: "too_large" } : { kind: "loaded", bytes };
          } finally {
            response.destroy();
          }
        },
        limitMs,
        signal,
      ),
  };
}
