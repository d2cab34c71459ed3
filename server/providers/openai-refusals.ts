/** Optional fields of a request that a server or a model has refused, for as long as the process lives. Used by openai. */
import type { OptionalField } from "./openai-request";
import type { Failure } from "./provider";

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

const isField = (name: string): name is OptionalField => name in spellings;

/** The optional fields that the words of a refusal name. */
export const refusedFields = (words: string): readonly OptionalField[] =>
  refuses.test(words)
    ? Object.entries(spellings).flatMap(([field, says]) => (isField(field) && says.test(words) ? [field] : []))
    : [];

export interface Refusals {
  /** What is left out, or named otherwise, when this model is asked. */
  of(model: string): ReadonlySet<OptionalField>;
  /** Remembers what the failure is about; true when the same request may now be taken. */
  learn(model: string, failure: Failure): boolean;
}

export function makeRefusals(): Refusals {
  /** Usage in the stream is a matter of the server, the rest one of the model. */
  const ofServer = new Set<OptionalField>();
  const ofModels = new Map<string, Set<OptionalField>>();
  return {
    of: (model) => new Set([...ofServer, ...(ofModels.get(model) ?? [])]),
    learn(model, { error }) {
      const named = error.facts?.refused;
      const known = ofModels.get(model) ?? new Set();
      const fields = Array.isArray(named)
        ? named.filter(
            (field) => typeof field === "string" && isField(field) && !ofServer.has(field) && !known.has(field),
          )
        : [];
      for (const field of fields)
        if (field === "stream_options") ofServer.add(field);
        else known.add(field);
      ofModels.set(model, known);
      return fields.length > 0;
    },
  };
}
