/** Reads the input of a call of a tool of the catalogue: repaired where its meaning is clear, judged by the reduced schema. Pure. */
import type { Json } from "@/lib/events/content";
import { formatInvalidArguments } from "../arguments/invalid-arguments";
import { findMismatch } from "../arguments/parameter-shapes";
import { repairExternalArguments } from "../arguments/repair-arguments";
import type { ParsedCall } from "../core/tool";
import type { CatalogueTool } from "./catalogue";
import { formatExampleCall, shapesOf } from "./example-call";

/** Returns the input for the program, or one sentence for the model with the right call. */
export function parseExternalArguments(
  tool: Pick<CatalogueTool, "name" | "parameters">,
  input: Json,
): ParsedCall<Json> {
  const shapes = shapesOf(tool);
  const found = repairExternalArguments(input, shapes);
  if (found === null)
    return {
      ok: false,
      messageForModel: `The input of ${tool.name} must be a JSON object. Call it like this: ${formatExampleCall(tool)}`,
    };
  if (findMismatch(found.values, shapes) === null) return { ok: true, input: found.values, repaired: found.repaired };
  return {
    ok: false,
    messageForModel: formatInvalidArguments(
      tool.name,
      undefined,
      shapes,
      found.values,
      formatExampleCall(tool, found.values),
    ),
  };
}
