/** ReAct format: calls written as Thought, Action and Action Input lines. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { readJsonCalls } from "./call-item";
import { readValue } from "@/server/tools/written-json/lenient-json";
import { readString } from "@/server/tools/written-json/lenient-string";
import { skipOpeners, type CallContainer, type PlacedCall } from "./call-markers";
import { readPythonCalls } from "./pythonic";
import { matchAt, matchLengthAt } from "@/server/base/match-at";
import { normalizeToolName, type GrammarResult, type ReaderSource } from "../reader-source";

const boldPattern = String.raw`[ \t]{0,8}(?:[*_#]{1,4}[ \t]{0,4})?`;
/** Models that plan several steps number their lines. */
const stepNumber = String.raw`(?:[ _]?\d{1,3})?`;
const colonPattern = String.raw`[*_]{0,2}[ \t]{0,4}[:：][*_]{0,2}`;
const actionLabel = new RegExp(
  `${boldPattern}(?:(?:Action${stepNumber}|✿FUNCTION✿|行动|动作)|(Tool Call|Tool|操作|工具))${colonPattern}`,
  "iy",
);
const inputLabelPattern = new RegExp(
  `[\`"'*]*[\\s,;|-]*${boldPattern}(?:(?:Action${stepNumber}[ _]?Input${stepNumber}|✿ARGS✿|行动输入|动作输入|操作输入)|(Tool[ _]?Input|Action[ _]?Arguments|Arguments|Parameters|Input|工具输入|输入|参数))${colonPattern}`,
  "iy",
);
/** The same label after the name of the action, on its line. */
const inlineInputLabel = new RegExp(
  `[\`"'*]*[ \\t,;|-]+[*_]{0,2}(?:Action${stepNumber}[ _]?Input${stepNumber}|行动输入|动作输入)${colonPattern}`,
  "i",
);
const nextLabel = new RegExp(
  `\\n${boldPattern}(?:(?:Observation|Thought|Action)${stepNumber}|Final Answer|PAUSE|✿RESULT✿|观察|思考|行动|动作|最终答案|最终回答)(?:${colonPattern}|[ \\t]*(?=\\n|$))|<(?:\\/think|[|｜])`,
  "i",
);
const fenceOpen = /\s*```\w*[ \t]*\n?/y;
const fenceClose = /\s*```/y;
const whiteSpace = /\s*/y;
/** Longer lines do not name a tool. */
const actionNameMaxChars = 200;

/** A whole line after the one of an action: no input can follow any more. */
const nextLine = /\s*\n[^\S\n]*\S[^\n]*\n/y;

interface ActionInput {
  readonly input: Json;
  readonly end: number;
  readonly whole: boolean;
}

/** Placeholder in a description of the format. */
const placeholder = /^(?:<[^>]*>|\[[^\]]*\]|\.{3}|…)$/;
/** Notations for "no arguments". */
const noArguments = /^(?:none|n\/a|null|nothing|empty|无|-)?$/i;

function toBareInput(text: string, start: number, end: number): ActionInput {
  const written = text.slice(start, end).trim();
  const quoted = readString(written, 0);
  const value = quoted?.kind === "string" && quoted.end === written.length ? quoted.value : written;
  // Input that reaches the end of the text may be incomplete.
  const whole = end < text.length;
  return { input: noArguments.test(value) ? {} : value, end: start + text.slice(start, end).trimEnd().length, whole };
}

