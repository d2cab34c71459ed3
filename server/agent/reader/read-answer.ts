/** Parses a whole answer into text, thinking and calls. A pure function of the text. */
import { isJsonObject, type Json, type UnrunCall } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import { readValue } from "@/server/tools/written-json/lenient-json";
import { readPythonCalls } from "./grammars/pythonic";
import { readThoughtAndAnswer, readSections } from "./grammars/react";
import { findHallucinationMarker, type HallucinationMarker } from "./hallucinated-results";
import { type AnswerPart, scanAnswer, type AnswerScan } from "./scan-answer";
import { matchAt } from "@/server/base/match-at";
import { makeReaderSource, type OfferedTool, normalizeToolName, type ReaderSource } from "./reader-source";
import { trimAnswerTokens, trimTokens } from "./stop-tokens";
import { type DetectedCall, acceptUnknownTools, judgeOfferedCalls } from "./verdict/verdict";

export type ReadBlock =
  | { readonly type: "text" | "thinking"; readonly text: string }
  /** `raw`: the model's text of this call, markers included; calls of one list share the text of the list. */
  | { readonly type: "call"; readonly name: string; readonly input: Json; readonly raw: string };

/** `at`: start of the block in the answer's text, UTF-16 units. */
export interface PlacedBlock {
  readonly at: number;
  readonly block: ReadBlock;
}

export interface ReadOptions {
  readonly tools: readonly OfferedTool[];
  readonly mode: ToolMode;
}

interface AnswerEvaluation {
  readonly scan: AnswerScan;
  /** Calls of offered tools first, each kind in order. */
  readonly calls: readonly DetectedCall[];
  /** At least one call is of an offered tool. */
  readonly runs: boolean;
  /** Empty if there are calls. */
  readonly unrun: readonly UnrunCall[];
}

