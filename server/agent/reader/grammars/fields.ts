/**
 * Parameters inside an element: `<parameter=p>v</parameter>`, `<p>v</p>`,
 * `<arg_key>p</arg_key><arg_value>v</arg_value>`.
 */
import { isJsonObject, type Json } from "@/lib/events/content";
import { readValue } from "@/server/tools/written-json/lenient-json";
import { tagPrefix, tagSuffix } from "@/server/tools/written-json/tag-forms";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import { type ReaderSource } from "../reader-source";

interface ElementFields {
  readonly values: { readonly [name: string]: Json };
  readonly end: number;
  /** The tags of each value pair, so that its end is certain. */
  readonly whole: boolean;
}

const parameterTag = new RegExp(
  `<(${tagPrefix})(?:(parameter|param|arg|argument)(?:\\s*=\\s*|\\s+name\\s*=\\s*)["']?([\\w.-]+)["']?[^<>]*|(?<![|｜‖] ?)([A-Za-z_][\\w-]*))>`,
  "y",
);
const wrapperTag = new RegExp(
  `<(/?)${tagPrefix}(?:parameters|arguments|args|params|input|tool_input|tool_arguments)>`,
  "y",
);
const keyValuePair = new RegExp(
  `<${tagPrefix}(?:arg_key|tool_call)${tagSuffix}>\\s*([\\w.-]+)\\s*</${tagPrefix}arg_key${tagSuffix}>\\s*(?:<ifm\\|arg_type>[^<]{0,40}</ifm\\|arg_type>\\s*)?<${tagPrefix}arg_value${tagSuffix}>`,
  "y",
);
const whiteSpace = /\s*/y;
/** Elements that contain a call, never a parameter. */
const callTags = /^(?:function|invoke|tool_calls?|tools?|function_calls?|use_tool|tool_use|arg_key|arg_value)$/;
const afterCloser = /\s*(?:<|$|\[)/y;

const spaceEnd = (text: string, at: number): number => at + matchLengthAt(whiteSpace, text, at);

/** Parameters whose white space is significant. */
const significantSpaceName = /content|string|text|str|code|old|new|body|data/;

/**
 * Strips one line break next to each tag; for a single-line value, all surrounding white space. `isExact`: only if the
 * value begins on a line of its own, since the family writes it unchanged.
 */
function trimValue(written: string, name: string, isExact: boolean): string {
  const stays = isExact && !/^\r?\n/.test(written);
  const inner = stays ? written : written.replace(/^\r?\n/, "").replace(/\r?\n[ \t]*$/, "");
  const data = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/.exec(inner);
  if (data !== null) return data[1] ?? "";
  return inner.includes("\n") || significantSpaceName.test(name) ? inner : inner.trim();
}

interface ValueEnds {
  /** Offset of the closing tag that pairs with the opening one, nested ones skipped. */
  balanced?: number;
  /** Offset of the first closing tag that another tag follows. */
  first?: number;
  /** Offset of the next opening tag of the same kind. */
  opener?: number;
  /** Offset of the end of the surrounding element. */
  outer?: number;
}

const tagPatterns = new Map<string, RegExp>();

/** Matches every tag that is relevant for the end of a value closed by `closer` with `prefix`; "" = any prefix. */
function tagPattern(prefix: string, closer: string): RegExp {
  const cached = prefix === "" ? tagPatterns.get(closer) : undefined;
  if (cached !== undefined) return cached;
  const own = prefix === "" ? tagPrefix : prefix.replaceAll("|", String.raw`\|`);
  const tagPattern = new RegExp(
    `<(/?)${own}(?:(${closer})\\b[^<>]{0,200}|(?:function|invoke|tool_call|tool)\\b[^<>]{0,200})>`,
    "g",
  );
  // Tag names come from the model: only "parameter" is cached, to bound the map.
  if (prefix === "" && closer === "parameter") tagPatterns.set(closer, tagPattern);
  return tagPattern;
}

function findEnds(source: ReaderSource, at: number, prefix: string, closer: string): ValueEnds {
  const tags = tagPattern(prefix, closer);
  tags.lastIndex = at;
  const ends: ValueEnds = {};
  let depth = 1;
  let around = 0;
  for (let found = tags.exec(source.text); found !== null; found = tags.exec(source.text)) {
    const closes = found[1] === "/";
    if (found[2] === undefined) {
      around += closes ? -1 : 1;
      if (around >= 0) continue;
      ends.outer = found.index;
      break;
    }
    if (!closes) {
      depth += 1;
      ends.opener ??= found.index;
      continue;
    }
    if (matchAt(afterCloser, source.text, tags.lastIndex) === null) continue;
    ends.first ??= found.index;
    depth -= 1;
    if (depth === 0 && around === 0) ends.balanced = found.index;
    if (depth === 0) break;
  }
  source.budget -= (ends.outer ?? ends.balanced ?? source.text.length) - at;
  return ends;
}

/** Finds the end of a value and the start of the next value; null = the value is cut off. */
function findValueEnd(
  source: ReaderSource,
  at: number,
  prefix: string,
  closer: string,
): { readonly value: number; readonly next: number; readonly whole: boolean } | null {
  if (source.budget <= 0) return null;
  const ends = findEnds(source, at, prefix, closer);
  const { balanced, first, opener, outer } = ends;
  const closed = (value: number, whole: boolean) => ({ value, next: source.text.indexOf(">", value) + 1, whole });
  if (balanced !== undefined) return closed(balanced, true);
  if (opener !== undefined && (first === undefined || opener < first))
    return { value: opener, next: opener, whole: false };
  if (first !== undefined) return closed(first, false);
  return outer === undefined ? null : { value: outer, next: outer, whole: false };
}

function readField(
  source: ReaderSource,
  at: number,
  isExactFamily: boolean,
): { readonly name: string; readonly value: string; readonly end: number; readonly whole: boolean } | "cut" | null {
  const { text } = source;
  const keyed = matchAt(keyValuePair, text, at);
  const found = keyed ?? matchAt(parameterTag, text, at);
  if (found === null) return null;
  const [, prefix = "", tag, named, own] = keyed === null ? found : [];
  const name = keyed === null ? (named ?? own) : keyed[1];
  const closer = keyed === null ? (tag ?? own) : "arg_value";
  if (name === undefined || closer === undefined || (keyed === null && callTags.test(closer))) return null;
  const isExact = isExactFamily || (keyed === null ? prefix !== "" : !keyed[0].endsWith("<arg_value>"));
  const start = at + found[0].length;
  const end = findValueEnd(source, start, prefix, closer);
  if (end === null) return "cut";
  return { name, value: trimValue(text.slice(start, end.value), name, isExact), end: end.next, whole: end.whole };
}

/**
 * Reads all parameters from `at` on, and JSON in `<arguments>`; returns an empty object if there is none. `isExact`: the
 * family writes values unchanged, as those with a prefix do.
 */
export function readFields(source: ReaderSource, at: number, isExact = false): ElementFields | "cut" {
  const { text } = source;
  const values: [string, Json][] = [];
  let end = at;
  let whole = true;
  for (let next = spaceEnd(text, at); ; next = spaceEnd(text, end)) {
    const around = matchAt(wrapperTag, text, next);
    if (around !== null) {
      end = next + around[0].length;
      const inner = spaceEnd(text, end);
      if (around[1] === "/" || text[inner] !== "{") continue;
      const read = readValue(source, inner);
      if (read.kind === "cut") return "cut";
      if (read.kind === "broken" || !isJsonObject(read.value)) break;
      values.push(...Object.entries(read.value));
      end = read.end;
      continue;
    }
    const one = readField(source, next, isExact);
    if (one === "cut") return "cut";
    if (one === null) break;
    values.push([one.name, one.value]);
    end = one.end;
    whole &&= one.whole;
  }
  return { values: Object.fromEntries(values), end, whole };
}
