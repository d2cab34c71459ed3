/** Repairs common mistakes in the arguments of a tool call before the tool's schema validates them. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { toNameKey } from "@/lib/text/name-key";
import { quoteShellWord } from "@/lib/tools/quote-shell-word";
import { parseJson } from "@/server/base/parse-json";
import {
  mayLackDigits,
  parseExactJson,
  toExactBoolean,
  toExactInteger,
  toExactNumber,
  toExactText,
} from "./exact-values";
import { readWrittenInput } from "../written-json/read-written-input";
import { callFields, namesOf, takeField } from "./foreign-names";
import {
  acceptsValue,
  type EnumValue,
  hasShapeType,
  type ParameterShapes,
  type ToolArguments,
  type ValueShape,
} from "./parameter-shapes";

/** The declared name with the same spelling, else the only one with the same key, else the key. */
function findDeclaredName(name: string, shapes: ParameterShapes): string {
  if (shapes.has(name)) return name;
  const key = toNameKey(name) || name;
  const [declared, second] = [...shapes.keys()].filter((one) => toNameKey(one) === key);
  return declared === undefined || second !== undefined ? key : declared;
}

/**
 * Whether a text starts like a JSON object, also inside a string, a list or a code fence. Such text is never taken as a
 * bare value, even if it cannot be parsed.
 */
const beginsAsObject = (text: string): boolean => /^(?:```\w*\s*)?(?:["']\s*)?(?:\[\s*)?\{/.test(text.trimStart());

/**
 * Returns the arguments as an object: parsed from JSON text (at most twice), unwrapped, or a bare text as the only
 * required parameter, else the first. Returns null if there is no reading.
 */
function parseArgumentsObject(input: Json, shape: ParameterShapes): ToolArguments | null {
  const read = readWrittenInput(input);
  const quoted = typeof read === "string" ? parseJson(read) : undefined;
  const value = typeof quoted === "string" ? quoted : read;
  const [first] = shape.keys();
  if (typeof value === "string" && first !== undefined && value.trim() !== "" && !beginsAsObject(value)) {
    const [needed, ...othersNeeded] = [...shape].flatMap(([name, one]) => (one.required ? [name] : []));
    return othersNeeded.length === 0 ? { [needed ?? first]: value } : null;
  }
  if (value === null || value === "") return {};
  if (!isJsonObject(value)) return null;
  const [name, ...otherNames] = Object.keys(value);
  if (name === undefined || otherNames.length > 0 || shape.has(name) || !callFields.input.includes(toNameKey(name)))
    return value;
  const unwrapped = readWrittenInput(value[name] ?? null);
  return isJsonObject(unwrapped) ? unwrapped : value;
}

/** Converts a numeric string, optionally with a unit of seconds or lines, to an integer. */
function coerceInteger(value: Json): Json {
  const number =
    typeof value === "string" && /^[+-]?\d+(\.\d+)?(\s*(s|sec|seconds?|lines?))?$/i.test(value.trim())
      ? Number.parseFloat(value)
      : value;
  return typeof number === "number" && Number.isFinite(number) ? Math.trunc(number) : value;
}

/** The text of a list that has no other item; other values stay. */
function onlyText(value: Json): Json {
  const [first, ...others] = Array.isArray(value) ? value : [];
  return typeof first === "string" && others.length === 0 ? first : value;
}

/** The command of a list of words, or of a call of a shell; other values stay. */
export function joinShellWords(value: Json): Json {
  const words = Array.isArray(value) ? value.flatMap((word) => (typeof word === "string" ? [word] : [])) : [];
  if (!Array.isArray(value) || words.length !== value.length || words.length < 2) return onlyText(value);
  const [shell = "", option = "", script = ""] = words;
  if (words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option)) return script;
  return words.map(quoteShellWord).join(" ");
}

/** Converts a value to text. Some names of built-in parameters say how; null = the name says nothing. */
function coerceText(value: Json, name: string | null): Json {
  if (name === null) return toExactText(onlyText(value));
  // A number that may have lost digits is not what the model wrote.
  if (mayLackDigits(value)) return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    if (name === "content") return value.join("\n");
    return name === "command" ? joinShellWords(value) : onlyText(value);
  }
  // A JSON file's content sent as an object instead of text.
  return name === "content" && typeof value === "object" && value !== null
    ? `${JSON.stringify(value, null, 2)}\n`
    : value;
}

/** `name` = of a parameter of a built-in tool; null = of another program's, where nothing may get lost. */
function coerceArgument(value: Json, name: string | null, shape: ValueShape): Json {
  const isExact = name === null;
  switch (shape.type) {
    case "integer":
      return isExact ? toExactInteger(value) : coerceInteger(value);
    case "number":
      return toExactNumber(value);
    case "boolean":
      return !isExact && value === "" ? false : toExactBoolean(value);
    case "enum":
      return coerceEnum(value, shape.values);
    case "anyOf":
      return coerceToBranch(value, name, shape.branches);
    case "array":
      return coerceList(value, name, shape.items);
    case "object":
      return coerceObject(value, name, shape.properties);
    case "any":
      return value;
    default:
      return coerceText(value, name);
  }
}

const trimQuotes = (text: string): string =>
  text
    .trim()
    .replace(/^(["'`])([^]*)\1$/, "$2")
    .trim();