const statementHeadPattern = /([A-Za-z_][\w.]*)\s*(?=[({])/y;

/** Reads a message that is a single statement: `read(path="a")` or `read {"path": "a"}`. */
function readStatement(source: ReaderSource): AnswerPart | null {
  const { text } = source;
  const start = text.length - text.trimStart().length;
  const head = matchAt(statementHeadPattern, text, start);
  if (head === null || !source.isOffered(normalizeToolName(head[1] ?? ""))) return null;
  const afterHead = start + head[0].length;
  const found =
    text[afterHead] === "(" ? readPythonCalls(source, start) : readObjectCall(source, afterHead, head[1] ?? "");
  if (found === null || found === "cut" || trimTokens(text.slice(found.end)) !== "") return null;
  const calls = found.calls.map((call) => ({ ...call, start, end: found.end, whole: found.whole }));
  return { kind: "calls", strength: "bare", start, end: found.end, calls };
}

function readObjectCall(source: ReaderSource, at: number, name: string): ReturnType<typeof readPythonCalls> {
  const read = readValue(source, at);
  if (read.kind !== "value" || !isJsonObject(read.value)) return null;
  return {
    calls: [{ name: normalizeToolName(name), input: read.value, form: "both" }],
    end: read.end,
    whole: read.whole,
  };
}

function evaluate(text: string, options: ReadOptions, ended: boolean): AnswerEvaluation {
  const { tools, mode } = options;
  const source = makeReaderSource(text, tools);
  const first = scanAnswer(source, mode);
  const statement = first.parts.length === 0 ? readStatement(source) : null;
  const scan = statement === null ? first : { parts: [statement], open: false };
  const { running, unrun } = judgeOfferedCalls({ scan, text, tools, ended });
  // The calls to execute are settled; only then unknown names are considered.
  if (running.length > 0) {
    const calls = [...running, ...acceptUnknownTools({ scan, text, tools, ended })];
    return { scan, calls, runs: true, unrun: [] };
  }
  const wider = scanAnswer(makeReaderSource(text, tools, true), mode);
  const strangers = acceptUnknownTools({ scan: wider, text, tools, ended });
  if (strangers.length > 0) return { scan: wider, calls: strangers, runs: false, unrun: [] };
  return { scan, calls: [], runs: false, unrun };
}

const numberedAction = /(?:^|\n)[ \t*_#]{0,8}Action[ _]?\d/i;

/** Whether the model hallucinates at `invention`: a call precedes it, and nothing is unclosed. */
export function isHallucinated(text: string, invention: HallucinationMarker, options: ReadOptions): boolean {
  if (closesQuotedResult(text, invention)) return false;
  // Numbered observations belong to numbered actions.
  if (/\d/.test(text.slice(invention.at, invention.end)) && !numberedAction.test(text.slice(0, invention.at)))
    return false;
  const { scan, calls, runs } = evaluate(text.slice(0, invention.at), options, true);
  if (calls.length === 0 || scan.open) return false;
  // For calls of unknown tools, no text may separate the call from its result: it could be a tutorial.
  if (!runs && trimTokens(text.slice(calls.at(-1)?.end, invention.at)) !== "") return false;
  return !invention.isFinalAnswer || scan.parts.some((part) => part.kind === "calls" && part.strength === "react");
}

/** Whether the marker closes a result that was opened before: its content is quoted and contains no calls. */
function closesQuotedResult(text: string, { at, end }: HallucinationMarker): boolean {
  const name = /^<\/(\w+)>$/.exec(text.slice(at, end))?.[1];
  if (name === undefined) return false;
  const opened = text.lastIndexOf(`<${name}>`, at);
  return opened >= 0 && opened > text.lastIndexOf(`</${name}>`, at - 1);
}

/** Texts with more markers of hallucinated results are read without further checks. */
export const hallucinationChecksMax = 8;

/** Start of the hallucinated results; the text length if there are none. */
function findHallucinationStart(text: string, options: ReadOptions): number {
  let found = findHallucinationMarker(text, 0);
  for (let tries = 0; found !== null && tries < hallucinationChecksMax; tries++) {
    if (isHallucinated(text, found, options)) return found.at;
    found = findHallucinationMarker(text, found.end);
  }
  return text.length;
}

/** Line labels that are parsed: all, those of an answer that begins with a thought, or none. */
type LabelMode = "sections" | "frame" | "none";

/** Blocks of the text between two calls, without tokens at its ends; if there are calls, without white space either. */
function readTextBetween(text: string, start: number, labels: LabelMode, trimmed: boolean): readonly PlacedBlock[] {
  const whole = [{ kind: "text" as const, at: 0, text }];
  const pieces =
    labels === "sections" ? readSections(text) : ((labels === "frame" ? readThoughtAndAnswer(text) : null) ?? whole);
  return pieces.flatMap((piece): readonly PlacedBlock[] => {
    const framed = trimmed || pieces.length > 1 || piece.kind === "thinking";
    const words = framed ? trimTokens(piece.text) : trimAnswerTokens(piece.text);
    const before = piece.text.indexOf(words);
    return words === "" ? [] : [{ at: start + piece.at + before, block: { type: piece.kind, text: words } }];
  });
}

const sameCall = (a: DetectedCall, b: DetectedCall): boolean =>
  a.name === b.name && JSON.stringify(a.input) === JSON.stringify(b.input);

/** The same call twice in a row is a stutter and counts once; its raw text covers both. */
function mergeRepeatedCalls(calls: readonly DetectedCall[], text: string): readonly DetectedCall[] {
  const merged: DetectedCall[] = [];
  for (const call of calls) {
    const last = merged.at(-1);
    const between = last === undefined ? "" : text.slice(last.end, call.start);
    if (last !== undefined && sameCall(last, call) && trimTokens(between).replaceAll(/[,;\s]/g, "") === "")
      merged[merged.length - 1] = { ...last, end: call.end };
    else merged.push(call);
  }
  return merged;
}

type AnswerPiece = { readonly start: number; readonly end: number; readonly block: ReadBlock };

function toPlacedBlocks(text: string, { scan, calls }: AnswerEvaluation, mode: ToolMode): readonly PlacedBlock[] {
  const pieces: AnswerPiece[] = mergeRepeatedCalls(calls, text).map(({ start, end, name, input }) => ({
    start,
    end,
    block: { type: "call", name, input, raw: text.slice(start, end) },
  }));
  for (const part of scan.parts)
    if (part.kind !== "calls") pieces.push({ ...part, block: { type: part.kind, text: part.text } });
  pieces.sort((a, b) => a.start - b.start);
  const react = calls.length > 0 && scan.parts.some((part) => part.kind === "calls" && part.strength === "react");
  const sections = mode === "react" || react;
  const framed = calls.length === 0;
  const trimmed = pieces.length > 0;
  const blocks: PlacedBlock[] = [];
  let at = 0;
  for (const { start, end, block } of [...pieces, { start: text.length, end: text.length, block: null }]) {
    const between =
      block?.type === "call" && blocks.at(-1)?.block.type === "call" && /^[\s,;]*$/.test(text.slice(at, start));
    const begins = framed && blocks.every((one) => one.block.type === "thinking");
    const labels = sections ? "sections" : begins ? "frame" : "none";
    if (start > at && !between) blocks.push(...readTextBetween(text.slice(at, start), at, labels, trimmed));
    if (block?.type === "call") blocks.push({ at: start, block });
    else if (block !== null && block.text.trim() !== "")
      blocks.push({ at: start, block: { ...block, text: block.text.trim() } });
    at = Math.max(at, end);
  }
  return blocks;
}

/**
 * Returns the blocks of a whole answer. `ended` false = the stream was truncated, so only complete calls count.
 * Linear in the length of the text.
 */
export function readPlacedBlocks(text: string, options: ReadOptions, ended: boolean): readonly PlacedBlock[] {
  const until = findHallucinationStart(text, options);
  const invented = until < text.length;
  const readable = invented ? text.slice(0, until) : text;
  return toPlacedBlocks(readable, evaluate(readable, options, ended || invented), options.mode);
}

/** The same without offsets. */
export const readAnswer = (text: string, options: ReadOptions, ended: boolean): readonly ReadBlock[] =>
  readPlacedBlocks(text, options, ended).map(({ block }) => block);

/** Maximum calls of an answer that the user is asked about: more of them are a document. */
const unrunMax = 5;

/**
 * Returns the whole calls of offered tools that an answer without other calls contains and that are not run, each once;
 * none if they are more than `unrunMax`.
 */
export function readUnrunCalls(text: string, options: ReadOptions): readonly UnrunCall[] {
  const { unrun } = evaluate(text.slice(0, findHallucinationStart(text, options)), options, true);
  const once = new Map(unrun.map((call) => [JSON.stringify([call.name, call.input]), call]));
  return once.size > unrunMax ? [] : [...once.values()];
}
