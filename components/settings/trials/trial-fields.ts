/** Fields of a form for the parameters of an operation, and the input that was typed. Pure. */
import type { Json } from "@/lib/events/content";

export interface TrialField {
  readonly name: string;
  /** As in the schema; `any` = of several kinds. */
  readonly type: string;
  readonly isRequired: boolean;
  /** In the words of the source; "" = none. */
  readonly description: string;
  /** What may be typed, where it is one of a list; empty = anything. */
  readonly choices: readonly string[];
}

type JsonObject = { readonly [name: string]: Json };
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Required ones first. */
export function readTrialFields(parameters: Json): readonly TrialField[] {
  if (!isObject(parameters) || !isObject(parameters.properties)) return [];
  const { required } = parameters;
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(parameters.properties).map(([name, schema]) => ({
    name,
    type: isObject(schema) && typeof schema.type === "string" ? schema.type : "any",
    isRequired: names.includes(name),
    description: isObject(schema) && typeof schema.description === "string" ? schema.description : "",
    choices: isObject(schema) ? readChoices(schema) : [],
  }));
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

function readChoices({ type, enum: values }: JsonObject): readonly string[] {
  if (type === "boolean") return ["true", "false"];
  if (!Array.isArray(values)) return [];
  const named: readonly Json[] = values;
  return named.map((value) => (type === "string" && typeof value === "string" ? value : JSON.stringify(value)));
}

type TrialInput =
  | { readonly ok: true; readonly input: JsonObject }
  /** Its text is no JSON, or it is required and empty. */
  | { readonly ok: false; readonly field: string; readonly problem: "not_json" | "missing" };

/** Lists, objects, numbers and yes or no are JSON; a text is what it is. Empty fields are left out unless required. */
export function readTrialInput(fields: readonly TrialField[], typed: Readonly<Record<string, string>>): TrialInput {
  const input: { [name: string]: Json } = {};
  for (const { name, type, isRequired } of fields) {
    const text = typed[name] ?? "";
    if (text.trim() === "" && isRequired) return { ok: false, field: name, problem: "missing" };
    if (text.trim() === "") continue;
    const value = type === "string" ? text : parse(text);
    if (value !== undefined) input[name] = value;
    else if (type === "any") input[name] = text;
    else return { ok: false, field: name, problem: "not_json" };
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
