/**
 * Reads values as models write them: JSON, JSON5, Python literals, and JSON without its closers. Nothing is guessed:
 * a value that is cut off inside is distinguished from one that only lacks its closers. Pure.
 */
import type { Json } from "@/lib/content";
import { readString } from "./lenient-string";
import { matchAt, type Source } from "./source";

/** `whole`: no closer had to be added. */
export type ReadValue =
  | { readonly kind: "value"; readonly value: Json; readonly end: number; readonly whole: boolean }
  | { readonly kind: "cut" }
  | { readonly kind: "broken" };

/** Deeper nesting is not a call. */
const depthMax = 64;

const stopped = { cut: Symbol("cut"), broken: Symbol("broken") } as const;
type Stop = (typeof stopped)[keyof typeof stopped];
const isStop = (value: Json | Stop): value is Stop => typeof value === "symbol";

/** Position and state of a reader. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** A closer was missing. */
  added: boolean;
  depth: number;
}

/** Comments between values are short. */
const spaces = /\s+|\/\/[^\n]*|\/\*[^]{0,2000}?\*\/|#[^\n]*/y;
const number = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z]\w*/y;
const key = /[A-Za-z_$][\w$-]*/y;
const colon = /:|：|=>/y;
/** Text that can only follow a value: a closing tag of a call, a special token, a marker. */
const after =
  /<\/(?:[a-zA-Z]+:|｜DSML｜)?(?:tool_?calls?|tools?|functions?|function_?calls?|invoke|tool_use|tool_code|use_tool|call|arguments|parameters|args|params|input|tool_input|parameter|arg_value|think|thinking)>|<[|｜]|<(?:end_function_call|tool_call\||tool_call)>|\[TOOL_CALLS\]|\[\/TOOL|\[END_TOOL/iy;
/** A fence on its own line ends a value too. */
const fence = /```/y;
/** The next call, on its own line. */
const nextCall = /[{[]\s*\{?\s*["'“]?(?:name|tool|tool_name|function|action|type|id|arguments|parameters)["'”]?\s*:/y;

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
]);

/** Skips white space and comments, and returns the skipped text. */
export function skipSpace(cursor: Cursor): string {
  const from = cursor.at;
  for (let found = matchAt(spaces, cursor.text, from); found !== null; ) {
    cursor.at += found[0].length;
    found = matchAt(spaces, cursor.text, cursor.at);
  }
  return cursor.text.slice(from, cursor.at);
}

/** No value and no closer can follow here. */
export const endsHere = (cursor: Cursor): boolean =>
  cursor.at >= cursor.text.length || matchAt(after, cursor.text, cursor.at) !== null;

function readNumber(cursor: Cursor): Json | Stop {
  const found = matchAt(number, cursor.text, cursor.at);
  if (found === null) return stopped.broken;
  cursor.at += found[0].length;
  // 3 could be the start of 30.
  if (cursor.at >= cursor.text.length) return stopped.cut;
  const value = Number(found[0].replaceAll("_", ""));
  return Number.isFinite(value) ? value : stopped.broken;
}

function readWord(cursor: Cursor): Json | Stop {
  const found = matchAt(word, cursor.text, cursor.at);
  if (found === null) return stopped.broken;
  const value = words.get(found[0]);
  cursor.at += found[0].length;
  if (value !== undefined) return value;
  return cursor.at >= cursor.text.length ? stopped.cut : stopped.broken;
}

function readText(cursor: Cursor): string | Stop | null {
  const found = readString(cursor.text, cursor.at);
  if (found === null) return null;
  cursor.at = found.end;
  return found.kind === "cut" ? stopped.cut : found.value;
}

/** After a value inside brackets: true = another one follows, false = the bracket is closed. */
export function readSeparator(cursor: Cursor, closer: string): boolean | Stop {
  const skipped = skipSpace(cursor);
  // Unescaped quotes can make a value look like one followed by a comment.
  const comment = skipped.trim();
  if (/["'`]/.test(comment)) return stopped.broken;
  const here = cursor.text[cursor.at];
  if (here === "," || here === "，") {
    cursor.at += 1;
    return true;
  }
  if (here === closer) {
    cursor.at += 1;
    return false;
  }
  const next = skipped.includes("\n")
    ? (matchAt(nextCall, cursor.text, cursor.at) ?? matchAt(fence, cursor.text, cursor.at))
    : null;
  if (comment !== "" || (!endsHere(cursor) && next === null)) return stopped.broken;
  cursor.added = true;
  return false;
}

