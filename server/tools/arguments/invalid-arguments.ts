/** The answer to a call whose arguments do not fit, also after repair. Pure. */
import { findNearestWord, rankBySimilarity } from "@/lib/text/name-similarity";
import {
  type EnumValue,
  findMismatch,
  type ParameterShapes,
  type ShapeMismatch,
  type ToolArguments,
  type ValueShape,
} from "./parameter-shapes";

/** Allowed values listed in an answer, and characters quoted of the wrong one. */
const maxListedValues = 12;
const maxQuotedChars = 40;
/** Least similarity of the value that is named as the nearest one. */
const minSimilarity = 0.5;

const typeDescriptions: Readonly<Record<Exclude<ValueShape["type"], "enum" | "anyOf">, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  any: "a value",
};

/** Joins as `a, b or c`. */
const joinAlternatives = (all: readonly string[]): string =>
  all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;

function describeShape(shape: ValueShape): string {
  if (shape.type === "anyOf") return joinAlternatives([...new Set(shape.branches.map(describeBranch))]);
  if (shape.type !== "enum") return typeDescriptions[shape.type];
  const listed = shape.values.slice(0, maxListedValues).map((value) => JSON.stringify(value));
  const others = shape.values.length - listed.length;
  return joinAlternatives(others > 0 ? [...listed, `one of ${others} other values`] : listed);
}

/** Branches of the same type differ by their items or required members. */
function describeBranch(branch: ValueShape): string {
  if (branch.type === "array") return `a list (each item ${describeShape(branch.items)})`;
  if (branch.type !== "object") return describeShape(branch);
  const required = [...branch.properties].flatMap(([name, one]) => (one.required ? [`"${name}"`] : []));
  return required.length === 0 ? "an object" : `an object with ${required.join(", ")}`;
}

const findEnumValues = (shape: ValueShape): readonly EnumValue[] => {
  if (shape.type === "anyOf") return shape.branches.flatMap(findEnumValues);
  return shape.type === "enum" ? shape.values : [];
};

function describeValueKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "text" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const acceptsText = (shape: ValueShape): boolean =>
  shape.type === "string" || (shape.type === "anyOf" && shape.branches.some(acceptsText));

/** A number that is not of the shape's type: how it was written may not be known any more. */
function describeWrongNumber(value: number, shape: ValueShape): string {
  if (acceptsText(shape)) return "a number; give it as a string, in quotes";
  if (shape.type !== "integer") return "a number";
  return Number.isInteger(value) ? `${value}, which is too large to be exact` : String(value);
}

/** Describes a wrong value by its kind; where values are enumerated, quotes it and names the nearest one. */
function describeWrongValue({ value, shape }: ShapeMismatch): string {
  const allowed = findEnumValues(shape);
  if (allowed.length === 0 && typeof value === "number") return describeWrongNumber(value, shape);
  if (allowed.length === 0 || (typeof value !== "string" && typeof value !== "number")) return describeValueKind(value);
  const quoted = typeof value === "string" ? JSON.stringify(value.slice(0, maxQuotedChars)) : String(value);
  const nearest = findNearestValue(String(value).slice(0, maxQuotedChars), allowed);
  return `${quoted}${nearest === undefined ? "" : `; the nearest is ${JSON.stringify(nearest)}`}`;
}

function findNearestValue(written: string, allowed: readonly EnumValue[]): EnumValue | undefined {
  const misspelt = findNearestWord(written, allowed.map(String));
  const [similar] = rankBySimilarity(written, allowed, (one) => [String(one)]);
  if (misspelt !== null) return allowed.find((one) => String(one) === misspelt);
  return similar !== undefined && similar.score >= minSimilarity ? similar.item : undefined;
}

/** Formats one sentence for the model: the invalid argument, and `exampleCall`. */
export function formatInvalidArguments(
  name: string,
  wrong: PropertyKey | undefined,
  shape: ParameterShapes,
  values: ToolArguments,
  exampleCall: string,
): string {
  const callHint = `Call it like this: ${exampleCall}`;
  const empty = typeof wrong === "string" && values[wrong] === "" ? shape.get(wrong) : undefined;
  const found = empty === undefined ? findMismatch(values, shape) : null;
  if (empty?.required === true) return `${name} needs "${String(wrong)}" (${describeShape(empty)}). ${callHint}`;
  if (found !== null) {
    const type = describeShape(found.shape);
    return found.value === undefined
      ? `${name} needs "${found.path}" (${type}). ${callHint}`
      : `"${found.path}" of ${name} must be ${type}, not ${describeWrongValue(found)}. ${callHint}`;
  }
  return `The arguments of ${name} do not fit. ${callHint}`;
}
