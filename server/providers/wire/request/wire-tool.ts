/**
 * A tool of a request, in the form that both wire protocols share. Servers that turn schemas into grammars refuse a request for
 * one value without a type, so that each gets one here. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import type { ToolSchema } from "@/lib/models/stored-prompt";
import { weakMemo } from "@/server/base/weak-memo";

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Keywords that say what a value is without its type. */
const kindKeywords = ["anyOf", "oneOf", "allOf", "$ref", "const"];

function typeOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return isList(value) ? "array" : typeof value;
}

/** The one type of the values; null = they have several, or none. */
function commonType(values: Json | undefined): string | null {
  const [only, ...others] = new Set(isList(values) ? values.map(typeOf) : []);
  return others.length === 0 ? (only ?? null) : null;
}

/** The type that a schema leaves out; null = it has no keyword that says anything. */
function missingType(schema: JsonObject): string | null {
  if (isJsonObject(schema.properties)) return "object";
  if (schema.items !== undefined) return "array";
  return commonType(schema.enum) ?? typeOf(schema.default) ?? (Object.keys(schema).length === 0 ? null : "string");
}

const alternativeKeywords = ["anyOf", "oneOf", "allOf"];

/** Gives the alternatives their types; a list without any is left out. */
function typedAlternatives(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
    if (!isList(value)) return [[keyword, value]];
    const list = alternativeKeywords.includes(keyword) ? value.flatMap((one) => typedSchema(one) ?? []) : value;
    return list.length === 0 && (keyword === "enum" || alternativeKeywords.includes(keyword)) ? [] : [[keyword, list]];
  });
  return Object.fromEntries(members);
}

/** Returns a schema in which all values have a type; null = that of `written` is not known. */
function typedSchema(written: Json): JsonObject | null {
  if (!isJsonObject(written)) return null;
  const schema = typedAlternatives(written);
  const isTyped = schema.type !== undefined || kindKeywords.some((keyword) => schema[keyword] !== undefined);
  const type = isTyped ? null : missingType(schema);
  if (!isTyped && type === null) return null;
  const { properties, required, items } = schema;
  return {
    ...(type === null ? {} : { type }),
    ...schema,
    ...(isJsonObject(properties) ? typedMembers(properties, required) : {}),
    ...(isJsonObject(items) ? { items: typedSchema(items) ?? {} } : {}),
  };
}

/** A member of unknown type is left out, unless a call needs it: then it is text. */
function typedMembers(properties: JsonObject, required: Json | undefined): JsonObject {
  const needed = isList(required) ? required : [];
  const typed = Object.entries(properties).flatMap(([name, schema]) => {
    const member = typedSchema(schema);
    if (member !== null) return [[name, member] as const];
    return needed.includes(name) && isJsonObject(schema) ? [[name, { type: "string" }] as const] : [];
  });
  const names = new Set(typed.map(([name]) => name));
  const left = needed.filter((name) => typeof name === "string" && names.has(name));
  const isWhole = left.length === needed.length;
  return { properties: Object.fromEntries(typed), ...(required === undefined || isWhole ? {} : { required: left }) };
}

export const wireTool = weakMemo(
  ({ name, description, parameters }: ToolSchema): Json => ({
    type: "function",
    function: { name, description, parameters: typedSchema(parameters) ?? { type: "object", properties: {} } },
  }),
);
