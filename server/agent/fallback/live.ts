/**
 * What the screen shows of an answer while it is written: prose at once, a call as the input of its tool. Only a preview, the
 * truth is read-text's. Called by call-reader.
 */
import { heldMaxChars, liveForm, type LiveForm } from "./live-forms";
import type { ToolMode } from "./scan";
import { type Familiar, type OfferedTool, plainName } from "./source";

export type ReaderPiece =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  /** A piece of a call; the name comes once, as soon as it is known. */
  | { readonly kind: "input"; readonly name?: string; readonly text: string };

/** Depth of brackets outside strings. */
interface Brackets {
  depth: number;
  quote: string;
  escaped: boolean;
}

type Inside =
  | { readonly kind: "prose" }
  | { readonly kind: "code" }
  | { readonly kind: "thinking"; readonly until: RegExp }
  | { readonly kind: "call"; readonly until?: RegExp; readonly brackets?: Brackets };

export interface Live {
  readonly offered: (name: string) => boolean;
  /** Offered, or familiar. */
  readonly known: (name: string) => boolean;
  readonly react: boolean;
  inside: Inside;
  /** Not yet given. */
  held: string;
  /** Nothing but white space was given of the current line. */
  lineStart: boolean;
  /** The beginning of the call, until its name is found. */
  head: string | null;
  /** Thinking has just ended: the white space behind it belongs to nobody. */
  fresh: boolean;
  /** Nothing more can be given before the next piece. */
  waiting: boolean;
}

export function makeLive(options: {
  readonly tools: readonly OfferedTool[];
  readonly mode: ToolMode;
  readonly familiar?: Familiar;
}): Live {
  const { tools, mode, familiar = () => false } = options;
  const names = new Set(tools.map((tool) => tool.name));
  const offered = (name: string): boolean => names.has(name);
  return {
    offered,
    known: (name) => offered(name) || familiar(name),
    react: mode === "react",
    inside: { kind: "prose" },
    held: "",
    lineStart: true,
    head: null,
    fresh: false,
    waiting: false,
  };
}

/** What may be the beginning of the closer of a state is held back: at most this much. */
const closerMaxChars = 40;
/** The name of a call stands within this. */
const headMaxChars = 512;

