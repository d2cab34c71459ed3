/**
 * The preview of a streaming answer: prose at once, a call as the input of its tool. Displayed text is final: it is a
 * prefix of what read-text returns for the whole answer. Therefore no text after a call candidate is displayed, since
 * only the text after it decides whether it is a call.
 */
import type { ToolMode } from "@/lib/event";
import { makeLeadJudge, type LeadJudge } from "./lead-judge";
import { heldMaxChars, liveForm, type LiveContext, type LiveForm } from "./live-forms";
import { mayBegin } from "./shields";
import { type Familiar, type OfferedTool, plainName } from "./source";
import { trimTokensBefore, trimTokensBehind } from "./stop-tokens";

export type ReaderPiece =
  /** held: text that is not displayed before the end. */
  | { readonly kind: "text" | "thinking" | "held"; readonly text: string }
  /** A piece of a call; the name is sent once, as soon as it is known. */
  | { readonly kind: "input"; readonly name?: string; readonly text: string };

/** Depth of brackets outside strings. */
interface Brackets {
  depth: number;
  quote: string;
  escaped: boolean;
}

type Inside =
  | { readonly kind: "prose" }
  /** Text that cannot contain a call; `part` = a call candidate that the text before it rules out. */
  | { readonly kind: "quoted"; readonly until?: RegExp; readonly brackets?: Brackets; readonly part: boolean }
  | { readonly kind: "thinking"; readonly until: RegExp; readonly label: boolean }
  | { readonly kind: "call"; readonly until?: RegExp; readonly brackets?: Brackets };

export interface Live {
  readonly names: readonly string[];
  readonly offered: (name: string) => boolean;
  /** Offered, or an alias. */
  readonly known: (name: string) => boolean;
  readonly react: boolean;
  readonly judge: LeadJudge;
  inside: Inside;
  /** Not yet examined. */
  held: string;
  /** End of the text since the last call or thinking. */
  lead: string;
  /** Only white space was read so far. */
  opening: boolean;
  /** Text was shown since the last call or thinking. */
  shown: boolean;
  /** Tokens at the end of the text, shown when more text follows. */
  pending: string;
  /** No further text is displayed. */
  hidden: boolean;
  /** After the label of a final answer. */
  answering: boolean;
  /** After thinking that began with a line label. */
  framed: boolean;
  /** Number of fence lines in the current thinking. */
  fences: number;
  /** Start of the call until its name is found, then null. */
  head: string | null;
  /** No more output before the next piece. */
  waiting: boolean;
}