/** Reads the argument after its label: JSON, JSON in a fence, or the text up to the next label. */
function readInput(source: ReaderSource, at: number, onlyJson: boolean): ActionInput | "cut" | null {
  const { text } = source;
  const fence = matchLengthAt(fenceOpen, text, at);
  const start = at + fence + matchLengthAt(whiteSpace, text, at + fence);
  if (text[start] === "{") {
    const read = readValue(source, start);
    if (read.kind !== "value") return read.kind === "cut" ? "cut" : null;
    const close = fence === 0 ? 0 : matchLengthAt(fenceClose, text, read.end);
    return { input: read.value, end: read.end + close, whole: read.whole };
  }
  if (fence > 0) {
    const close = text.indexOf("```", start);
    return close < 0 ? "cut" : { ...toBareInput(text, start, close), end: close + 3 };
  }
  if (onlyJson) return null;
  source.budget -= text.length - at;
  const end = source.budget < 0 ? -1 : text.slice(at).search(nextLabel);
  if (end >= 0) source.budget += text.length - at - end;
  const bare = toBareInput(text, at, end < 0 ? text.length : at + end);
  if (typeof bare.input !== "string") return bare;
  // After an empty line, either the command continues or the model resumes its answer: undecidable.
  return placeholder.test(bare.input) || /\n\s*\n/.test(bare.input) ? null : bare;
}

/** Reads `read`, `read(path="a")`, `read[a]`, `read {"path": "a"}` on the line of the action. */
function readInlineAction(source: ReaderSource, start: number, line: string): GrammarResult {
  const python = readPythonCalls(source, start);
  if (python !== null) return python;
  const found = /^([\w.]+)\s*(?:\[([^\]\n]*)\]|(?=\{))/.exec(line);
  if (found === null) return null;
  const name = normalizeToolName(found[1] ?? "");
  if (found[2] !== undefined) {
    const { input: value } = toBareInput(found[2], 0, found[2].length);
    return { calls: [{ name, input: value, form: "both" }], end: start + found[0].length, whole: true };
  }
  const read = readValue(source, start + found[0].length);
  if (read.kind !== "value" || !isJsonObject(read.value)) return read.kind === "cut" ? "cut" : null;
  return { calls: [{ name, input: read.value, form: "both" }], end: read.end, whole: read.whole };
}

function toActionContainer(found: GrammarResult, at: number): CallContainer | null {
  if (found === null) return null;
  if (found === "cut") return { calls: [], end: at, open: true };
  const calls: PlacedCall[] = found.calls.map((call) => ({ ...call, start: at, end: found.end, whole: found.whole }));
  return { calls, end: found.end, open: false };
}

/** Reads an action as one JSON value, in a fence or not: `Action: {"action": …}`, Command R's list. */
function readJsonAction(source: ReaderSource, at: number): GrammarResult {
  const fence = matchLengthAt(fenceOpen, source.text, at);
  const start = at + fence + matchLengthAt(whiteSpace, source.text, at + fence);
  // `Tool call:` may also be a lead of `[TOOL_CALLS]`.
  if ((source.text[start] !== "{" && source.text[start] !== "[") || skipOpeners(source.text, start) > start)
    return null;
  const found = readJsonCalls(source, start, true);
  if (found === null || found === "cut" || fence === 0) return found;
  return { ...found, end: found.end + matchLengthAt(fenceClose, source.text, found.end) };
}

