/** Reads a call that a model wrote as text in an argument: `name {"a": 1}` or `name(a=1)`. Pure. */
import type { Json } from "@/lib/events/content";
import { matchAt } from "@/server/base/match-at";
import { parseJson } from "@/server/base/parse-json";
import { readJsonText } from "../written-json/read-written-input";

const writtenCall = /^[`"']?([\p{L}\p{N}_.:/-]+)[`"']?\s*(?::\s*)?(?:\(([^]*)\)|(\{[^]*\}))\s*;?$/u;
/** The name of a keyword, a value in quotes or without, and what must follow it. */
const keywordName = /\s*(\w+)\s*=\s*/y;
const quotedValue = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y;
const plainValue = /[^,"'\s][^,"']*/y;
const valueEnd = /\s*(?:,|$)/y;
const listEnd = /[\]}](?=\s*(?:,|$))/g;
/** More are not read: every value that is no JSON costs an exception. */
const maxKeywords = 500;
const literals: Readonly<Record<string, Json>> = { True: true, False: false, None: null };

/** Returns the name and the input of a call; an input that cannot be read is its text. Null = the text is no call. */
export function parseWrittenCall(text: string): { readonly name: string; readonly input: Json } | null {
  const [, name, inBrackets, object] = writtenCall.exec(text.trim()) ?? [];
  if (name === undefined) return null;
  const written = (object ?? inBrackets ?? "").trim();
  if (written === "") return { name, input: {} };
  return { name, input: readJsonText(written) ?? parseKeywords(written) ?? parseJson(written) ?? written };
}

/** Parses `a="x", b=3`; an object or a list can be the last value. Takes linear time. */
function parseKeywords(text: string): { readonly [name: string]: Json } | undefined {
  const members: (readonly [string, Json])[] = [];
  const lastListEnd = [...text.matchAll(listEnd)].at(-1)?.index ?? -1;
  for (let from = 0; from < text.length; ) {
    const [before, name] = matchAt(keywordName, text, from) ?? [];
    if (before === undefined || name === undefined || members.length === maxKeywords) return undefined;
    from += before.length;
    const isList = /[[{]/.test(text.charAt(from)) && from < lastListEnd;
    const value = isList
      ? text.slice(from, lastListEnd + 1)
      : (matchAt(quotedValue, text, from) ?? matchAt(plainValue, text, from))?.[0];
    const end = value === undefined ? null : matchAt(valueEnd, text, from + value.length);
    if (value === undefined || end === null) return undefined;
    members.push([name, parseLiteral(value.trim())]);
    from += value.length + end[0].length;
  }
  return Object.fromEntries(members);
}

function parseLiteral(text: string): Json {
  const quoted = /^'([^]*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("\\'", "'");
  return Object.hasOwn(literals, text) ? (literals[text] ?? null) : (parseJson(text) ?? text);
}
