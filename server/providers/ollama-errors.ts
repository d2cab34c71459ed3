/**
 * The one place where words and statuses of a model server become codes of ours. Called by ollama-fetch and ollama.
 * `detail` is the first readable part of what the server said, `facts` what could be read out of it.
 */
import type { AgentError, ErrorCode } from "@/lib/error";
import { limits } from "@/lib/settings";
import { SocketError } from "./node-fetch";
import { ProviderError } from "./provider";

const detailChars = 200;

/** What servers say, most telling first; the first that matches decides. */
const texts: readonly { readonly says: RegExp; readonly code: ErrorCode; readonly retryable?: boolean }[] = [
  {
    says: /exceed_context_size|exceeds? the (?:available |maximum )?context|longer than the context length|context length exceeded/i,
    code: "window_full",
  },
  { says: /does not support tools/i, code: "no_tools" },
  {
    says: /does not support thinking|(?:invalid think value|think value .{0,40} is not supported)/i,
    code: "no_thinking",
  },
  {
    says: /out of memory|outofmemory|out_of_memory|OutOfDeviceMemory|cudaMalloc failed|(?:failed|unable) to allocate|requires more system memory|not enough memory|insufficient memory|bad_alloc/i,
    code: "out_of_memory",
  },
  { says: /no space left on device|disk quota exceeded/i, code: "disk_full" },
  {
    says: /\bmodel\b.{0,300}\bnot found|try pulling it first|pull model manifest: file does not exist/i,
    code: "model_missing",
  },
  // The model wrote a call the server's parser could not read; written anew it may be right.
  { says: /error parsing tool call/i, code: "bad_answer", retryable: true },
  {
    says: /error loading model|(?:failed|unable) to load model|unknown model architecture|unsupported model|runner process has terminated/i,
    code: "server_error",
    retryable: false,
  },
];

/** The first 200 readable characters: no markup, no control characters, one line. */
export function readable(text: string): string {
  const plain = /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text)
    ? text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, " ").replace(/<[^>]*>/g, " ")
    : text;
  const line = plain.replace(/[\s\p{Cc}\p{Cf}\uFFFD]+/gu, " ").trim();
  return [...line.slice(0, detailChars * 2)].slice(0, detailChars).join("");
}

/** The words inside an error body: {"error": "…"}, {"error": {"message": "…"}}, or the body itself. */
function wordsOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    return errorWords(parsed) ?? body;
  } catch {
    return body;
  }
}

/** What an `{"error": …}` object says; undefined when `value` is none. */
export function errorWords(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("error" in value)) return undefined;
  const { error } = value;
  if (error === undefined || error === null || error === "" || error === false) return undefined;
  if (typeof error === "string") return error;
  if (typeof error === "object" && "message" in error && typeof error.message === "string" && !("n_ctx" in error))
    return error.message;
  return JSON.stringify(error);
}

/** Sizes from a window_full text: llama-server's fields, else the numbers of its sentence; tokens. */
function windowFacts(words: string): AgentError["facts"] {
  const field = (name: string): string | undefined => new RegExp(`${name}\\W{1,6}(\\d{1,9})`).exec(words)?.[1];
  const sentence = /\((\d{1,9}) tokens\).{0,80}\((\d{1,9}) tokens\)/.exec(words);
  const promptTokens = field("n_prompt_tokens") ?? sentence?.[1];
  const numCtx = field("n_ctx") ?? sentence?.[2];
  return {
    ...(promptTokens === undefined ? {} : { promptTokens: Number(promptTokens) }),
    ...(numCtx === undefined ? {} : { numCtx: Number(numCtx) }),
  };
}

/** A wait as HTTP writes it, seconds or a date, in ms from `nowMs`; between 0 and limits.retryMaxMs. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wait = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(Math.round(wait), 0), limits.retryMaxMs);
}

function byWords(words: string, model: string | undefined, otherwise: ProviderError): ProviderError {
  const rule = texts.find(({ says }) => says.test(words));
  if (rule === undefined) return otherwise;
  const facts = {
    ...otherwise.error.facts,
    ...(rule.code === "window_full" ? windowFacts(words) : {}),
    ...(model === undefined ? {} : { model }),
  };
  return new ProviderError({ code: rule.code, detail: readable(words), facts }, { retryable: rule.retryable ?? false });
}

export interface StatusAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly model: string | undefined;
  readonly nowMs: number;
}

/** An answer whose status is not 2xx. */
export function statusFailure({ status, statusText, body, retryAfter, model, nowMs }: StatusAnswer): ProviderError {
  const words = wordsOf(body);
  const detail = readable(words) || readable(`${status} ${statusText}`);
  const wait = retryAfterMs(retryAfter, nowMs);
  const options = (retryable: boolean) => ({ retryable, ...(wait === undefined ? {} : { retryAfterMs: wait }) });
  const facts = { status };
  if (status === 429 || status === 503) return new ProviderError({ code: "server_busy", detail, facts }, options(true));
  if (status === 401 || status === 403) return new ProviderError({ code: "not_allowed", detail, facts });
  // A web page says that somebody else answers at this address.
  const code = /^\s*</.test(body) ? "bad_answer" : "server_error";
  return byWords(words, model, new ProviderError({ code, detail, facts }, options(status >= 500 || status === 408)));
}

/** `{"error": …}` inside an answer that had begun with 200. */
export const lineFailure = (words: string, model: string | undefined): ProviderError =>
  byWords(words, model, new ProviderError({ code: "server_error", detail: readable(words) }, { retryable: true }));

/** Bytes that are not what a model server sends. */
export const brokenAnswer = (raw: string): ProviderError =>
  new ProviderError({ code: "bad_answer", detail: readable(raw) });

/** The stream ended without its last line. */
export const incompleteAnswer = (): ProviderError => new ProviderError({ code: "incomplete" });

/** No byte for `stallMs` after the first. */
export const stalledAnswer = (stallMs: number): ProviderError =>
  new ProviderError({ code: "stalled", facts: { stallMs } });

/** Whatever a call threw, as a failure. `host` as it may be shown. A bug of ours is `internal`. */
export function failureOf(cause: unknown, host: string): ProviderError {
  if (cause instanceof ProviderError) return cause;
  if (cause instanceof SocketError) {
    if (/^HPE_/.test(codeOf(cause.cause))) return brokenAnswer(socketWords(cause.cause));
    const code = cause.connected ? "connection_lost" : "server_unreachable";
    return new ProviderError(
      { code, detail: readable(socketWords(cause.cause)), facts: { host } },
      { retryable: true, cause },
    );
  }
  return new ProviderError({ code: "internal", detail: readable(String(cause)) }, { cause });
}

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "");

/** Several addresses tried at once fail as one error without a message; its code still tells. */
const socketWords = (cause: unknown): string =>
  cause instanceof Error ? cause.message || codeOf(cause) : String(cause);
