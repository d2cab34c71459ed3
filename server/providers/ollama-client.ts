/** Wraps the package ollama: one client per call, own types, every failure a ProviderError. */
import * as z from "zod/mini";
import { bearerKey } from "./bearer-key";
import { type FetchOptions, makeOllamaFetch } from "./ollama-fetch";
import { parseOllamaHost, shownHost } from "./ollama-host";
import { openAiFailure } from "./openai-errors";
import { ProviderError } from "./provider";
import { brokenAnswer, failureOf } from "./wire-errors";

/**
 * The methods used of the package, typed for what it accepts and returns: extra options are allowed, results are
 * untrusted.
 */
export interface Client {
  chat(request: object): Promise<AsyncIterable<unknown>>;
  pull(request: object): Promise<AsyncIterable<unknown>>;
  generate(request: object): Promise<unknown>;
  show(request: object): Promise<unknown>;
  delete(request: object): Promise<unknown>;
  list(): Promise<unknown>;
  ps(): Promise<unknown>;
  version(): Promise<unknown>;
}

type OpenOptions = Omit<FetchOptions, "now" | "key">;

export interface ClientOptions {
  readonly host: () => string;
  /** null = send none; absent = this server has no key, so a refusal is not about one. */
  readonly apiKey?: () => string | null;
  readonly now: () => number;
}

export interface Clients {
  /**
   * Creates a client for one call, because the package takes no signal per request. Throws ProviderError `bad_input`.
   */
  open(options: OpenOptions, signal: AbortSignal): Promise<Client>;
  /** Makes one request with one JSON answer, parsed by `schema`. Throws ProviderError, or the signal's reason. */
  ask<T extends z.ZodMiniType>(
    schema: T,
    signal: AbortSignal,
    question: (client: Client) => Promise<unknown>,
    model?: string,
  ): Promise<z.output<T>>;
  /** Converts anything a call threw; the address is included without credentials. */
  failed(cause: unknown): ProviderError;
}

export function makeClients({ host, apiKey, now }: ClientOptions): Clients {
  async function open(options: OpenOptions, signal: AbortSignal): Promise<Client> {
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
    const shown = address.ok ? shownHost(address.value) : host();
    return apiKey === undefined ? failureOf(cause, shown) : keyFailure(cause, shown, apiKey()?.trim() || null);
  }

  return {
    open,
    failed,
    async ask(schema, signal, question, model) {
      try {
        const client = await open({ reads: "whole", ...(model === undefined ? {} : { model }) }, signal);
        return parsed(schema, await question(client));
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
export function parsed<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw brokenAnswer(JSON.stringify(value) ?? "");
  return result.data;
}
