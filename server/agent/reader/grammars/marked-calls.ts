/** Calls between special tokens of their own, one row of a table for each model family. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { type CallContainer, type PlacedCall, toContainer } from "./call-markers";
import { extractCalls } from "./json-calls";
import { readValue } from "@/server/tools/written-json/lenient-json";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import { normalizeToolName, type ReaderSource, type TextCall } from "../reader-source";

/** Sources of regular expressions. */
interface CallMarks {
  /** Opens and closes a list of calls. */
  readonly list?: readonly [open: string, close: string];
  /** Opens a call; group 1 is its name, which may be in the arguments instead. */
  readonly call: string;
  readonly end: string;
  /** Opens and closes the value of a field; a group after the name is its type. Without fields the arguments are JSON. */
  readonly field?: (name: string) => string;
  readonly fieldEnd?: (name: string) => string;
}

const toolName = String.raw`([\w.:/-]+)`;
const minimax = String.raw`\]<\]minimax\[>\[\s*`;

const plamo = (mark: string): string => String.raw`<\|plamo:${mark}:plamo\|>`;

const families = {
  minimaxM3: {
    list: [`${minimax}<tool_call>`, `${minimax}</tool_call>`],
    call: String.raw`${minimax}<invoke\s+name="${toolName}"\s*>`,
    end: `${minimax}</invoke>`,
    field: (name) => `${minimax}<${name}>`,
    fieldEnd: (name) => `${minimax}</${name}>`,
  },
  kimiK3: {
    list: [String.raw`<\|open\|>tools<\|sep\|>`, String.raw`<\|close\|>tools<\|sep\|>`],
    call: String.raw`<\|open\|>call\s[^<>]{0,40}\btool="${toolName}"[^<>]{0,80}<\|sep\|>`,
    end: String.raw`<\|close\|>call<\|sep\|>`,
    field: (name) => String.raw`<\|open\|>argument\s+key="${name}"(?:\s+type="(\w+)")?\s*<\|sep\|>`,
    fieldEnd: () => String.raw`<\|close\|>argument<\|sep\|>`,
  },
  solar: {
    list: [String.raw`<\|tool_calls\|>`, String.raw`<\|/tool_calls\|>`],
    call: String.raw`<\|tool_call:begin\|>[^<>]{0,80}<\|tool_call:name\|>${toolName}<\|tool_call:args\|>`,
    end: String.raw`<\|tool_call:end\|>`,
  },
  solar2: {
    call: String.raw`<\|tool_call:start\|>${toolName}`,
    end: String.raw`<\|tool_call:end\|>`,
    field: (name) => String.raw`<\|tool_arg:start\|>${name}<\|tool_arg:value\|>`,
    fieldEnd: () => String.raw`<\|tool_arg:end\|>`,
  },
  plamo: {
    list: [plamo("begin_tool_requests"), plamo("end_tool_requests")],
    call: String.raw`${plamo("begin_tool_request")}\s*${plamo("begin_tool_name")}${toolName}${plamo("end_tool_name")}\s*${plamo("begin_tool_arguments")}`,
    end: String.raw`${plamo("end_tool_arguments")}\s*${plamo("end_tool_request")}`,
  },
  inkling: {
    call: String.raw`(?:<\|message_model\|>${toolName}?)?<\|content_invoke_tool_json\|>`,
    end: String.raw`<\|end_message\|>`,
  },
} satisfies Readonly<Record<string, CallMarks>>;

const allMarks: readonly CallMarks[] = Object.values(families);

const anyName = String.raw`[\w.$-]+`;
const sticky = (source: string): RegExp => new RegExp(String.raw`\s*(?:${source})`, "y");

function toPatterns({ list, call, end, field = () => "(?!)", fieldEnd = () => "(?!)" }: CallMarks) {
  const isNamed = fieldEnd("a") !== fieldEnd("b");
  return {
    list: list === undefined ? null : sticky(list[0]),
    listEnd: list === undefined ? null : sticky(list[1]),
    call: sticky(call),
    end: sticky(end),
    field: sticky(field(`(${anyName})`)),
    hasFields: field("") !== "(?!)",
    afterField: sticky(`${field(anyName)}|${fieldEnd(anyName)}|${end}|$`),
    /** Matches openers, as group 1, and closers that pair with the opener of the field `name`. */
    fieldTags: (name: string) => new RegExp(`(${field(isNamed ? name : anyName)})|${fieldEnd(name)}`, "g"),
    fieldEnd: (name: string) => sticky(fieldEnd(name)),
  };
}

type MarkPatterns = ReturnType<typeof toPatterns>;

const patterns = allMarks.map(toPatterns);

/** Sources of regular expressions for the start and the end of such calls. */
export const markedCallOpener = allMarks.flatMap(({ list, call }) => [...(list?.slice(0, 1) ?? []), call]).join("|");
const openerPattern = new RegExp(markedCallOpener, "y");

/** Length of an opener at `at`; 0 = none. */
export const markedOpenerLength = (text: string, at: number): number => matchLengthAt(openerPattern, text, at);

