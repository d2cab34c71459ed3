/**
 * Builds a tool from its schema and functions: one zod schema yields both the parameters sent to the model and the
 * validation of its calls.
 */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { toolDescription } from "@/server/prompts/prompts";
import {
  findMismatch,
  type ParameterShapes,
  readParameterShapes,
  toParameterSchema,
  type ToolArguments,
  type ValueShape,
} from "../arguments/parameter-shapes";
import { repairArguments } from "../arguments/repair-arguments";
import { applyForeignArguments } from "../arguments/foreign-arguments";
import type { ParsedCall, Tool } from "./tool";

interface BuiltInTool<I> extends Omit<Tool<I>, "description" | "parameters" | "parse"> {
  /** An object of the types of `ValueShape`, in the order of the contract. */
  readonly schema: z.ZodMiniType<I>;
  /** Parameters that are accepted but not in the schema sent to the model: frequent mistakes with a clear meaning. */
  readonly hiddenParameters?: readonly string[];
  /** A valid call, quoted to the model after an invalid one. */
  readonly example: { readonly [name: string]: Json };
  /** Repairs mistakes specific to this tool; receives the repaired arguments and the original input. */
  readonly repair?: (values: ToolArguments, input: Json) => ToolArguments;
}

const typeDescriptions: Readonly<Record<ValueShape["type"], string>> = {
  string: "text",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

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
  const empty = typeof wrong === "string" && values[wrong] === "" ? shape.get(wrong) : undefined;
  const found = empty === undefined ? findMismatch(values, shape) : null;
  if (empty?.required === true) return `${name} needs "${String(wrong)}" (${typeDescriptions[empty.type]}). ${how}`;
  if (found !== null) {
    const type = typeDescriptions[found.shape.type];
    return found.value === undefined
      ? `${name} needs "${found.path}" (${type}). ${how}`
      : `"${found.path}" of ${name} must be ${type}, not ${describeValueKind(found.value)}. ${how}`;
  }
  return `The arguments of ${name} do not fit. ${how}`;
}

/** Defines a built-in tool. Its description is read from prompts/ on first use. */
export function defineTool<I>(tool: BuiltInTool<I>): Tool<I> {
  const { schema, hiddenParameters = [], example, repair, ...rest } = tool;
  const shape = readParameterShapes(z.toJSONSchema(schema));
  const declared = new Map([...shape].filter(([name]) => !hiddenParameters.includes(name)));
  return {
    ...rest,
    parameters: toParameterSchema(declared),
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
