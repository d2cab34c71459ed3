/**
 * The `fetch` passed to the package ollama. It classifies every failure itself and passes valid lines only: the package
 * skips broken lines, loses headers and prints to stdout when a server answers with an error.
 */
import { limits } from "@/lib/settings/settings";
import { type StallLimit, toWebStream, readTextUpTo, withStallLimit, readWholeText } from "../wire/answer-bytes";
import { makeLineReader } from "../wire/line-reader";
import { type NodeResponse, nodeFetch } from "../wire/node-fetch";
import { ollamaLineFailure, ollamaStatusFailure } from "./ollama-errors";
import { makeLineJoiner } from "./ollama-lines";
import { brokenAnswer, extractErrorText, incompleteAnswer } from "../wire/wire-errors";

const okStatus = 200;
/** Lists of models and model details are far smaller. */
const wholeMaxBytes = 33_554_432;

export interface OllamaFetchOptions {
  /** lines = a streamed answer; whole = one JSON object. */
  readonly reads: "lines" | "whole";
  /** Included in the facts of errors. */
  readonly model?: string;
  /** Allowed silence after the first byte; absent = no limit. */
  readonly stall?: StallLimit;
  /** Sent as `Authorization: Bearer`; null = none is sent. */
  readonly key: string | null;
  /** ms epoch, for Retry-After dates */
  readonly now: () => number;
}

/** The fetch throws ProviderError, SocketError, or the signal's reason; `signal` closes the connection at any time. */
export const makeOllamaFetch =
  (options: OllamaFetchOptions, signal: AbortSignal): typeof fetch =>
  async (input, init) => {
    const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    const body = typeof init?.body === "string" ? init.body : undefined;
    const { key } = options;
    const given = new Headers(init?.headers);
    if (key !== null) given.set("authorization", `Bearer ${key}`);
    const headers = Object.fromEntries(given);
    const request = { method: init?.method ?? "GET", headers, ...(body === undefined ? {} : { body }) };
    const response = await nodeFetch(url, request, signal);
    const chunks = withStallLimit(response, () => options.stall);
    if (response.status < okStatus || response.status >= okStatus + 100)
      throw await failedAnswer(response, chunks, options);
    if (/html/i.test(response.header("content-type") ?? ""))
      throw brokenAnswer(await readTextUpTo(chunks, limits.errorBodyMaxBytes));
    const answer =
      options.reads === "whole" ? await wholeAnswer(chunks, options) : toWebStream(validLines(chunks, options));
    return new Response(answer, { headers: { "content-type": "application/json" } });
  };

async function failedAnswer(
  response: NodeResponse,
  chunks: AsyncIterable<Uint8Array>,
  { model, now }: OllamaFetchOptions,
) {
  const { status, statusText } = response;
  const body = await readTextUpTo(chunks, limits.errorBodyMaxBytes);
  return ollamaStatusFailure({
    status,
    statusText,
    body,
    retryAfter: response.header("retry-after"),
    model,
    nowMs: now(),
  });
}

/** Reads a body that must be one JSON object. */
async function wholeAnswer(chunks: AsyncIterable<Uint8Array>, { model }: OllamaFetchOptions): Promise<string> {
  const text = await readWholeText(chunks, wholeMaxBytes);
  parseObject(text, () => "", model);
  return text;
}

/**
 * Parses the object in `text`. Throws `bad_answer` with `text` and what follows it, or the failure of an error object.
 */
function parseObject(text: string, following: () => string, model: string | undefined): object {
  const parsed = parseJsonOrUndefined(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw brokenAnswer(`${text}\n${following()}`);
  const words = extractErrorText(parsed);
  if (words !== undefined) throw ollamaLineFailure(words, model);
  return parsed;
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `done` of an answer, `success` of a download */
const isLast = (line: object): boolean =>
  ("done" in line && line.done === true) || ("status" in line && line.status === "success");

/**
 * Yields whole, parsed lines up to the last one; ignores anything after it. Throws ProviderError at the first fault.
 */
async function* validLines(
  chunks: AsyncIterable<Uint8Array>,
  { model }: OllamaFetchOptions,
): AsyncGenerator<Uint8Array> {
  const reader = makeLineReader(limits.wireLineMaxBytes);
  const encoder = new TextEncoder();
  /** Yields the lines before a fault first; returns whether the last line was among them. */
  function* sound(lines: readonly string[]): Generator<Uint8Array, boolean> {
    const joiner = makeLineJoiner();
    try {
      for (const [at, line] of lines.entries()) {
        const parsed = parseObject(line, () => [...lines.slice(at + 1), ...reader.end()].join("\n"), model);
        joiner.add(line, parsed);
        if (isLast(parsed)) return true;
      }
      return false;
    } finally {
      const good = joiner.text();
      if (good !== "") yield encoder.encode(good);
    }
  }
  for await (const chunk of chunks) if (yield* sound(reader.push(chunk))) return;
  const rest = reader.end();
  const torn = rest.some((line) => line.startsWith("{") && parseJsonOrUndefined(line) === undefined);
  if (torn || !(yield* sound(rest))) throw incompleteAnswer();
}
