/**
 * Maps error texts and statuses of OpenAI-compatible servers to error codes, with the key removed. `detail` is the
 * first readable part of the text, `facts` the values extracted from it.
 */
import type { AgentError, ErrorCode } from "@/lib/error";
import { SocketError } from "./node-fetch";
import { withoutKey } from "./openai-mask";
import { mostOutputTokens, refusedFields } from "./openai-refusals";
import { namedWaitMs } from "./openai-waits";
import { ProviderError } from "./provider";
import { windowFacts } from "./window-facts";
import { brokenCallWords, errorWords, failureOf, readable, saysCutCall, shortWords } from "./wire-errors";

interface Rule {
  readonly says: RegExp;
  readonly code: ErrorCode;
  readonly retryable?: boolean;
}

/** Error texts and codes, most specific first; the first match decides. */
const rules: readonly Rule[] = [
  {
    says: /context_length_exceeded|exceed_context_size|(?:maximum|model'?s|available) context (?:length|size|window)|exceeds? the (?:available |maximum )?context|exceed context limit|context length of only|longer than the context|context window (?:is full|exceeded)|n_keep.{0,40}n_ctx|prompt is too long|token count.{0,40}exceeds the maximum|input length should be|input length \d+ exceeds|max message tokens|reduce the length of the (?:messages|prompt|input)/i,
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
    says: /does not support (?:tools|tool|function)|support tool use|tool(?:s| calling| use)? (?:is|are) not supported|tools param requires|enable-auto-tool-choice|function calling is not (?:enabled|supported)/i,
    code: "no_tools",
  },
  { says: /does not support (?:thinking|reasoning)/i, code: "no_thinking" },
  { says: brokenCallWords, code: "bad_answer", retryable: true },
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
const html = /^\s*</;

export interface Speaker {
  readonly key: string | null;
  readonly model: string | undefined;
}

function detailOf(words: string, key: string | null): string {
  return readable(withoutKey(words, key));
}

/**
 * Text of an error body: `words` for display, `matchable` with the codes for the rules. Never includes what the server
 * echoes of the request.
 */
export interface Spoken {
  readonly words: string;
  readonly matchable: string;
}

function plainly(text: string): Spoken {
  const words = shortWords(text);
  return { words, matchable: words };
}

const stringIn = (value: object, name: string): string => {
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === "string" || typeof found === "number" ? shortWords(String(found)) : "";
};

/** Routers report "Provider returned error" and put the provider's own text beside it. */
function rawWords(value: object): string {
  if (!("metadata" in value) || typeof value.metadata !== "object" || value.metadata === null) return "";
  return stringIn(value.metadata, "raw");
}

function spokenError(value: object, words: string): Spoken {
  const raw = rawWords(value);
  const all = raw === "" ? shortWords(words) : `${shortWords(words)}: ${raw}`;
  const codes = ["code", "type", "status", "param"].map((name) => stringIn(value, name));
  return { words: all, matchable: [all, ...codes].join(" ") };
}

/** FastAPI lists each invalid field, and repeats the whole request beside it. */
function spokenDetail(detail: unknown): Spoken | undefined {
  if (typeof detail === "string" && detail !== "") return plainly(detail);
  if (!Array.isArray(detail)) return undefined;
  const words = detail
    .filter((one): one is object => typeof one === "object" && one !== null)
    .map((one) => `${stringIn(one, "msg")} ${"loc" in one ? JSON.stringify(one.loc) : ""}`.trim())
    .join("; ");
  return words === "" ? undefined : plainly(words);
}

/** Extracts the error of any shape: OpenAI's, vLLM's bare one, Gemini's list, FastAPI's. undefined = not an error. */
export function spokenIn(value: unknown): Spoken | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : spokenIn(value[0]);
  if (typeof value !== "object" || value === null) return undefined;
  const words = errorWords(value);
  if (words !== undefined) {
    const inner = "error" in value && typeof value.error === "object" ? value.error : null;
    return inner === null ? plainly(words) : spokenError(inner, words);
  }
  if ("choices" in value || "data" in value) return undefined;
  const isBare = !("object" in value) || value.object === "error";
  const message = stringIn(value, "message");
  if (isBare && message !== "") return spokenError(value, message);
  return "detail" in value ? spokenDetail(value.detail) : undefined;
}

function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function ruled(rule: Rule, matchable: string, speaker: Speaker, more: AgentError["facts"]): AgentError {
  const facts = {
    ...more,
    ...(rule.code === "window_full" ? windowFacts(matchable) : {}),
    ...(speaker.model === undefined ? {} : { model: speaker.model }),
  };
  return { code: rule.code, facts };
}

export interface StatusAnswer extends Speaker {
  readonly status: number;
  readonly statusText: string;
  readonly body: string;
  header(name: string): string | undefined;
  readonly nowMs: number;
}

const always: RegExp = /^/;

/** Returns the matching rule; decisive statuses come before texts. */
function ruleOf(status: number, matchable: string, waitNamed: boolean): Rule | undefined {
  if (status === 402) return { says: always, code: "quota_used" };
  const rule = rules.find(({ says }) => says.test(matchable));
  if (rule?.code === "answer_filtered" && status === 403) return rule;
  if (status === 401 || status === 403) return { says: always, code: "key_refused" };
  // A per-minute quota is named with its wait, an account quota is not; waiting does not help an empty account.
  if (status === 429 && rule?.code !== "quota_used" && rule?.code !== "window_full")
    return /exceeded your current quota/i.test(matchable) && !waitNamed
      ? { says: always, code: "quota_used" }
      : undefined;
  return rule;
}

/** Failure for an answer whose status is not 2xx. */
export function statusFailure(answer: StatusAnswer): ProviderError {
  const { status, statusText, body, key, nowMs } = answer;
  const { words, matchable } = spokenIn(parsedBody(body)) ?? plainly(body);
  const detail = detailOf(words, key) || readable(`${status} ${statusText}`);
  const wait = namedWaitMs(answer.header, body, nowMs);
  const options = (retryable: boolean) => ({
    retryable,
    ...(retryable && wait !== undefined ? { retryAfterMs: wait } : {}),
  });
  const refused = status === 400 || status === 404 || status === 422 ? refusedFields(words) : [];
  const most = status === 400 || status === 422 ? mostOutputTokens(words) : undefined;
  const facts: AgentError["facts"] = {
    status,
    ...(refused.length === 0 ? {} : { refused }),
    ...(most === undefined ? {} : { mostOutputTokens: most }),
  };
  const rule =
    html.test(body) && status !== 402 && status !== 401 && status !== 403
      ? undefined
      : ruleOf(status, matchable, wait !== undefined);
  if (rule !== undefined) {
    const isMissing = rule.code === "key_refused" && key === null;
    const more = isMissing ? { ...facts, missing: true } : facts;
    return new ProviderError({ ...ruled(rule, words, answer, more), detail }, options(rule.retryable ?? false));
  }
  if (busyStatuses.has(status)) return new ProviderError({ code: "server_busy", detail, facts }, options(true));
  if (noSuchPath.has(status)) return new ProviderError({ code: "wrong_address", detail, facts });
  const code = html.test(body) ? "bad_answer" : "server_error";
  return new ProviderError({ code, detail, facts }, options(status >= 500 || status === 408 || status === 409));
}

/** Failure for an error inside an answer that began with status 200. */
export function saidFailure(value: unknown, speaker: Speaker): ProviderError {
  const { words, matchable } = spokenIn(value) ?? plainly(JSON.stringify(value) ?? "");
  const detail = detailOf(words, speaker.key);
  // LM Studio answers 200 to every path.
  if (/unexpected endpoint or method/i.test(words)) return new ProviderError({ code: "wrong_address", detail });
  if (saysCutCall(errorWords(value) ?? words)) return new ProviderError({ code: "output_limit", detail });
  const rule = rules.find(({ says }) => says.test(matchable));
  if (rule === undefined) return new ProviderError({ code: "server_error", detail }, { retryable: true });
  return new ProviderError({ ...ruled(rule, words, speaker, {}), detail }, { retryable: rule.retryable ?? false });
}

/** Why the connection failed, for the `reason` fact; undefined = unknown. */
function reasonOf(cause: unknown): string | undefined {
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
export function openAiFailure(thrown: unknown, host: string, key: string | null): ProviderError {
  const reason = reasonOf(thrown);
  const { error, retryable, retryAfterMs } = failureOf(thrown, host);
  // A certificate problem does not go away on retry.
  const tls = reason === "tls";
  const code = tls && error.code === "connection_lost" ? "server_unreachable" : error.code;
  const facts = { ...error.facts, ...(reason === undefined ? {} : { reason }) };
  const clean: AgentError = {
    code,
    ...(error.detail === undefined ? {} : { detail: withoutKey(error.detail, key) }),
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
  };
  return new ProviderError(clean, {
    retryable: retryable && !tls,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
