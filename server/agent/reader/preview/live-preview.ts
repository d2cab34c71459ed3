/**
 * The preview of a streaming answer: prose at once, a call as the input of its tool. Displayed text is final: it is a
 * prefix of the text that read-answer returns for the whole answer. Therefore no text after a call candidate is displayed, since
 * only the text after it decides whether it is a call.
 */
import { isForeignToolName } from "@/server/tools/arguments/foreign-names";
import type { ToolMode } from "@/lib/events/event";
import { isWeakConfidence, makeLeadJudge, type LeadJudge } from "../verdict/lead-judge";
import { heldMaxChars, classifyLive, type LiveContext, type LiveConstruct } from "./live-constructs";
import { mayBeginCall } from "../quoted-spans";
import { type OfferedTool, normalizeToolName } from "../reader-source";
import { trimLeadingTokens, trimTrailingTokens } from "../stop-tokens";

export type ReaderPiece =
  /** held: text that is not displayed before the end. */
  | { readonly kind: "text" | "thinking" | "held"; readonly text: string }
  /** A piece of a call; the name is sent once, as soon as it is known. */
  | { readonly kind: "input"; readonly name?: string; readonly text: string };

/** Depth of brackets outside strings. */
interface BracketState {
  depth: number;
  quote: string;
  escaped: boolean;
}

type PreviewState =
  | { readonly kind: "prose" }
  /** Text that cannot contain a call; `part` = a call candidate that the text before it rules out. */
  | { readonly kind: "quoted"; readonly until?: RegExp; readonly brackets?: BracketState; readonly part: boolean }
  | { readonly kind: "thinking"; readonly until: RegExp; readonly label: boolean }
  | { readonly kind: "call"; readonly until?: RegExp; readonly brackets?: BracketState };

interface LivePreview {
  readonly toolNames: readonly string[];
  readonly offered: (name: string) => boolean;
  /** Offered, or an alias. */
  readonly offeredOrAlias: (name: string) => boolean;
  readonly react: boolean;
  readonly judge: LeadJudge;
  state: PreviewState;
  /** Not yet examined. */
  held: string;
  /** End of the text since the last call or thinking. */
  precedingText: string;
  /** Only white space was read so far. */
  isOpening: boolean;
  /** Text was shown since the last call or thinking. */
  hasShownText: boolean;
  /** Tokens at the end of the text, shown when more text follows. */
  pendingTokens: string;
  /** No further text is displayed. */
  isHidden: boolean;
  /** After the label of a final answer. */
  inFinalAnswer: boolean;
  /** After thinking that began with a line label. */
  afterLabeledThought: boolean;
  /** Number of fence lines in the current thinking. */
  fenceCount: number;
  /** Start of the call until its name is found, then null. */
  callHead: string | null;
  /** No more output before the next piece. */
  isWaiting: boolean;
}

export function makeLivePreview(options: {
  readonly tools: readonly OfferedTool[];
  readonly mode: ToolMode;
}): LivePreview {
  const { tools, mode } = options;
  const names = tools.map((tool) => tool.name);
  const set = new Set(names);
  const offered = (name: string): boolean => set.has(name);
  return {
    toolNames: names,
    offered,
    offeredOrAlias: (name) => offered(name) || isForeignToolName(name),
    react: mode === "react",
    judge: makeLeadJudge(),
    state: { kind: "prose" },
    held: "",
    precedingText: "",
    isOpening: true,
    hasShownText: false,
    pendingTokens: "",
    isHidden: false,
    inFinalAnswer: false,
    afterLabeledThought: false,
    fenceCount: 0,
    callHead: null,
    isWaiting: false,
  };
}

/** Maximum length held back as a possible start of a state's closer. */
const closerMaxChars = 40;
/** The name of a call occurs within this length. */
const headMaxChars = 512;
/** More white space before the first word is not indentation. */
const indentMaxChars = 400;
/** Retained length of the text before a call, and of text held back at the end. */
const leadMaxChars = 2_000;
const pendingMaxChars = 4_000;

