/**
 * Requests to an Ollama server: streamed answers as bytes, single JSON answers through the package ollama. Every
 * failure is a ProviderError.
 */
import * as z from "zod/mini";
import { readWholeText, requestBytes, type StallLimit } from "../wire/answer-bytes";
import { bearerKey } from "../wire/bearer-key";
import { brokenAnswer, extractErrorText, parseAnswer, toProviderError } from "../wire/wire-errors";
import { openAiFailure } from "../openai/openai-errors";
import { ProviderError } from "../provider";
import { ollamaLineFailure, ollamaStatusFailure } from "./ollama-errors";
import { parseOllamaHost, withoutCredentials } from "./ollama-host";

/** The methods used of the package; results are untrusted, and more options are allowed. */
export interface OllamaApi {
  generate(request: object): Promise<unknown>;
  show(request: { model: string }): Promise<unknown>;
  delete(request: { model: string }): Promise<unknown>;
  list(): Promise<unknown>;
  ps(): Promise<unknown>;
  version(): Promise<unknown>;
}

export interface OllamaClientOptions {
  readonly host: () => string;
  /** null = send none; absent = this server has no key, so a refusal is not about one. */
  readonly apiKey?: () => string | null;
  /** ms epoch, for Retry-After dates */
  readonly now: () => number;
}

export interface OllamaClients {
  /**
   * Requests a streamed answer; `model` is included in the facts of errors. Throws anything that `toFailure` accepts.
   */
  stream(
    path: "/api/chat" | "/api/pull",
    body: object,
    model: string,
    stall: StallLimit | undefined,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>>;
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
  /** Throws ProviderError `bad_input`. */
  function address(): string {
    const parsed = parseOllamaHost(host());
    if (!parsed.ok) throw new ProviderError(parsed.error);
    return parsed.value;
  }

  function send(
    url: string,
    { method = "GET", body }: { readonly method?: string | undefined; readonly body?: string | undefined },
    model: string | undefined,
    stall: StallLimit | undefined,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>> {
    const key = apiKey === undefined ? null : bearerKey(apiKey);
    const headers = {
      accept: "application/json",
      "user-agent": "gopi-web",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
    return requestBytes(
      url,
      { method, headers, body },
      {
        stall: () => stall,
        refused: (response, text) => ollamaStatusFailure({ ...response, body: text, model, nowMs: now() }),
      },
      signal,
    );
  }

  /** An address that cannot be parsed appears as written. */
  function toFailure(cause: unknown): ProviderError {
    const parsed = parseOllamaHost(host());
    const shown = parsed.ok ? withoutCredentials(parsed.value) : host();
    return apiKey === undefined ? toProviderError(cause, shown) : keyFailure(cause, shown, apiKey()?.trim() || null);
  }

  return {
    toFailure,
    stream: async (path, body, model, stall, signal) =>
      await send(`${address()}${path}`, { method: "POST", body: JSON.stringify(body) }, model, stall, signal),
    async request(schema, signal, question, model) {
      let text = "";
      // Status and web pages are refused here: the package would print them. Its own headers describe this machine.
      const fetchWhole = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
        const body = typeof init.body === "string" ? init.body : undefined;
        text = await readWholeText(await send(String(input), { method: init.method, body }, model, undefined, signal));
        return new Response(text);
      };
      try {
        // The browser build: the Node build reads files whose names look like an image's base64.
        const { Ollama } = await import("ollama/browser");
        const value = await question(new Ollama({ host: address(), fetch: fetchWhole }));
        const words = extractErrorText(value);
        if (words !== undefined) throw ollamaLineFailure(words, model);
        return parseAnswer(schema, value);
      } catch (cause) {
        signal.throwIfAborted();
        throw toFailure(cause instanceof SyntaxError ? brokenAnswer(text) : cause);
      }
    },
  };
}

/** Failure at a server that may require a key; its texts never contain the key. */
function keyFailure(cause: unknown, host: string, key: string | null): ProviderError {
  const failure = openAiFailure(cause, host, key);
  if (failure.error.code !== "not_allowed") return failure;
  const facts = { ...failure.error.facts, ...(key === null && { missing: true }) };
  return new ProviderError({ ...failure.error, code: "key_refused", facts });
}
