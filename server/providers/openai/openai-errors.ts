/**
 * Maps error texts and statuses of OpenAI-compatible servers to error codes, with the key removed. `detail` is the
 * first readable part of the text, `facts` the values extracted from it.
 */
import { type AgentError, makeError } from "@/lib/events/error";
import type { ConnectionReason } from "@/lib/events/error-facts";
import type { KeyUse } from "@/lib/models/key-use";
import { parseJson } from "@/server/base/parse-json";
import { SocketError } from "../wire/node-fetch";
import { maskKey } from "./openai-mask";
import { parseOutputLimit, refusedFields } from "./openai-refusals";
import { parseRequestedWaitMs } from "./openai-waits";
import { ProviderError } from "../provider";
import { positionFact } from "../wire/queue-position";
import { findHistoryRefusal } from "../wire/history-refusals";
import { schemaRefusal } from "../wire/tool-refusals";
import { unparsedAnswerFailure } from "../wire/unparsed-answer";
import {
  brokenAnswer,
  type ErrorRule,
  proxyFailure,
  extractErrorText,
  type RefusedAnswer,
  toProviderError,
  toRuleError,
  toReadableLine,
  isTruncatedCallError,
  clipErrorText,
} from "../wire/wire-errors";

/** Error texts and codes, most specific first; the first match decides. */
const errorRules: readonly ErrorRule[] = [
  {
    says: /context_length_exceeded|exceed_context_size|(?:maximum|model'?s|available) context (?:length|size|window)|exceeds? the (?:available |maximum )?context|exceed context limit|context length of only|longer than the (?:context|maximum model length)|context window (?:is full|exceeded)|n_keep.{0,40}n_ctx|prompt is too long|token count.{0,40}exceeds the maximum|input length should be|input length \d+ exceeds|max message tokens|reduce the length of the (?:messages|prompt|input)/i,
    code: "window_full",
  },
  {
    says: /insufficient_quota|insufficient[_ ](?:balance|credits?|funds)|requires more credits|credit balance is too low|arrearage|overdue|billing_hard_limit/i,
    code: "quota_used",
  },
  {
    says: /api[_ ]?key[_ ](?:not valid|invalid)|invalid[_ ]api[_ ]?key|incorrect api key|invalid x-api-key|no api key|missing api key/i,
    code: "key_refused",
  },
  {
    says: /does not support (?:tools|tool|function)|support tool use|tool(?:s| calling| use)? (?:is|are) not supported|tools param requires|enable-auto-tool-choice|requires --tool-call-parser|function calling is not (?:enabled|supported)/i,
    code: "no_tools",
  },
  { says: /does not support (?:thinking|reasoning)/i, code: "no_thinking" },
  {
    says: /content[_ ]?(?:filter|policy)|data_inspection_failed|responsible ?ai|flagged (?:by|for|as)\b/i,
    code: "answer_filtered",
  },
  {
    says: /out of memory|outofmemory|out_of_memory|cudaMalloc failed|failed to allocate|insufficient memory|insufficient system resources/i,
    code: "out_of_memory",
  },
  {
    says: /model_not_found|\bmodels?\b[^{}]{0,300}(?:\bnot found|does not exist|not exist|is not a valid model)|no models? (?:is |are )?loaded|not a valid model|invalid model|unknown model|no endpoints found/i,
    code: "model_missing",
  },
  {
    says: /loading model|model is loading|overloaded|resource_exhausted|rate.?limit/i,
    code: "server_busy",
    retryable: true,
  },
];

/** Meaning of a status when the text matches no rule. */
const busyStatuses: ReadonlySet<number> = new Set([425, 429, 503, 529]);
const noSuchPath: ReadonlySet<number> = new Set([404, 405, 410, 501]);
const htmlStart = /^\s*</;

export interface ErrorContext {
  readonly key: string | null;
  readonly keyUse?: KeyUse | undefined;
  readonly model: string | undefined;
}

function maskedDetail(words: string, { key, keyUse }: Pick<ErrorContext, "key" | "keyUse">): string {
  return toReadableLine(maskKey(words, key, keyUse));
}

/**
 * Text of an error body: `display` for display, `matchable` with the codes for the rules. Never includes what the server
 * echoes of the request.
 */
interface ErrorText {
  readonly display: string;
  readonly matchable: string;
}

function plainErrorText(text: string): ErrorText {
  const words = clipErrorText(text);
  return { display: words, matchable: words };
}

const stringIn = (value: object, name: string): string => {
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === "string" || typeof found === "number" ? clipErrorText(String(found)) : "";
};

/** Routers report "Provider returned error" and put the provider's own text beside it. */
function upstreamText(value: object): string {
  if (!("metadata" in value) || typeof value.metadata !== "object" || value.metadata === null) return "";
  return stringIn(value.metadata, "raw");
}

function describeErrorObject(value: object, words: string): ErrorText {
  const raw = upstreamText(value);
  const all = raw === "" ? clipErrorText(words) : `${clipErrorText(words)}: ${raw}`;
  const codes = ["code", "type", "status", "param"].map((name) => stringIn(value, name));
  return { display: all, matchable: [all, ...codes].join(" ") };
}

/** FastAPI lists each invalid field, and repeats the whole request beside it. */
function describeFastApiError(detail: unknown): ErrorText | undefined {
  if (typeof detail === "string" && detail !== "") return plainErrorText(detail);
  if (!Array.isArray(detail)) return undefined;
  const words = detail
    .filter((one): one is object => typeof one === "object" && one !== null)
    .map((one) => `${stringIn(one, "msg")} ${"loc" in one ? JSON.stringify(one.loc) : ""}`.trim())
    .join("; ");
  return words === "" ? undefined : plainErrorText(words);
}

/** Extracts the error of any shape: OpenAI's, vLLM's bare one, Gemini's list, FastAPI's. undefined = not an error. */
export function findErrorText(value: unknown): ErrorText | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : findErrorText(value[0]);
  if (typeof value !== "object" || value === null) return undefined;
  const words = extractErrorText(value);
  if (words !== undefined) {
    const inner = "error" in value && typeof value.error === "object" ? value.error : null;
    return inner === null ? plainErrorText(words) : describeErrorObject(inner, words);
  }
  if ("choices" in value || "data" in value) return undefined;
  const isBare = !("object" in value) || value.object === "error";
  const message = stringIn(value, "message");
  if (isBare && message !== "") return describeErrorObject(value, message);
  return "detail" in value ? describeFastApiError(value.detail) : undefined;
}

