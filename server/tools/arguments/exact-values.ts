/** Values in another type than the declared one, converted only if nothing of them can get lost. Pure. */
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";

/** Longer texts are no numbers: their digits would be lost. */
const maxNumberChars = 400;
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The significant digits of a decimal number as text. */
const significantDigits = (text: string): string =>
  text.replace(/e.*$/i, "").replaceAll(/[^\d]/g, "").replace(/^0+/, "").replace(/0+$/, "");

/** Whether the number has all digits that were written, if it is printed as it is or as precisely as the text. */
function hasDigitsOf(text: string, number: number): boolean {
  const digits = significantDigits(text);
  const precision = Math.min(Math.max(digits.length, 1), 100);
  return [String(number), number.toPrecision(precision)].some((printed) => significantDigits(printed) === digits);
}

/** A number as text, whose spelling is no part of the value: `0.50`, `05`, `1e3`; other values stay. */
export function toExactNumber(value: Json): Json {
  if (typeof value !== "string" || value.length > maxNumberChars) return value;
  const text = value.trim();
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number) || !hasDigitsOf(text, number)) return value;
  return number === 0 ? 0 : number;
}

/** A whole number as text; other values stay. */
export function toExactInteger(value: Json): Json {
  const number = toExactNumber(value);
  return Number.isSafeInteger(number) ? number : value;
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
const isExactInteger = (value: number): boolean => Number.isSafeInteger(value) && !Object.is(value, -0);

/**
 * A whole number or a truth value as text; other values stay. How a decimal number was written is not known any more: 1.10
 * is 1.1.
 */
export function toExactText(value: Json): Json {
  if (typeof value === "number") return isExactInteger(value) ? String(value) : value;
  return typeof value === "boolean" ? String(value) : value;
}

/** Whether an integer in the value, at any level, may have lost digits: how it was written is not known any more. */
export function mayLackDigits(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(mayLackDigits);
}

/** Whether JSON text has an integer, written without an exponent, that loses digits when it is parsed. */
function losesDigits(json: string): boolean {
  if (!/\d{16}/.test(json)) return false;
  const outsideStrings = json
    .replaceAll(/\\[^]/g, "")
    .split('"')
    .filter((_part, index) => index % 2 === 0);
  const isLost = (token: string): boolean =>
    /^-?\d{16,}$/.test(token) && (token.length > maxNumberChars || !hasDigitsOf(token, Number(token)));
  return outsideStrings.some((part) => (part.match(/[-+.\deE]+/g) ?? []).some(isLost));
}

/** Returns the value; undefined = not JSON, or its integers would lose digits. */
export function parseExactJson(text: string): Json | undefined {
  const value = parseJson(text);
  return value === undefined || losesDigits(text) ? undefined : value;
}
