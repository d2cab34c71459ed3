/** Values in another type than the declared one, converted only if nothing of them can get lost. Pure. */
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";

/** Whether the text is how this number is printed: no blanks, signs, units, zeros or exponents are dropped. */
const isPrinted = (text: string, number: number): boolean => String(number) === text;

/** A whole number as text; other values stay. */
export function toExactInteger(value: Json): Json {
  if (typeof value !== "string") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) && isPrinted(value, number) ? number : value;
}

/** A number as text; other values stay. */
export function toExactNumber(value: Json): Json {
  if (typeof value !== "string") return value;
  const number = Number(value);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact && isPrinted(value, number) ? number : value;
}

const truthValues: ReadonlyMap<Json, boolean> = new Map<Json, boolean>([
  ["true", true],
  ["yes", true],
  ["1", true],
  [1, true],
  ["false", false],
  ["no", false],
  ["0", false],
  [0, false],
]);

/** A word for true or false; other values stay. */
export const toExactBoolean = (value: Json): Json =>
  truthValues.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? value;

/** Whether the digits that were written are still known: a parsed integer beyond 2^53 has lost its last ones. */
export const isExactInteger = (value: number): boolean => Number.isSafeInteger(value) && !Object.is(value, -0);

/**
 * A whole number or a truth value as text; other values stay. How a decimal number was written is not known any more: 1.10
 * is 1.1.
 */
export function toExactText(value: Json): Json {
  if (typeof value === "number") return isExactInteger(value) ? String(value) : value;
  return typeof value === "boolean" ? String(value) : value;
}

/** Whether an integer in the value, at any level, has lost digits. */
export function hasLostDigits(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasLostDigits);
}

/** Returns the value; undefined = not JSON, or its integers would lose digits. */
export function parseExactJson(text: string): Json | undefined {
  const value = parseJson(text);
  return value === undefined || hasLostDigits(value) ? undefined : value;
}
