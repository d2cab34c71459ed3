/**
 * Builds a tool from its schema and functions: one zod schema yields both the parameters sent to the model and the
 * validation of its calls.
 */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { toolDescription } from "@/server/prompts/prompts";
import { formatInvalidArguments } from "../arguments/invalid-arguments";
import { readParameterShapes, toParameterSchema, type ToolArguments } from "../arguments/parameter-shapes";
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

/** Defines a built-in tool. Its description is read from prompts/ on first use. */
export function defineTool<I>(tool: BuiltInTool<I>): Tool<I> {
  const { schema, hiddenParameters = [], example, repair, ...rest } = tool;
  const shape = readParameterShapes(z.toJSONSchema(schema));
  const exampleCall = `${rest.name} ${JSON.stringify(example)}`;
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
          messageForModel: `The arguments of ${rest.name} must be a JSON object. Call it like this: ${exampleCall}`,
        };
      }
      const settled = applyForeignArguments(rest.name, found.rest, found.values);
      if ("refusal" in settled)
        return {
          ok: false,
          messageForModel: `${settled.refusal} Call it like this: ${exampleCall}`,
        };
      const values = repair === undefined ? settled.values : repair(settled.values, input);
      const parsed = schema.safeParse(values);
      if (!parsed.success)
        return {
          ok: false,
          messageForModel: formatInvalidArguments(
            rest.name,
            parsed.error.issues[0]?.path[0],
            shape,
            values,
            exampleCall,
          ),
        };
      return { ok: true, input: parsed.data, repaired: found.repaired || values !== found.values };
    },
  };
}
