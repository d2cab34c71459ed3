/** Errors that were written by another version: facts of a wrong type are left out. */
import * as z from "zod/mini";
import { type AgentError, type ErrorCode, errorCodes } from "@/lib/events/error";
import { type FactType, factTypes } from "@/lib/events/error-facts";

interface ForeignError {
  readonly code: string;
  readonly detail?: string;
  readonly facts?: object;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";

const checks: { readonly [Type in FactType]: (value: unknown) => boolean } = {
  text: isText,
  number: isNumber,
  flag: (value) => typeof value === "boolean",
  texts: (value) => Array.isArray(value) && value.every(isText),
  list: Array.isArray,
  "number or null": (value) => value === null || isNumber(value),
  "number or text": (value) => isNumber(value) || isText(value),
  "number, text or null": (value) => value === null || isNumber(value) || isText(value),
  "text or null": (value) => value === null || isText(value),
  "flag or text": (value) => typeof value === "boolean" || isText(value),
};

const types: ReadonlyMap<string, FactType> = new Map(Object.entries(factTypes));

/** An unknown fact is of a newer version; nothing reads it. */
const isFact = ([name, value]: readonly [string, unknown]): boolean => {
  const type = types.get(name);
  return type === undefined || checks[type](value);
};

const isTyped = (error: ForeignError): error is AgentError => Object.entries(error.facts ?? {}).every(isFact);

export function withTypedFacts(error: ForeignError): AgentError {
  if (isTyped(error)) return error;
  const typed: ForeignError = { ...error, facts: Object.fromEntries(Object.entries(error.facts ?? {}).filter(isFact)) };
  return isTyped(typed) ? typed : { code: "internal" };
}

/** As the schema reads it. */
interface StoredError extends ForeignError {
  readonly code: ErrorCode;
  readonly facts?: { readonly [name: string]: z.core.util.JSONType };
}

/** Schema of a stored error. */
export const makeErrorSchema = (): z.ZodMiniType<AgentError> =>
  z.pipe(
    z.object({
      code: z.enum(errorCodes),
      detail: z.exactOptional(z.string()),
      facts: z.exactOptional(z.record(z.string(), z.json())),
    }),
    z.transform((error: StoredError) => withTypedFacts(error)),
  );
