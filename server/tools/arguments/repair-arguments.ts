/** Repairs common mistakes in the arguments of a tool call before the tool's schema validates them. Pure. */
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";
import {
  hasShapeType,
  isArgumentsObject,
  type ParameterShape,
  type ParameterShapes,
  type ToolArguments,
  type ValueShape,
} from "./parameter-shapes";

/**
 * Alternative parameter names, in snake_case. The first one present is used, and only if the declared name is absent.
 */
const parameterAliases: Readonly<Record<string, readonly string[]>> = {
  path: [
    "file_path",
    "filepath",
    "filename",
    "file_name",
    "file",
    "target_file",
    "absolute_path",
    "relative_path",
    "dir",
    "directory",
    "dir_path",
    "directory_path",
    "relative_workspace_path",
    "folder",
    "target",
    "paths",
    "uri",
  ],
  offset: ["start_line", "line_start", "start", "from_line", "from", "line", "line_number", "begin_line"],
  limit: ["count", "lines", "num_lines", "max_lines", "line_count", "length"],
  depth: ["max_depth", "levels", "level"],
  pattern: ["query", "regex", "regexp", "search", "search_term", "glob_pattern", "glob", "text", "name", "q"],
  glob: ["include", "file_pattern", "include_pattern", "includes", "file_glob"],
  literal: ["fixed_strings", "fixed", "is_literal"],
  ignore_case: ["case_insensitive", "i", "insensitive"],
  context: ["context_lines", "c", "lines_of_context"],
  old_string: ["old_text", "old_str", "old", "search", "find", "original", "old_code", "old_content", "target_text"],
  new_string: [
    "new_text",
    "new_str",
    "new",
    "replace",
    "replacement",
    "updated",
    "new_code",
    "new_content",
    "replace_with",
  ],
  replace_all: ["all", "global", "replace_all_occurrences", "multiple"],
  content: ["contents", "text", "file_text", "data", "body", "file_content", "file_contents", "code", "new_content"],
  command: ["cmd", "script", "shell_command", "bash", "code", "commands", "input", "command_line"],
  timeout: ["timeout_seconds", "timeout_s", "timeout_sec", "seconds", "time_limit"],
};

/** Keys in which some servers and chat templates wrap the arguments. */
const wrapperKeys = ["arguments", "parameters", "args", "input", "params", "tool_input", "kwargs"];

const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[-\s]/g, "_")
    .replace(/^_+(?=.)/, "")
    .toLowerCase();

/**
 * Matches text that starts like a JSON object, also inside a string, a list or a code fence. Such text is never taken
 * as a bare value, even if it cannot be parsed.
 */
