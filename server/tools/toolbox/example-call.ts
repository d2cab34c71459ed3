/** The right call of a tool of the catalogue, as the model has to write it. Pure. */
import type { Json } from "@/lib/events/content";
import { weakMemo } from "@/server/base/weak-memo";
import {
  isArgumentsObject,
  type ParameterShapes,
  readParameterShapes,
  type ValueShape,
} from "../arguments/parameter-shapes";
import type { CatalogueTool } from "./catalogue";

/** What a call and its description need of a tool. */
export type DescribedTool = Pick<CatalogueTool, "name" | "description" | "details" | "parameters">;

const readShapes = weakMemo((parameters: object): ParameterShapes => readParameterShapes(parameters));

export const shapesOf = ({ parameters }: Pick<CatalogueTool, "parameters">): ParameterShapes =>
  isArgumentsObject(parameters) ? readShapes(parameters) : new Map();

/** Members of deeper objects are left out of an example. */
const maxExampleLevels = 4;
/** A longer example is replaced by the names of the required members. */
const maxExampleChars = 400;

function exampleValue(shape: ValueShape, level: number): Json {
  switch (shape.type) {
    case "string":
    case "any":
      return "...";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "enum":
      return shape.values[0] ?? "...";
    case "anyOf":
      return shape.branches[0] === undefined ? "..." : exampleValue(shape.branches[0], level);
    case "array":
      return level > maxExampleLevels ? [] : [exampleValue(shape.items, level + 1)];
    case "object":
      return level > maxExampleLevels ? {} : exampleMembers(shape.properties, level);
  }
}

/** An input with the required members only. */
const exampleMembers = (shapes: ParameterShapes, level = 1): { readonly [name: string]: Json } =>
  Object.fromEntries(
    [...shapes].flatMap(([name, shape]) => (shape.required ? [[name, exampleValue(shape, level + 1)] as const] : [])),
  );

/** Formats a call of the toolbox. */
export const formatToolboxCall = (input: { readonly [name: string]: Json }): string =>
  `toolbox ${JSON.stringify(input)}`;

/** Formats the right call of a tool: `toolbox {"tool":"fs__read_text_file","input":{"path":"..."}}`. */
export function formatExampleCall(tool: Pick<CatalogueTool, "name" | "parameters">): string {
  const input = exampleMembers(shapesOf(tool));
  const call = formatToolboxCall({ tool: tool.name, input });
  if (call.length <= maxExampleChars) return call;
  return formatToolboxCall({ tool: tool.name, input: "..." }).replace('"..."', "{...}");
}
