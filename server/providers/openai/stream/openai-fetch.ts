/**
 * The `fetch` passed to the package openai. It sets its own headers, classifies every failure itself and passes valid
 * events only, up to the last one.
 */
import type { AgentError } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { type StallLimit, toWebStream, readTextUpTo, withStallLimit, readWholeText } from "../../wire/answer-bytes";
import { type NodeResponse, nodeFetch } from "../../wire/node-fetch";
import { openAiBodyFailure, findErrorText, openAiStatusFailure } from "../openai-errors";
import { parseBaseUrl } from "../openai-host";
import { BrokenEvent, makeEventReader, type ServerEvent } from "./openai-sse";
import { ProviderError } from "../../provider";
import { brokenAnswer, incompleteAnswer } from "../../wire/wire-errors";

/** Lists of models of large routers are below a tenth of it. */
const wholeMaxBytes = 33_554_432;

export interface OpenAiExchange {
  /** events = a streamed answer; whole = one JSON value. */
  readonly reads: "events" | "whole";
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | null;
  /** Included in the facts of errors. */
  readonly model?: string;
  /** Allowed silence after the first token; absent = no limit. */
  readonly stall?: StallLimit;
  /** ms epoch, for waits given as dates */
  readonly now: () => number;
}

/** Out-parameter for facts the package hides: errors thrown by its fetch, and an answer that was not streamed. */
export interface FetchObservation {
  failure?: unknown;
  /** The answer came in one piece although a stream was requested. */
  whole?: boolean;
}

