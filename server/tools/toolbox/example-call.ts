/** The right call of a tool of the catalogue, as the model has to write it. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { weakMemo } from "@/server/base/weak-memo";
import {
  acceptsValue,
  type ParameterShapes,
  readParameterShapes,
  type ToolArguments,
  type ValueShape,
} from "../arguments/parameter-shapes";
import type { CatalogueTool } from "./catalogue";

/** Members of a tool that its call and its description need. */
export type DescribedTool = Pick<CatalogueTool, "name" | "description" | "details" | "parameters">;

const readShapes = weakMemo((parameters: object): ParameterShapes => readParameterShapes(parameters));

export const shapesOf = ({ parameters }: Pick<CatalogueTool, "parameters">): ParameterShapes =>
  isJsonObject(parameters) ? readShapes(parameters) : new Map();

/** Members of deeper objects are left out of an example. */
const maxExampleLevels = 4;
/** A longer example is replaced by the names of the required members. */
const maxExampleChars = 400;

/** Values of the types that have no text which says that it is only an example. */
interface ScalarExamples {
  readonly integer: Json;
  readonly number: Json;
  readonly boolean: Json;
}

const plainScalars: ScalarExamples = { integer: 1, number: 1, boolean: true };

/** Begins the name of a type in place of a value: no text of a model has this character. */
const placeholderMark = "\u{F0000}";
/** Nothing that could be sent as it is, such as another amount of money. */
const typeNames: ScalarExamples = {
  integer: `${placeholderMark}<whole number>`,
  number: `${placeholderMark}<number>`,
  boolean: `${placeholderMark}<true or false>`,
};
const quotedTypeName = new RegExp(`"${placeholderMark}(<[a-z ]+>)"`, "gu");

function exampleValue(shape: ValueShape, scalars: ScalarExamples, level: number): Json {
  switch (shape.type) {
    case "string":
    case "any":
      return "...";
    case "integer":
    case "number":
    case "boolean":
      return scalars[shape.type];
    case "enum":
      return shape.values[0] ?? "...";
    case "anyOf":
      return shape.branches[0] === undefined ? "..." : exampleValue(shape.branches[0], scalars, level);
    case "array":
      return level > maxExampleLevels ? [] : [exampleValue(shape.items, scalars, level + 1)];
    case "object":
      return level > maxExampleLevels ? {} : exampleMembers(shape.properties, scalars, level);
  }
}

/** An input with the required members only. */
const exampleMembers = (
  shapes: ParameterShapes,
  scalars: ScalarExamples,
  level = 1,
): { readonly [name: string]: Json } =>
  Object.fromEntries(
    [...shapes].flatMap(([name, shape]) =>
      shape.required ? [[name, exampleValue(shape, scalars, level + 1)] as const] : [],
    ),
  );

/** The values as they were written, with the type in place of each one that is missing or does not fit. */
function correctMembers(values: ToolArguments, shapes: ParameterShapes, level = 1): { readonly [name: string]: Json } {
  const written = Object.entries(values).map(([name, value]) => {
    const shape = shapes.get(name);
    return [name, shape === undefined ? value : correctValue(value, shape, level + 1)] as const;
  });
  return { ...exampleMembers(shapes, typeNames, level), ...Object.fromEntries(written) };
}

function correctValue(value: Json, shape: ValueShape, level: number): Json {
  if (acceptsValue(value, shape)) return value;
  if (level <= maxExampleLevels && shape.type === "array" && Array.isArray(value))
    return value.map((item: Json) => correctValue(item, shape.items, level + 1));
  return level <= maxExampleLevels && shape.type === "object" && isJsonObject(value)
    ? correctMembers(value, shape.properties, level)
    : exampleValue(shape, typeNames, level);
}

/** Formats a call of the toolbox. */
export const formatToolboxCall = (input: { readonly [name: string]: Json }): string =>
  `toolbox ${JSON.stringify(input)}`;

/**
 * Formats the right call of a tool: `toolbox {"tool":"fs__read_text_file","input":{"path":"..."}}`. `values` = those that
 * were written: the ones that fit stay, the others are `<number>`, `<whole number>`, `<true or false>` and so on.
 */
export function formatExampleCall(tool: Pick<CatalogueTool, "name" | "parameters">, values?: ToolArguments): string {
  const shapes = shapesOf(tool);
  const inputs =
    values === undefined
      ? [exampleMembers(shapes, plainScalars)]
      : [correctMembers(values, shapes), exampleMembers(shapes, typeNames)];
  const calls = inputs.map((input) => formatToolboxCall({ tool: tool.name, input }).replaceAll(quotedTypeName, "$1"));
  const fitting = calls.find((call) => call.length <= maxExampleChars);
  return fitting ?? formatToolboxCall({ tool: tool.name, input: "..." }).replace('"..."', "{...}");
}
