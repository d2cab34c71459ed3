/** Incremental conversion of terminal output to the plain text a terminal would show. */
import { type StyleSpan, StyleCollector } from "./ansi-styles";
import { TerminalLine } from "./terminal-line";

interface AnsiStripper {
  /**
   * Returns the text that is final. An unfinished sequence or line is held back, so that the result does not depend on
   * how the input is split and a progress bar that redraws its line yields only its last state.
   */
  push(piece: string): string;
  /**
   * Returns the unfinished line immediately, so that a prompt or a row of dots is shown; "" for a line being redrawn.
   */
  flush(): string;
  /** Returns the remaining text; unfinished sequences are dropped. */
  end(): string;
  /** Style spans over all text emitted so far. */
  readonly styles: readonly StyleSpan[];
}

/** Parser state. `string`: OSC, DCS, SOS, PM, APC until ST, BEL or line end. */
type ParserState = "text" | "escape" | "escapeRest" | "control" | "string" | "stringEscape";

const tab = 0x09;
const newline = 0x0a;
const backspace = 0x08;
const carriageReturn = 0x0d;
const escape = 0x1b;
const bell = 0x07;
const maxParameterChars = 64;
const maxCountChars = 16;

export function createAnsiStripper(): AnsiStripper {
  const line = new TerminalLine();
  let state: ParserState = "text";
  /** Parameters of the current control sequence. */
  let parameters = "";
  const styles = new StyleCollector();
  const give = (take: () => string): string => {
    const { isEdited } = line;
    const out = take();
    styles.advance(out.length, isEdited);
    return out;
  };
  const add = (text: string): string => {
    styles.addText(text.length);
    return give(() => line.add(text));
  };
  const controlSequence = (letter: string): void => {
    if (letter === "m") styles.applySgr(parameters);
    else line.control(parameters.slice(0, maxCountChars), letter);
  };
  const control = (code: number): string => {
    if (code === newline) return add("\n");
    if (code === carriageReturn) line.move(0);
    else if (code === backspace) line.moveBy(-1);
    else state = stateAfterControl(code);
    return "";
  };
  return {
    push(piece) {
      let out = "";
      for (let at = 0; at < piece.length; ) {
        if (state !== "text") {
          const code = piece.charCodeAt(at);
          const next = nextState(state, code);
          if (state !== "control") parameters = "";
          else if (next.state === "control") parameters = (parameters + piece.charAt(at)).slice(0, maxParameterChars);
          else if (next.state === "text" && next.used) controlSequence(String.fromCharCode(code));
          state = next.state;
          if (next.used) at += 1;
          continue;
        }
        const end = endOfPlainRun(piece, at, !line.isEdited);
        if (end > at) out += add(piece.slice(at, end));
        at = end;
        if (at < piece.length) out += control(piece.charCodeAt(at));
        at += 1;
      }
      return out;
    },
    flush: () => give(() => line.flush()),
    end: () => give(() => line.end()),
    styles: styles.spans,
  };
}

/** Converts a complete text. */
export function stripAnsi(text: string): string {
  const stripper = createAnsiStripper();
  return stripper.push(text) + stripper.end();
}

/** End index of the run of printable characters, tabs and (with `withLines`) line feeds. */
function endOfPlainRun(text: string, from: number, withLines: boolean): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const isPlain = code >= 0x20 ? code < 0x7f || code > 0x9f : code === tab || (withLines && code === newline);
    if (!isPlain) break;
    at += 1;
  }
  return at;
}

/** State after a control character: ESC and the C1 introducers start a sequence, other controls are ignored. */
function stateAfterControl(code: number): ParserState {
  switch (code) {
    case escape:
      return "escape";
    case 0x9b:
      return "control";
    case 0x90: // DCS
    case 0x98: // SOS
    case 0x9d: // OSC
    case 0x9e: // PM
    case 0x9f: // APC
      return "string";
    default:
      return "text";
  }
}

/**
 * Consumes one character of a sequence. `used` = false: the character ended the sequence and must be processed again.
 */
function nextState(
  state: Exclude<ParserState, "text">,
  code: number,
): { readonly state: ParserState; readonly used: boolean } {
  if (code === escape && state !== "string")
    return { state: state === "stringEscape" ? "stringEscape" : "escape", used: true };
  switch (state) {
    case "escape":
      if (code === 0x5b) return { state: "control", used: true };
      if ([0x50, 0x58, 0x5d, 0x5e, 0x5f].includes(code)) return { state: "string", used: true };
      if (code >= 0x20 && code <= 0x2f) return { state: "escapeRest", used: true };
      return { state: "text", used: code >= 0x30 && code <= 0x7e };
    case "escapeRest":
      if (code >= 0x20 && code <= 0x2f) return { state, used: true };
      return { state: "text", used: code >= 0x30 && code <= 0x7e };
    case "control":
      if (code >= 0x20 && code <= 0x3f) return { state, used: true };
      return { state: "text", used: code >= 0x40 && code <= 0x7e };
    case "string":
      if (code === escape) return { state: "stringEscape", used: true };
      if (code === bell || code === 0x9c || code === 0x18 || code === 0x1a) return { state: "text", used: true };
      // A line feed ends an unterminated string, so that it does not swallow the rest of the output.
      return code === newline ? { state: "text", used: false } : { state, used: true };
    case "stringEscape":
      // ESC \ terminates the string; any other ESC aborts it and starts a new sequence.
      return code === 0x5c ? { state: "text", used: true } : { state: "escape", used: false };
  }
}
