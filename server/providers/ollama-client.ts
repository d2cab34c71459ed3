/** The package ollama behind a narrow door: one client per call, no types of its own, every failure a ProviderError. Used by ollama. */
import * as z from "zod/mini";
import { bearerKey } from "./bearer-key";
import { type FetchOptions, makeOllamaFetch } from "./ollama-fetch";
import { parseOllamaHost, shownHost } from "./ollama-host";
import { openAiFailure } from "./openai-errors";
import { ProviderError } from "./provider";
import { brokenAnswer, failureOf } from "./wire-errors";

/** What we use of the package, with what its types leave out: more options go in, and nothing that comes back is trusted. */
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
  /** null = none is sent; absent = this server has no key, and a refusal is not about one. */
  readonly apiKey?: () => string | null;
  readonly now: () => number;
}

export interface Clients {
  /** A client for one call: the package cannot take a signal per request. Throws ProviderError `bad_input`. */
  open(options: OpenOptions, signal: AbortSignal): Promise<Client>;
  /** One question with one JSON answer, parsed by `schema`. Throws ProviderError, or the signal's reason. */
  ask<T extends z.ZodMiniType>(
    schema: T,
    signal: AbortSignal,
    question: (client: Client) => Promise<unknown>,
    model?: string,
  ): Promise<z.output<T>>;
  /** Whatever a call threw, with the address as it may be shown. */
  failed(cause: unknown): ProviderError;
}

export function makeClients({ host, apiKey, now }: ClientOptions): Clients {
  async function open(options: OpenOptions, signal: AbortSignal): Promise<Client> {
    const address = parseOllamaHost(host());
    if (!address.ok) throw new ProviderError(address.error);
    const key = apiKey === undefined ? null : bearerKey(apiKey);
    // The browser build: the other one reads files whose names look like an image's base64.
    const { Ollama } = await import("ollama/browser");
    return new Ollama({ host: address.value, fetch: makeOllamaFetch({ ...options, key, now }, signal) });
  }

  /** An address that cannot be parsed is shown as it was written. */
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

/** A failure at a server that may want a key; its words never hold the key. */
function keyFailure(cause: unknown, host: string, key: string | null): ProviderError {
  const failure = openAiFailure(cause, host, key);
  if (failure.error.code !== "not_allowed") return failure;
  const facts = { ...failure.error.facts, ...(key === null ? { missing: true } : {}) };
  return new ProviderError({ ...failure.error, code: "key_refused", facts });
}

/** `value` by `schema`; throws `bad_answer` with its words. */
export function parsed<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw brokenAnswer(JSON.stringify(value) ?? "");
  return result.data;
}
