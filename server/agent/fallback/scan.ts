/** Scans an answer once and splits it into text, thinking and call candidates. */
import type { Json } from "@/lib/content";
import type { ToolMode } from "@/lib/event";
import {
  placeElement,
  placeFound,
  readContainer,
  readSequence,
  skipOpeners,
  type Container,
  type PlacedCall,
} from "./markers";
import { readNamedElement, readToolTag } from "./elements";
import { bareAnalysis, readChannel } from "./harmony";
import { isObject, readValue } from "./lenient-json";
import { readPythonList } from "./pythonic";
import { readAction, startsFinalAnswer } from "./react";
import { mayBegin, readFence, shieldEnd } from "./shields";
import { callsOf } from "./shapes";
import { matchAt, plainName, type Source, type WrittenCall } from "./source";
import { trimTokens } from "./stop-tokens";
import { orphanCloser, readThought } from "./thoughts";

/**
 * Confidence that a call is intended. marker, react: the model's own syntax; tag: a tool's name as a tag; fence,
 * bare: JSON.
 */
export type Strength = "marker" | "react" | "tag" | "fence" | "bare";

export type Part =
  | { readonly kind: "text" | "thinking"; readonly start: number; readonly end: number; readonly text: string }
  | {
      readonly kind: "calls";
      readonly strength: Strength;
      readonly start: number;
      readonly end: number;
      readonly calls: readonly PlacedCall[];
    };

export interface Scan {
  /** In order, without overlap; the gaps are text. */
  readonly parts: readonly Part[];
  /** The text ends inside a call candidate. */
  readonly open: boolean;
}

interface State {
  readonly source: Source;
  readonly text: string;
  readonly mode: ToolMode;
  parts: Part[];
  /** Number of calls read. */
  calls: number;
  open: boolean;
}

/** Returns the offset to continue at; null = no match. */
type Step = (state: State, at: number) => number | null;

const halt = Number.POSITIVE_INFINITY;
/** A text with more call candidates is not an answer: the rest is prose. */
const callsMax = 512;

