/**
 * Error handling shared by all wire protocols: readable text, waits, broken and incomplete answers, connections. Pure.
 */
import type * as z from "zod/mini";
import { type AgentError, type ErrorCode, makeError } from "@/lib/events/error";
import { parseJson } from "@/server/base/parse-json";
import { SocketError } from "./node-fetch";
import { ProviderError } from "../provider";

/** Token counts in a server's refusal of a prompt that is too long. */
type Size = "tokens" | "window";

/** Known sentences and the meaning of their numbers; the first match decides. */
const sizePatterns: readonly { readonly says: RegExp; readonly sizes: readonly Size[] }[] = [
  // vLLM, by version and place
  {
    says: /maximum context length (?:is|of) (\d+).{0,80}?prompt contains at least (\d+)/,
    sizes: ["window", "tokens"],
  },
  {
    says: /maximum context length (?:is|of) (\d+).{0,80}?requested \d+ tokens \((\d+) in the (?:messages|prompt)/,
    sizes: ["window", "tokens"],
  },
  { says: /passed (\d+) input tokens.{0,120}?context length is only (\d+)/, sizes: ["tokens", "window"] },
  { says: /prompt \(length (\d+)\).{0,60}?maximum model length of (\d+)/, sizes: ["tokens", "window"] },
  // SGLang
  { says: /maximum context length of (\d+).{0,80}?: (\d+) tokens from the input/, sizes: ["window", "tokens"] },
  // OpenAI, OpenRouter, DeepSeek, vLLM
  { says: /maximum context length (?:is|of) (\d+).{0,120}?(\d+) (?:input )?tokens/, sizes: ["window", "tokens"] },
  // Claude
  { says: /(\d+) tokens > (\d+) maximum/, sizes: ["tokens", "window"] },
  { says: /context limit: (\d+) \+ \d+ > (\d+)/, sizes: ["tokens", "window"] },
  // Gemini
  { says: /token count \((\d+)\) exceeds.{0,80}\((\d+)\)/, sizes: ["tokens", "window"] },
  // llama.cpp
  { says: /\((\d+) tokens\).{0,80}\((\d+) tokens\)/, sizes: ["tokens", "window"] },
  // LM Studio, three versions
  { says: /first (\d+) tokens.{0,120}context length of only (\d+)/, sizes: ["tokens", "window"] },
  { says: /n_keep\D{0,4}(\d+)\D{1,8}n_ctx\D{0,4}(\d+)/, sizes: ["tokens", "window"] },
  { says: /context length of (?:only )?(\d+)/, sizes: ["window"] },
  // DashScope, Ark
  { says: /input length should be \[\d+, (\d+)\]/, sizes: ["window"] },
  { says: /length (\d+) exceeds the maximum length (\d+)/, sizes: ["tokens", "window"] },
];

const sizeFields: readonly (readonly [Size, RegExp])[] = [
  ["tokens", /n_prompt_tokens\W{1,6}(\d{1,9})/],
  ["window", /n_ctx\W{1,6}(\d{1,9})/],
];

/** `tokens` of the prompt and of the `window`, as far as the text contains them. */
function parseWindowFacts(words: string): { readonly [name in Size]?: number } {
  const facts: { [name in Size]?: number } = {};
  for (const [size, pattern] of sizeFields) {
    const found = /n_prompt_tokens/.test(words) ? pattern.exec(words)?.[1] : undefined;
    if (found !== undefined) facts[size] = Number(found);
  }
  if (Object.keys(facts).length > 0) return facts;
  const plain = words.replace(/(\d),(?=\d{3}\b)/g, "$1").replace(/\s+/g, " ");
  for (const { says, sizes } of sizePatterns) {
    const match = says.exec(plain);
    if (match === null) continue;
    for (const [at, size] of sizes.entries()) facts[size] = Number(match[at + 1]);
    return facts;
  }
  return facts;
}

const detailChars = 200;

/** Characters read from a server's error message; the beginning contains the reason. */
const errorTextMaxChars = 16_384;

/** Start of a server's text; bounds the time spent on it. */
export const clipErrorText = (words: string): string => words.slice(0, errorTextMaxChars);

/** The first 200 readable characters in one line, without markup and control characters. */
export function toReadableLine(text: string): string {
  const start = clipErrorText(text);
  const plain = /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(start)
    ? start.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, " ").replace(/<[^<>]*>/g, " ")
    : start;
  const line = plain.replace(/[\s\p{Cc}\p{Cf}\uFFFD]+/gu, " ").trim();
  return [...line.slice(0, detailChars * 2)].slice(0, detailChars).join("");
}

/** Text of an error body: {"error": "…"}, {"error": {"message": "…"}}, or the body itself. */
export const errorBodyText = (body: string): string => extractErrorText(parseJson(body)) ?? body;

/** Text of an `{"error": …}` object; undefined = not an error object. */
export function extractErrorText(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("error" in value)) return undefined;
  const { error } = value;
  if (error === undefined || error === null || error === "" || error === false) return undefined;
  if (typeof error === "string") return error;
  if (typeof error === "object" && "message" in error && typeof error.message === "string" && !("n_ctx" in error))
    return error.message;
  return JSON.stringify(error);
}

/** The end of a JSON string that was cut within an escape. */
const cutEscape = /(?<!\\)((?:\\\\)*)\\(?:u[\da-f]{0,3})?$/i;

/** Decodes the text of a JSON string, of which the end may be missing; text that is none stays. */
function decodeJsonText(text: string): string {
  const value = parseJson(`"${text.replace(cutEscape, "$1")}"`);
  return typeof value === "string" ? value : text;
}