const starts = /[<[{]|`{3}|`{1,2}$|to=functions\.|t(?:o(?:=[a-z]{0,9})?)?$/g;
const labelStart = /(?<=^|\n)[ \t]{0,8}(?=[*_#AaTtFf行动思最])/g;
const growingCloser =
  /(?:<[/|｜]?[\w:|｜▁]{0,36}|\[\/?\w{0,20}|\n[ \t]{0,8}(?:`{0,3}|[*_#A-Za-z ]{0,16}[行动最终答案回]{0,4}))$/;
const codeEnd = /(?<=\n[ \t]*```)[ \t]*(?=\n)/;
const nameIn =
  /(?:["'“]?(?:name|tool_name|tool|function|action|recipient_name)["'”]?\s*[:=]\s*["'“]?|<(?:[a-zA-Z]+:|｜DSML｜)?(?:function|invoke|tool|tool_call)(?:\s*=\s*|\s+name\s*=\s*)["']?|Action[*_]{0,2}[:：][ \t]*|to=|[\]>]\s*|[[(]\s*|<)((?:functions\.|default_api\.)?[\w-]+)(?=[^\w.-])/gi;

function give(live: Live, kind: "text" | "thinking", text: string): readonly ReaderPiece[] {
  if (text === "") return [];
  const newLine = text.lastIndexOf("\n");
  live.lineStart = (newLine >= 0 || live.lineStart) && text.slice(newLine + 1).trim() === "";
  return [{ kind, text }];
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
    : give(live, live.inside.kind === "thinking" ? "thinking" : "text", text);

/** Gives up to the closer of the state, or all but what may become it. */
function untilCloser(live: Live, until: RegExp): readonly ReaderPiece[] {
  const found = until.exec(live.held);
  if (found === null) {
    const sure = Math.max(0, live.held.length - closerMaxChars);
    const from = live.held.slice(sure).search(growingCloser);
    const keep = from < 0 ? live.held.length : sure + from;
    const pieces = giveInside(live, live.held.slice(0, keep));
    live.held = live.held.slice(keep);
    live.waiting = true;
    return pieces;
  }
  const end = found.index + found[0].length;
  const pieces = giveInside(live, live.held.slice(0, live.inside.kind === "call" ? end : found.index));
  live.held = live.held.slice(end);
  live.fresh = live.inside.kind === "thinking";
  live.inside = { kind: "prose" };
  live.lineStart = true;
  return pieces;
}

/** Where the outermost bracket closes, or -1. Goes on where the last piece ended. */
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
  const pieces = giveInput(live, end < 0 ? live.held : live.held.slice(0, end));
  live.held = end < 0 ? "" : live.held.slice(end);
  if (end >= 0) live.inside = { kind: "prose" };
  return pieces;
}

/** The next place at or behind `from` where something may begin, or -1. */
function nextStart(live: Live, from: number): number {
  starts.lastIndex = from;
  const mark = starts.exec(live.held)?.index ?? -1;
  const before = mark < 0 ? live.held : live.held.slice(0, mark);
  labelStart.lastIndex = from;
  for (let found = labelStart.exec(before); found !== null; found = labelStart.exec(before)) {
    if (found.index > 0 || live.lineStart) return found.index + found[0].length;
    labelStart.lastIndex = found.index + 1;
  }
  return mark;
}

/** Whether only white space stands before `at` on its line. */
function startsLine(live: Live, at: number): boolean {
  const before = live.held.slice(Math.max(0, at - closerMaxChars), at);
  const newLine = before.lastIndexOf("\n");
  return before.slice(newLine + 1).trim() === "" && (newLine >= 0 || (before.length === at && live.lineStart));
}

function prose(live: Live): readonly ReaderPiece[] {
  if (live.fresh) live.held = live.held.trimStart();
  live.fresh &&= live.held === "";
  for (let at = nextStart(live, 0); at >= 0; at = nextStart(live, at + 1)) {
    const { offered, known, react } = live;
    const lineStart = startsLine(live, at);
    const form = liveForm(live.held.slice(at, at + heldMaxChars), { offered, known, react, lineStart });
    if (form.kind === "text") continue;
    const pieces = give(live, "text", live.held.slice(0, at));
    live.held = live.held.slice(at);
    return [...pieces, ...enter(live, form)];
  }
  const pieces = give(live, "text", live.held);
  live.held = "";
  return pieces;
}

function enter(live: Live, form: LiveForm): readonly ReaderPiece[] {
  switch (form.kind) {
    case "thinking":
      live.held = live.held.slice(form.skip);
      live.inside = { kind: "thinking", until: form.until };
      return [];
    case "label":
      live.held = live.held.slice(form.skip);
      live.lineStart = false;
      return [];
    case "code": {
      const marks = give(live, "text", live.held.slice(0, 3));
      live.held = live.held.slice(3);
      live.inside = { kind: "code" };
      return marks;
    }
    case "call":
      live.head = "";
      live.inside =
        form.json === true
          ? { kind: "call", brackets: { depth: 0, quote: "", escaped: false } }
          : { kind: "call", ...(form.until === undefined ? {} : { until: form.until }) };
      return [];
    default:
      live.waiting = form.kind === "wait";
      return [];
  }
}

function step(live: Live): readonly ReaderPiece[] {
  const { inside } = live;
  if (inside.kind === "prose") return prose(live);
  if (inside.kind === "code") return untilCloser(live, codeEnd);
  if (inside.kind === "call" && inside.brackets !== undefined) return untilBracket(live, inside.brackets);
  if (inside.until !== undefined) return untilCloser(live, inside.until);
  const pieces = giveInput(live, live.held);
  live.held = "";
  return pieces;
}

/** What can be shown after the next piece. Half a character waits for its other half. */
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
