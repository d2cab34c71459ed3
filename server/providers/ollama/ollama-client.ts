/**
 * Requests to an Ollama server: streamed answers as bytes, single JSON answers through the package ollama. Every
 * failure is a ProviderError.
 */
import type { Ollama } from "ollama/browser";
import type * as z from "zod/mini";
import { readWholeText, requestBytes, type ServerRequest, type StallLimit } from "../wire/answer-bytes";
import { type KeySource, sentKey } from "../wire/sent-key";
import { brokenAnswer, extractErrorText, parseAnswer, serverNowMs, toProviderError } from "../wire/wire-errors";
import { openAiFailure } from "../openai/openai-errors";
import { type ModelRequest, ProviderError } from "../provider";
import { sessionHeaders } from "../wire/session-headers";
import { ollamaLineFailure, ollamaStatusFailure } from "./ollama-errors";
import { parseOllamaHost, withoutCredentials } from "./ollama-host";

interface OllamaClientOptions extends Partial<KeySource> {
  readonly host: () => string;
  /** Header that carries a session's id; empty = none. */
  readonly sessionHeader: () => string;
  /** ms epoch, for Retry-After dates of a server that does not send its time */
  readonly now: () => number;
}

/** Without `apiKey` this server has no key, so a refusal is not about one. */
export function makeOllamaClients({ host, apiKey, keyUse, keyProblem, sessionHeader, now }: OllamaClientOptions) {
  /** Throws ProviderError `bad_input`. */
  function address(): string {
    const parsed = parseOllamaHost(host());
    if (!parsed.ok) throw new ProviderError(parsed.error);
    return parsed.value;
  }

  function send(request: Omit<ServerRequest, "key" | "refused">, model: string | undefined, signal: AbortSignal) {
    const refused: ServerRequest["refused"] = (response, body) =>
      ollamaStatusFailure({ ...response, body, model, nowMs: serverNowMs(response, now()) });
    const key = apiKey === undefined ? null : sentKey({ apiKey, keyUse, keyProblem });
    return requestBytes({ ...request, key, keyUse, refused }, signal);
  }

  /** An address that cannot be parsed appears as written. */
  function toFailure(cause: unknown): ProviderError {
    const parsed = parseOllamaHost(host());
    const shown = parsed.ok ? withoutCredentials(parsed.value) : host();
    return apiKey === undefined ? toProviderError(cause, shown) : keyFailure(cause, shown, { apiKey, keyUse });
  }

  return {
    /** Converts anything a call threw; the address is included without credentials. */
    toFailure,
    /** Requests a streamed answer; the model is included in the facts of errors. Throws anything that `toFailure` accepts. */
    async stream(
      path: string,
      body: object,
      { model, session }: Pick<ModelRequest, "model" | "session">,
      { stall, accepted }: Pick<ServerRequest, "accepted"> & { readonly stall?: StallLimit },
      signal: AbortSignal,
    ) {
      const headers = sessionHeaders(sessionHeader(), session);
      const request = { url: `${address()}${path}`, headers, body: JSON.stringify(body), stall: () => stall, accepted };
      return await send(request, model, signal);
    },
    /** Makes one request with one JSON answer, parsed by `schema`. Throws ProviderError, or the signal's reason. */
    async request<T extends z.ZodMiniType>(
      schema: T,
      signal: AbortSignal,
      question: (client: Ollama) => Promise<unknown>,
      model?: string,
    ): Promise<z.output<T>> {
      let text = "";
      // Status and web pages are refused here: the package would print them. Its own headers describe this machine.
      const fetchWhole = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
        const body = typeof init.body === "string" ? init.body : undefined;
        text = await readWholeText(await send({ url: String(input), method: init.method, body }, model, signal));
        return new Response(text);
      };
      try {
        // The browser build: the Node build reads files whose names look like an image's base64.
        const { Ollama } = await import("ollama/browser");
        const value: unknown = await question(new Ollama({ host: address(), fetch: fetchWhole }));
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

export type OllamaClients = ReturnType<typeof makeOllamaClients>;

/** Failure at a server that may require a key; its texts never contain the key. */
function keyFailure(cause: unknown, host: string, { apiKey, keyUse }: KeySource): ProviderError {
  const key = apiKey()?.trim() || null;
  const failure = openAiFailure(cause, host, key, keyUse);
  if (failure.error.code !== "not_allowed") return failure;
  const facts = { ...failure.error.facts, ...(key === null && { missing: true }) };
  return new ProviderError({ ...failure.error, code: "key_refused", facts });
}