const anyText: RegExp = /^/;

/** Returns the matching rule; decisive statuses come before texts. */
function matchRule(status: number, matchable: string, waitNamed: boolean): ErrorRule | undefined {
  if (status === 402) return { says: anyText, code: "quota_used" };
  const rule = errorRules.find(({ says }) => says.test(matchable));
  if (rule?.code === "answer_filtered" && status === 403) return rule;
  if (status === 401 || status === 403) return { says: anyText, code: "key_refused" };
  // A per-minute quota is named with its wait, an account quota is not; waiting does not help an empty account.
  if (status === 429 && rule?.code !== "quota_used" && rule?.code !== "window_full")
    return /exceeded your current quota/i.test(matchable) && !waitNamed
      ? { says: anyText, code: "quota_used" }
      : undefined;
  return rule;
}

/** Failure for an answer whose status is not 2xx. */
export function openAiStatusFailure(answer: RefusedAnswer & ErrorContext): ProviderError {
  const { status, statusText, body, key, nowMs } = answer;
  const { display: words, matchable } = findErrorText(parseJson(body)) ?? plainErrorText(body);
  const detail = maskedDetail(words, answer) || toReadableLine(`${status} ${statusText}`);
  const unparsed = unparsedAnswerFailure(extractErrorText(parseJson(body)) ?? body, { detail });
  if (unparsed !== undefined) return unparsed;
  const wait = parseRequestedWaitMs(answer.header, body, nowMs);
  const proxy = proxyFailure({ ...answer, body: maskKey(body, key, answer.keyUse) }, wait);
  if (proxy !== undefined) return proxy;
  const options = (retryable = false) => ({ retryable, retryAfterMs: retryable ? wait : undefined });
  // Some servers report an exception of the chat template as their own failure.
  const mayRefuse = status === 400 || status === 422 || status === 500;
  const schema = mayRefuse ? schemaRefusal(matchable, detail) : undefined;
  if (schema !== undefined) return schema;
  const history = mayRefuse ? findHistoryRefusal(words) : undefined;
  if (history !== undefined) return new ProviderError({ code: "server_error", detail, facts: { status, history } });
  const refused = status === 400 || status === 404 || status === 422 ? refusedFields(words) : [];
  const most = status === 400 || status === 422 ? parseOutputLimit(words) : undefined;
  const facts: AgentError["facts"] = {
    status,
    ...(refused.length > 0 && { refused }),
    ...(most !== undefined && { mostOutputTokens: most }),
    ...(busyStatuses.has(status) && positionFact(words)),
  };
  const rule =
    htmlStart.test(body) && status !== 402 && status !== 401 && status !== 403
      ? undefined
      : matchRule(status, matchable, wait !== undefined);
  if (rule !== undefined) {
    const isMissing = rule.code === "key_refused" && key === null;
    const more = isMissing ? { ...facts, missing: true } : facts;
    return new ProviderError({ ...toRuleError(rule, words, answer.model, more), detail }, options(rule.retryable));
  }
  if (busyStatuses.has(status)) return new ProviderError({ code: "server_busy", detail, facts }, options(true));
  if (noSuchPath.has(status)) return new ProviderError({ code: "wrong_address", detail, facts });
  const code = htmlStart.test(body) ? "bad_answer" : "server_error";
  return new ProviderError({ code, detail, facts }, options(status >= 500 || status === 408 || status === 409));
}

