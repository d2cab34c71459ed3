/** Wraps the package ollama: one client per call, own types, every failure a ProviderError. */
import * as z from "zod/mini";
import { bearerKey } from "../wire/bearer-key";
import { type OllamaFetchOptions, makeOllamaFetch } from "./ollama-fetch";
import { parseOllamaHost, withoutCredentials } from "./ollama-host";
import { openAiFailure } from "../openai/openai-errors";
import { ProviderError } from "../provider";
import { brokenAnswer, toProviderError } from "../wire/wire-errors";

/**
 * The methods used of the package, typed for what it accepts and returns: extra options are allowed, results are
 * untrusted.
 */
export interface OllamaApi {
  chat(request: object): Promise<AsyncIterable<unknown>>;
  pull(request: object): Promise<AsyncIterable<unknown>>;
  generate(request: object): Promise<unknown>;
  show(request: object): Promise<unknown>;
  delete(request: object): Promise<unknown>;
  list(): Promise<unknown>;
  ps(): Promise<unknown>;
  version(): Promise<unknown>;
}

type OpenOptions = Omit<OllamaFetchOptions, "now" | "key">;

export interface OllamaClientOptions {
  readonly host: () => string;
  /** null = send none; absent = this server has no key, so a refusal is not about one. */
  readonly apiKey?: () => string | null;
  readonly now: () => number;
}

export interface OllamaClients {
  /**
   * Creates a client for one call, because the package takes no signal per request. Throws ProviderError `bad_input`.
   */
  open(options: OpenOptions, signal: AbortSignal): Promise<OllamaApi>;
  /** Makes one request with one JSON answer, parsed by `schema`. Throws ProviderError, or the signal's reason. */
  request<T extends z.ZodMiniType>(
    schema: T,
    signal: AbortSignal,
    question: (client: OllamaApi) => Promise<unknown>,
    model?: string,
  ): Promise<z.output<T>>;
  /** Converts anything a call threw; the address is included without credentials. */
  toFailure(cause: unknown): ProviderError;
}

export function makeOllamaClients({ host, apiKey, now }: OllamaClientOptions): OllamaClients {
  async function open(options: OpenOptions, signal: AbortSignal): Promise<OllamaApi> {
    const address = parseOllamaHost(host());
    if (!address.ok) throw new ProviderError(address.error);
    const key = apiKey === undefined ? null : bearerKey(apiKey);
    // The browser build: the Node build reads files whose names look like an image's base64.
    const { Ollama } = await import("ollama/browser");
    return new Ollama({ host: address.value, fetch: makeOllamaFetch({ ...options, key, now }, signal) });
  }

  /** An address that cannot be parsed appears as written. */
  function failed(cause: unknown): ProviderError {
    const address = parseOllamaHost(host());
    const shown = address.ok ? withoutCredentials(address.value) : host();
    return apiKey === undefined ? toProviderError(cause, shown) : keyFailure(cause, shown, apiKey()?.trim() || null);
  }

  return {
    open,
    toFailure: failed,
    async request(schema, signal, question, model) {
      try {
        const client = await open({ reads: "whole", ...(model === undefined ? {} : { model }) }, signal);
        return parseAnswer(schema, await question(client));
      } catch (cause) {
        signal.throwIfAborted();
        throw failed(cause);
      }
    },
  };
}

/** Failure at a server that may require a key; its texts never contain the key. */
function keyFailure(cause: unknown, host: string, key: string | null): ProviderError {
  const failure = openAiFailure(cause, host, key);
  if (failure.error.code !== "not_allowed") return failure;
  const facts = { ...failure.error.facts, ...(key === null ? { missing: true } : {}) };
  return new ProviderError({ ...failure.error, code: "key_refused", facts });
}

/** Parses `value` by `schema`; throws `bad_answer` with an excerpt of it. */
export function parseAnswer<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw brokenAnswer(JSON.stringify(value) ?? "");
  return result.data;
}
