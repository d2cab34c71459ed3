/** Texts with expressions: `Review ${{ inputs.branch }}`. Pure. */
import type { Json } from "../../events/content";
import { evaluateExpression, type ExpressionScope, textOfValue } from "./evaluate-expression";
import { workflowLimits } from "../workflow";
import { ExpressionError, parseWorkflowExpression, type WorkflowExpression } from "./parse-expression";

/** A text, or an expression whose value replaces it. */
type TemplatePart = string | WorkflowExpression;

const opening = "${{";

export const hasExpression = (text: string): boolean => text.includes(opening);

/** Throws ExpressionError. */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, at)) {
    const end = endOfExpression(text, start + opening.length);
    if (start > at) parts.push(text.slice(at, start));
    parts.push(parseWorkflowExpression(text.slice(start + opening.length, end)));
    at = end + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** Index of the closing braces; those in a quoted text do not count. */
function endOfExpression(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === "\\") at += 1;
      else if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if (char === "}" && text[at + 1] === "}") return at;
  }
  throw new ExpressionError(text.slice(from, from + 20).trim());
}

/** Parses an expression that may be written with or without its braces. Throws ExpressionError. */
export function parseCondition(text: string): WorkflowExpression {
  const [only, more] = hasExpression(text) ? parseTemplate(text.trim()) : [parseWorkflowExpression(text)];
  if (only === undefined || typeof only === "string" || more !== undefined)
    throw new ExpressionError(text.slice(0, 20));
  return only;
}

/** A text that its values make longer than a step may have. */
export class TextTooLargeError extends Error {}

/** Throws ExpressionError, and TextTooLargeError before a text above the limit is made. */
export function renderTemplate(text: string, scope: ExpressionScope): string {
  const parts: string[] = [];
  let chars = 0;
  for (const part of parseTemplate(text)) {
    const rendered = typeof part === "string" ? part : textOfValue(evaluateExpression(part, scope));
    chars += rendered.length;
    if (chars > workflowLimits.textChars) throw new TextTooLargeError();
    parts.push(rendered);
  }
  return parts.join("");
}

/** Replaces the expressions in all texts of a value. A text that is one expression becomes its value, with its type. */
export function renderJson(value: Json, scope: ExpressionScope): Json {
  if (typeof value === "string") {
    const [only, more] = parseTemplate(value);
    if (only !== undefined && typeof only !== "string" && more === undefined) return evaluateExpression(only, scope);
    return renderTemplate(value, scope);
  }
  if (Array.isArray(value)) return value.map((one: Json) => renderJson(one, scope));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renderJson(one, scope)]));
}

/** Returns all texts in a value. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap((one: Json) => textsIn(one));
}