const points =
  /[<[{`◁]|~~~|^[ \t]*>|to=functions\.|\bfunctools(?=\s*\[)|^[ \t]{0,8}(?:[*_#]{1,4}[ \t]{0,4})?(?:action|tool|final answer|✿FUNCTION✿|行动|动作|操作|工具|最终)/gim;

const lastEnd = (state: State): number => state.parts.at(-1)?.end ?? 0;
const marked = (state: State, at: number): boolean => mayBegin(state.text, at, lastEnd(state), true);

/** More white space before a tag is not indentation. */
const indentMaxChars = 40;

function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - indentMaxChars), at);
  return (before.length === at || before.includes("\n")) && before.slice(before.lastIndexOf("\n") + 1).trim() === "";
}

/** Extends the first and the last call to the ends of the container. */
const stretch = (calls: readonly PlacedCall[], start: number, end: number): readonly PlacedCall[] =>
  calls.map((call) => ({
    ...call,
    start: call.start === calls[0]?.start ? start : call.start,
    end: call.end === calls.at(-1)?.end ? end : call.end,
  }));

function add(state: State, strength: Strength, start: number, { calls, end, open }: Container): number {
  state.open ||= open;
  state.calls += calls.length;
  if (calls.length > 0) state.parts.push({ kind: "calls", strength, start, end, calls: stretch(calls, start, end) });
  // After a call that is cut off or broken, everything may still belong to it.
  return open || state.calls >= callsMax ? halt : end;
}

const thought: Step = (state, at) => {
  const found = readThought(state.text, at);
  if (found === null) return null;
  if (startsLine(state.text, at) || lastEnd(state) === at) state.parts.push({ kind: "thinking", ...found });
  return found.end;
};

/**
 * The opener was in the prompt: everything before the closer is thinking. In the middle of a line it may be a
 * mention, but then no calls run.
 */
const orphanThought: Step = (state, at) => {
  const length = orphanCloser(state.text, at);
  if (length === 0) return null;
  const end = at + length;
  // Between two sentences it closes thinking; between two words it is a mention.
  const closes =
    /[.!?。！？…:：;)"'*\]]\s*$/.test(state.text.slice(Math.max(0, at - 40), at)) &&
    /^\s*[^\s\p{Ll},;.]/u.test(state.text.slice(end, end + 40));
  const alone = closes || startsLine(state.text, at) || /^[ \t]*(?:\n|$)/.test(state.text.slice(end, end + 40));
  if (alone) state.parts = [{ kind: "thinking", start: 0, end, text: state.text.slice(0, at) }];
  else if (state.calls > 0) state.parts = state.parts.filter((part) => part.kind !== "calls");
  state.calls = 0;
  return end;
};

const channel: Step = (state, at) => {
  const found = readChannel(state.source, at);
  if (found === null) return null;
  switch (found.kind) {
    case "cut":
      state.open = true;
      return halt;
    case "call":
      if (!marked(state, found.start)) return found.end;
      return add(state, "marker", found.start, { calls: [found.call], end: found.end, open: false });
    default:
      state.parts.push({ ...found, kind: found.kind });
      return found.end;
  }
};

const beginsCall = /\s*(?:[{[]|<(?:[a-zA-Z]+:|｜DSML｜)?(?:function|invoke)\b)/y;

const container: Step = (state, at) => {
  const inside = skipOpeners(state.text, at);
  if (inside === at) return null;
  const found = readContainer(state.source, at);
  if (!marked(state, at)) return found?.open === true ? halt : (found?.end ?? inside);
  if (found !== null) return add(state, "marker", at, found);
  return matchAt(beginsCall, state.text, inside) === null ? inside : halt;
};

const element: Step = (state, at) => {
  const found = readNamedElement(state.source, at);
  if (found === null) return null;
  if (!marked(state, at)) return found === "cut" ? at + 1 : found.end;
  if (found === "cut") return add(state, "marker", at, { calls: [], end: at, open: true });
  return add(state, "marker", at, placeElement(state.source, at, found));
};

const toolTag: Step = (state, at) => {
  const found = readToolTag(state.source, at);
  if (found === null || !marked(state, at)) return null;
  if (found === "cut") return add(state, "tag", at, { calls: [], end: at, open: true });
  return add(state, "tag", at, placeElement(state.source, at, found));
};

const shield: Step = (state, at) => {
  const end = shieldEnd(state.text, at);
  return end === at ? null : end;
};

/** Fences in a model's own tool syntax, and those that may contain JSON. Other fences are never parsed. */
const toolFences = /^(?:tool_code|tool_call|tool_calls|tool_use|tool|tools|function|function_call|toolcall)$/;
const dataFences = /^(?:|json|json5|jsonc|xml|action|react)$/;

const fence: Step = (state, at) => {
  const found = readFence(state.text, at);
  if (found === null) return null;
  const own = toolFences.test(found.language);
  const first = matchAt(/\s*([^\s])/y, state.text, found.bodyStart)?.[1] ?? "";
  if (!marked(state, at) || (!own && !(dataFences.test(found.language) && "{[<".includes(first)))) return found.end;
  const read = readSequence(state.source, found.bodyStart);
  const strength = own ? "marker" : "fence";
  if (read.calls.length === 0 || read.open) {
    state.open ||= read.open;
    return found.end;
  }
  // A fence inside an argument seems to end the outer one: then the parsed range is longer and includes its own end.
  const rest = state.text.slice(read.end, found.end).replace(/^\s*[`~]*/, "");
  const alone = read.end >= found.end || trimTokens(rest) === "";
  return alone ? add(state, strength, at, { ...read, end: Math.max(read.end, found.end) }) : found.end;
};