/** The start of a JSON string that is a member. */
const memberStart = /"\w{1,40}\\*":\s*(\\*)"[^"\\]*$/;
const memberStartMaxChars = 400;

/**
 * Returns the text from `from` on. Gateways pass on the body of a server as text, whole or cut: then the quotation, which begins
 * at `at`, is within a JSON string, or within one of another, whose quotes have a backslash more for each.
 */
export function readQuotation(words: string, at: number, from: number): string {
  const rest = words.slice(from);
  const slashes = memberStart.exec(words.slice(Math.max(0, at - memberStartMaxChars), at))?.[1];
  if (slashes === undefined) return rest;
  const end = new RegExp(`(?<!\\\\)${slashes.replaceAll("\\", "\\\\")}"`).exec(rest)?.index ?? rest.length;
  let text = rest.slice(0, end);
  for (let level = slashes.length + 1; level > 0; level >>= 1) text = decodeJsonText(text);
  return text;
}

/** A text or code in a server's error and its meaning. */
export interface ErrorRule {
  readonly says: RegExp;
  readonly code: ErrorCode;
  readonly retryable?: boolean;
}

/** The error that a matching rule finds in `words`; `facts` are added to. */
export const toRuleError = (
  { code }: ErrorRule,
  words: string,
  model: string | undefined,
  facts: AgentError["facts"],
): AgentError =>
  makeError(code, {
    facts: { ...facts, ...(code === "window_full" && parseWindowFacts(words)), ...(model !== undefined && { model }) },
  });

/** An answer whose status is not 2xx. */
export interface RefusedAnswer {
  readonly status: number;
  readonly statusText: string;
  header(name: string): string | undefined;
  readonly body: string;
  /** Included in the facts of errors. */
  readonly model: string | undefined;
  /** ms epoch by the server's clock, for waits given as dates */
  readonly nowMs: number;
}

const edgeChars = 300;

/**
 * Whether a server's own call parser reached the end of a truncated call, which the output limit cut. The call itself
 * may be in the middle of the text, at any length.
 */
export function isTruncatedCallError(words: string): boolean {
  return (
    /tool[ _]?calls?|function[ _]?calls?|arguments/i.test(words.slice(0, edgeChars)) &&
    /unexpected (?:end of (?:the )?(?:json )?input|eof|end of (?:data|stream|string))|missing closing quote|unterminated|unclosed|end of input reached/i.test(
      words.slice(-edgeChars),
    )
  );
}

const yearMs = 31_536_000_000;

/** A wait between 0 and a year, whole ms. */
export const clampWaitMs = (ms: number): number => Math.min(Math.max(Math.round(ms), 0), yearMs);

/** The time of the server that wrote the answer, ms epoch: dates in it are by its clock, which may be hours off. */
export function serverNowMs({ header }: Pick<RefusedAnswer, "header">, nowMs: number): number {
  const written = Date.parse(header("date") ?? "");
  return Number.isNaN(written) ? nowMs : written;
}

/** Parses Retry-After (seconds or a date) to ms from `nowMs`, up to a year; undefined = none, or a moment that is over. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const wait = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return wait > 0 ? clampWaitMs(wait) : undefined;
}

/** Texts of proxies that have no host for a request. */
const noHost = /no server is available|no healthy upstream|upstream connect error/i;

/** Failure for the page of a proxy that reaches no model host; undefined = another answer. `retryAfterMs` = wait it named. */
export function proxyFailure(
  { status, statusText, body }: Pick<RefusedAnswer, "status" | "statusText" | "body">,
  retryAfterMs: number | undefined,
): ProviderError | undefined {
  const isGateway =
    status === 502 || status === 504 || (status === 503 && noHost.test(body.slice(0, errorTextMaxChars)));
  if (!isGateway || typeof parseJson(body) === "object") return undefined;
  const detail = toReadableLine(body) || toReadableLine(`${status} ${statusText}`);
  return new ProviderError(
    { code: "server_unreachable", detail, facts: { status, router: true } },
    { retryable: true, retryAfterMs },
  );
}

/** Error for bytes that are not a valid answer. */
export const brokenAnswer = (raw: string): ProviderError =>
  new ProviderError({ code: "bad_answer", detail: toReadableLine(raw) });

/** Parses `value` by `schema`; throws `bad_answer` with an excerpt of it. */
export function parseAnswer<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw brokenAnswer(JSON.stringify(value) ?? "");
  return result.data;
}

/** Error for a stream that ended without its last line. */
export const incompleteAnswer = (): ProviderError => new ProviderError({ code: "incomplete" });

/** Error for `stallMs` without a byte after the first. */
export const stalledAnswer = (stallMs: number): ProviderError =>
  new ProviderError({ code: "stalled", facts: { stallMs } });

/**
 * Converts anything a call threw to a failure. `host` must be free of credentials. An unexpected error is `internal`.
 */
export function toProviderError(cause: unknown, host: string): ProviderError {
  if (cause instanceof ProviderError) return cause;
  if (cause instanceof SocketError) {
    if (/^HPE_/.test(errorCode(cause.cause))) return brokenAnswer(socketErrorText(cause.cause));
    const code = cause.connected ? "connection_lost" : "server_unreachable";
    return new ProviderError(
      {
        code,
        detail: toReadableLine(socketErrorText(cause.cause)),
        facts: { host, ...(cause.proxy !== null && { proxy: cause.proxy }) },
      },
      { retryable: true, cause },
    );
  }
  return new ProviderError({ code: "internal", detail: toReadableLine(String(cause)) }, { cause });
}

const errorCode = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "");

/** Several addresses tried at once fail as one error without a message; its code remains. */
const socketErrorText = (cause: unknown): string =>
  cause instanceof Error ? cause.message || errorCode(cause) : String(cause);
