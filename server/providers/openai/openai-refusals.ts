/** Remembers optional request fields that a server or model refused, for the life of the process. */
import { anyFacts } from "@/lib/events/error";
import { type OptionalField, optionalFields } from "./openai-request";
import type { Failure, ModelRequest } from "../provider";

/** Patterns for the field names in refusal texts. */
const fieldPatterns: { readonly [field in OptionalField]: RegExp } = {
  stream_options: /stream_options|include_usage/i,
  temperature: /\btemperature\b/i,
  think: /reasoning_effort|reasoning effort|invalid reasoning value|enable_thinking|chat_template_kwargs|\bthinking\b/i,
  max_tokens:
    /['"`]max_(?:completion_)?tokens['"`].{0,80}(?:use|instead|unsupported|not supported)|unsupported.{0,40}max_(?:completion_)?tokens/i,
};
const refusalPattern =
  /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|not accepted|extra (?:inputs|fields)|invalid (?:parameter|field|value|argument)|does not exist|only .{0,40}(?:is|are) supported|must be|input should be/i;

/** Optional fields named in a refusal text. */
export const refusedFields = (words: string): readonly OptionalField[] =>
  refusalPattern.test(words) ? optionalFields.filter((field) => fieldPatterns[field].test(words)) : [];

/** Patterns for a model's own output limit. */
const limitPatterns: readonly RegExp[] = [
  /at most (\d+) (?:completion|output) tokens/i,
  /range of max_\w*tokens (?:is|should be) \[\d+, ?(\d+)\]/i,
  /max_\w*tokens: \d+ > (\d+)/i,
  /max_\w*tokens\W{1,3}(?:must|should) be (?:less than or equal to|at most|no more than|<=) \W?(\d+)/i,
];

/** Output limit in tokens; undefined if the text names none. */
export function parseOutputLimit(words: string): number | undefined {
  const found = limitPatterns.map((pattern) => pattern.exec(words)?.[1]).find((tokens) => tokens !== undefined);
  return found === undefined ? undefined : Number(found);
}

/** Request properties a refusal depends on: each thinking level is refused separately. */
type RefusalSubject = Pick<ModelRequest, "model" | "think" | "maxOutputTokens">;

export function makeFieldRefusals() {
  const limits = new Set<string>();
  const bounded = new Map<string, number>();
  /** Usage in the stream depends on the server, the other fields on the model. */
  const keyOf = (field: OptionalField, { model, think }: RefusalSubject): string => {
    if (field === "stream_options") return field;
    return JSON.stringify(field === "think" ? [field, model, think] : [field, model]);
  };
  const isKnown = (field: OptionalField, subject: RefusalSubject): boolean => limits.has(keyOf(field, subject));
  /** Output tokens to request: `wanted`, or the model's known limit if lower. */
  const outputTokens = (model: string, wanted: number): number => Math.min(bounded.get(model) ?? wanted, wanted);
  return {
    outputTokens,
    /** Fields to leave out, or to rename, in this request. */
    of: (subject: RefusalSubject): ReadonlySet<OptionalField> =>
      new Set(optionalFields.filter((field) => isKnown(field, subject))),
    /** Learns the `sent` fields named by the failure; returns true when a retry may succeed. */
    learn(subject: RefusalSubject, sent: ReadonlySet<OptionalField>, { error }: Failure): boolean {
      const { refused: named = [], mostOutputTokens: most } = anyFacts(error);
      const isLess = most !== undefined && most > 0 && most < outputTokens(subject.model, subject.maxOutputTokens);
      if (isLess) bounded.set(subject.model, most);
      const fields = optionalFields.filter(
        (field) => named.includes(field) && sent.has(field) && !isKnown(field, subject),
      );
      for (const field of fields) limits.add(keyOf(field, subject));
      return isLess || fields.length > 0;
    },
  };
}