const looksLikeCall =
  /[{[]\s*\{?\s*["'“]?(?:name|tool|tool_name|function|action|tool_calls|function_call|arguments|parameters)["'”]?\s*:/y;

const strayClosers = /(?:\s*[}\]])*(?:\s*```(?=\s*$))?/y;

/**
 * Reads `{"read": {"path": "a"}}`: the name of an offered tool as the only key. Like any loose form, it requires a
 * message of its own.
 */
function keyedCall(source: Source, value: Json): WrittenCall | null {
  if (!isObject(value)) return null;
  const [[name, input] = ["", null], ...others] = Object.entries(value);
  if (others.length > 0 || !isObject(input) || Object.keys(input).length === 0 || !source.offered(name)) return null;
  return { name, input, form: "loose" };
}

const bare: Step = (state, at) => {
  const { source, text } = state;
  if (!mayBegin(text, at, lastEnd(state), false)) return null;
  const python = readPythonList(source, at);
  const value = python === null ? readValue(source, at) : null;
  const list = value?.kind === "value" ? callsOf(value.value, false) : null;
  const keyed = value?.kind === "value" && list === null ? keyedCall(source, value.value) : null;
  if (value?.kind === "value" && keyed !== null)
    return add(state, "bare", at, placeFound({ calls: [keyed], end: value.end, whole: value.whole }, at, value.end));
  const found = value?.kind === "value" && list !== null ? { calls: list, end: value.end, whole: value.whole } : python;
  if (found !== null && found !== "cut") {
    const end = found.end + (matchAt(strayClosers, text, found.end)?.[0].length ?? 0);
    return add(state, "bare", at, placeFound(found, at, end));
  }
  if (value?.kind === "value") return value.end;
  state.open ||= found === "cut" || value?.kind === "cut";
  return found === "cut" || matchAt(looksLikeCall, text, at) !== null ? halt : null;
};

/** Reads `read[ARGS]{…}` whose `[TOOL_CALLS]` was dropped by the server. */
const argsMarker: Step = (state, at) => {
  if (!/^\[(?:ARGS|CALL_ID)\]/.test(state.text.slice(at, at + 10))) return null;
  const name = /[\w.-]+$/.exec(state.text.slice(Math.max(lastEnd(state), at - 80), at))?.[0] ?? "";
  const start = at - name.length;
  if (!state.source.known(plainName(name)) || !marked(state, start)) return null;
  return add(state, "marker", start, readSequence(state.source, start));
};

/** Reads Functionary's `>>>read\n{…}`; text follows `>>>all`. */
const recipient: Step = (state, at) => {
  const found = matchAt(/>>>([\w.]+)[ \t]*\n?[ \t]*(?=(\{)?)/y, state.text, at);
  if (found === null) return null;
  const name = plainName(found[1] ?? "");
  if (name === "all") {
    state.parts.push({ kind: "text", start: at, end: at + found[0].length, text: "" });
    return at + found[0].length;
  }
  if (found[2] === undefined || !state.source.known(name)) return null;
  return add(state, "marker", at, readSequence(state.source, at + 3));
};

const leaked: Step = (state, at) => {
  const before = /(?:assistant)?(?:commentary|analysis)?[ \t]*$/.exec(
    state.text.slice(Math.max(lastEnd(state), at - 40), at),
  );
  return channel(state, at - (before?.[0].length ?? 0));
};

const label: Step = (state, at) => {
  if (startsFinalAnswer(state.text, at)) return state.mode === "react" ? halt : null;
  const found = readAction(state.source, at);
  return found === null ? null : add(state, "react", at, found);
};

const steps: Readonly<Record<string, readonly Step[]>> = {
  "<": [thought, orphanThought, channel, container, element, toolTag, shield],
  "[": [thought, orphanThought, container, argsMarker, bare],
  "◁": [thought, orphanThought],
  "{": [bare],
  "`": [fence, shield],
  "~": [fence],
  ">": [recipient, shield],
  "to=functions.": [leaked],
  functools: [container],
};

/** Runs one step at a match and returns the offset to continue at. */
function stepAt(state: State, at: number, found: string): number {
  const mark = found.trimStart();
  const start = at + found.length - mark.length;
  const candidates = steps[mark] ?? steps[mark.slice(0, 1)] ?? [label];
  for (const step of candidates) {
    const next = step(state, candidates[0] === label ? at : start);
    if (next !== null) return Math.max(next, at + 1);
  }
  return at + found.length;
}

/** Returns all parts of `source.text`. */
export function scanText(source: Source, mode: ToolMode): Scan {
  const { text } = source;
  const state: State = { source, text, mode, parts: bareAnalysis(text), calls: 0, open: false };
  for (let at = lastEnd(state); at < text.length; ) {
    points.lastIndex = at;
    const found = points.exec(text);
    if (found === null) break;
    at = stepAt(state, found.index, found[0]);
  }
  return { parts: state.parts, open: state.open };
}
