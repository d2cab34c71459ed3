/** Requests to an OpenAI-compatible server: streamed answers as bytes, lists as one JSON value. */
import type { AgentError } from "@/lib/events/error";
import { parseJson } from "@/server/base/parse-json";
import { readWholeText, requestBytes, type StallLimit } from "../wire/answer-bytes";
import { bearerKey } from "../wire/bearer-key";
import type { NodeRequest, NodeResponse } from "../wire/node-fetch";
import { openAiFailure, openAiStatusFailure, validValue } from "./openai-errors";
import { baseWithoutCredentials, parseBaseUrl } from "./openai-host";
import type { Quirks } from "../presets";
import { ProviderError } from "../provider";

export interface OpenAiClients {
  /**
   * Requests a streamed answer; `model` is included in the facts of errors. Throws anything that `toFailure` accepts.
   */
  chat(
    body: object,
    model: string,
    stall: () => StallLimit | undefined,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>>;
  /**
   * Fetches one JSON value from a path below the base address, or below its origin if the path starts with //. Throws
   * ProviderError, or the signal's reason.
   */
  get(path: string, signal: AbortSignal, base?: string): Promise<unknown>;
  /** Parsed base address. Throws ProviderError `bad_input`. */
  base(): string;
  /** The key as written; null = none. Removed from texts. */
  key(): string | null;
  /** Converts anything a call threw, without the key and without credentials in the address. */
  toFailure(cause: unknown): ProviderError;
}

export interface OpenAiClientOptions {
  readonly baseUrl: () => string;
  readonly apiKey: () => string | null;
  readonly quirks: Quirks;
  readonly now: () => number;
}

/** Headers of a list request besides the key. */
const listHeaders = ({ models, modelsKeyHeader }: Quirks, key: string | null): NodeRequest["headers"] => ({
  ...models?.headers,
  ...(modelsKeyHeader !== undefined && key !== null && { [modelsKeyHeader]: key }),
});

/** Redirects are not followed: the key would go along. */
function redirectFailure(url: string, location: string, status: number): ProviderError {
  const target = URL.canParse(location, url) ? parseBaseUrl(new URL(location, url).href) : undefined;
  const facts: AgentError["facts"] = target?.ok === true ? { status, suggested: target.value } : { status };
  return new ProviderError({ code: "wrong_address", facts });
}

/** Reads everything for every call, so that a changed key or address applies at once. */
export function makeOpenAiClients({ baseUrl, apiKey, quirks, now }: OpenAiClientOptions): OpenAiClients {
  const base = (): string => {
    const parsed = parseBaseUrl(baseUrl());
    if (!parsed.ok) throw new ProviderError(parsed.error);
    return parsed.value;
  };
  const key = (): string | null => apiKey()?.trim() || null;
  function toFailure(cause: unknown): ProviderError {
    const parsed = parseBaseUrl(baseUrl());
    const host = baseWithoutCredentials(parsed.ok ? parsed.value : baseUrl());
    return openAiFailure(cause, host, key());
  }
  function send(
    url: string,
    { headers, ...request }: NodeRequest,
    model: string | undefined,
    stall: () => StallLimit | undefined,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>> {
    const sentKey = bearerKey(apiKey);
    const refused = (response: NodeResponse, body: string): ProviderError => {
      const { status } = response;
      const location = response.header("location");
      if (status >= 300 && status < 400 && location !== undefined) return redirectFailure(url, location, status);
      return openAiStatusFailure({ ...response, body, key: sentKey, model, nowMs: now() });
    };
    const common = {
      "accept-encoding": "identity",
      "user-agent": "gopi-web",
      ...(sentKey !== null && { authorization: `Bearer ${sentKey}` }),
    };
    return requestBytes(url, { ...request, headers: { ...common, ...headers } }, { stall, refused }, signal);
  }
  return {
    base,
    key,
    toFailure,
    async chat(body, model, stall, signal) {
      const headers = { accept: "text/event-stream, application/json", "content-type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      return await send(`${base()}/chat/completions`, request, model, stall, signal);
    },
    async get(path, signal, at) {
      try {
        const root = at ?? base();
        const url = path.startsWith("//") ? new URL(path.slice(1), root).href : `${root}${path}`;
        const headers = { accept: "application/json", ...listHeaders(quirks, bearerKey(apiKey)) };
        const bytes = await send(url, { method: "GET", headers }, undefined, () => undefined, signal);
        const text = await readWholeText(bytes);
        return validValue(parseJson(text), text, { key: key(), model: undefined });
      } catch (cause) {
        signal.throwIfAborted();
        throw toFailure(cause);
      }
    },
  };
}