/** Reads the action whose label is at `at`, the start of a line. */
export function readAction(source: ReaderSource, at: number): CallContainer | null {
  const { text } = source;
  const labelled = matchAt(actionLabel, text, at);
  if (labelled === null) return null;
  const label = labelled[0].length;
  const json = readJsonAction(source, at + label);
  if (json !== null) return toActionContainer(json, at);
  const start = at + label + matchLengthAt(/[ \t]*[`"'*]{0,3}/y, text, at + label);
  const line = (text.slice(start, start + actionNameMaxChars).split("\n")[0] ?? "").trimEnd();
  const named = line.slice(0, line.search(inlineInputLabel) >>> 0).trimEnd();
  const name = normalizeToolName(named);
  const lineEnd = start + named.length;
  if (!source.isOfferedOrAlias(name)) return toActionContainer(readInlineAction(source, start, line), at);
  const inputLabel = matchAt(inputLabelPattern, text, lineEnd);
  // Everyday words before a colon, and names that are not offered, require JSON after them.
  const everyday = labelled[1] !== undefined || inputLabel?.[1] !== undefined || !source.isOffered(name);
  if (inputLabel === null) {
    if (everyday) return null;
    return toActionContainer(
      { calls: [{ name, input: {}, form: "alone" }], end: lineEnd, whole: matchAt(nextLine, text, lineEnd) !== null },
      at,
    );
  }
  const read = readInput(source, lineEnd + inputLabel[0].length, everyday);
  if (read === null || read === "cut") return toActionContainer(read, at);
  return toActionContainer(
    { calls: [{ name, input: read.input, form: "both" }], end: read.end, whole: read.whole },
    at,
  );
}

const sectionLabels = new RegExp(
  `^${boldPattern}((?:Thought|Thinking|思考|想法)${stepNumber}|Final Answer|最终答案|最终回答)${colonPattern}[ \\t]*`,
  "gim",
);

interface ReactSection {
  readonly kind: "text" | "thinking";
  /** Offset of its text in the input. */
  readonly at: number;
  readonly text: string;
}

/** Finds the labels outside code fences, up to the first final answer: everything after that label is its text. */
function findLabels(text: string): readonly RegExpExecArray[] {
  const labels: RegExpExecArray[] = [];
  let fences = 0;
  let from = 0;
  for (const found of text.matchAll(sectionLabels)) {
    fences += [...text.slice(from, found.index).matchAll(fenceLine)].length;
    from = found.index;
    if (fences % 2 === 1) continue;
    labels.push(found);
    if (!isThoughtLabel(found)) break;
  }
  return labels;
}

const isThoughtLabel = (label: RegExpExecArray): boolean => /^(?:thought|thinking|思考|想法)/i.test(label[1] ?? "");

/** Splits a text at its labels: Thought becomes thinking, Final Answer becomes text. */
export function readSections(text: string): readonly ReactSection[] {
  const found = findLabels(text);
  if (found.length === 0) return [{ kind: "text", at: 0, text }];
  const first: ReactSection = { kind: "text", at: 0, text: text.slice(0, found[0]?.index ?? text.length) };
  const others = found.map((label, index): ReactSection => {
    const at = label.index + label[0].length;
    const body = text.slice(at, found[index + 1]?.index ?? text.length);
    return { kind: isThoughtLabel(label) ? "thinking" : "text", at, text: body };
  });
  return [first, ...others].flatMap((section) => (section.text.trim() === "" ? [] : [section]));
}

const fenceLine = /^[ \t]*(?:`{3}|~{3})/gm;

const thoughtStart = new RegExp(`^\\s*${boldPattern}(?:Thought|思考|想法)${colonPattern}`, "i");
const finalAnswerLine = new RegExp(`^${boldPattern}(?:Final Answer|最终答案|最终回答)${colonPattern}`, "im");

/** Splits an answer that consists of a thought and, on a later line, the final answer. null = another form. */
export function readThoughtAndAnswer(text: string): readonly ReactSection[] | null {
  const thought = thoughtStart.exec(text);
  const answer = thought === null ? null : finalAnswerLine.exec(text);
  if (thought === null || answer === null || answer.index < thought[0].length) return null;
  const between = text.slice(thought[0].length, answer.index);
  const fences = [...between.matchAll(fenceLine)].length;
  const answerText = text.slice(answer.index + answer[0].length);
  if (fences % 2 === 1 || answerText.trim() === "") return null;
  const sections: readonly ReactSection[] = [
    { kind: "thinking", at: thought[0].length, text: between.trim() },
    { kind: "text", at: text.length - answerText.trimStart().length, text: answerText.trim() },
  ];
  return sections.filter((section) => section.text !== "");
}

const finalAnswerLabel = new RegExp(`${boldPattern}(?:Final Answer|最终答案|最终回答)${colonPattern}`, "iy");

/** The final answer is addressed to the user, so it contains no calls. */
export const isFinalAnswer = (text: string, at: number): boolean => matchLengthAt(finalAnswerLabel, text, at) > 0;