export const markedCallEnd = allMarks.map(({ list, end }) => list?.[1] ?? end).join("|");

interface MarkedArguments {
  readonly input: Json;
  readonly end: number;
  readonly whole: boolean;
}

/** Deeper nesting is not a call. */
const depthMax = 16;

/**
 * Finds the closer of a value and its end. null = it is cut off, or its marks do not pair, so that its end is ambiguous.
 */
function findFieldEnd(source: ReaderSource, marks: MarkPatterns, name: string, at: number): [number, number] | null {
  const { text } = source;
  const tags = marks.fieldTags(name);
  tags.lastIndex = at;
  let depth = 1;
  for (let found = tags.exec(text); found !== null && source.budget > 0; found = tags.exec(text)) {
    if (found[1] !== undefined) depth += 1;
    else if (matchAt(marks.afterField, text, tags.lastIndex) !== null) depth -= 1;
    if (depth > 0) continue;
    source.budget -= found.index - at;
    return [found.index, tags.lastIndex];
  }
  source.budget -= text.length - at;
  return null;
}

/** A value of another type than text is JSON. */
function decodeField(source: ReaderSource, at: number, end: number, type: string | undefined): Json {
  const written = source.text.slice(at, end);
  if (type === undefined || type === "string") return written;
  const read = readValue(source, at + written.length - written.trimStart().length);
  return read.kind === "value" && source.text.slice(read.end, end).trim() === "" ? read.value : written;
}

/** Reads fields from `at` on. A value that begins with a field is an object, or a list if its fields are items. */
function readMarkedFields(source: ReaderSource, marks: MarkPatterns, at: number, depth = 0): MarkedArguments | "cut" {
  const { text } = source;
  const values: [string, Json][] = [];
  let end = at;
  for (let head = matchAt(marks.field, text, end); head !== null; head = matchAt(marks.field, text, end)) {
    const [opener, name = "", type] = head;
    const start = end + opener.length;
    if (depth < depthMax && matchAt(marks.field, text, start) !== null) {
      const inner = readMarkedFields(source, marks, start, depth + 1);
      const close = inner === "cut" ? null : matchAt(marks.fieldEnd(name), text, inner.end);
      if (inner === "cut" || close === null) return "cut";
      values.push([name, inner.input]);
      end = inner.end + close[0].length;
      continue;
    }
    const found = findFieldEnd(source, marks, name, start);
    if (found === null) return "cut";
    values.push([name, decodeField(source, start, found[0], type)]);
    end = found[1];
  }
  const isList = depth > 0 && values.every(([name]) => name === "item");
  return { input: isList ? values.map(([, value]) => value) : Object.fromEntries(values), end, whole: true };
}

function readMarkedJson(source: ReaderSource, at: number): MarkedArguments | "cut" {
  const read = readValue(source, at + matchLengthAt(/\s*/y, source.text, at));
  return read.kind === "value" && isJsonObject(read.value)
    ? { input: read.value, end: read.end, whole: read.whole }
    : "cut";
}

/** The arguments may be a whole call: its name must then be the one of the header. */
function toMarkedCall(name: string, input: Json): TextCall | null {
  const inner = isJsonObject(input) && typeof input.name === "string" ? extractCalls(input, true)?.[0] : undefined;
  if (inner?.form === "both" && (name === "" || inner.name === name)) return inner;
  return name === "" ? null : { name, input, form: "both" };
}

/** Reads the calls that begin at `at`; null = no such call. A call that is cut off or broken leaves the list open. */
export function readMarkedCalls(source: ReaderSource, at: number): CallContainer | null {
  const { text } = source;
  if (markedOpenerLength(text, at) === 0) return null;
  const marks = patterns.find(({ list, call }) => matchAt(list ?? call, text, at) ?? matchAt(call, text, at));
  if (marks === undefined) return null;
  const calls: PlacedCall[] = [];
  let end = at + (marks.list === null ? 0 : matchLengthAt(marks.list, text, at));
  for (let head = matchAt(marks.call, text, end); head !== null; head = matchAt(marks.call, text, end)) {
    const inside = end + head[0].length;
    const read = marks.hasFields ? readMarkedFields(source, marks, inside) : readMarkedJson(source, inside);
    const call = read === "cut" ? null : toMarkedCall(normalizeToolName(head[1] ?? ""), read.input);
    if (read === "cut" || call === null) return { calls, end, open: true };
    const close = matchLengthAt(marks.end, text, read.end);
    // Without the end another field may be missing.
    if (close === 0 && marks.hasFields) return { calls, end, open: true };
    const found = { calls: [call], end: read.end + close, whole: read.whole && close > 0 };
    calls.push(...toContainer(found, calls.length === 0 ? at : end, found.end).calls);
    end = found.end;
    if (close === 0) break;
  }
  if (calls.length === 0) return null;
  end += marks.listEnd === null ? 0 : matchLengthAt(marks.listEnd, text, end);
  return { calls, end, open: false };
}
