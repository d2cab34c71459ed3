/**
 * Builds a tool from its schema and functions: one zod schema yields both the parameters sent to the model and the
 * validation of its calls.
 */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { toolDescription } from "@/server/prompts/prompts";
import {
  type ToolArguments,
  type ParameterShape,
  repairArguments,
  type ParameterShapes,
} from "../arguments/repair-arguments";
import { applyForeignArguments } from "../arguments/foreign-arguments";
import type { ParsedCall, Tool } from "./tool";

export interface BuiltInTool<I> extends Omit<Tool<I>, "description" | "parameters" | "parse"> {
  /** An object of string, integer and boolean parameters, in the order of the contract. */
  readonly schema: z.ZodMiniType<I>;
  /** Parameters that are accepted but not in the schema sent to the model: frequent mistakes with a clear meaning. */
  readonly hiddenParameters?: readonly string[];
  /** A valid call, quoted to the model after an invalid one. */
  readonly example: { readonly [name: string]: Json };
  /** Repairs mistakes specific to this tool; receives the repaired arguments and the original input. */
  readonly repair?: (values: ToolArguments, input: Json) => ToolArguments;
}

const typeDescriptions: Readonly<Record<ParameterShape["type"], string>> = {
  string: "text",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
};

const shapeSchema = z.object({
  properties: z.record(z.string(), z.object({ type: z.enum(["string", "integer", "boolean", "array"]) })),
  required: z.optional(z.array(z.string())),
});

function readParameterShapes(schema: z.ZodMiniType): ParameterShapes {
  const { properties, required = [] } = shapeSchema.parse(z.toJSONSchema(schema));
  return new Map(
    Object.entries(properties).map(([name, { type }]) => [name, { type, required: required.includes(name) }]),
  );
}

/** Returns the shortest JSON schema: bounds are repaired or answered, so they need no tokens. */
function toParameterSchema(shape: ParameterShapes, untold: readonly string[]): Json {
  const declared = [...shape].filter(([name]) => !untold.includes(name));
  const required = declared.flatMap(([name, one]) => (one.required ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(declared.map(([name, { type }]) => [name, { type }])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function describeValueKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "text" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Formats one sentence for the model: the invalid argument, and an example call. */
function formatInvalidArguments(
  name: string,
  wrong: PropertyKey | undefined,
  shape: ParameterShapes,
  values: ToolArguments,
  example: Json,
): string {
  const how = `Call it like this: ${name} ${JSON.stringify(example)}`;
  for (const [parameter, { type, required }] of shape) {
    const value = values[parameter];
    if ((value === undefined || value === "") && required && parameter === wrong)
      return `${name} needs "${parameter}" (${typeDescriptions[type]}). ${how}`;
    const right = type === "array" ? Array.isArray(value) : typeof value === (type === "integer" ? "number" : type);
    if (value !== undefined && !right)
      return `"${parameter}" of ${name} must be ${typeDescriptions[type]}, not ${describeValueKind(value)}. ${how}`;
  }
  return `The arguments of ${name} do not fit. ${how}`;
}

/** Defines a built-in tool. Its description is read from prompts/ on first use. */
export function defineTool<I>(tool: BuiltInTool<I>): Tool<I> {
  const { schema, hiddenParameters = [], example, repair, ...rest } = tool;
  const shape = readParameterShapes(schema);
  return {
    ...rest,
    parameters: toParameterSchema(shape, hiddenParameters),
    description: (profile) => toolDescription(rest.name, profile),
    parse(input: Json): ParsedCall<I> {
      const found = repairArguments(input, shape);
      if (found === null) {
        return {
          ok: false,
          messageForModel: `The arguments of ${rest.name} must be a JSON object. Call it like this: ${rest.name} ${JSON.stringify(example)}`,
        };
      }
      const settled = applyForeignArguments(rest.name, found.rest, found.values);
      if ("refusal" in settled)
        return {
          ok: false,
          messageForModel: `${settled.refusal} Call it like this: ${rest.name} ${JSON.stringify(example)}`,
        };
      const values = repair === undefined ? settled.values : repair(settled.values, input);
      const parsed = schema.safeParse(values);
      if (!parsed.success)
        return {
          ok: false,
          messageForModel: formatInvalidArguments(rest.name, parsed.error.issues[0]?.path[0], shape, values, example),
        };
      return { ok: true, input: parsed.data, repaired: found.repaired || values !== found.values };
    },
  };
}
