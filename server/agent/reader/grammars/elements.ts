/** Calls written as elements: `<function=read>…`, `<invoke name="read">…`, `<tool name='read'>…`, `<read><path>…`. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { readFields } from "./fields";
import { readValue } from "@/server/tools/written-json/lenient-json";
import { barPrefix, tagPrefix } from "@/server/tools/written-json/tag-forms";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import {
  type TextCalls,
  normalizeToolName,
  type GrammarResult,
  type ReaderSource,
  type TextCall,
} from "../reader-source";

const namedTag = new RegExp(
  `<${tagPrefix}(function|invoke|tool_call|tool_use|tool|use_tool|call|action|(?<=[|｜‖] ?)r)(?:\\s*=\\s*|:[ \\t]+|\\s+(?:name|function|tool)\\s*=\\s*)["']?([\\w.:/-]+)["']?([^<>{]*)(>|(?=\\{))`,
  "y",
);
const closingTag = new RegExp(
  `\\s*(?:>\\s*)?(?:</${tagPrefix}(?:function|invoke|tool_call|tool_use|tool|use_tool|call|action)(?:=[\\w.]+)?>|<${barPrefix}m>)`,
  "y",
);
const toolTag = /<([A-Za-z_]\w*)((?:\s+[\w-]+\s*=\s*(?:"[^"<>]{0,4000}"|'[^'<>]{0,4000}'))*)\s*(\/?)>/y;
const attributePattern = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const whiteSpace = /\s*/y;

const toTextCalls = (name: string, input: Json, end: number, whole: boolean): TextCalls => ({
  calls: [{ name: normalizeToolName(name), input, form: "both" }],
  end,
  whole,
});

/** End of the element's closing tag, or `at` if the model omitted it. */
function findClosingTag(text: string, at: number): { readonly end: number; readonly whole: boolean } {
  const found = matchAt(closingTag, text, at);
  return found === null ? { end: at, whole: false } : { end: at + found[0].length, whole: true };
}

const parseAttributes = (written: string): { readonly [name: string]: Json } =>
  Object.fromEntries(
    [...written.matchAll(attributePattern)].map(([, name = "", double, single]) => [name, double ?? single ?? ""]),
  );

/** A body without parameters: JSON, or one text for the first parameter. An unclosed body is cut. */
function readBody(source: ReaderSource, name: string, at: number, tagName: string): GrammarResult {
  const { text } = source;
  const start = at + matchLengthAt(whiteSpace, text, at);
  const json = text[start] === "{" ? readValue(source, start) : null;
  if (json?.kind === "cut") return "cut";
  if (json?.kind === "value" && isJsonObject(json.value)) {
    const { end, whole } = findClosingTag(text, json.end);
    return toTextCalls(name, json.value, end, whole && json.whole);
  }
  const own = findClosingTag(text, at);
  if (own.whole) return toTextCalls(name, {}, own.end, true);
  source.budget -= text.length - at;
  const end = source.budget < 0 ? -1 : text.indexOf(`</${tagName}>`, at);
  if (end < 0) return source.budget < 0 ? null : "cut";
  source.budget += text.length - end;
  return toTextCalls(name, text.slice(at, end).trim(), end + tagName.length + 3, true);
}

/** Reads an element that names its tool in the tag. */
export function readNamedElement(source: ReaderSource, at: number): GrammarResult {
  const found = matchAt(namedTag, source.text, at);
  if (found === null) return null;
  const [whole, tagName = "", name = "", rest = ""] = found;
  const start = at + whole.length;
  if (rest.trimEnd().endsWith("/")) return toTextCalls(name, parseAttributes(rest), start, true);
  const fields = readFields(source, start, tagName === "r");
  if (fields === "cut") return "cut";
  if (Object.keys(fields.values).length === 0) return readBody(source, name, start, tagName);
  const { end, whole: complete } = findClosingTag(source.text, fields.end);
  return toTextCalls(name, fields.values, end, complete && fields.whole);
}

/** Reads `<name>read</name><arguments>…`, the content of `<tool_use>` and similar tags. */
export function readNameField(source: ReaderSource, at: number): GrammarResult {
  const fields = readFields(source, at);
  if (fields === "cut") return "cut";
  const { name, tool_name: toolName, ...rest } = fields.values;
  const written = name ?? toolName;
  const { whole } = findClosingTag(source.text, fields.end);
  return typeof written === "string" ? toTextCalls(written, rest, fields.end, whole && fields.whole) : null;
}

/** Reads a text between the tags of a tool, alone on its lines; null if it contains one of the tags: its end is ambiguous. */
function readToolText(source: ReaderSource, name: string, at: number): GrammarResult {
  const { text } = source;
  source.budget -= text.length - at;
  const end = source.budget < 0 ? -1 : text.indexOf(`</${name}>`, at);
  if (end < 0) return null;
  source.budget += text.length - end;
  const behind = end + name.length + 3;
  const line = text.slice(behind, text.indexOf("\n", behind) >>> 0);
  const written = text.slice(at, end);
  if (written.includes(`<${name}>`) || !/^\s*(?:$|<)/.test(line) || line.includes(`</${name}>`)) return null;
  return toTextCalls(name, written.trim() === "" ? {} : written.trim(), behind, true);
}

/**
 * Reads `<read><path>a</path></read>` or `<read path="a"/>`, where the tag is the name of an offered tool; `withText`:
 * also `<read>a</read>`.
 */
export function readToolTag(source: ReaderSource, at: number, withText: boolean): GrammarResult {
  const { text } = source;
  const found = matchAt(toolTag, text, at);
  const name = found?.[1] ?? "";
  // Only aliases of two words count: `<list>` or `<search>` are elements of many documents.
  if (found === null || !(source.isOffered(name) || (name.includes("_") && source.isOfferedOrAlias(name)))) return null;
  const start = at + found[0].length;
  const attributes = parseAttributes(found[2] ?? "");
  if (found[3] === "/") return toTextCalls(name, attributes, start, true);
  const fields = readFields(source, start);
  if (fields === "cut") return "cut";
  const values = { ...attributes, ...fields.values };
  const end = text.indexOf(">", fields.end) + 1;
  const own = text.slice(fields.end, end).trim() === `</${name}>`;
  if (Object.keys(values).length > 0) return own ? toTextCalls(name, values, end, fields.whole) : null;
  return withText && source.isOffered(name) ? readToolText(source, name, start) : null;
}

export type { TextCall };
