/** Fields of a form for the parameters of an operation, and the input that was typed. Pure. */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";

export interface TrialField {
  readonly name: string;
  /** As in the schema; `any` = of several kinds. */
  readonly type: string;
  readonly isRequired: boolean;
  /** In the words of the source; "" = none. */
  readonly description: string;
  /** Allowed values, if the value is one of a list; empty = any. */
  readonly choices: readonly string[];
}

/** Required ones first. */
export function readTrialFields(parameters: Json): readonly TrialField[] {
  if (!isJsonObject(parameters) || !isJsonObject(parameters.properties)) return [];
  const { required } = parameters;
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(parameters.properties).map(([name, schema]) => ({
    name,
    type: isJsonObject(schema) && typeof schema.type === "string" ? schema.type : "any",
    isRequired: names.includes(name),
    description: isJsonObject(schema) && typeof schema.description === "string" ? schema.description : "",
    choices: isJsonObject(schema) ? readChoices(schema) : [],
  }));
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

function readChoices({ type, enum: values }: JsonObject): readonly string[] {
  if (type === "boolean") return ["true", "false"];
  if (!Array.isArray(values)) return [];
  const named: readonly Json[] = values;
  return named.map((value) => (type === "string" && typeof value === "string" ? value : JSON.stringify(value)));
}

/** missing = it is required and empty; the others = what a field must be, by its type. */
type TrialProblem = "missing" | "whole_number" | "number" | "boolean" | "list" | "object" | "json";

type TrialInput =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly field: string; readonly problem: TrialProblem };

interface WrittenType {
  readonly problem: TrialProblem;
  fits(value: Json): boolean;
}

const writtenTypes: Readonly<Record<string, WrittenType>> = {
  integer: { problem: "whole_number", fits: Number.isInteger },
  number: { problem: "number", fits: (value) => typeof value === "number" },
  boolean: { problem: "boolean", fits: (value) => typeof value === "boolean" },
  array: { problem: "list", fits: Array.isArray },
  object: { problem: "object", fits: isJsonObject },
};
const otherType: WrittenType = { problem: "json", fits: () => true };

/**
 * Lists, objects, numbers and yes or no are JSON of that type; a text is what it is. Empty fields are left out unless
 * required.
 */
export function readTrialInput(fields: readonly TrialField[], typed: Readonly<Record<string, string>>): TrialInput {
  const input: { [name: string]: Json } = {};
  for (const { name, type, isRequired } of fields) {
    const text = typed[name] ?? "";
    if (text.trim() === "" && isRequired) return { ok: false, field: name, problem: "missing" };
    if (text.trim() === "") continue;
    const { problem, fits } = writtenTypes[type] ?? otherType;
    const value = type === "string" ? text : parse(text);
    if (value !== undefined && fits(value)) input[name] = value;
    else if (type === "any") input[name] = text;
    else return { ok: false, field: name, problem };
  }
  return { ok: true, input };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
