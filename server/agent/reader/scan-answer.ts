/** Scans an answer once and splits it into text, thinking and call candidates. */
import { isJsonObject, type Json } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import {
  elementToContainer,
  toContainer,
  readCallContainer,
  readCallSequence,
  skipOpeners,
  type CallContainer,
  type PlacedCall,
} from "./grammars/call-markers";
import { readNamedElement, readToolTag } from "./grammars/elements";
import { readBareAnalysis, readChannel } from "./grammars/harmony";
import { readValue } from "@/server/tools/written-json/lenient-json";
import { markedOpenerLength, readMarkedCalls } from "./grammars/marked-calls";
import { readPythonList } from "./grammars/pythonic";
import { readAction, isFinalAnswer } from "./grammars/react";
import { classifyMention, isInSentence, mayBeginCall, readFence, findQuotedEnd } from "./quoted-spans";
import { extractCalls } from "./grammars/json-calls";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import { normalizeToolName, type ReaderSource, type TextCall } from "./reader-source";
import { answerOpener, trimTokens } from "./stop-tokens";
import { tagPrefix } from "@/server/tools/written-json/tag-forms";
import { closesThought, orphanCloserLength, readThinking } from "./grammars/thinking";

/**
 * Confidence that a call is intended. marker, react: the model's own syntax; tag: a tool's name as a tag; fence,
 * bare: JSON.
 */
export type CallConfidence = "marker" | "react" | "tag" | "fence" | "bare";

export type AnswerPart =
  | { readonly kind: "text" | "thinking"; readonly start: number; readonly end: number; readonly text: string }
  | {
      readonly kind: "calls";
      readonly strength: CallConfidence;
      readonly start: number;
      readonly end: number;
      readonly calls: readonly PlacedCall[];
    };

export interface AnswerScan {
  /** In order, without overlap; the gaps are text. */
  readonly parts: readonly AnswerPart[];
  /** The text ends inside a call candidate. */
  readonly open: boolean;
}

interface ScanState {
  readonly source: ReaderSource;
  readonly text: string;
  readonly mode: ToolMode;
  parts: AnswerPart[];
  /** Number of calls read. */
  callCount: number;
  open: boolean;
}

/** Returns the offset to continue at; null = no match. */
type ScanStep = (state: ScanState, at: number) => number | null;

const scanEnd = Number.POSITIVE_INFINITY;
/** A text with more call candidates is not an answer: the rest is prose. */
const callsMax = 512;

