/** Computes expressions of workflows over plain data, in time linear in the data they name. Pure. */
import type { Json } from "../../events/content";
import { ExpressionError, type WorkflowExpression } from "./parse-expression";

/** Longest text that `join` makes, and that `contains` looks for, characters. */
const maxJoinedChars = 65_536;
const maxSoughtChars = 1_000;
/** Greatest nesting of lists and objects in a parsed text. */
const maxJsonDepth = 100;

/** The names that an expression may use: `inputs`, `steps`, `item`, `output`. */
export interface ExpressionScope {
  readonly [name: string]: Json;
}

/** Returns null for a name or key that does not exist. Throws ExpressionError for a text above a limit. */
export function evaluateExpression(expression: WorkflowExpression, scope: ExpressionScope): Json {
  switch (expression.kind) {
    case "value":
      return expression.value;
    case "path":
      return follow(scope, expression.path);
    case "call":
      return follow(
        callFunction(
          expression.name,
          expression.args.map((argument) => evaluateExpression(argument, scope)),
        ),
        expression.path,
      );
    case "not":
      return !isTrue(evaluateExpression(expression.of, scope));
    case "both": {
      const left = evaluateExpression(expression.left, scope);
      if (expression.operator === "and" && !isTrue(left)) return false;
      if (expression.operator === "or" && isTrue(left)) return true;
      return compare(expression.operator, left, evaluateExpression(expression.right, scope));
    }
  }
}

/** False for nothing, no, zero, an empty text and an empty list. */
export const isTrue = (value: Json): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== false && value !== 0 && value !== "";

/** Returns a value as text: lists and objects as JSON, nothing as "". */
export const textOfValue = (value: Json): string =>
  value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

function follow(start: Json, path: readonly string[]): Json {
  let value: Json = start;
  for (const key of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return null;
    const found: Json | undefined = Array.isArray(value) ? value[Number(key)] : new Map(Object.entries(value)).get(key);
    value = found ?? null;
  }
  return value;
}

function compare(
  operator: Extract<WorkflowExpression, { kind: "both" }>["operator"],
  left: Json,
  right: Json,
): boolean {
  if (operator === "and" || operator === "or") return isTrue(right);
  const [one, other] = [comparable(left), comparable(right)];
  // Two texts are equal as texts: 1.10 and 1.1 are different versions.
  const areTexts = typeof left === "string" && typeof right === "string" && (operator === "==" || operator === "!=");
  const both: readonly [number, number] | readonly [string, string] =
    typeof one === "number" && typeof other === "number" && !areTexts
      ? [one, other]
      : [textOfValue(left), textOfValue(right)];
  switch (operator) {
    case "==":
      return both[0] === both[1];
    case "!=":
      return both[0] !== both[1];
    case "<":
      return both[0] < both[1];
    case ">":
      return both[0] > both[1];
    case "<=":
      return both[0] <= both[1];
    case ">=":
      return both[0] >= both[1];
  }
}

/** A text that is a number is compared as one: all that commands print is text. */
function comparable(value: Json): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.length < 40 && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : null;
}

function callFunction(
  name: Extract<WorkflowExpression, { kind: "call" }>["name"],
  [first = null, second = null]: readonly Json[],
): Json {
  switch (name) {
    case "contains":
      return contains(first, textOfValue(second));
    case "lines":
      return textOfValue(first)
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "trim":
      return textOfValue(first).trim();
    case "length":
      return Array.isArray(first) ? first.length : textOfValue(first).length;
    case "json":
      return parsedJson(textOfValue(first));
    case "join":
      return joined(Array.isArray(first) ? first.map(textOfValue) : [textOfValue(first)], textOfValue(second));
  }
}

function parsedJson(text: string): Json {
  const value = valueOrNull(text);
  if (isDeeper(value, maxJsonDepth)) throw new ExpressionError("json");
  return value;
}

function valueOrNull(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}

const isDeeper = (value: Json, depth: number): boolean =>
  value !== null &&
  typeof value === "object" &&
  (depth === 0 || Object.values(value).some((one: Json) => isDeeper(one, depth - 1)));

function contains(value: Json, sought: string): boolean {
  if (Array.isArray(value)) return value.some((one) => textOfValue(one) === sought);
  if (sought.length > maxSoughtChars) throw new ExpressionError("contains");
  return textOfValue(value).includes(sought);
}

function joined(texts: readonly string[], separator: string): string {
  const chars = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  if (chars > maxJoinedChars) throw new ExpressionError("join");
  return texts.join(separator);
}