/** The only allowed value that is written like the given one, apart from quotes and blanks, else apart from case too. */
function coerceEnum(value: Json, values: readonly EnumValue[]): Json {
  if (values.some((one) => one === value) || (typeof value === "object" && value !== null)) return value;
  const word = trimQuotes(String(value));
  const alike = [(text: string) => text, (text: string) => text.toLowerCase()]
    .map((fold) => values.filter((one) => fold(String(one)) === fold(word)))
    .find((found) => found.length > 0);
  return alike?.length === 1 ? (alike[0] ?? value) : value;
}

/**
 * The value as it is if a branch accepts it, else repaired for the first branch that then accepts it; of another program,
 * only if all such branches accept the same.
 */
function coerceToBranch(value: Json, name: string | null, branches: readonly ValueShape[]): Json {
  if (branches.some((branch) => acceptsValue(value, branch))) return value;
  const repaired = branches.flatMap((branch) => {
    const one = coerceArgument(value, name, branch);
    return acceptsValue(one, branch) ? [one] : [];
  });
  const isAmbiguous = name === null && new Set(repaired.map((one) => JSON.stringify(one))).size > 1;
  return isAmbiguous ? value : (repaired[0] ?? value);
}

/** A list as JSON text, or its only item; the items are repaired. */
function coerceList(value: Json, name: string | null, items: ValueShape): Json {
  const parsed = typeof value === "string" ? (parseExactJson(value) ?? value) : value;
  if (Array.isArray(parsed)) {
    const list = parsed.map((item: Json) => coerceArgument(item, name, items));
    return Array.isArray(value) && list.every((item, index) => item === value[index]) ? value : list;
  }
  // Broken JSON is not an item: the model has to repeat it.
  if (typeof parsed === "string" && /^\s*[[{]/.test(parsed)) return value;
  // Another program's item is the text as it was written, not a number that it can be read as.
  const item = name === null && typeof parsed !== "string" ? value : parsed;
  const only = coerceArgument(item, name, items);
  return hasShapeType(only, items) && only !== "" ? [only] : value;
}

/**
 * An object, or one as JSON text. Types of its declared members are repaired, also under another spelling of the name;
 * the other members are data and stay: no alias and no wrapper is looked for below the top level.
 */
function coerceObject(value: Json, parent: string | null, properties: ParameterShapes): Json {
  const object = typeof value === "string" ? (parseExactJson(value) ?? value) : value;
  if (!isJsonObject(object)) return value;
  const members = Object.entries(object).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    const alike = findDeclaredName(name, properties);
    const declared = Object.hasOwn(object, alike) ? name : alike;
    const one = properties.get(declared);
    if (one === undefined) return [[name, member]];
    return !one.required && isAbsentValue(member, one)
      ? []
      : [[declared, coerceArgument(member, parent === null ? null : declared, one)]];
  });
  const isSame = Object.keys(object).length === members.length && members.every(([name, one]) => object[name] === one);
  return isSame ? object : Object.fromEntries(members);
}

/** Whether a text is a value of the shape: it is then no word for an absent one. */
function canBeText(text: string, shape: ValueShape): boolean {
  if (shape.type === "anyOf") return shape.branches.some((branch) => canBeText(text, branch));
  return hasShapeType(shape.type === "enum" ? coerceEnum(text, shape.values) : text, shape);
}

const isAbsentValue = (value: Json, shape: ValueShape): boolean =>
  value === null ||
  (typeof value === "string" && /^(null|none|undefined)?$/i.test(value.trim()) && !canBeText(value, shape));

