/** Calls written as elements: `<function=read>…`, `<invoke name="read">…`, `<tool name='read'>…`, `<read><path>…`. */
import type { Json } from "@/lib/content";
import { readFields, tagPrefix } from "./fields";
import { isObject, readValue } from "./lenient-json";
import { type Found, matchAt, plainName, type Reading, type Source, type WrittenCall } from "./source";

const named = new RegExp(
  `<${tagPrefix}(function|invoke|tool_call|tool_use|tool|use_tool|call|action)(?:\\s*=\\s*|\\s+(?:name|function|tool)\\s*=\\s*)["']?([\\w.:/-]+)["']?([^<>{]*)(>|(?=\\{))`,
  "y",
);
const closer = new RegExp(
  `\\s*(?:>\\s*)?</${tagPrefix}(?:function|invoke|tool_call|tool_use|tool|use_tool|call|action)(?:=[\\w.]+)?>`,
  "y",
);
const tag = /<([A-Za-z_]\w*)((?:\s+[\w-]+\s*=\s*(?:"[^"<>]{0,4000}"|'[^'<>]{0,4000}'))*)\s*(\/?)>/y;
const attribute = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const space = /\s*/y;

const call = (name: string, input: Json, end: number, whole: boolean): Found => ({
  calls: [{ name: plainName(name), input, form: "both" }],
  end,
  whole,
});

/** End of the element's closing tag, or `at` if the model omitted it. */
function closed(text: string, at: number): { readonly end: number; readonly whole: boolean } {
  const found = matchAt(closer, text, at);
  return found === null ? { end: at, whole: false } : { end: at + found[0].length, whole: true };
}

const attributesOf = (written: string): { readonly [name: string]: Json } =>
  Object.fromEntries(
    [...written.matchAll(attribute)].map(([, name = "", double, single]) => [name, double ?? single ?? ""]),
  );

/** A body without parameters: JSON, or one text for the first parameter. An unclosed body is cut. */
function readBody(source: Source, name: string, at: number, tagName: string): Reading {
  const { text } = source;
  const start = at + (matchAt(space, text, at)?.[0].length ?? 0);
  const json = text[start] === "{" ? readValue(source, start) : null;
  if (json?.kind === "cut") return "cut";
  if (json?.kind === "value" && isObject(json.value)) {
    const { end, whole } = closed(text, json.end);
    return call(name, json.value, end, whole && json.whole);
  }
  const own = closed(text, at);
  if (own.whole) return call(name, {}, own.end, true);
  source.left -= text.length - at;
  const end = source.left < 0 ? -1 : text.indexOf(`</${tagName}>`, at);
  if (end < 0) return source.left < 0 ? null : "cut";
  source.left += text.length - end;
  return call(name, text.slice(at, end).trim(), end + tagName.length + 3, true);
}

/** Reads an element that names its tool in the tag. */
export function readNamedElement(source: Source, at: number): Reading {
  const found = matchAt(named, source.text, at);
  if (found === null) return null;
  const [whole, tagName = "", name = "", rest = ""] = found;
  const start = at + whole.length;
  if (rest.trimEnd().endsWith("/")) return call(name, attributesOf(rest), start, true);
  const fields = readFields(source, start);
  if (fields === "cut") return "cut";
  if (Object.keys(fields.values).length === 0) return readBody(source, name, start, tagName);
  const { end, whole: complete } = closed(source.text, fields.end);
  return call(name, fields.values, end, complete);
}

/** Reads `<name>read</name><arguments>…`, the content of `<tool_use>` and similar tags. */
export function readNameField(source: Source, at: number): Reading {
  const fields = readFields(source, at);
  if (fields === "cut") return "cut";
  const { name, tool_name: toolName, ...rest } = fields.values;
  const written = name ?? toolName;
  return typeof written === "string" ? call(written, rest, fields.end, true) : null;
}

/** Reads `<read><path>a</path></read>` or `<read path="a"/>`, where the tag is the name of an offered tool. */
export function readToolTag(source: Source, at: number): Reading {
  const { text } = source;
  const found = matchAt(tag, text, at);
  const name = found?.[1] ?? "";
  // Only aliases of two words count: `<list>` or `<search>` are elements of many documents.
  if (found === null || !(source.offered(name) || (name.includes("_") && source.known(name)))) return null;
  const start = at + found[0].length;
  const attributes = attributesOf(found[2] ?? "");
  if (found[3] === "/") return call(name, attributes, start, true);
  const fields = readFields(source, start);
  if (fields === "cut") return "cut";
  const values = { ...attributes, ...fields.values };
  const end = text.indexOf(">", fields.end) + 1;
  const own = text.slice(fields.end, end).trim() === `</${name}>`;
  if (Object.keys(values).length > 0) return own ? call(name, values, end, true) : null;
  return null;
}

export type { WrittenCall };