const constructStart =
  /[<[{>◁`]|~{1,3}|\](?=<(?:\]|$)|$)|to=(?:functions\.|(?<=(?:^|\n)[ \t]{0,8}to=)[\w.-]{1,80}[ \t]*<)|f(?<!\wf)[a-z]{0,8}(?:$|(?<=functions)\.[\w:-]{0,70}\s{0,2}(?:$|\{)|(?<=functools)(?=\[))|(?<![\w.-])[A-Za-z_][\w.-]{0,40}\[(?:ARGS|CALL_ID)\]|(?<![\w.-])[A-Za-z_][\w.-]{0,15}(?:\[[A-Z_]{0,7})?$|(?<![\w.-])(?:(?:assistant)?(?:commentary|analysis)[ \t]{0,4})?(?:t|to|to=[\w.-]{0,80}[ \t]?)?$|(?:assistant)?(?:commentary|analysis)[ \t]{0,4}to=functions\./g;
const labelStartPattern = /(?<=^|\n)[ \t]{0,8}(?=[*_#AaTtFf✿行动思想操工最]|-(?:>|$))/g;
const undecidedCloser =
  /(?:<(?:[/|｜‖]?[\w:|｜‖▁]{0,36}(?:(?<=[|｜‖]) [a-z]{0,10})?|\|close\|>\w{0,12}(?:<\|?\w{0,4}\|?)?)|\](?:<[\]\w[>/< ]{0,30})?|-{1,2}|a[a-z]{0,14}|\[\/?\w{0,20}|◁\/?[a-z]{0,5}|\n[ \t]{0,8}(?:`{0,8}|~{0,8}|[*_#A-Za-z\d✿ ]{0,16}[行动终最答案回作]{0,4}[*_]{0,2}[ \t]{0,4})[ \t]{0,8})$/;
const callNamePattern =
  /(?:["'“]?(?:name|tool_name|tool|function|action|recipient_name)["'”]?\s*[:=]\s*["'“]?|<(?:[a-zA-Z]+:|[|｜‖]{1,2}\w{4}[|｜‖]{1,2} ?)?(?:function|invoke|tool|tool_call|r)(?:\s*=\s*|\s+name\s*=\s*)["']?|Action[*_]{0,2}[:：][ \t]*|to=|[\]>]\s*(?:call:)?|[[(]\s*|\{\s*["'“](?=[\w.-]+["'”]\s*:\s*\{)|^|<)((?:functions\.|default_api\.)?[\w-]+)(?=[^\w.-])/gi;

/** Possibly the start of a token. */
const undecidedToken = /<(?:[|｜][\w▁]{0,28}[|｜]?|\/?[a-z_]{0,10})?$/;

/** Emits the part of the text that may be displayed. */
function emitText(live: LivePreview, text: string): readonly ReaderPiece[] {
  if (text === "") return [];
  live.precedingText = (live.precedingText + text).slice(-leadMaxChars);
  live.isOpening &&= text.trim() === "";
  if (live.isHidden) return [{ kind: "held", text }];
  const whole = live.pendingTokens + text;
  const words = live.hasShownText ? whole : trimLeadingTokens(whole);
  const sure = trimTrailingTokens(words.includes("<") ? words.replace(undecidedToken, "") : words);
  const rest = words.slice(sure.length);
  const isSpace = rest.trim() === "" || rest.length > pendingMaxChars;
  const settledText = isSpace ? words : sure;
  live.pendingTokens = isSpace ? "" : rest;
  live.hasShownText ||= sure !== "";
  return settledText === "" ? [] : [{ kind: "text", text: settledText }];
}

/** A call or thinking starts: trailing tokens of the text are dropped. */
function resetText(live: LivePreview): void {
  live.precedingText = "";
  live.pendingTokens = "";
  live.hasShownText = false;
  live.isOpening = false;
}

function emitThinking(live: LivePreview, text: string): readonly ReaderPiece[] {
  live.fenceCount += [...text.matchAll(/(?:^|\n)[ \t]*(?:`{3}|~{3})/g)].length;
  return text === "" ? [] : [{ kind: "thinking", text }];
}

function emitInput(live: LivePreview, text: string): readonly ReaderPiece[] {
  if (text === "") return [];
  if (live.callHead === null) return [{ kind: "input", text }];
  live.callHead += text.slice(0, headMaxChars);
  const names = [...live.callHead.matchAll(callNamePattern)].map((found) => normalizeToolName(found[1] ?? ""));
  const name = names.find(live.offered) ?? names.find(live.offeredOrAlias);
  if (name !== undefined || live.callHead.length > headMaxChars) live.callHead = null;
  return [{ kind: "input", name, text }];
}

const emitForState = (live: LivePreview, text: string): readonly ReaderPiece[] =>
  live.state.kind === "call"
    ? emitInput(live, text)
    : live.state.kind === "thinking"
      ? emitThinking(live, text)
      : emitText(live, text);

/** Ends the state at `end` of the held text; a closer is displayed only if it is text. */
function leaveState(live: LivePreview, from: number, end: number): readonly ReaderPiece[] {
  const { state: inside } = live;
  const pieces = emitForState(live, live.held.slice(0, inside.kind === "thinking" ? from : end));
  live.held = live.held.slice(end);
  live.state = { kind: "prose" };
  if (inside.kind === "quoted" && inside.part) live.precedingText = "";
  if (inside.kind === "thinking" || inside.kind === "call") resetText(live);
  // Text after labeled thinking is the answer, or belongs to an action that is not a call.
  if (inside.kind === "thinking" && inside.label) live.isHidden ||= !isAnswerNext(live);
  live.afterLabeledThought = inside.kind === "thinking" && inside.label;
  return pieces;
}

const finalAnswerAhead = /^\n[ \t]{0,8}(?:[*_#]{1,4}[ \t]{0,4})?(?:Final Answer|最终答案|最终回答)/i;
const isAnswerNext = (live: LivePreview): boolean => live.react || finalAnswerAhead.test(live.held);

/** Emits the text up to the closer of the state, or all but a possible start of it. */
function emitUntilCloser(live: LivePreview, until: RegExp): readonly ReaderPiece[] {
  const found = until.exec(live.held);
  const isLabel = live.state.kind === "thinking" && live.state.label;
  if (found !== null && isLabel && countFences(live, found.index) % 2 === 1) {
    // The label is inside a code fence of the thinking.
    const pieces = emitThinking(live, live.held.slice(0, found.index + 1));
    live.held = live.held.slice(found.index + 1);
    return pieces;
  }
  if (found !== null) return leaveState(live, found.index, found.index + found[0].length);
  const sure = Math.max(0, live.held.length - closerMaxChars);
  const from = live.held.slice(sure).search(undecidedCloser);
  const keep = from < 0 ? live.held.length : sure + from;
  const pieces = emitForState(live, live.held.slice(0, keep));
  live.held = live.held.slice(keep);
  live.isWaiting = true;
  return pieces;
}

const countFences = (live: LivePreview, end: number): number =>
  live.fenceCount + [...live.held.slice(0, end).matchAll(/(?:^|\n)[ \t]*(?:`{3}|~{3})/g)].length;

/** Offset after the outermost closing bracket, or -1. Continues across pieces. */
function findClosingBracket(text: string, brackets: BracketState): number {
  for (let at = 0; at < text.length; at++) {
    const one = text[at] ?? "";
    if (brackets.escaped) brackets.escaped = false;
    else if (brackets.quote !== "") {
      if (one === "\\") brackets.escaped = true;
      else if (one === brackets.quote) brackets.quote = "";
    } else if (one === '"' || one === "'") brackets.quote = one;
    else if ("{[(".includes(one)) brackets.depth += 1;
    else if ("}])".includes(one)) {
      brackets.depth -= 1;
      if (brackets.depth <= 0) return at + 1;
    }
  }
  return -1;
}

function emitUntilBracket(live: LivePreview, brackets: BracketState): readonly ReaderPiece[] {
  const end = findClosingBracket(live.held, brackets);
  if (end >= 0) return leaveState(live, end, end);
  const pieces = emitForState(live, live.held);
  live.held = "";
  return pieces;
}

/** Next mark at or after `from` in the held text, or -1. */
function findNextMark(live: LivePreview, from: number): number {
  constructStart.lastIndex = from;
  return constructStart.exec(live.held)?.index ?? -1;
}

/** Next position at or after `from` where a construct may start, or -1; `mark` = the next mark. */
function findNextConstruct(live: LivePreview, from: number, mark: number): number {
  const first = live.isOpening ? live.held.search(/\S/) : -1;
  if (first >= from && (mark < 0 || first < mark)) return first;
  const window = live.held.slice(Math.max(0, from - closerMaxChars), mark < 0 ? live.held.length : mark + 1);
  const offset = Math.max(0, from - closerMaxChars);
  labelStartPattern.lastIndex = 0;
  for (let found = labelStartPattern.exec(window); found !== null; found = labelStartPattern.exec(window)) {
    const at = offset + found.index + found[0].length;
    if (at >= from && isHeldLineStart(live, at)) return at;
    labelStartPattern.lastIndex = found.index + 1;
  }
  return mark;
}

/** The end of the text before `at` on its line. */
function lineBefore(live: LivePreview, at: number): string {
  const window = live.held.slice(Math.max(0, at - closerMaxChars), at);
  const before = window.length < at ? window : live.precedingText.slice(-closerMaxChars) + window;
  return before.slice(before.lastIndexOf("\n") + 1);
}

/** Whether only white space precedes `at` on its line. */
const isHeldLineStart = (live: LivePreview, at: number): boolean => lineBefore(live, at).trim() === "";

function liveContextAt(live: LivePreview, at: number): LiveContext {
  const { toolNames, offered, offeredOrAlias, react, isOpening, afterLabeledThought } = live;
  const blank = at <= indentMaxChars && live.held.slice(0, at).trim() === "";
  const first = blank && live.precedingText.trim() === "";
  const line = lineBefore(live, at);
  return {
    toolNames,
    offered,
    offeredOrAlias,
    react,
    afterLabeledThought,
    isFirst: first,
    isOpening: isOpening && blank,
    lineStart: line.trim() === "",
    line,
  };
}

function emitProse(live: LivePreview): readonly ReaderPiece[] {
  let mark = live.inFinalAnswer ? -1 : findNextMark(live, 0);
  for (let at = live.inFinalAnswer ? -1 : findNextConstruct(live, 0, mark); at >= 0; ) {
    const form = classifyLive(live.held.slice(at, at + heldMaxChars), liveContextAt(live, at));
    if (form.kind === "text" || form.kind === "inline") {
      const from = at + (form.kind === "inline" ? form.length : 1);
      if (mark >= 0 && mark < from) mark = findNextMark(live, from);
      at = findNextConstruct(live, from, mark);
      continue;
    }
    const pieces = emitText(live, live.held.slice(0, at));
    live.held = live.held.slice(at);
    return [...pieces, ...enterState(live, form)];
  }
  const pieces = emitText(live, live.held);
  live.held = "";
  return pieces;
}

function enterState(live: LivePreview, form: LiveConstruct): readonly ReaderPiece[] {
  switch (form.kind) {
    case "thinking":
      live.held = live.held.slice(form.skip);
      live.state = { kind: "thinking", until: form.until, label: form.label === true };
      live.fenceCount = 0;
      live.judge.reset();
      resetText(live);
      return [];
    case "answer":
      live.held = live.held.slice(form.skip);
      live.inFinalAnswer = true;
      resetText(live);
      return [];
    case "skip":
      live.held = live.held.slice(form.skip);
      live.judge.reset();
      if (form.continues === true) live.precedingText = "";
      else resetText(live);
      return [];
    case "quoted":
      live.state = { kind: "quoted", until: form.until, part: false };
      return [];
    case "hold": {
      live.isHidden = true;
      const mark = live.held.slice(0, 1);
      live.held = live.held.slice(1);
      return emitText(live, mark);
    }
    case "call":
      return enterCallState(live, form);
    default:
      live.isWaiting = form.kind === "wait";
      return [];
  }
}

function enterCallState(
  live: LivePreview,
  { strength, until, json }: Extract<LiveConstruct, { kind: "call" }>,
): readonly ReaderPiece[] {
  const bounds = {
    until,
    ...(json === true ? { brackets: { depth: 0, quote: "", escaped: false } } : {}),
  };
  const begins = mayBeginCall(live.precedingText, live.precedingText.length, 0, strength !== "bare");
  if (!begins || live.judge.refuses({ strength, certain: !isWeakConfidence(strength) }, live.precedingText)) {
    live.state = { kind: "quoted", ...bounds, part: begins };
    return [];
  }
  live.callHead = "";
  live.state = { kind: "call", ...bounds };
  live.isHidden = true;
  resetText(live);
  return [];
}

function emitStep(live: LivePreview): readonly ReaderPiece[] {
  const { state: inside } = live;
  if (inside.kind === "prose") return emitProse(live);
  if (inside.kind !== "thinking" && inside.brackets !== undefined) return emitUntilBracket(live, inside.brackets);
  if (inside.until !== undefined) return emitUntilCloser(live, inside.until);
  const pieces = emitForState(live, live.held);
  live.held = "";
  return pieces;
}

/** Returns what can be displayed after the next piece. Half a surrogate pair waits for the other half. */
export function pushToPreview(live: LivePreview, text: string): readonly ReaderPiece[] {
  const whole = live.held + text;
  const half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? "";
  live.held = whole.slice(0, whole.length - half.length);
  const pieces: ReaderPiece[] = [];
  live.isWaiting = false;
  while (live.held !== "" && !live.isWaiting) pieces.push(...emitStep(live));
  live.held += half;
  return pieces;
}
