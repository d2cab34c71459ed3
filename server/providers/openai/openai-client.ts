/** Requests to an OpenAI-compatible server: streamed answers as bytes, lists as one JSON value. */
import type { AgentError } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { parseJson } from "@/server/base/parse-json";
import { readWholeText, requestBytes, type ServerRequest, type StallLimit } from "../wire/answer-bytes";
import { SocketError } from "../wire/node-fetch";
import { type KeySource, sentKey } from "../wire/sent-key";
import { type ErrorContext, openAiFailure, openAiStatusFailure, validValue } from "./openai-errors";
import type { HeldAnswerSource } from "./stream/held-answer";
import { baseWithoutCredentials, parseBaseUrl } from "./openai-host";
import type { Quirks } from "../presets";
import { ProviderError } from "../provider";

const { serverAnswerMs } = serverLimits;

type SilenceLimit = () => StallLimit | undefined;

interface OpenAiClientOptions extends KeySource {
  readonly baseUrl: () => string;
  readonly quirks: Quirks;
  readonly now: () => number;
}

type Content = Pick<ServerRequest, "method" | "body">;

/** Headers of a list request besides the key. */
const listHeaders = ({ models, modelsKeyHeader }: Quirks, key: string | null): ServerRequest["headers"] => ({
  ...models?.headers,
  ...(modelsKeyHeader !== undefined && key !== null && { [modelsKeyHeader]: key }),
});

/** Redirects are not followed: the key would go along. */
function redirectFailure(url: string, location: string, status: number): ProviderError {
  const target = URL.canParse(location, url) ? parseBaseUrl(new URL(location, url).href) : undefined;
  const facts: AgentError["facts"] = target?.ok === true ? { status, suggested: target.value } : { status };
  return new ProviderError({ code: "wrong_address", facts });
}

/** Limits the time until a response begins; it throws SocketError then. */
async function withHeadLimit<T>(request: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new AbortController();
  const fire = (): void => late.abort(new SocketError(true, new Error(`no response within ${serverAnswerMs} ms`)));
  const timer = setTimeout(fire, serverAnswerMs);
  return await request(AbortSignal.any([signal, late.signal])).finally(() => clearTimeout(timer));
}

/** Reads everything for every call, so that a changed key or address applies at once. */
export function makeOpenAiClients({ baseUrl, apiKey, keyUse, quirks, now }: OpenAiClientOptions) {
  const base = (): string => {
    const parsed = parseBaseUrl(baseUrl());
    if (!parsed.ok) throw new ProviderError(parsed.error);
    return parsed.value;
  };
  const key = (): string | null => apiKey()?.trim() || null;
  /** Another address that a test tries may be another program's, and gets no key. */
  const isOwn = (url: string): boolean => new URL(url).origin === new URL(base()).origin;
  function toFailure(cause: unknown): ProviderError {
    const parsed = parseBaseUrl(baseUrl());
    const host = baseWithoutCredentials(parsed.ok ? parsed.value : baseUrl());
    return openAiFailure(cause, host, key(), keyUse);
  }
  const errorContext = (model: string | undefined): ErrorContext => ({ key: key(), keyUse, model });
  function send(request: Omit<ServerRequest, "key" | "refused">, model: string | undefined, signal: AbortSignal) {
    const key = isOwn(request.url) ? sentKey({ apiKey, keyUse }) : null;
    const refused: ServerRequest["refused"] = (response, body) => {
      const { status } = response;
      const location = response.header("location");
      if (status >= 300 && status < 400 && location !== undefined)
        return redirectFailure(request.url, location, status);
      return openAiStatusFailure({ ...response, body, key, keyUse, model, nowMs: now() });
    };
    return requestBytes({ ...request, key, keyUse, refused }, signal);
  }
  const urlOf = (path: string, root = base()): string =>
    path.startsWith("//") ? new URL(path.slice(1), root).href : `${root}${path}`;
  async function fetchJson(path: string, content: Content, signal: AbortSignal, baseUrl?: string) {
    try {
      const url = urlOf(path, baseUrl);
      const headers = listHeaders(quirks, keyUse === undefined && isOwn(url) ? sentKey({ apiKey }) : null);
      const text = await readWholeText(await send({ url, headers, ...content }, undefined, signal));
      return validValue(parseJson(text), text, errorContext(undefined));
    } catch (cause) {
      signal.throwIfAborted();
      throw toFailure(cause);
    }
  }
  return {
    /** Parsed base address. Throws ProviderError `bad_input`. */
    base,
    /** What is removed from texts, and what is included in the facts of errors. */
    errorContext,
    /** Converts anything a call threw, without the key and without credentials in the address. */
    toFailure,
    /**
     * Requests a streamed answer; `model` is included in the facts of errors. `heldAs` = id under which the server is to hold
     * it. Throws anything that `toFailure` accepts.
     */
    async chat(body: object, model: string, stall: SilenceLimit, heldAs: string | undefined, signal: AbortSignal) {
      const accept = "text/event-stream, application/json";
      const headers = { accept, ...(heldAs !== undefined && { "x-conversation-id": heldAs }) };
      const url = `${base()}/chat/completions`;
      return await send({ url, headers, body: JSON.stringify(body), stall }, model, signal);
    },
    /** An answer that the server holds; both functions throw anything that `toFailure` accepts. */
    held(id: string, stall: SilenceLimit, signal: AbortSignal): Pick<HeldAnswerSource, "read" | "end"> {
      const url = `${base()}/stream?conv_id=${encodeURIComponent(id)}`;
      return {
        read: (from) =>
          withHeadLimit((both) => send({ url: `${url}&from=${from}`, stall, hasBegun: true }, undefined, both), signal),
        end: async (limit) => void (await readWholeText(await send({ url, method: "DELETE" }, undefined, limit))),
      };
    },
    /**
     * Fetches one JSON value from a path below the base address, or below its origin if the path starts with //. Throws
     * ProviderError, or the signal's reason.
     */
    get: (path: string, signal: AbortSignal, baseUrl?: string): Promise<object> => fetchJson(path, {}, signal, baseUrl),
    /** Posts a JSON value, with paths and errors as `get` has them. */
    post: (path: string, body: object, signal: AbortSignal): Promise<object> =>
      fetchJson(path, { body: JSON.stringify(body) }, signal),
    /** Deletes what is at a path, with paths and errors as `get` has them. */
    remove: (path: string, signal: AbortSignal): Promise<object> => fetchJson(path, { method: "DELETE" }, signal),
    /** Requests bytes that have no end. Throws anything that `toFailure` accepts. */
    stream: (path: string, signal: AbortSignal) =>
      send({ url: urlOf(path), headers: { accept: "text/event-stream" } }, undefined, signal),
  };
}
export type OpenAiClients = ReturnType<typeof makeOpenAiClients>;