/** Converts `view_range`, `end_line` and their aliases to offset and limit. */
function applyLineRange(input: ToolArguments, repaired: ToolArguments): void {
  const range = takeField(input, namesOf("line_range"))?.value;
  const pair = Array.isArray(range) ? range.map(coerceInteger) : [];
  const start = repaired.offset ?? pair[0];
  const end = coerceInteger(takeField(input, namesOf("end_line"))?.value ?? pair[1] ?? null);
  if (typeof start === "number" && repaired.offset === undefined) repaired.offset = start;
  if (typeof end !== "number" || repaired.limit !== undefined || end < 0) return;
  repaired.limit = Math.max(1, end - (typeof start === "number" ? start : 1) + 1);
}

/** No command may run this many seconds, so a larger number is in milliseconds. */
const millisecondsMin = 10_000;

/** Sets `timeout` in seconds; accepts milliseconds and minutes. */
function applyTimeout(input: ToolArguments, repaired: ToolArguments): void {
  const written = repaired.timeout ?? takeField(input, namesOf("timeout_ms"))?.value;
  if (written === undefined || written === null) return;
  const unit = typeof written === "string" ? /^\s*(\d+(?:\.\d+)?)\s*(ms|m|min|minutes?)\s*$/i.exec(written) : null;
  const amount = unit === null ? coerceInteger(written) : Number(unit[1]);
  if (typeof amount !== "number") return;
  const isMinutes = unit !== null && unit[2]?.toLowerCase() !== "ms";
  const isMs = !isMinutes && (unit !== null || repaired.timeout === undefined || amount >= millisecondsMin);
  repaired.timeout = isMs ? Math.ceil(amount / 1_000) : Math.ceil(isMinutes ? amount * 60 : amount);
}

/** Returns the unused arguments, without those that repeat a used value under an alias. */
function unusedArguments(input: ToolArguments, used: ReadonlySet<string>, values: ToolArguments): ToolArguments {
  const isDuplicate = (name: string, value: Json): boolean =>
    Object.entries(values).some(([parameter, one]) => namesOf(parameter).includes(name) && one === value);
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !used.has(name) && !isDuplicate(name, value)),
  );
}

/**
 * Returns the arguments under their declared names and types as far as they can be inferred; `rest` holds arguments
 * without a declared name. Returns null if the input cannot be read as arguments. `repaired` is true if the result
 * differs from what the model sent.
 */
export function repairArguments(
  input: Json,
  shape: ParameterShapes,
): { readonly values: ToolArguments; readonly rest: ToolArguments; readonly repaired: boolean } | null {
  const object = parseArgumentsObject(input, shape);
  if (object === null) return null;
  const normalized: ToolArguments = {};
  for (const [name, value] of Object.entries(object)) {
    const key = findDeclaredName(name, shape);
    if (!Object.hasOwn(normalized, key) || normalized[key] === null) normalized[key] = value;
  }
  const values: ToolArguments = {};
  const providedNames = new Set([...shape.keys()].filter((name) => Object.hasOwn(normalized, name)));
  for (const [name, one] of shape) {
    const alias = namesOf(name).find(
      (other) => Object.hasOwn(normalized, other) && (other === name || !providedNames.has(other)),
    );
    if (alias === undefined) continue;
    providedNames.add(alias);
    const value = normalized[alias] ?? null;
    if (!one.required && isAbsentValue(value, one)) continue;
    if (value !== null) values[name] = coerceArgument(value, name, one);
  }
  if (shape.has("offset")) applyLineRange(normalized, values);
  if (shape.has("timeout")) applyTimeout(normalized, values);
  const readElsewhere = [
    ...(shape.has("offset") ? ["line_range", "end_line"] : []),
    ...(shape.has("timeout") ? ["timeout_ms"] : []),
  ].flatMap(namesOf);
  const rest = unusedArguments(normalized, new Set([...providedNames, ...readElsewhere]), values);
  const same = isJsonObject(input) && Object.keys(values).every((name) => input[name] === values[name]);
  return { values, rest, repaired: !same };
}

/**
 * The same for a tool of another program: names have no meaning and no aliases, and members that are not declared stay,
 * because the program judges them.
 */
export function repairExternalArguments(
  input: Json,
  shape: ParameterShapes,
): { readonly values: ToolArguments; readonly repaired: boolean } | null {
  const parsed = parseArgumentsObject(input, shape);
  if (parsed === null) return null;
  // Without declared members, a member that looks like a wrapper can be one of the program's.
  const isOpen = shape.size === 0 && Object.keys(parsed).length > 0 && isJsonObject(input);
  const values = coerceObject(isOpen ? input : parsed, null, shape);
  return isJsonObject(values) ? { values, repaired: values !== input } : null;
}