function readList(cursor: Cursor, closer: string): Json | Stop {
  const items: Json[] = [];
  cursor.at += 1;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text[cursor.at] === closer) {
      cursor.at += 1;
      return items;
    }
    const item = valueAt(cursor);
    if (isStop(item)) return item;
    items.push(item);
    const more = readSeparator(cursor, closer);
    if (typeof more === "symbol") return more;
    if (!more) return items;
  }
}

function readKey(cursor: Cursor): string | Stop {
  const quoted = readText(cursor);
  if (quoted !== null) return quoted;
  const bare = matchAt(key, cursor.text, cursor.at);
  if (bare === null) return endsHere(cursor) ? stopped.cut : stopped.broken;
  cursor.at += bare[0].length;
  return bare[0];
}

/** `{{…}}`, the braces of a template: reads the inner object and its second closer. */
function readDoubled(cursor: Cursor): Json | Stop {
  if (cursor.depth >= depthMax) return stopped.broken;
  cursor.depth += 1;
  const inner = readObject(cursor);
  cursor.depth -= 1;
  if (isStop(inner)) return inner;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === "}") cursor.at += 1;
  else if (endsHere(cursor)) cursor.added = true;
  else return stopped.broken;
  return inner;
}

function readObject(cursor: Cursor): Json | Stop {
  const entries: [string, Json][] = [];
  cursor.at += 1;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text[cursor.at] === "}") {
      cursor.at += 1;
      return Object.fromEntries(entries);
    }
    if (cursor.text[cursor.at] === "{" && entries.length === 0) return readDoubled(cursor);
    const name = readKey(cursor);
    if (typeof name === "symbol") return name;
    skipSpace(cursor);
    const between = matchAt(colon, cursor.text, cursor.at);
    if (between === null) return endsHere(cursor) ? stopped.cut : stopped.broken;
    cursor.at += between[0].length;
    skipSpace(cursor);
    const value = valueAt(cursor);
    if (isStop(value)) return value;
    entries.push([name, value]);
    const more = readSeparator(cursor, "}");
    if (typeof more === "symbol") return more;
    if (!more) return Object.fromEntries(entries);
  }
}

/** Reads the value at the cursor and advances the cursor. */
export function valueAt(cursor: Cursor): Json | Stop {
  if (cursor.depth >= depthMax) return stopped.broken;
  const string = readText(cursor);
  if (string !== null) return string;
  if (endsHere(cursor)) return stopped.cut;
  const here = cursor.text[cursor.at] ?? "";
  cursor.depth += 1;
  const value =
    here === "{"
      ? readObject(cursor)
      : here === "["
        ? readList(cursor, "]")
        : here === "("
          ? readList(cursor, ")")
          : /[-+.\d]/.test(here)
            ? readNumber(cursor)
            : readWord(cursor);
  cursor.depth -= 1;
  return value;
}

/**
 * Runs a reader at `at` and charges the characters it examined. Returns broken if the budget of the source is used
 * up.
 */
export function withCursor<T>(source: Source, at: number, read: (cursor: Cursor) => T | Stop): T | "cut" | "broken" {
  if (source.left <= 0) return "broken";
  const cursor: Cursor = { text: source.text, at, added: false, depth: 0 };
  const result = read(cursor);
  source.left -= cursor.at - at + 1;
  if (result === stopped.cut) return "cut";
  if (result === stopped.broken) return "broken";
  return typeof result === "symbol" ? "broken" : result;
}

/** Reads the value at `at`. */
export function readValue(source: Source, at: number): ReadValue {
  const result = withCursor<ReadValue>(source, at, (cursor) => {
    const value = valueAt(cursor);
    return isStop(value) ? value : { kind: "value", value, end: cursor.at, whole: !cursor.added };
  });
  return typeof result === "string" ? { kind: result } : result;
}

export const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export { isStop, type Stop };