const beginsAsObject = /^\s*(?:```\w*\s*)?["']?\s*\[?\s*\{/;

/**
 * Returns the arguments as an object: parsed from JSON text (at most twice), unwrapped, or a bare text as the first
 * parameter. Returns null if there is no reading.
 */
function parseArgumentsObject(input: Json, shape: ParameterShapes): ToolArguments | null {
  let value = input;
  for (let round = 0; round < 2 && typeof value === "string"; round++) {
    const parsed = parseJson(value);
    if (parsed === undefined || (typeof parsed !== "string" && !isArgumentsObject(parsed))) break;
    value = parsed;
  }
  const first = [...shape.keys()][0];
  if (typeof value === "string" && first !== undefined && value.trim() !== "" && !beginsAsObject.test(value)) {
    const alone = [...shape].filter(([, one]) => one.required).length <= 1;
    return alone ? { [first]: value } : null;
  }
  if (value === null || value === "") return {};
  if (!isArgumentsObject(value)) return null;
  const [name, ...others] = Object.keys(value);
  if (name === undefined || others.length > 0 || shape.has(name) || !wrapperKeys.includes(snakeCase(name)))
    return value;
  const inner = value[name] ?? null;
  const unwrapped = typeof inner === "string" ? (parseJson(inner) ?? inner) : inner;
  return isArgumentsObject(unwrapped) ? unwrapped : value;
}

/** Converts a numeric string, optionally with a unit of seconds or lines, to an integer. */
function coerceInteger(value: Json): Json {
  const number =
    typeof value === "string" && /^\s*[+-]?\d+(\.\d+)?\s*(s|sec|seconds?|lines?)?\s*$/i.test(value)
      ? Number.parseFloat(value)
      : value;
  return typeof number === "number" && Number.isFinite(number) ? Math.trunc(number) : value;
}

function coerceBoolean(value: Json): Json {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === "true" || word === "yes" || word === "1" || word === 1) return true;
  if (word === "false" || word === "no" || word === "0" || word === 0 || word === "") return false;
  return value;
}

function coerceText(value: Json, name: string): Json {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const list = Array.isArray(value) ? value : null;
  if (list !== null && list.every((item) => typeof item === "string")) {
    if (name === "content") return list.join("\n");
    if (
      name === "command" &&
      list.length === 3 &&
      /^(\/bin\/)?(ba|z)?sh$/.test(list[0] ?? "") &&
      /^-l?c$/.test(list[1] ?? "")
    ) {
      return list[2] ?? "";
    }
    return list.length === 1 ? (list[0] ?? "") : value;
  }
  // A JSON file's content sent as an object instead of text.
  return name === "content" && typeof value === "object" && value !== null
    ? `${JSON.stringify(value, null, 2)}\n`
    : value;
}

function coerceArgument(value: Json, name: string, shape: ValueShape): Json {
  switch (shape.type) {
    case "integer":
      return coerceInteger(value);
    case "boolean":
      return coerceBoolean(value);
    case "array":
      return coerceList(value, name, shape.items);
    case "object":
      return coerceObject(value, shape.properties);
    default:
      return coerceText(value, name);
  }
}

/** A list as JSON text, or its only item; the items are repaired. */
function coerceList(value: Json, name: string, items: ValueShape): Json {
  const parsed = typeof value === "string" ? (parseJson(value) ?? value) : value;
  if (Array.isArray(parsed)) {
    const list = parsed.map((item: Json) => coerceArgument(item, name, items));
    return Array.isArray(value) && list.every((item, index) => item === value[index]) ? value : list;
  }
  // Broken JSON is not an item: the model has to repeat it.
  if (typeof parsed === "string" && /^\s*[[{]/.test(parsed)) return value;
  const only = coerceArgument(parsed, name, items);
  return hasShapeType(only, items) && only !== "" ? [only] : value;
}

/**
 * An object, or one as JSON text. Types of its declared members are repaired, also under another spelling of the name;
 * the other members are data and stay: no alias and no wrapper is looked for below the top level.
 */
function coerceObject(value: Json, properties: ParameterShapes): Json {
  const object = typeof value === "string" ? (parseJson(value) ?? value) : value;
  if (!isArgumentsObject(object)) return value;
  const members = Object.entries(object).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    const declared = properties.has(name) || snakeCase(name) in object ? name : snakeCase(name);
    const one = properties.get(declared);
    if (one === undefined) return [[name, member]];
    return !one.required && isAbsentValue(member, one) ? [] : [[declared, coerceArgument(member, declared, one)]];
  });
  const isSame = Object.keys(object).length === members.length && members.every(([name, one]) => object[name] === one);
  return isSame ? object : Object.fromEntries(members);
}

const isAbsentValue = (value: Json, shape: ParameterShape): boolean =>
  value === null ||
  (shape.type !== "string" && typeof value === "string" && /^\s*(null|none|undefined)?\s*$/i.test(value));

/** Converts `view_range`, `end_line` and their aliases to offset and limit. */
function applyLineRange(given: ToolArguments, repaired: ToolArguments): void {
  const range = given.view_range ?? given.line_range ?? given.range;
  const pair = Array.isArray(range) ? range.map(coerceInteger) : [];
  const start = repaired.offset ?? pair[0];
  const end = coerceInteger(
    given.end_line ?? given.line_end ?? given.end ?? given.to_line ?? given.to ?? pair[1] ?? null,
  );
  if (typeof start === "number" && repaired.offset === undefined) repaired.offset = start;
  if (typeof end !== "number" || repaired.limit !== undefined || end < 0) return;
  repaired.limit = Math.max(1, end - (typeof start === "number" ? start : 1) + 1);
}

/** No command may run this many seconds, so a larger number is in milliseconds. */
const millisecondsMin = 10_000;

/** Sets `timeout` in seconds; accepts milliseconds and minutes. */
function applyTimeout(given: ToolArguments, repaired: ToolArguments): void {
  const written = repaired.timeout ?? given.timeout_ms ?? given.timeout_milliseconds ?? given.timeout_millis;
  if (written === undefined || written === null) return;
  const unit = typeof written === "string" ? /^\s*(\d+(?:\.\d+)?)\s*(ms|m|min|minutes?)\s*$/i.exec(written) : null;
  const amount = unit === null ? coerceInteger(written) : Number(unit[1]);
  if (typeof amount !== "number") return;
  const isMinutes = unit !== null && unit[2]?.toLowerCase() !== "ms";
  const isMs = !isMinutes && (unit !== null || repaired.timeout === undefined || amount >= millisecondsMin);
  repaired.timeout = isMs ? Math.ceil(amount / 1_000) : Math.ceil(isMinutes ? amount * 60 : amount);
}

/** Names read by applyLineRange and applyTimeout. */
const rangeAliases = ["view_range", "line_range", "range", "end_line", "line_end", "end", "to_line", "to"];
const timeoutAliases = ["timeout_ms", "timeout_milliseconds", "timeout_millis"];

/** Returns the unused arguments, without those that repeat a used value under an alias. */
function unusedArguments(given: ToolArguments, used: ReadonlySet<string>, values: ToolArguments): ToolArguments {
  const isDuplicate = (name: string, value: Json): boolean =>
    Object.entries(values).some(
      ([parameter, one]) => parameterAliases[parameter]?.includes(name) === true && one === value,
    );
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !used.has(name) && !isDuplicate(name, value)),
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
  const given: ToolArguments = {};
  for (const [name, value] of Object.entries(object)) {
    const key = snakeCase(name);
    if (!Object.hasOwn(given, key) || given[key] === null) given[key] = value;
  }
  const values: ToolArguments = {};
  const taken = new Set([...shape.keys()].filter((name) => name in given));
  for (const [name, one] of shape) {
    const alias = name in given ? name : parameterAliases[name]?.find((other) => other in given && !taken.has(other));
    if (alias === undefined) continue;
    taken.add(alias);
    const value = given[alias] ?? null;
    if (!one.required && isAbsentValue(value, one)) continue;
    if (value !== null) values[name] = coerceArgument(value, name, one);
  }
  if (shape.has("offset")) applyLineRange(given, values);
  if (shape.has("timeout")) applyTimeout(given, values);
  const readElsewhere = [...(shape.has("offset") ? rangeAliases : []), ...(shape.has("timeout") ? timeoutAliases : [])];
  const rest = unusedArguments(given, new Set([...taken, ...readElsewhere]), values);
  const same = isArgumentsObject(input) && Object.keys(values).every((name) => input[name] === values[name]);
  return { values, rest, repaired: !same };
}