const constructStarts =
  /[<[{`◁]|\](?=<\]minimax)|~~~|^[ \t]*>|to=functions\.|to=(?=[\w.-]{1,80}[ \t]*(?:<\|(?:channel|message)|\s*<atem:))|\b(?:functools(?=\s*\[)|functions(?=\.[\w-]{1,64}:\d{1,4}\s*\{))|^[ \t]*(?:function call(?=(?:<\|role_sep\|>)?\s*\{)|-> tool(?=\/function_call\s*[[{]))|^[ \t]{0,8}(?:[*_#]{1,4}[ \t]{0,4})?(?:action|tool|final answer|✿FUNCTION✿|行动|动作|操作|工具|最终)/gim;

const lastPartEnd = (state: ScanState): number => state.parts.at(-1)?.end ?? 0;
const mayBeginMarked = (state: ScanState, at: number): boolean =>
  mayBeginCall(state.text, at, lastPartEnd(state), true);

/** Longer sentences are examined in part. */
const sentenceMaxChars = 200;

/** Whether a sentence names the mark between `at` and `end`. */
function isMentioned({ text, parts }: ScanState, at: number, end: number): boolean {
  if (classifyMention(text, end) !== "mention") return false;
  const before = text.slice(Math.max(parts.at(-1)?.end ?? 0, at - sentenceMaxChars), at);
  return isInSentence(before.slice(before.lastIndexOf("\n") + 1));
}

/** More white space before a tag is not indentation. */
const indentMaxChars = 40;

function isAtLineStart(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - indentMaxChars), at);
  return (before.length === at || before.includes("\n")) && before.slice(before.lastIndexOf("\n") + 1).trim() === "";
}

/** Extends the first and the last call to the ends of the container. */
const extendCalls = (calls: readonly PlacedCall[], start: number, end: number): readonly PlacedCall[] =>
  calls.map((call) => ({
    ...call,
    start: call.start === calls[0]?.start ? start : call.start,
    end: call.end === calls.at(-1)?.end ? end : call.end,
  }));

function addCalls(
  state: ScanState,
  strength: CallConfidence,
  start: number,
  { calls, end, open }: CallContainer,
): number {
  state.open ||= open;
  state.callCount += calls.length;
  if (calls.length > 0)
    state.parts.push({ kind: "calls", strength, start, end, calls: extendCalls(calls, start, end) });
  // After a call that is cut off or broken, everything may still belong to it.
  return open || state.callCount >= callsMax ? scanEnd : end;
}

const skipSpace = (text: string, at: number): number => at + matchLengthAt(/\s*/y, text, at);

const scanThought: ScanStep = (state, at) => {
  const found = readThinking(state.text, at);
  if (found === null) return null;
  if (isAtLineStart(state.text, at) || lastPartEnd(state) === at) state.parts.push({ kind: "thinking", ...found });
  return found.end;
};

/**
 * The opener was in the prompt: everything before the closer is thinking. In the middle of a line it may be a
 * mention, but then no calls run.
 */
const scanOrphanThought: ScanStep = (state, at) => {
  const length = orphanCloserLength(state.text, at);
  if (length === 0) return null;
  const end = at + length;
  const closes = closesThought(state.text.slice(Math.max(0, at - 40), at), state.text.slice(end, end + 40));
  const alone = closes || isAtLineStart(state.text, at) || /^[ \t]*(?:\n|$)/.test(state.text.slice(end, end + 40));
  if (alone) state.parts = [{ kind: "thinking", start: 0, end, text: state.text.slice(0, at) }];
  else if (state.callCount > 0) state.parts = state.parts.filter((part) => part.kind !== "calls");
  state.callCount = 0;
  return end;
};

const scanChannel: ScanStep = (state, at) => {
  const found = readChannel(state.source, at, isAtLineStart(state.text, at) || lastPartEnd(state) === at);
  if (found === null) return null;
  switch (found.kind) {
    case "header": {
      const calls = readCallContainer(state.source, skipSpace(state.text, found.end));
      return calls === null ? null : addCalls(state, "marker", found.start, calls);
    }
    case "cut":
      state.open = true;
      return scanEnd;
    case "call":
      if (!mayBeginMarked(state, found.start)) return found.end;
      return addCalls(state, "marker", found.start, { calls: [found.call], end: found.end, open: false });
    default:
      state.parts.push({ ...found, kind: found.kind });
      return found.end;
  }
};

const callStartPattern = new RegExp(
  `\\s*(?:[{[]|<${tagPrefix}(?:function|invoke)\\b|[\\w.:-]{1,80}\\s*(?:\\{|\\[ARGS\\]|<\\|tool_call_argument))`,
  "y",
);

/** An element around the whole answer is not displayed. */
const scanWrapper: ScanStep = (state, at) => {
  const length = matchLengthAt(answerOpener, state.text, at);
  const isFirst =
    state.parts.every((part) => part.kind === "thinking") && state.text.slice(lastPartEnd(state), at).trim() === "";
  if (length === 0 || !isFirst) return null;
  state.parts.push({ kind: "text", start: at, end: at + length, text: "" });
  return at + length;
};

const scanMarked: ScanStep = (state, at) => {
  const opener = markedOpenerLength(state.text, at);
  if (opener === 0) return null;
  if (isMentioned(state, at, at + opener)) return at + opener;
  const found = readMarkedCalls(state.source, at);
  if (found === null) return null;
  if (!mayBeginMarked(state, at)) return found.open ? scanEnd : found.end;
  return addCalls(state, "marker", at, found);
};

const scanContainer: ScanStep = (state, at) => {
  const inside = skipOpeners(state.text, at);
  if (inside === at) return null;
  if (isMentioned(state, at, inside)) return inside;
  const found = readCallContainer(state.source, at);
  if (!mayBeginMarked(state, at)) return found?.open === true ? scanEnd : (found?.end ?? inside);
  if (found !== null) return addCalls(state, "marker", at, found);
  return matchAt(callStartPattern, state.text, inside) === null ? inside : scanEnd;
};

const scanElement: ScanStep = (state, at) => {
  const found = readNamedElement(state.source, at);
  if (found === null) return null;
  const tagEnd = state.text.indexOf(">", at) + 1;
  if (isMentioned(state, at, tagEnd)) return tagEnd;
  if (!mayBeginMarked(state, at)) return found === "cut" ? at + 1 : found.end;
  if (found === "cut") return addCalls(state, "marker", at, { calls: [], end: at, open: true });
  return addCalls(state, "marker", at, elementToContainer(state.source, at, found));
};

const scanToolTag: ScanStep = (state, at) => {
  const withText = state.mode === "xml" && isAtLineStart(state.text, at);
  const found = readToolTag(state.source, at, withText);
  if (found === null || !mayBeginMarked(state, at)) return null;
  if (found === "cut") return addCalls(state, "tag", at, { calls: [], end: at, open: true });
  return addCalls(state, "tag", at, elementToContainer(state.source, at, found));
};

const skipQuoted: ScanStep = (state, at) => {
  const end = findQuotedEnd(state.text, at);
  return end === at ? null : end;
};

/** Fences in a model's own tool syntax, and those that may contain JSON. Other fences are never parsed. */
const toolFences = /^(?:tool_code|tool_call|tool_calls|tool_use|tool|tools|function|function_call|toolcall)$/;
const dataFences = /^(?:|json|json5|jsonc|xml|action|react)$/;

const scanFence: ScanStep = (state, at) => {
  const found = readFence(state.text, at);
  if (found === null) return null;
  const own = toolFences.test(found.language);
  const first = matchAt(/\s*([^\s])/y, state.text, found.bodyStart)?.[1] ?? "";
  if (!mayBeginMarked(state, at) || (!own && !(dataFences.test(found.language) && "{[<".includes(first))))
    return found.end;
  const read = readCallSequence(state.source, found.bodyStart);
  const strength = own ? "marker" : "fence";
  if (read.calls.length === 0 || read.open) {
    state.open ||= read.open;
    return found.end;
  }
  // A fence inside an argument seems to end the outer one: then the parsed range is longer and includes its own end.
  const rest = state.text.slice(read.end, found.end).replace(/^\s*[`~]*/, "");
  const alone = read.end >= found.end || trimTokens(rest) === "";
  return alone ? addCalls(state, strength, at, { ...read, end: Math.max(read.end, found.end) }) : found.end;
};

const looksLikeCall =
  /[{[]\s*\{?\s*["'“]?(?:name|tool|tool_name|function|action|tool_calls|function_call|arguments|parameters)["'”]?\s*:/y;

const strayClosers = /(?:\s*[}\]])*(?:\s*```(?=\s*$))?/y;

/**
 * Reads `{"read": {"path": "a"}}`: the name of an offered tool as the only key. Like any loose form, it requires a
 * message of its own.
 */
function readKeyedCall(source: ReaderSource, value: Json): TextCall | null {
  if (!isJsonObject(value)) return null;
  const [[name, input] = ["", null], ...others] = Object.entries(value);
  if (others.length > 0 || !isJsonObject(input) || Object.keys(input).length === 0 || !source.isOffered(name))
    return null;
  return { name, input, form: "loose" };
}

const scanBareCall: ScanStep = (state, at) => {
  const { source, text } = state;
  if (!mayBeginCall(text, at, lastPartEnd(state), false)) return null;
  const python = readPythonList(source, at);
  const value = python === null ? readValue(source, at) : null;
  const list = value?.kind === "value" ? extractCalls(value.value, false) : null;
  const keyed = value?.kind === "value" && list === null ? readKeyedCall(source, value.value) : null;
  if (value?.kind === "value" && keyed !== null)
    return addCalls(
      state,
      "bare",
      at,
      toContainer({ calls: [keyed], end: value.end, whole: value.whole }, at, value.end),
    );
  const found = value?.kind === "value" && list !== null ? { calls: list, end: value.end, whole: value.whole } : python;
  if (found !== null && found !== "cut") {
    const end = found.end + matchLengthAt(strayClosers, text, found.end);
    return addCalls(state, "bare", at, toContainer(found, at, end));
  }
  if (value?.kind === "value") return value.end;
  state.open ||= found === "cut" || value?.kind === "cut";
  return found === "cut" || matchAt(looksLikeCall, text, at) !== null ? scanEnd : null;
};

/** Reads `read[ARGS]{…}` whose `[TOOL_CALLS]` was dropped by the server. */
const scanArgsMarker: ScanStep = (state, at) => {
  if (!/^\[(?:ARGS|CALL_ID)\]/.test(state.text.slice(at, at + 10))) return null;
  const name = /[\w.-]+$/.exec(state.text.slice(Math.max(lastPartEnd(state), at - 80), at))?.[0] ?? "";
  const start = at - name.length;
  if (!state.source.isOfferedOrAlias(normalizeToolName(name)) || !mayBeginMarked(state, start)) return null;
  return addCalls(state, "marker", start, readCallSequence(state.source, start));
};

/** Reads Functionary's `>>>read\n{…}`; text follows `>>>all`. */
const scanRecipient: ScanStep = (state, at) => {
  const found = matchAt(/>>>([\w.]+)[ \t]*\n?[ \t]*(?=(\{)?)/y, state.text, at);
  if (found === null) return null;
  const name = normalizeToolName(found[1] ?? "");
  if (name === "all") {
    state.parts.push({ kind: "text", start: at, end: at + found[0].length, text: "" });
    return at + found[0].length;
  }
  if (found[2] === undefined || !state.source.isOfferedOrAlias(name)) return null;
  return addCalls(state, "marker", at, readCallSequence(state.source, at + 3));
};

/** Reads Kimi's `functions.ls:0{…}` whose tokens were dropped by the server. */
const scanIndexedCall: ScanStep = (state, at) =>
  mayBeginMarked(state, at) ? addCalls(state, "marker", at, readCallSequence(state.source, at)) : null;

const scanLeakedChannel: ScanStep = (state, at) => {
  const recipient = matchLengthAt(/to=functions\.[\w-]+/y, state.text, at);
  if (recipient > 0 && isMentioned(state, at, at + recipient)) return at + recipient;
  const before = /(?:assistant)?(?:commentary|analysis)?[ \t]*$/.exec(
    state.text.slice(Math.max(lastPartEnd(state), at - 40), at),
  );
  return scanChannel(state, at - (before?.[0].length ?? 0));
};

const scanLabel: ScanStep = (state, at) => {
  if (isFinalAnswer(state.text, at)) return state.mode === "react" ? scanEnd : null;
  const found = readAction(state.source, at);
  return found === null ? null : addCalls(state, "react", at, found);
};

const scanSteps: Readonly<Record<string, readonly ScanStep[]>> = {
  "<": [
    scanThought,
    scanOrphanThought,
    scanChannel,
    scanWrapper,
    scanMarked,
    scanContainer,
    scanElement,
    scanToolTag,
    skipQuoted,
  ],
  "[": [scanThought, scanOrphanThought, scanContainer, scanArgsMarker, scanBareCall],
  "◁": [scanThought, scanOrphanThought],
  "{": [scanBareCall],
  "`": [scanFence, skipQuoted],
  "~": [scanFence],
  ">": [scanRecipient, skipQuoted],
  "]": [scanMarked],
  "to=": [scanLeakedChannel],
  "to=functions.": [scanLeakedChannel],
  functools: [scanContainer],
  functions: [scanIndexedCall],
  "function call": [scanContainer],
  "-> tool": [scanContainer],
};

/** Runs one step at a match and returns the offset to continue at. */
function scanAt(state: ScanState, at: number, found: string): number {
  const mark = found.trimStart();
  const start = at + found.length - mark.length;
  const candidates = scanSteps[mark] ?? scanSteps[mark.slice(0, 1)] ?? [scanLabel];
  for (const step of candidates) {
    const next = step(state, candidates[0] === scanLabel ? at : start);
    if (next !== null) return Math.max(next, at + 1);
  }
  return at + found.length;
}

/** Returns all parts of `source.text`. */
export function scanAnswer(source: ReaderSource, mode: ToolMode): AnswerScan {
  const { text } = source;
  const state: ScanState = { source, text, mode, parts: readBareAnalysis(text), callCount: 0, open: false };
  for (let at = lastPartEnd(state); at < text.length; ) {
    constructStarts.lastIndex = at;
    const found = constructStarts.exec(text);
    if (found === null) break;
    at = scanAt(state, found.index, found[0]);
  }
  return { parts: state.parts, open: state.open };
}
