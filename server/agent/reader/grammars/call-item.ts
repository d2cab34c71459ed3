/** One call between the markers of a model's own tool syntax, in any grammar. */
import { isJsonObject } from "@/lib/events/content";
import { readNamedElement, readNameField } from "./elements";
import { readValue } from "@/server/tools/written-json/lenient-json";
import { readFields } from "./fields";
import { readPythonCalls, readPythonList } from "./pythonic";
import { extractCalls } from "./json-calls";
import { callTagNames, tagPrefix, tagSuffix } from "@/server/tools/written-json/tag-forms";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import { normalizeToolName, type GrammarResult, type ReaderSource } from "../reader-source";

/** A tool name and the separators before its arguments. */
const namePattern =
  /(?:function\s*<[|｜]tool[▁_ ]sep[|｜]>\s*|call:\s*|to=)?((?:functions?[.:])?[A-Za-z_][\w.-]*(?::\d{1,4})?)((?:\s|:|\[CALL_ID\]\w*|\[ARGS\]|<[|｜]tool[▁_ ]sep[|｜]>|<tool_sep(?::\w{1,16})?>|<\|tool_call_argument_begin\|>|<\|message\|>|<\|constrain\|>json|```(?:json)?)*)/y;
/** GLM sometimes opens a second call in place of the first key. */
const firstKeyTag = new RegExp(
  `<${tagPrefix}arg_key${tagSuffix}>|<tool_call${tagSuffix}>\\s*[\\w.-]+\\s*</arg_key${tagSuffix}>`,
  "y",
);
const closingTag = new RegExp(`\\s*</${tagPrefix}(?:${callTagNames}|arg_value)${tagSuffix}>`, "y");
/** A closing tag or a special token. */
const closerAhead = /\s*<(?:\/|[|｜])[^<>\s]{1,60}>/y;
/** Step writes an element after the type of the call. */
const typeBeforeElement = /function\s*<[|｜]tool[▁_]sep[|｜]>\s*(?=<)/y;
const nameTag = /<(?:tool_)?name>/y;

/** Reads JSON that contains the tool names. */
export function readJsonCalls(source: ReaderSource, at: number, marked: boolean): GrammarResult {
  const read = readValue(source, at);
  if (read.kind !== "value") return read.kind === "cut" ? "cut" : null;
  const calls = extractCalls(read.value, marked);
  return calls === null ? null : { calls, end: read.end, whole: read.whole };
}

/** Reads `read {"path": "a"}`, `read[ARGS]{…}`, `read\n<arg_key>path</arg_key>…`, `read(path="a")`. */
function readAfterName(source: ReaderSource, at: number): GrammarResult {
  const python = readPythonCalls(source, at);
  if (python !== null) return python;
  const found = matchAt(namePattern, source.text, at);
  if (found === null) return null;
  const start = at + found[0].length;
  const tool = normalizeToolName(found[1] ?? "");
  if (source.text[start] === "{") {
    const read = readValue(source, start);
    if (read.kind !== "value") return read.kind === "cut" ? "cut" : null;
    if (!isJsonObject(read.value)) return null;
    return { calls: [{ name: tool, input: read.value, form: "both" }], end: read.end, whole: read.whole };
  }
  if (matchAt(firstKeyTag, source.text, start) === null) {
    const bare = source.isOffered(tool) && matchAt(closerAhead, source.text, start) !== null;
    return bare
      ? {
          calls: [{ name: tool, input: {}, form: "alone" }],
          end: at + found[0].trimEnd().length,
          whole: true,
        }
      : null;
  }
  const fields = readFields(source, start, found[0].includes("<tool_sep"));
  if (fields === "cut" || fields.end === start) return "cut";
  const whole = fields.whole && matchAt(closingTag, source.text, fields.end) !== null;
  return { calls: [{ name: tool, input: fields.values, form: "both" }], end: fields.end, whole };
}

/** Reads the call, or the calls of a list, at `at`. */
export function readCallItem(source: ReaderSource, at: number): GrammarResult {
  switch (source.text[at]) {
    case undefined:
      return null;
    case "{":
      return readJsonCalls(source, at, true);
    case "[":
      return readPythonList(source, at) ?? readJsonCalls(source, at, true);
    case "<":
      return matchAt(nameTag, source.text, at) === null ? readNamedElement(source, at) : readNameField(source, at);
    default: {
      const type = matchLengthAt(typeBeforeElement, source.text, at);
      return type > 0 ? readNamedElement(source, at + type) : readAfterName(source, at);
    }
  }
}
