/**
 * Maps error texts and statuses of Ollama servers to error codes. `detail` is the first readable part of the text,
 * `facts` the values extracted from it.
 */
import { ProviderError } from "../provider";
import {
  type ErrorRule,
  proxyFailure,
  toReadableLine,
  retryAfterMs,
  isTruncatedCallError,
  clipErrorText,
  errorBodyText,
  type RefusedAnswer,
  toRuleError,
} from "../wire/wire-errors";
import { positionFact } from "../wire/queue-position";
import { schemaRefusal } from "../wire/tool-refusals";
import { unparsedAnswerFailure } from "../wire/unparsed-answer";

/** Error text patterns, most specific first; the first match decides. */
const errorRules: readonly ErrorRule[] = [
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
  {
    says: /error loading model|(?:failed|unable) to load model|unknown model architecture|unsupported model|runner process has terminated/i,
    code: "server_error",
    retryable: false,
  },
];

function matchFailure(rawText: string, model: string | undefined, otherwise: ProviderError): ProviderError {
  const { facts } = otherwise.error;
  const unparsed = unparsedAnswerFailure(rawText, { detail: toReadableLine(rawText), ...(facts && { facts }) });
  if (unparsed !== undefined) return unparsed;
  const schema = schemaRefusal(rawText, toReadableLine(rawText));
  if (schema !== undefined) return schema;
  if (isTruncatedCallError(rawText))
    return new ProviderError({ code: "output_limit", detail: toReadableLine(rawText) });
  const words = clipErrorText(rawText);
  const rule = errorRules.find(({ says }) => says.test(words));
  if (rule === undefined) return otherwise;
  const error = toRuleError(rule, words, model, otherwise.error.facts);
  return new ProviderError({ ...error, detail: toReadableLine(words) }, rule);
}

/** Failure for an answer whose status is not 2xx. */
export function ollamaStatusFailure(answer: RefusedAnswer): ProviderError {
  const { status, statusText, body, header, model, nowMs } = answer;
  const words = errorBodyText(body);
  const detail = toReadableLine(words) || toReadableLine(`${status} ${statusText}`);
  const wait = { retryAfterMs: retryAfterMs(header("retry-after"), nowMs) };
  const proxy = proxyFailure(answer, wait.retryAfterMs);
  if (proxy !== undefined) return proxy;
  const facts = { status };
  if (status === 429 || status === 503)
    return new ProviderError(
      { code: "server_busy", detail, facts: { ...facts, ...positionFact(words) } },
      { retryable: true, ...wait },
    );
  if (status === 401 || status === 403) return new ProviderError({ code: "not_allowed", detail, facts });
  // A web page means that another program answers at this address.
  const code = /^\s*</.test(body) ? "bad_answer" : "server_error";
  const otherwise = new ProviderError({ code, detail, facts }, { retryable: status >= 500 || status === 408, ...wait });
  return matchFailure(words, model, otherwise);
}

/** Failure for `{"error": …}` inside an answer that began with status 200. */
export const ollamaLineFailure = (words: string, model: string | undefined): ProviderError =>
  matchFailure(
    words,
    model,
    new ProviderError({ code: "server_error", detail: toReadableLine(words) }, { retryable: true }),
  );
