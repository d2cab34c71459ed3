/** Calls between the markers of a model's own tool syntax, from `<tool_call>` to DeepSeek's. */
import { barPrefix, callTagNames, tagPrefix, tagSuffix } from "@/server/tools/written-json/tag-forms";
import { readCallItem } from "./call-item";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import { type TextCalls, type ReaderSource, type TextCall } from "../reader-source";

/** A call with its range in the text, markers included. */
export interface PlacedCall extends TextCall {
  readonly start: number;
  readonly end: number;
  /** Nothing had to be added. */
  readonly whole: boolean;
}

/** `open`: another call starts after the last one and is cut off. */
export interface CallContainer {
  readonly calls: readonly PlacedCall[];
  readonly end: number;
  readonly open: boolean;
}

const tokens = [
  String.raw`\[TOOL_CALLS?\]`,
  String.raw`\[FUNCTION_CALLS?\]`,
  String.raw`\[TOOL_REQUEST\]`,
  String.raw`<\|python_(?:tag|start)\|>`,
  String.raw`<\|?tool_call_start\|?>`,
  String.raw`<\|tool_calls?\|?>`,
  String.raw`<\|function_calls?\|>`,
  String.raw`<\|START_ACTION\|>`,
  String.raw`<\|action_start\|>(?:\s*<\|plugin\|>)?`,
  String.raw`<[|｜]tool[▁_]calls?[▁_](?:section[▁_])?begin[|｜]>`,
  "<start_function_call>",
  String.raw`functools(?=\s*\[)`,
  String.raw`<\|tools_prefix\|>`,
  String.raw`\[unused11\]`,
  String.raw`function call(?:<\|role_sep\|>)?(?=\s*\{)`,
  String.raw`(?:<\|im_start\|>assistant)?[ \t]*-> tool\/function_call(?=\s*[[{])`,
];
/** Source of a regular expression for all openers. */
const callOpener = `<${tagPrefix}(?:${callTagNames})${tagSuffix}>|<${barPrefix}calls>|${tokens.join("|")}`;
const openerPattern = new RegExp(callOpener, "y");
const closers = [
  `</${tagPrefix}(?:${callTagNames}|function|invoke|parameter|arg_value|arg_key)${tagSuffix}>`,
  `</${barPrefix}calls>`,
  `<${barPrefix}m>`,
  String.raw`\[/TOOL_CALLS?\]`,
  String.raw`\[/FUNCTION_CALLS?\]`,
  String.raw`\[END_TOOL_REQUEST\]`,
  String.raw`<\|?tool_call_end\|?>`,
  String.raw`<\|/tool_calls?\|>`,
  String.raw`<tool_call\|>`,
  String.raw`<\|END_ACTION\|>`,
  String.raw`<\|action_end\|>`,
  String.raw`<[|｜]tool[▁_]calls?[▁_](?:section[▁_])?end[|｜]>`,
  "<end_function_call>",
  String.raw`<\|tools_suffix\|>`,
  String.raw`\[unused12\]`,
  String.raw`<\|eo[mt]_id\|>`,
  String.raw`<\|python_end\|>`,
];
/** Duplicate or surplus closers, and the end of a fence inside the markers. */
const closerPattern = new RegExp(`\\s*(?:${closers.join("|")}|\`\`\`(?!\\w)|[}\\]]+(?=\\s*(?:<|\\[/|$)))`, "y");
const separatorNoise = /(?:\s|[,;]|```(?:json|xml|tool_call|python)?(?=\s))*/y;

const openerLength = (text: string, at: number): number => matchLengthAt(openerPattern, text, at);

/** Skips consecutive openers; returns `at` if there is none. */
export function skipOpeners(text: string, at: number): number {
  let end = at;
  for (let next = at; ; ) {
    const length = openerLength(text, next);
    if (length === 0) return end;
    end = next + length;
    next = end + matchLengthAt(/\s*/y, text, end);
  }
}

function skipClosers(text: string, at: number): number {
  let end = at;
  for (let found = matchAt(closerPattern, text, end); found !== null; found = matchAt(closerPattern, text, end)) {
    end += found[0].length;
  }
  return end;
}

/** The calls of one list share its range. */
const placeCalls = (found: TextCalls, start: number, end: number): readonly PlacedCall[] =>
  found.calls.map((call) => ({ ...call, start, end, whole: found.whole }));

const skipNoise = (text: string, at: number): number => at + matchLengthAt(separatorNoise, text, at);

/** Reads consecutive calls from `at` on, with or without openers. */
export function readCallSequence(source: ReaderSource, at: number): CallContainer {
  const { text } = source;
  const calls: PlacedCall[] = [];
  let end = at;
  for (let start = at; ; ) {
    const inside = skipNoise(text, skipOpeners(text, start));
    const found = readCallItem(source, inside);
    if (found === null || found === "cut") return { calls, end, open: found === "cut" };
    end = skipClosers(text, found.end);
    calls.push(...placeCalls(found, start, end));
    // Text after a closer is evaluated separately.
    if (end > found.end) return { calls, end, open: false };
    start = skipNoise(text, end);
  }
}

/** Reads the calls after an opener at `at`; null = no opener or no call. */
export function readCallContainer(source: ReaderSource, at: number): CallContainer | null {
  if (openerLength(source.text, at) === 0) return null;
  const found = readCallSequence(source, at);
  return found.calls.length === 0 && !found.open ? null : found;
}

/** Wraps the calls found between `at` and `end` in a container. */
export const toContainer = (found: TextCalls, at: number, end: number): CallContainer => ({
  calls: placeCalls(found, at, end),
  end,
  open: false,
});

/** Wraps an element outside any container, including orphaned closers after it. */
export const elementToContainer = (source: ReaderSource, at: number, found: TextCalls): CallContainer =>
  toContainer(found, at, skipClosers(source.text, found.end));
