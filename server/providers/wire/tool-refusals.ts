/** Recognizes that a server refuses the schema of a tool, and finds the tools that its words are about. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Json } from "@/lib/events/content";
import type { ToolSchema } from "@/lib/models/stored-prompt";
import { findPointerTarget } from "@/server/base/json-pointer";
import { parseJson } from "@/server/base/parse-json";
import { wireTool } from "./request/wire-tool";
import { clipErrorText, readQuotation } from "./wire-errors";
import { ProviderError } from "../provider";

const refusalPattern =
  /json schema error at #|schema conversion failed|unrecognized schema:|(?:invalid|malformed|unsupported) (?:json |function |tool |input )+schema\b|schema (?:for|of) (?:function|tool)|invalid ['"`]?parameters['"`]? schema|schema is invalid|function_declarations\[\d+\]\.parameters|\btools[.[]+\d+\]?\.(?:function|custom)\.(?:parameters|input_schema)|\btools["'],\s*\d+,\s*["']function["'],\s*["']parameters|"path":\s*\[\s*\d+,\s*"function",\s*"parameters|^invalid input\b.*\btools\.\d+/is;

/** Returns the failure if a refusal is about the schema of a tool; undefined = it is another one. */
export const schemaRefusal = (words: string, detail: string): ProviderError | undefined =>
  refusalPattern.test(words)
    ? new ProviderError({ code: "tool_refused", detail }, { refusedSchema: clipErrorText(words) })
    : undefined;

/** Places of tools in the list of a request, most exact first. */
const placePatterns: readonly RegExp[] = [
  /function_declarations\[(\d+)\]/gi,
  /\btools(?:\.|\[|["'],\s*)(\d+)/gi,
  /"path":\s*\[\s*(\d+),\s*"function"/gi,
  /\btool (\d+) function\b/gi,
];

function findPlaces(words: string): readonly number[] {
  for (const pattern of placePatterns) {
    const places = Array.from(words.matchAll(pattern), ([, place]) => Number(place));
    if (places.length > 0) return places;
  }
  return [];
}

const escapePattern = (name: string): string => name.replaceAll(/[^\w]/g, "\\$&");
/** Names of tools may be plain words, and quoted words may be values. */
const titlePattern = (name: string): RegExp =>
  new RegExp(`\\b(?:tool|function):? ['"\`]?${escapePattern(name)}(?![\\w-])`, "i");
const quotedPattern = (name: string): RegExp => new RegExp(`['"\`]${escapePattern(name)}['"\`]`, "i");

/** The schemas that a server quotes, one a line. */
function quotedSchemas(words: string): readonly Json[] {
  const at = words.search(/schema conversion failed|unrecognized schema: /i);
  const lines = at < 0 ? "" : readQuotation(words, at, at);
  return Array.from(lines.matchAll(/unrecognized schema: (.+)/gi), ([, text = ""]) => parseJson(text)).filter(
    (value) => value !== undefined,
  );
}

const containsNode = (value: Json, node: Json): boolean =>
  isDeepStrictEqual(value, node) ||
  (typeof value === "object" && value !== null && Object.values(value).some((one: Json) => containsNode(one, node)));

/** The types of JSON Schema: any other one is a fault. */
const jsonTypes = new Set<unknown>(["string", "number", "integer", "boolean", "array", "object", "null"]);

/** Whether a server has a reason to refuse this value: it is no schema, an empty list, has another type or a reference. */
function isFaultyNode(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return "$ref" in value || ("type" in value && typeof value.type === "string" && !jsonTypes.has(value.type));
}

/** Returns the tools with a value at the place in its schema that a llama-server names: the one, or those where it has a fault. */
function findByPointer(words: string, tools: readonly ToolSchema[]): readonly ToolSchema[] {
  const pointer = /json schema error at (#[^\s:]*)/i.exec(words)?.[1];
  if (pointer === undefined) return [];
  const found = tools.flatMap((tool) => {
    const value = findPointerTarget(wireTool(tool), pointer.replace("#", "#/function/parameters"));
    return value === undefined ? [] : [{ tool, value }];
  });
  const faulty = found.length === 1 ? found : found.filter(({ value }) => isFaultyNode(value));
  return faulty.map(({ tool }) => tool);
}

/** Returns the names of the tools that a refusal names, numbers or quotes; none if it does neither. */
export function findRefusedTools(words: string, tools: readonly ToolSchema[]): readonly string[] {
  const namedBy = (pattern: (name: string) => RegExp): readonly string[] =>
    tools.flatMap(({ name }) => (pattern(name).test(words) ? [name] : []));
  const titled = namedBy(titlePattern);
  if (titled.length > 0) return titled;
  const places = findPlaces(words);
  if (places.length > 0) return tools.flatMap(({ name }, place) => (places.includes(place) ? [name] : []));
  const pointed = findByPointer(words, tools);
  if (pointed.length > 0) return pointed.map(({ name }) => name);
  const nodes = quotedSchemas(words);
  if (nodes.length === 0) return namedBy(quotedPattern);
  return tools.flatMap((tool) => (nodes.some((node) => containsNode(wireTool(tool), node)) ? [tool.name] : []));
}
