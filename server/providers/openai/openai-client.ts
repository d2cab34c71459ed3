/**
 * Wraps the package openai: one client per call, no retries, no key and no types of its own, every failure a
 * ProviderError.
 */
import * as z from "zod/mini";
import type { StallLimit } from "../wire/answer-bytes";
import { bearerKey } from "../wire/bearer-key";
import { openAiFailure } from "./openai-errors";
import { type OpenAiExchange, makeOpenAiFetch, type FetchObservation } from "./stream/openai-fetch";
import { parseBaseUrl, baseWithoutCredentials } from "./openai-host";
import type { Quirks } from "../presets";
import { ProviderError } from "../provider";
import { brokenAnswer } from "../wire/wire-errors";

/** Longest delay of a Node timer, 24 days: the package requires a limit. */
const noLimitMs = 2_147_483_647;

export interface OpenAiRequestOptions {
  /** Included in the facts of errors. */
  readonly model?: string;
  readonly stall?: StallLimit;
}

export interface OpenAiClients {
  /**
   * Events of one answer; `seen` receives facts that the events do not carry. Throws anything that `toFailure` accepts.
   */
  chat(
    body: object,
    ask: OpenAiRequestOptions,
    seen: FetchObservation,
    signal: AbortSignal,
  ): Promise<AsyncIterable<unknown>>;
  /**
   * Fetches one JSON value from a path below the base address, or below its origin if the path starts with //. Throws
   * ProviderError, or the signal's reason.
   */
  get(path: string, signal: AbortSignal, base?: string): Promise<unknown>;
  /** Parsed base address. Throws ProviderError `bad_input`. */
  base(): string;
  /** Converts anything a call threw, without the key and without credentials in the address. */
  toFailure(cause: unknown, seen?: FetchObservation): ProviderError;
}

export interface OpenAiClientOptions {
  readonly baseUrl: () => string;
  readonly apiKey: () => string | null;
  readonly quirks: Quirks;
  readonly now: () => number;
}

/** Creates a client for one call; nothing is cached, so a changed key or address applies at once. */
async function openClient(exchange: OpenAiExchange, seen: FetchObservation, signal: AbortSignal, baseURL: string) {
  const { key, reads } = exchange;
  const headers = {
    accept: reads === "events" ? "text/event-stream, application/json" : "application/json",
    "accept-encoding": "identity",
    "user-agent": "gopi-web",
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...exchange.headers,
  };
  const { OpenAI } = await import("openai");
  return new OpenAI({
    baseURL,
    // The package would take a key from the environment and send it anywhere; the real key is in the headers above.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: noLimitMs,
    logLevel: "off",
    fetch: makeOpenAiFetch({ ...exchange, headers }, seen, signal),
  });
}

/** Headers of a list request besides the key. */
function listHeaders({ models, modelsKeyHeader }: Quirks, key: string | null): Readonly<Record<string, string>> {
  return {
    ...models?.headers,
    ...(modelsKeyHeader === undefined || key === null ? {} : { [modelsKeyHeader]: key }),
  };
}

export function makeOpenAiClients({ baseUrl, apiKey, quirks, now }: OpenAiClientOptions): OpenAiClients {
  const base = (): string => {
    const parsed = parseBaseUrl(baseUrl());
    if (!parsed.ok) throw new ProviderError(parsed.error);
    return parsed.value;
  };
  function failed(cause: unknown, seen: FetchObservation = {}): ProviderError {
    const parsed = parseBaseUrl(baseUrl());
    const host = baseWithoutCredentials(parsed.ok ? parsed.value : baseUrl());
    return openAiFailure(seen.failure ?? cause, host, apiKey()?.trim() ?? null);
  }
  return {
    base,
    toFailure: failed,
    async chat(body, ask, seen, signal) {
      const exchange = { reads: "events", headers: {}, key: bearerKey(apiKey), now, ...ask } as const;
      const client = await openClient(exchange, seen, signal, base());
      return await client.post<AsyncIterable<unknown>>("/chat/completions", { body, stream: true });
    },
    async get(path, signal, other) {
      const seen: FetchObservation = {};
      try {
        const key = bearerKey(apiKey);
        const at = other ?? base();
        const place = path.startsWith("//") ? new URL(path.slice(1), at).href : path;
        const exchange = { reads: "whole", headers: listHeaders(quirks, key), key, now } as const;
        const client = await openClient(exchange, seen, signal, at);
        return await client.get<unknown>(place);
      } catch (cause) {
        signal.throwIfAborted();
        throw failed(cause, seen);
      }
    },
  };
}

/** Parses `value` by `schema`; throws `bad_answer` with an excerpt of it. */
export function parseAnswer<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw brokenAnswer(JSON.stringify(value) ?? "");
  return result.data;
}
