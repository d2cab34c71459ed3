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
import { type ModelRequest, ProviderError } from "../provider";
import { sessionHeaders } from "../wire/session-headers";
import { serverNowMs } from "../wire/wire-errors";

const { serverAnswerMs } = serverLimits;

type SilenceLimit = () => StallLimit | undefined;

interface OpenAiClientOptions extends KeySource {
  readonly baseUrl: () => string;
  readonly quirks: Quirks;
  /** Header that carries a session's id; empty = none. */
  readonly sessionHeader: string;
  readonly now: () => number;
}

/** `session` = id of the session that it is for. */
type SentRequest = Omit<ServerRequest, "key" | "refused"> & Pick<ModelRequest, "session">;
type Content = Pick<SentRequest, "method" | "body" | "session">;

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

/** Sends requests, and converts what they throw. */
function makeSender({ baseUrl, apiKey, keyUse, keyProblem, sessionHeader, now }: OpenAiClientOptions) {
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
  function send({ session, ...request }: SentRequest, model: string | undefined, signal: AbortSignal) {
    const key = isOwn(request.url) ? sentKey({ apiKey, keyUse, keyProblem }) : null;
    const refused: ServerRequest["refused"] = (response, body) => {
      const { status } = response;
      const location = response.header("location");
      if (status >= 300 && status < 400 && location !== undefined)
        return redirectFailure(request.url, location, status);
      return openAiStatusFailure({ ...response, body, key, keyUse, model, nowMs: serverNowMs(response, now()) });
    };
    const headers = { ...request.headers, ...sessionHeaders(sessionHeader, session) };
    return requestBytes({ ...request, headers, key, keyUse, refused }, signal);
  }
  return { base, key, isOwn, toFailure, send };
}

/** Reads everything for every call, so that a changed key or address applies at once. */
export function makeOpenAiClients(options: OpenAiClientOptions) {
  const { apiKey, keyUse, quirks } = options;
  const { base, key, isOwn, toFailure, send } = makeSender(options);
  const errorContext = (model: string | undefined): ErrorContext => ({ key: key(), keyUse, model });
  const urlOf = (path: string, root = base()): string =>
    path.startsWith("//") ? new URL(path.slice(1), root).href : `${root}${path}`;
  async function fetchText(request: SentRequest, signal: AbortSignal): Promise<string> {
    try {
      return await readWholeText(await send(request, undefined, signal));
    } catch (cause) {
      signal.throwIfAborted();
      throw toFailure(cause);
    }
  }
  async function fetchJson(path: string, content: Content, signal: AbortSignal, baseUrl?: string) {
    const url = urlOf(path, baseUrl);
    const headers = listHeaders(quirks, keyUse === undefined && isOwn(url) ? sentKey({ apiKey }) : null);
    const text = await fetchText({ url, headers, ...content }, signal);
    return validValue(parseJson(text), text, errorContext(undefined));
  }
  return {
    /** Parsed base address. Throws ProviderError `bad_input`. */
    base,
    /** Values that are removed from texts, and those that are included in the facts of errors. */
    errorContext,
    /** Converts anything a call threw, without the key and without credentials in the address. */
    toFailure,
    /** Requests a streamed answer; the model is included in the facts of errors. Throws anything that `toFailure` accepts. */
    async chat(
      body: object,
      { model, held, session }: Pick<ModelRequest, "model" | "held" | "session">,
      { stall, accepted }: Pick<ServerRequest, "accepted"> & { readonly stall: SilenceLimit },
      signal: AbortSignal,
    ) {
      const accept = "text/event-stream, application/json";
      const headers = { accept, ...(held !== undefined && { "x-conversation-id": held.id }) };
      const url = `${base()}/chat/completions`;
      return await send({ url, headers, body: JSON.stringify(body), stall, session, accepted }, model, signal);
    },
    /** An answer that the server holds; both functions throw anything that `toFailure` accepts. */
    held(
      { id, session }: { readonly id: string; readonly session: string | undefined },
      stall: SilenceLimit,
      signal: AbortSignal,
    ): Pick<HeldAnswerSource, "read" | "end"> {
      const url = `${base()}/stream?conv_id=${encodeURIComponent(id)}`;
      return {
        read: (from) =>
          withHeadLimit(
            (both) => send({ url: `${url}&from=${from}`, session, stall, hasBegun: true }, undefined, both),
            signal,
          ),
        end: async (limit) =>
          void (await readWholeText(await send({ url, session, method: "DELETE" }, undefined, limit))),
      };
    },
    /**
     * Fetches one JSON value from a path below the base address, or below its origin if the path starts with //. Throws
     * ProviderError, or the signal's reason.
     */
    get: (path: string, signal: AbortSignal, baseUrl?: string): Promise<object> => fetchJson(path, {}, signal, baseUrl),
    /** Fetches a text, with paths and errors as `get` has them. */
    text: (path: string, signal: AbortSignal): Promise<string> =>
      fetchText({ url: urlOf(path), headers: { accept: "text/plain" } }, signal),
    /** Posts a JSON value, with paths and errors as `get` has them. */
    post: (path: string, body: object, signal: AbortSignal, session?: string): Promise<object> =>
      fetchJson(path, { body: JSON.stringify(body), session }, signal),
    /** Deletes what is at a path, with paths and errors as `get` has them. */
    remove: (path: string, signal: AbortSignal): Promise<object> => fetchJson(path, { method: "DELETE" }, signal),
    /** Requests bytes that have no end. Throws anything that `toFailure` accepts. */
    stream: (path: string, signal: AbortSignal) =>
      send({ url: urlOf(path), headers: { accept: "text/event-stream" } }, undefined, signal),
  };
}
export type OpenAiClients = ReturnType<typeof makeOpenAiClients>;
