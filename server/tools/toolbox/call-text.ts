/** Reads a call that a model wrote as text in an argument: `name {"a": 1}` or `name(a=1)`. Pure. */
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";

const codeFence = /^```\w*\s*([^]*?)\s*```$/;

/** Returns the object or list that a text is, also inside a code fence or a text; undefined = it is none. */
export function parseJsonText(text: string): Json | undefined {
  let value: Json | undefined = text;
  for (let round = 0; round < 3 && typeof value === "string"; round += 1)
    value = parseJson(value.trim().replace(codeFence, "$1"));
  return typeof value === "object" && value !== null ? value : undefined;
}

const writtenCall = /^[`"']?([\p{L}\p{N}_.:/-]+)[`"']?\s*(?::\s*)?(?:\(([^]*)\)|(\{[^]*\}))\s*;?$/u;
const keyword =
  /\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[[{][^]*[\]}]|[^,"'\s](?:[^,"']*[^,"'\s])?)\s*(?:,|$)/y;
const literals: Readonly<Record<string, Json>> = { True: true, False: false, None: null };

/** Returns the name and the input of a call; an input that cannot be read is its text. Null = the text is no call. */
export function parseWrittenCall(text: string): { readonly name: string; readonly input: Json } | null {
  const [, name, inBrackets, object] = writtenCall.exec(text.trim()) ?? [];
  if (name === undefined) return null;
  const written = (object ?? inBrackets ?? "").trim();
  if (written === "") return { name, input: {} };
  return { name, input: parseJsonText(written) ?? parseKeywords(written) ?? parseJson(written) ?? written };
}

/** Parses `a="x", b=3`; an object or a list can be the last value. */
function parseKeywords(text: string): { readonly [name: string]: Json } | undefined {
  const members: (readonly [string, Json])[] = [];
  keyword.lastIndex = 0;
  while (keyword.lastIndex < text.length) {
    const [, name, value] = keyword.exec(text) ?? [];
    if (name === undefined || value === undefined) return undefined;
    members.push([name, parseLiteral(value.trim())]);
  }
  return Object.fromEntries(members);
}

function parseLiteral(text: string): Json {
  const quoted = /^'([^]*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("\\'", "'");
  return Object.hasOwn(literals, text) ? (literals[text] ?? null) : (parseJson(text) ?? text);
}
