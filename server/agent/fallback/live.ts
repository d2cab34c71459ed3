/**
 * What the screen shows of an answer while it is written: prose at once, a call as the input of its tool. Only a preview, the
 * truth is read-text's. Called by call-reader.
 */
import { heldMaxChars, liveForm, type LiveContext } from "./live-forms";
import { type OfferedTool, plainName } from "./source";
import type { ToolMode } from "./scan";

export type ReaderPiece =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  /** A piece of a call; the name comes once, as soon as it is known. */
  | { readonly kind: "input"; readonly name?: string; readonly text: string };

export interface Live {
  push(text: string): readonly ReaderPiece[];
}

type State =
  | { readonly kind: "prose" }
  | { readonly kind: "code" }
  | { readonly kind: "thinking"; readonly until: RegExp }
  | { readonly kind: "call"; readonly until?: RegExp; readonly json: Brackets | null };

/** Depth of brackets outside strings. */
interface Brackets {
  depth: number;
  quote: string;
  escaped: boolean;
}

/** Longest closer of a state that has to be held back in part. */
const closerMaxChars = 40;
/** The name of a call stands within this. */
const headMaxChars = 512;

const starts = /[<[{]|`{3}|`{1,2}$|to=functions\.|t(?:o(?:=[a-z]{0,9})?)?$/g;
const labelStart = /^[ \t]{0,8}(?=[*_#AaTtFf行动思最])/;
const nameIn =
  /(?:["'“]?(?:name|tool_name|tool|function|action|recipient_name)["'”]?\s*[:=]\s*["'“]?|<(?:[a-zA-Z]+:|｜DSML｜)?(?:function|invoke|tool|tool_call)(?:\s*=\s*|\s+name\s*=\s*)["']?|Action[*_]{0,2}[:：][ \t]*|to=|\[TOOL_CALLS\]|tool_calls?>\s*|sep[|｜]>|begin[|｜]>|[[(]\s*)((?:functions\.|default_api\.)?[\w-]+)(?=[^\w.-])/gi;

/** Where the outermost bracket closes, or -1. Changes `brackets`. */
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

export function makeLive(tools: readonly OfferedTool[], mode: ToolMode): Live {
  const names = new Set(tools.map((tool) => tool.name));
  const offered = (name: string): boolean => names.has(name);
  let state: State = { kind: "prose" };
  let held = "";
  /** The line so far, as far as it matters: white space only, or not. */
  let lineStart = true;
  let head: string | null = null;
  let pieces: ReaderPiece[] = [];

  function emit(kind: "text" | "thinking", text: string): void {
    if (text === "") return;
    const newLine = text.lastIndexOf("\n");
    lineStart = (newLine >= 0 || lineStart) && text.slice(newLine + 1).trim() === "";
    pieces.push({ kind, text });
  }

  function emitInput(text: string): void {
    if (text === "") return;
    let name: string | undefined;
    if (head !== null) {
      head += text.slice(0, headMaxChars);
      name = [...head.matchAll(nameIn)].map((found) => plainName(found[1] ?? "")).find(offered);
      if (name !== undefined || head.length > headMaxChars) head = null;
    }
    pieces.push({ kind: "input", ...(name === undefined ? {} : { name }), text });
  }

  /** The state ends where `until` matches; before that all is given but what may be its beginning. */
  function untilEnd(until: RegExp, give: (text: string) => void): boolean {
    const found = until.exec(held);
    if (found !== null) {
      give(held.slice(0, found.index + (state.kind === "call" ? found[0].length : 0)));
      held = held.slice(found.index + found[0].length);
      state = { kind: "prose" };
      lineStart = true;
      return held !== "";
    }
    const sure = Math.max(0, held.length - closerMaxChars);
    const from = held.slice(sure).search(/[<\n[]/);
    const keep = from < 0 ? held.length : sure + from;
    give(held.slice(0, keep));
    held = held.slice(keep);
    return false;
  }

  /** The next place where something may begin, or -1. */
  function nextStart(from: number): number {
    if (from === 0 && lineStart && labelStart.test(held)) return (labelStart.exec(held)?.[0] ?? "").length;
    starts.lastIndex = from;
    const mark = starts.exec(held)?.index ?? -1;
    for (let line = held.indexOf("\n", Math.max(0, from - 1)); line >= 0 && (mark < 0 || line < mark); ) {
      const label = labelStart.exec(held.slice(line + 1, line + 16));
      if (label !== null && line + 1 + label[0].length >= from) return line + 1 + label[0].length;
      line = held.indexOf("\n", line + 1);
    }
    return mark;
  }

  function prose(): boolean {
    let from = 0;
    for (;;) {
      const at = nextStart(from);
      if (at < 0) {
        emit("text", held);
        held = "";
        return false;
      }
      const newLine = held.lastIndexOf("\n", at - 1);
      const blank = held.slice(newLine + 1, at).trim() === "" && (newLine >= 0 || lineStart);
      const context: LiveContext = { offered, lineStart: blank, react: mode === "react" };
      const form = liveForm(held.slice(at, at + heldMaxChars), context);
      if (form.kind === "text") {
        from = at + 1;
        continue;
      }
      emit("text", held.slice(0, at));
      held = held.slice(at);
      if (form.kind === "wait") return false;
      return enter(form);
    }
  }

  function enter(form: Exclude<ReturnType<typeof liveForm>, { kind: "text" | "wait" }>): boolean {
    switch (form.kind) {
      case "thinking":
        held = held.slice(form.skip);
        state = { kind: "thinking", until: form.until };
        return true;
      case "label":
        held = held.slice(form.skip);
        lineStart = false;
        return held !== "";
      case "code":
        emit("text", held.slice(0, 3));
        held = held.slice(3);
        state = { kind: "code" };
        return true;
      case "call":
        head = "";
        state = {
          kind: "call",
          ...(form.until === undefined ? {} : { until: form.until }),
          json: form.json === true ? { depth: 0, quote: "", escaped: false } : null,
        };
        return true;
    }
  }

  function call(): boolean {
    if (state.kind !== "call") return false;
    if (state.until !== undefined) return untilEnd(state.until, emitInput);
    const end = state.json === null ? -1 : closeOf(held, state.json);
    emitInput(end < 0 ? held : held.slice(0, end));
    held = end < 0 ? "" : held.slice(end);
    if (end >= 0) state = { kind: "prose" };
    return held !== "";
  }

  function step(): boolean {
    switch (state.kind) {
      case "prose":
        return prose();
      case "code":
        return untilEnd(/(?<=\n[ \t]*```)[ \t]*(?=\n)/, (text) => emit("text", text));
      case "thinking":
        return untilEnd(state.until, (text) => emit("thinking", text));
      case "call":
        return call();
    }
  }

  return {
    push(text) {
      pieces = [];
      // Half a character waits for its other half.
      const whole = held + text;
      const half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? "";
      held = whole.slice(0, whole.length - half.length);
      while (held !== "" && step());
      held += half;
      return pieces;
    },
  };
}