export function makeLive(options: {
  readonly tools: readonly OfferedTool[];
  readonly mode: ToolMode;
  readonly isAlias?: Familiar;
}): Live {
  const { tools, mode, isAlias = () => false } = options;
  const names = tools.map((tool) => tool.name);
  const set = new Set(names);
  const offered = (name: string): boolean => set.has(name);
  return {
    names,
    offered,
    known: (name) => offered(name) || isAlias(name),
    react: mode === "react",
    judge: makeLeadJudge(),
    inside: { kind: "prose" },
    held: "",
    lead: "",
    opening: true,
    shown: false,
    pending: "",
    hidden: false,
    answering: false,
    framed: false,
    fences: 0,
    head: null,
    waiting: false,
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

const starts =
  /[<[{>◁`]|~{1,3}|to=functions\.|functools(?=\[)|(?<![\w.-])[A-Za-z_][\w.-]{0,40}\[(?:ARGS|CALL_ID)\]|(?<![\w.-])[A-Za-z_][\w.-]{0,15}(?:\[[A-Z_]{0,7})?$|(?<![\w.-])(?:(?:assistant)?(?:commentary|analysis)[ \t]{0,4})?(?:t|to|to=[a-z]{0,9})?$|(?:assistant)?(?:commentary|analysis)[ \t]{0,4}to=functions\./g;
const labelStart = /(?<=^|\n)[ \t]{0,8}(?=[*_#AaTtFf✿行动思想操工最])/g;
const growingCloser =
  /(?:<[/|｜]?[\w:|｜▁]{0,36}|-{1,2}|a[a-z]{0,14}|\[\/?\w{0,20}|◁\/?[a-z]{0,5}|\n[ \t]{0,8}(?:`{0,8}|~{0,8}|[*_#A-Za-z\d✿ ]{0,16}[行动终最答案回作]{0,4}[*_]{0,2}[ \t]{0,4})[ \t]{0,8})$/;
const nameIn =
  /(?:["'“]?(?:name|tool_name|tool|function|action|recipient_name)["'”]?\s*[:=]\s*["'“]?|<(?:[a-zA-Z]+:|｜DSML｜)?(?:function|invoke|tool|tool_call)(?:\s*=\s*|\s+name\s*=\s*)["']?|Action[*_]{0,2}[:：][ \t]*|to=|[\]>]\s*|[[(]\s*|\{\s*["'“](?=[\w.-]+["'”]\s*:\s*\{)|^|<)((?:functions\.|default_api\.)?[\w-]+)(?=[^\w.-])/gi;

/** Emits the part of the text that may be displayed. */
function giveText(live: Live, text: string): readonly ReaderPiece[] {
  if (text === "") return [];
  live.lead = (live.lead + text).slice(-leadMaxChars);
  live.opening &&= text.trim() === "";
  if (live.hidden) return [{ kind: "held", text }];
  const whole = live.pending + text;
  const words = live.shown ? whole : trimTokensBefore(whole);
  const sure = trimTokensBehind(words);
  const rest = words.slice(sure.length);
  const isSpace = rest.trim() === "" || rest.length > pendingMaxChars;
  const given = isSpace ? words : sure;
  live.pending = isSpace ? "" : rest;
  live.shown ||= sure !== "";
  return given === "" ? [] : [{ kind: "text", text: given }];
}

/** A call or thinking starts: trailing tokens of the text are dropped. */
function endText(live: Live): void {
  live.lead = "";
  live.pending = "";
  live.shown = false;
  live.opening = false;
}

function giveThinking(live: Live, text: string): readonly ReaderPiece[] {
  live.fences += [...text.matchAll(/(?:^|\n)[ \t]*(?:`{3}|~{3})/g)].length;
  return text === "" ? [] : [{ kind: "thinking", text }];
}

function giveInput(live: Live, text: string): readonly ReaderPiece[] {
  if (text === "") return [];
  if (live.head === null) return [{ kind: "input", text }];
  live.head += text.slice(0, headMaxChars);
  const names = [...live.head.matchAll(nameIn)].map((found) => plainName(found[1] ?? ""));
  const name = names.find(live.offered) ?? names.find(live.known);
  if (name !== undefined || live.head.length > headMaxChars) live.head = null;
  return [{ kind: "input", ...(name === undefined ? {} : { name }), text }];
}

const giveInside = (live: Live, text: string): readonly ReaderPiece[] =>
  live.inside.kind === "call"
    ? giveInput(live, text)
    : live.inside.kind === "thinking"
      ? giveThinking(live, text)
      : giveText(live, text);

/** Ends the state at `end` of the held text; a closer is displayed only if it is text. */
function leave(live: Live, from: number, end: number): readonly ReaderPiece[] {
  const { inside } = live;
  const pieces = giveInside(live, live.held.slice(0, inside.kind === "thinking" ? from : end));
  live.held = live.held.slice(end);
  live.inside = { kind: "prose" };
  if (inside.kind === "quoted" && inside.part) live.lead = "";
  if (inside.kind === "thinking" || inside.kind === "call") endText(live);
  // Text after labeled thinking is the answer, or belongs to an action that is not a call.
  if (inside.kind === "thinking" && inside.label) live.hidden ||= !answersNext(live);
  live.framed = inside.kind === "thinking" && inside.label;
  return pieces;
}

const answerAhead = /^\n[ \t]{0,8}(?:[*_#]{1,4}[ \t]{0,4})?(?:Final Answer|最终答案|最终回答)/i;
const answersNext = (live: Live): boolean => live.react || answerAhead.test(live.held);

/** Emits the text up to the closer of the state, or all but a possible start of it. */
function untilCloser(live: Live, until: RegExp): readonly ReaderPiece[] {
  const found = until.exec(live.held);
  const isLabel = live.inside.kind === "thinking" && live.inside.label;
  if (found !== null && isLabel && fencesIn(live, found.index) % 2 === 1) {
    // The label is inside a code fence of the thinking.
    const pieces = giveThinking(live, live.held.slice(0, found.index + 1));
    live.held = live.held.slice(found.index + 1);
    return pieces;
  }
  if (found !== null) return leave(live, found.index, found.index + found[0].length);
  const sure = Math.max(0, live.held.length - closerMaxChars);
  const from = live.held.slice(sure).search(growingCloser);
  const keep = from < 0 ? live.held.length : sure + from;
  const pieces = giveInside(live, live.held.slice(0, keep));
  live.held = live.held.slice(keep);
  live.waiting = true;
  return pieces;
}

const fencesIn = (live: Live, end: number): number =>
  live.fences + [...live.held.slice(0, end).matchAll(/(?:^|\n)[ \t]*(?:`{3}|~{3})/g)].length;

/** Offset after the outermost closing bracket, or -1. Continues across pieces. */
function closeOf(text: string, brackets: Brackets): number {
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

function untilBracket(live: Live, brackets: Brackets): readonly ReaderPiece[] {
  const end = closeOf(live.held, brackets);
  if (end >= 0) return leave(live, end, end);
  const pieces = giveInside(live, live.held);
  live.held = "";
  return pieces;
}

/** Next position at or after `from` where a construct may start, or -1. */
function nextStart(live: Live, from: number): number {
  starts.lastIndex = from;
  const mark = starts.exec(live.held)?.index ?? -1;
  const first = live.opening ? live.held.search(/\S/) : -1;
  if (first >= from && (mark < 0 || first < mark)) return first;
  const window = live.held.slice(Math.max(0, from - closerMaxChars), mark < 0 ? live.held.length : mark + 1);
  const offset = Math.max(0, from - closerMaxChars);
  labelStart.lastIndex = 0;
  for (let found = labelStart.exec(window); found !== null; found = labelStart.exec(window)) {
    const at = offset + found.index + found[0].length;
    if (at >= from && startsLine(live, at)) return at;
    labelStart.lastIndex = found.index + 1;
  }
  return mark;
}

/** Whether only white space precedes `at` on its line. */
function startsLine(live: Live, at: number): boolean {
  const here = live.held.slice(Math.max(0, at - closerMaxChars), at);
  const before = here.length < at ? here : live.lead.slice(-closerMaxChars) + here;
  return before.slice(before.lastIndexOf("\n") + 1).trim() === "";
}

function contextAt(live: Live, at: number): LiveContext {
  const { names, offered, known, react, opening, framed } = live;
  const blank = at <= indentMaxChars && live.held.slice(0, at).trim() === "";
  const first = blank && live.lead.trim() === "";
  return { names, offered, known, react, framed, first, opening: opening && blank, lineStart: startsLine(live, at) };
}

function prose(live: Live): readonly ReaderPiece[] {
  for (let at = live.answering ? -1 : nextStart(live, 0); at >= 0; ) {
    const form = liveForm(live.held.slice(at, at + heldMaxChars), contextAt(live, at));
    if (form.kind === "text" || form.kind === "inline") {
      at = nextStart(live, at + (form.kind === "inline" ? form.length : 1));
      continue;
    }
    const pieces = giveText(live, live.held.slice(0, at));
    live.held = live.held.slice(at);
    return [...pieces, ...enter(live, form)];
  }
  const pieces = giveText(live, live.held);
  live.held = "";
  return pieces;
}

function enter(live: Live, form: LiveForm): readonly ReaderPiece[] {
  switch (form.kind) {
    case "thinking":
      live.held = live.held.slice(form.skip);
      live.inside = { kind: "thinking", until: form.until, label: form.label === true };
      live.fences = 0;
      live.judge.forget();
      endText(live);
      return [];
    case "answer":
      live.held = live.held.slice(form.skip);
      live.answering = true;
      endText(live);
      return [];
    case "skip":
      live.held = live.held.slice(form.skip);
      live.judge.forget();
      endText(live);
      return [];
    case "quoted":
      live.inside = { kind: "quoted", until: form.until, part: false };
      return [];
    case "hold": {
      live.hidden = true;
      const mark = live.held.slice(0, 1);
      live.held = live.held.slice(1);
      return giveText(live, mark);
    }
    case "call":
      return enterCall(live, form);
    default:
      live.waiting = form.kind === "wait";
      return [];
  }
}

function enterCall(live: Live, { strength, until, json }: Extract<LiveForm, { kind: "call" }>): readonly ReaderPiece[] {
  const bounds = {
    ...(until === undefined ? {} : { until }),
    ...(json === true ? { brackets: { depth: 0, quote: "", escaped: false } } : {}),
  };
  const begins = mayBegin(live.lead, live.lead.length, 0, strength !== "bare");
  if (!begins || live.judge.refuses(strength, live.lead)) {
    live.inside = { kind: "quoted", ...bounds, part: begins };
    return [];
  }
  live.head = "";
  live.inside = { kind: "call", ...bounds };
  live.hidden = true;
  endText(live);
  return [];
}

function step(live: Live): readonly ReaderPiece[] {
  const { inside } = live;
  if (inside.kind === "prose") return prose(live);
  if (inside.kind !== "thinking" && inside.brackets !== undefined) return untilBracket(live, inside.brackets);
  if (inside.until !== undefined) return untilCloser(live, inside.until);
  const pieces = giveInside(live, live.held);
  live.held = "";
  return pieces;
}

/** Returns what can be displayed after the next piece. Half a surrogate pair waits for the other half. */
export function pushLive(live: Live, text: string): readonly ReaderPiece[] {
  const whole = live.held + text;
  const half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? "";
  live.held = whole.slice(0, whole.length - half.length);
  const pieces: ReaderPiece[] = [];
  live.waiting = false;
  while (live.held !== "" && !live.waiting) pieces.push(...step(live));
  live.held += half;
  return pieces;
}
