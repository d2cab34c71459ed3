/**
 * The shapes of a tool's parameters: the subset of JSON Schema that models are sent, with nested objects and lists.
 * Pure.
 */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";

export type ValueShape =
  | { readonly type: "string" | "integer" | "boolean" }
  | { readonly type: "array"; readonly items: ValueShape }
  | { readonly type: "object"; readonly properties: ParameterShapes };

export type ParameterShape = ValueShape & { readonly required: boolean };

/** The parameters of a tool, or the members of an object, in the order of the JSON schema. */
export type ParameterShapes = ReadonlyMap<string, ParameterShape>;

export type ToolArguments = { [name: string]: Json };

export const isArgumentsObject = (value: Json | undefined): value is ToolArguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
  | { readonly type: "string" | "integer" | "boolean" }
  | { readonly type: "array"; readonly items: ValueSchema }
  | ({ readonly type: "object" } & ObjectSchema);

const valueSchema: z.ZodMiniType<ValueSchema> = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["string", "integer", "boolean"]) }),
  z.object({ type: z.literal("array"), items: z.lazy(() => valueSchema) }),
  z.object({ type: z.literal("object"), ...objectFields }),
]);

const toValueShape = (schema: ValueSchema): ValueShape => {
  if (schema.type === "array") return { type: "array", items: toValueShape(schema.items) };
  return schema.type === "object" ? { type: "object", properties: toShapes(schema) } : { type: schema.type };
};

const toShapes = ({ properties, required = [] }: ObjectSchema): ParameterShapes =>
  new Map(
    Object.entries(properties).map(([name, value]) => [
      name,
      { ...toValueShape(value), required: required.includes(name) },
    ]),
  );

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

const toValueSchema = (shape: ValueShape): Json => {
  if (shape.type === "array") return { type: "array", items: toValueSchema(shape.items) };
  return shape.type === "object" ? toParameterSchema(shape.properties) : { type: shape.type };
};

/** Whether the value is of the shape's type; the members of lists and objects are not looked at. */
export function hasShapeType(value: Json, { type }: ValueShape): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isArgumentsObject(value);
  return typeof value === (type === "integer" ? "number" : type);
}

/** A value that does not fit: `path` as in `points[1].x`; `value` undefined = it is missing. */
interface ShapeMismatch {
  readonly path: string;
  readonly shape: ValueShape;
  readonly value: Json | undefined;
}

/** Returns the first value that is missing or of the wrong type. */
export function findMismatch(values: ToolArguments, shapes: ParameterShapes, parent = ""): ShapeMismatch | null {
  for (const [name, shape] of shapes) {
    const path = parent === "" ? name : `${parent}.${name}`;
    const value = values[name];
    if (value === undefined && shape.required) return { path, shape, value };
    const found = value === undefined ? null : findValueMismatch(value, shape, path);
    if (found !== null) return found;
  }
  return null;
}

function findValueMismatch(value: Json, shape: ValueShape, path: string): ShapeMismatch | null {
  if (!hasShapeType(value, shape)) return { path, shape, value };
  if (shape.type === "object" && isArgumentsObject(value)) return findMismatch(value, shape.properties, path);
  if (shape.type !== "array" || !Array.isArray(value)) return null;
  for (const [index, item] of value.entries()) {
    const found = findValueMismatch(item, shape.items, `${path}[${index}]`);
    if (found !== null) return found;
  }
  return null;
}