/** The fetch throws ProviderError, SocketError, or the signal's reason; `signal` closes the connection at any time. */
export function makeOpenAiFetch(exchange: OpenAiExchange, seen: FetchObservation, signal: AbortSignal): typeof fetch {
  async function ask(url: string, method: string, body: string | undefined): Promise<Response> {
    const headers = { ...exchange.headers, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const response = await nodeFetch(url, { method, headers, ...(body === undefined ? {} : { body }) }, signal);
    const progress: Progress = { begun: false };
    const stallLimit = (): StallLimit | undefined => {
      if (progress.endedAt !== undefined) return { stallMs: limits.answerEndMs };
      return progress.begun ? exchange.stall : undefined;
    };
    const chunks = withStallLimit(response, stallLimit);
    if (response.status < 200 || response.status >= 300) throw await failedAnswer(url, response, chunks, exchange);
    if (/html/i.test(response.header("content-type") ?? ""))
      throw brokenAnswer(await readTextUpTo(chunks, limits.errorBodyMaxBytes));
    const answer =
      exchange.reads === "whole"
        ? await validBody(chunks, exchange)
        : toWebStream(validEvents(chunks, progress, exchange, seen));
    const type = exchange.reads === "whole" ? "application/json" : "text/event-stream";
    return new Response(answer, { headers: { "content-type": type } });
  }

  return async (input, init) => {
    const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    try {
      return await ask(url, init?.method ?? "GET", typeof init?.body === "string" ? init.body : undefined);
    } catch (cause) {
      seen.failure = cause;
      throw cause;
    }
  };
}

async function failedAnswer(
  url: string,
  response: NodeResponse,
  chunks: AsyncIterable<Uint8Array>,
  exchange: OpenAiExchange,
): Promise<ProviderError> {
  const { status, statusText } = response;
  const location = response.header("location");
  if (status >= 300 && status < 400 && location !== undefined) {
    response.destroy();
    return redirectFailure(url, location, status);
  }
  const body = await readTextUpTo(chunks, limits.errorBodyMaxBytes);
  const { key, model, now } = exchange;
  return openAiStatusFailure({ status, statusText, body, header: response.header, key, model, nowMs: now() });
}

/** Redirects are not followed: the key would go along. */
function redirectFailure(url: string, location: string, status: number): ProviderError {
  const target = URL.canParse(location, url) ? parseBaseUrl(new URL(location, url).href) : undefined;
  const facts: AgentError["facts"] = target?.ok === true ? { status, suggested: target.value } : { status };
  return new ProviderError({ code: "wrong_address", facts });
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns `value`, unless it is not an object or reports an error. */
function validValue(value: unknown, text: string, isError: boolean, { key, model }: OpenAiExchange): object {
  if (typeof value !== "object" || value === null) throw brokenAnswer(text);
  if (isError || findErrorText(value) !== undefined) throw openAiBodyFailure(value, { key, model });
  return value;
}

async function validBody(chunks: AsyncIterable<Uint8Array>, exchange: OpenAiExchange): Promise<string> {
  const text = await readWholeText(chunks, wholeMaxBytes);
  validValue(parseJsonOrUndefined(text), text, false, exchange);
  return text;
}

interface Progress {
  /** The first token arrived: from now on the stall limit applies. */
  begun: boolean;
  /** ms epoch; the finish reason arrived, only counts may follow. */
  endedAt?: number;
}

const isNonEmptyField = ([name, value]: readonly [string, unknown]): boolean =>
  name !== "role" && (typeof value === "string" || Array.isArray(value) ? value.length > 0 : value !== null);

/** Updates the progress from an event; does not validate it further. */
function updateProgress(value: object, progress: Progress, nowMs: number): void {
  const [choice]: readonly unknown[] = "choices" in value && Array.isArray(value.choices) ? value.choices : [];
  if (typeof choice !== "object" || choice === null) return;
  if ("delta" in choice && typeof choice.delta === "object" && choice.delta !== null)
    progress.begun ||= Object.entries(choice.delta).some(isNonEmptyField);
  if ("finish_reason" in choice && typeof choice.finish_reason === "string" && choice.finish_reason !== "")
    progress.endedAt ??= nowMs;
}

const formatEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/**
 * Yields whole, valid events up to the last one; ignores anything after it. Throws ProviderError at the first fault.
 */
async function* validEvents(
  chunks: AsyncGenerator<Uint8Array>,
  progress: Progress,
  exchange: OpenAiExchange,
  seen: FetchObservation,
): AsyncGenerator<Uint8Array> {
  const reader = makeEventReader(limits.wireLineMaxBytes);
  const encoder = new TextEncoder();
  /** Yields the events before a fault first; returns whether the last event was among them. */
  function* sound(events: readonly ServerEvent[]): Generator<Uint8Array, boolean> {
    let good = "";
    try {
      for (const event of events) {
        if (event.type === "done") return true;
        const value = validValue(event.value, "", event.error, exchange);
        updateProgress(value, progress, exchange.now());
        good += formatEvent(value);
      }
      return false;
    } finally {
      if (good !== "") yield encoder.encode(good);
    }
  }
  function* read(take: () => readonly ServerEvent[]): Generator<Uint8Array, boolean> {
    try {
      return yield* sound(take());
    } catch (cause) {
      if (!(cause instanceof BrokenEvent)) throw cause;
      yield* sound(cause.sound);
      throw cause.cause;
    }
  }

  const rest = await wholeOrEvents(chunks, exchange);
  if ("value" in rest) {
    seen.whole = true;
    updateProgress(rest.value, progress, exchange.now());
    yield encoder.encode(formatEvent(rest.value));
    return;
  }
  const ended = (): boolean => progress.endedAt !== undefined;
  const isLate = (): boolean => exchange.now() - (progress.endedAt ?? Number.POSITIVE_INFINITY) > limits.answerEndMs;
  try {
    for await (const chunk of rest.chunks) if ((yield* read(() => reader.push(chunk))) || isLate()) return;
  } catch (cause) {
    // The answer is complete; only its counts are lost.
    if (ended()) return;
    throw cause;
  }
  const done = yield* read(() => reader.end());
  if (!done && !ended()) throw incompleteAnswer();
}

const whitespaceBytes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

async function* prependChunk(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/**
 * Decides by the first byte: a body starting as JSON is a whole answer or an error under status 200; one starting as
 * markup is an error; anything else is a stream.
 */
async function wholeOrEvents(
  chunks: AsyncGenerator<Uint8Array>,
  exchange: OpenAiExchange,
): Promise<{ readonly value: object } | { readonly chunks: AsyncGenerator<Uint8Array> }> {
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return { chunks };
    const first = next.value.find((byte) => !whitespaceBytes.has(byte));
    if (first === undefined) continue;
    const all = prependChunk(next.value, chunks);
    const start = String.fromCharCode(first);
    if (start === "<") throw brokenAnswer(await readTextUpTo(all, limits.errorBodyMaxBytes));
    if (start !== "{" && start !== "[") return { chunks: all };
    const text = await readWholeText(all, wholeMaxBytes);
    return { value: validValue(parseJsonOrUndefined(text), text, false, exchange) };
  }
}
