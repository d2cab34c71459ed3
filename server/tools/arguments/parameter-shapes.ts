/**
 * The shapes of a tool's parameters: the subset of JSON Schema that models are sent. Values are nested objects and lists
 * of texts, numbers, enumerated values and alternatives. Other keywords, such as descriptions, are ignored. Pure.
 */
import * as z from "zod/mini";
import { isJsonObject, type Json } from "@/lib/events/content";

export type EnumValue = string | number;

type ScalarType = "string" | "integer" | "number" | "boolean";

export type ValueShape =
  | { readonly type: ScalarType }
  /** A value of any kind, in the schema `{}`. */
  | { readonly type: "any" }
  /** One of the values; the list has at least one. */
  | { readonly type: "enum"; readonly values: readonly EnumValue[] }
  /** A value that at least one branch accepts; the list has at least one. */
  | { readonly type: "anyOf"; readonly branches: readonly ValueShape[] }
  | { readonly type: "array"; readonly items: ValueShape }
  | { readonly type: "object"; readonly properties: ParameterShapes };

export type ParameterShape = ValueShape & { readonly required: boolean };

/** The parameters of a tool, or the members of an object, in the order of the JSON schema. */
export type ParameterShapes = ReadonlyMap<string, ParameterShape>;

export type ToolArguments = { [name: string]: Json };

const objectFields = {
  properties: z.record(
    z.string(),
    z.lazy(() => valueSchema),
  ),
  required: z.optional(z.array(z.string())),
};

interface ObjectSchema {
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[] | undefined;
}

type ValueSchema =
  | { readonly anyOf: readonly ValueSchema[] }
  | { readonly enum: readonly EnumValue[] }
  | { readonly type: ScalarType }
  | { readonly type?: undefined }
  | { readonly type: "array"; readonly items: ValueSchema }
  | ({ readonly type: "object" } & ObjectSchema);

/** Keywords that say what a value is: a schema with none of them is one of any value. */
const anyFields = Object.fromEntries(
  ["type", "enum", "anyOf", "const", "oneOf", "allOf", "$ref"].map((name) => [name, z.optional(z.never())]),
);

/** The first member that fits: an enumeration usually has a type beside its values. */
const valueSchema: z.ZodMiniType<ValueSchema> = z.union([
  z.object({ anyOf: z.array(z.lazy(() => valueSchema)).check(z.minLength(1)) }),
  z.object({ enum: z.array(z.union([z.string(), z.number()])).check(z.minLength(1)) }),
  z.object({ type: z.enum(["string", "integer", "number", "boolean"]) }),
  z.object({ type: z.literal("array"), items: z.lazy(() => valueSchema) }),
  z.object({ type: z.literal("object"), ...objectFields }),
  z.object(anyFields),
]);

const toValueShape = (schema: ValueSchema): ValueShape => {
  if ("anyOf" in schema) return { type: "anyOf", branches: schema.anyOf.map(toValueShape) };
  if ("enum" in schema) return { type: "enum", values: schema.enum };
  if (schema.type === undefined) return { type: "any" };
  if (schema.type === "array") return { type: "array", items: toValueShape(schema.items) };
  return schema.type === "object" ? { type: "object", properties: toShapes(schema) } : { type: schema.type };
};

const toShapes = (schema: ObjectSchema): ParameterShapes => {
  const required = new Set(schema.required);
  return new Map(
    Object.entries(schema.properties).map(([name, value]) => [
      name,
      { ...toValueShape(value), required: required.has(name) },
    ]),
  );
};

/** Reads the shapes of a JSON schema of an object. Throws if it is not in the subset. */
export const readParameterShapes = (schema: unknown): ParameterShapes => toShapes(z.object(objectFields).parse(schema));

/** Returns the shortest JSON schema: bounds are repaired or answered, so they need no tokens. */
export function toParameterSchema(shapes: ParameterShapes): Json {
  const required = [...shapes].flatMap(([name, one]) => (one.required ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries([...shapes].map(([name, shape]) => [name, toValueSchema(shape)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function toValueSchema(shape: ValueShape): Json {
  switch (shape.type) {
    case "array":
      return { type: "array", items: toValueSchema(shape.items) };
    case "object":
      return toParameterSchema(shape.properties);
    case "any":
      return {};
    case "anyOf":
      return { anyOf: shape.branches.map(toValueSchema) };
    case "enum": {
      const [type, other] = new Set(shape.values.map((value) => typeof value));
      return { ...(type !== undefined && other === undefined && { type }), enum: shape.values };
    }
    default:
      return { type: shape.type };
  }
}

/** Whether the value is of the shape's type. Only alternatives look at the members of lists and objects. */
export function hasShapeType(value: Json, shape: ValueShape): boolean {
  switch (shape.type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "any":
      return true;
    case "enum":
      return shape.values.some((one) => one === value);
    case "anyOf":
      return shape.branches.some((branch) => acceptsValue(value, branch));
    case "integer":
      return Number.isSafeInteger(value);
    default:
      return typeof value === shape.type;
  }
}

/** Whether the value fits the shape at every level. */
export const acceptsValue = (value: Json, shape: ValueShape): boolean => findValueMismatch(value, shape, "") === null;

/** A value that does not fit: `path` as in `points[1].x`; `value` undefined = it is missing. */
export interface ShapeMismatch {
  readonly path: string;
  readonly shape: ValueShape;
  readonly value: Json | undefined;
}

/** Returns the first value that is missing or of the wrong type. */
export function findMismatch(values: ToolArguments, shapes: ParameterShapes, parent = ""): ShapeMismatch | null {
  for (const [name, shape] of shapes) {
    const path = parent === "" ? name : `${parent}.${name}`;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined && shape.required) return { path, shape, value };
    const found = value === undefined ? null : findValueMismatch(value, shape, path);
    if (found !== null) return found;
  }
  return null;
}

function findValueMismatch(value: Json, shape: ValueShape, path: string): ShapeMismatch | null {
  if (!hasShapeType(value, shape)) return { path, shape, value };
  if (shape.type === "object" && isJsonObject(value)) return findMismatch(value, shape.properties, path);
  if (shape.type !== "array" || !Array.isArray(value)) return null;
  for (const [index, item] of value.entries()) {
    const found = findValueMismatch(item, shape.items, `${path}[${index}]`);
    if (found !== null) return found;
  }
  return null;
}