/** Failure for an error inside an answer that began with status 200. */
export function openAiBodyFailure(value: unknown, speaker: ErrorContext): ProviderError {
  const { display: words, matchable } = findErrorText(value) ?? plainErrorText(JSON.stringify(value) ?? "");
  const detail = maskedDetail(words, speaker);
  const unparsed = unparsedAnswerFailure(extractErrorText(value) ?? words, { detail });
  if (unparsed !== undefined) return unparsed;
  const schema = schemaRefusal(matchable, detail);
  if (schema !== undefined) return schema;
  // LM Studio answers 200 to every path.
  if (/unexpected endpoint or method/i.test(words)) return new ProviderError({ code: "wrong_address", detail });
  if (isTruncatedCallError(extractErrorText(value) ?? words))
    return new ProviderError({ code: "output_limit", detail });
  const rule = errorRules.find(({ says }) => says.test(matchable));
  if (rule === undefined) return new ProviderError({ code: "server_error", detail }, { retryable: true });
  return new ProviderError({ ...toRuleError(rule, words, speaker.model, {}), detail }, rule);
}

/** Returns `value`, unless it is not an object (`text` is shown) or reports an error. */
export function validValue(value: unknown, text: string, context: ErrorContext, isError = false): object {
  if (typeof value !== "object" || value === null) throw brokenAnswer(text);
  if (isError || findErrorText(value) !== undefined) throw openAiBodyFailure(value, context);
  return value;
}

/** Why the connection failed, for the `reason` fact; undefined = unknown. */
export function connectionFailureReason(cause: unknown): ConnectionReason | undefined {
  if (!(cause instanceof SocketError) || !(cause.cause instanceof Error)) return undefined;
  const { cause: socket } = cause;
  const code = "code" in socket ? String(socket.code) : "";
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return "dns";
  if (code === "ECONNREFUSED") return "refused";
  if (code === "ETIMEDOUT") return "timeout";
  if (/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/.test(code)) return "network";
  return /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO/.test(code) ? "tls" : undefined;
}

/** Converts anything a call threw to a failure without the key. `host` must already be free of credentials. */
export function openAiFailure(thrown: unknown, host: string, key: string | null, keyUse?: KeyUse): ProviderError {
  const reason = connectionFailureReason(thrown);
  const { error, retryable, ...more } = toProviderError(thrown, host);
  // A certificate problem does not go away on retry.
  const tls = reason === "tls";
  const code = tls && error.code === "connection_lost" ? "server_unreachable" : error.code;
  const facts = reason === undefined ? error.facts : { ...error.facts, reason };
  const detail = error.detail === undefined ? undefined : maskKey(error.detail, key, keyUse);
  return new ProviderError(makeError(code, { detail, facts }), { retryable: retryable && !tls, ...more });
}
