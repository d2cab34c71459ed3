/** Optional fields of a request that a server or a model has refused, for as long as the process lives. Used by openai. */
import { type OptionalField, optionalFields } from "./openai-request";
import type { Failure, ModelRequest } from "./provider";

/** The names of the fields as a refusal would spell them. */
const spellings: { readonly [field in OptionalField]: RegExp } = {
  stream_options: /stream_options|include_usage/i,
  temperature: /\btemperature\b/i,
  think: /reasoning_effort|reasoning effort|enable_thinking|chat_template_kwargs|\bthinking\b/i,
  max_tokens:
    /['"`]max_(?:completion_)?tokens['"`].{0,80}(?:use|instead|unsupported|not supported)|unsupported.{0,40}max_(?:completion_)?tokens/i,
};
const refuses =
  /unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|not accepted|extra (?:inputs|fields)|invalid (?:parameter|field|value|argument)|does not exist|only .{0,40}(?:is|are) supported|must be/i;

/** The optional fields that the words of a refusal name. */
export const refusedFields = (words: string): readonly OptionalField[] =>
  refuses.test(words) ? optionalFields.filter((field) => spellings[field].test(words)) : [];

/** Of whom something is remembered: a level of thinking is refused by itself. */
type Asked = Pick<ModelRequest, "model" | "think">;

export interface Refusals {
  /** What is left out, or named otherwise, in this request. */
  of(asked: Asked): ReadonlySet<OptionalField>;
  /** Remembers what the failure names of the fields that were `sent`; true when the request may now be taken. */
  learn(asked: Asked, sent: ReadonlySet<OptionalField>, failure: Failure): boolean;
}

export function makeRefusals(): Refusals {
  const known = new Set<string>();
  /** Usage in the stream is a matter of the server, the rest one of the model. */
  const keyOf = (field: OptionalField, { model, think }: Asked): string => {
    if (field === "stream_options") return field;
    return JSON.stringify(field === "think" ? [field, model, think] : [field, model]);
  };
  const isKnown = (field: OptionalField, asked: Asked): boolean => known.has(keyOf(field, asked));
  return {
    of: (asked) => new Set(optionalFields.filter((field) => isKnown(field, asked))),
    learn(asked, sent, { error }) {
      const named = error.facts?.refused;
      if (!Array.isArray(named)) return false;
      const fields = optionalFields.filter(
        (field) => named.includes(field) && sent.has(field) && !isKnown(field, asked),
      );
      for (const field of fields) known.add(keyOf(field, asked));
      return fields.length > 0;
    },
  };
}
