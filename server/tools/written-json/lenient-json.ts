/**
 * Reads values as models write them: JSON, JSON5, Python literals, and JSON without its closers. Nothing is guessed:
 * a value that is cut off inside is distinguished from one that only lacks its closers. Pure.
 */
import type { Json } from "@/lib/events/content";
import { readString } from "./lenient-string";
import { tagPrefix, tagSuffix } from "./tag-forms";
import { matchAt } from "@/server/base/match-at";

/** `whole`: no closer had to be added. */
type LenientValue =
  | { readonly kind: "value"; readonly value: Json; readonly end: number; readonly whole: boolean }
  | { readonly kind: "cut" }
  | { readonly kind: "broken" };

/** A text, and the characters that attempts to read it may still examine: they take linear time for any text. */
export interface BoundedText {
  readonly text: string;
  budget: number;
}

/** Average number of attempts per character before the rest counts as prose. */
const budgetPerCharacter = 12;
const budgetMin = 4_096;

export const makeBoundedText = (text: string): BoundedText => ({
  text,
  budget: text.length * budgetPerCharacter + budgetMin,
});

/** Deeper nesting is not a call. */
const depthMax = 64;

const stopSymbols = { cut: Symbol("cut"), broken: Symbol("broken") } as const;
type Stop = (typeof stopSymbols)[keyof typeof stopSymbols];
const isStop = (value: Json | Stop): value is Stop => typeof value === "symbol";

/** Position and state of a reader. */
export interface ReadCursor {
  readonly text: string;
  at: number;
  /** A closer was missing. */
  addedCloser: boolean;
  depth: number;
}

/** Comments between values are short. */
const spacePattern = /\s+|\/\/[^\n]*|\/\*[^]{0,2000}?\*\/|#[^\n]*/y;
const numberPattern = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const wordPattern = /[A-Za-z]\w*/y;
const keyPattern = /[A-Za-z_$][\w$-]*/y;
const colonPattern = /:|：|=>/y;
/** Text that can only follow a value: a closing tag of a call, a special token, a marker. */
const afterValuePattern = new RegExp(
  String.raw`<\/${tagPrefix}(?:tool_?calls?|tools?|functions?|function_?calls?|invoke|tool_use|tool_code|use_tool|call|arguments|parameters|args|params|input|tool_input|parameter|arg_value|think|thinking)${tagSuffix}>|<[|｜‖]|<(?:end_function_call|tool_call\||tool_call)>|\[TOOL_CALLS\]|\[\/TOOL|\[END_TOOL`,
  "iy",
);
/** A fence on its own line ends a value too. */
const fencePattern = /```/y;
/** The next call, on its own line. */
const nextCallPattern =
  /[{[]\s*\{?\s*["'“]?(?:name|tool|tool_name|function|action|type|id|arguments|parameters)["'”]?\s*:/y;

const literalValues: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
]);

/** Skips white space and comments, and returns the skipped text. */
export function skipSpaceAndComments(cursor: ReadCursor): string {
  const from = cursor.at;
  for (let found = matchAt(spacePattern, cursor.text, from); found !== null; ) {
    cursor.at += found[0].length;
    found = matchAt(spacePattern, cursor.text, cursor.at);
  }
  return cursor.text.slice(from, cursor.at);
}

/** No value and no closer can follow here. */
export const isAtEnd = (cursor: ReadCursor): boolean =>
  cursor.at >= cursor.text.length || matchAt(afterValuePattern, cursor.text, cursor.at) !== null;

function readNumber(cursor: ReadCursor): Json | Stop {
  const found = matchAt(numberPattern, cursor.text, cursor.at);
  if (found === null) return stopSymbols.broken;
  cursor.at += found[0].length;
  // 3 could be the start of 30.
  if (cursor.at >= cursor.text.length) return stopSymbols.cut;
  const value = Number(found[0].replaceAll("_", ""));
  return Number.isFinite(value) ? value : stopSymbols.broken;
}

function readLiteral(cursor: ReadCursor): Json | Stop {
  const found = matchAt(wordPattern, cursor.text, cursor.at);
  if (found === null) return stopSymbols.broken;
  const value = literalValues.get(found[0]);
  cursor.at += found[0].length;
  if (value !== undefined) return value;
  return cursor.at >= cursor.text.length ? stopSymbols.cut : stopSymbols.broken;
}

function readStringValue(cursor: ReadCursor): string | Stop | null {
  const found = readString(cursor.text, cursor.at);
  if (found === null) return null;
  cursor.at = found.end;
  return found.kind === "cut" ? stopSymbols.cut : found.value;
}

/** After a value inside brackets: true = another one follows, false = the bracket is closed. */
export function readSeparator(cursor: ReadCursor, closer: string): boolean | Stop {
  const skipped = skipSpaceAndComments(cursor);
  // Unescaped quotes can make a value look like one followed by a comment.
  const comment = skipped.trim();
  if (/["'`]/.test(comment)) return stopSymbols.broken;
  const character = cursor.text[cursor.at];
  if (character === "," || character === "，") {
    cursor.at += 1;
    return true;
  }
  if (character === closer) {
    cursor.at += 1;
    return false;
  }
  const next = skipped.includes("\n")
    ? (matchAt(nextCallPattern, cursor.text, cursor.at) ?? matchAt(fencePattern, cursor.text, cursor.at))
    : null;
  if (comment !== "" || (!isAtEnd(cursor) && next === null)) return stopSymbols.broken;
  cursor.addedCloser = true;
  return false;
}

function readList(cursor: ReadCursor, closer: string): Json | Stop {
  const items: Json[] = [];
  cursor.at += 1;
  for (;;) {
    skipSpaceAndComments(cursor);
    if (cursor.text[cursor.at] === closer) {
      cursor.at += 1;
      return items;
    }
    const item = readValueAtCursor(cursor);
    if (isStop(item)) return item;
    items.push(item);
    const more = readSeparator(cursor, closer);
    if (typeof more === "symbol") return more;
    if (!more) return items;
  }
}

function readKey(cursor: ReadCursor): string | Stop {
  const quoted = readStringValue(cursor);
  if (quoted !== null) return quoted;
  const bare = matchAt(keyPattern, cursor.text, cursor.at);
  if (bare === null) return isAtEnd(cursor) ? stopSymbols.cut : stopSymbols.broken;
  cursor.at += bare[0].length;
  return bare[0];
}

/** `{{…}}`, the braces of a template: reads the inner object and its second closer. */
function readTemplateObject(cursor: ReadCursor): Json | Stop {
  if (cursor.depth >= depthMax) return stopSymbols.broken;
  cursor.depth += 1;
  const inner = readObject(cursor);
  cursor.depth -= 1;
  if (isStop(inner)) return inner;
  skipSpaceAndComments(cursor);
  if (cursor.text[cursor.at] === "}") cursor.at += 1;
  else if (isAtEnd(cursor)) cursor.addedCloser = true;
  else return stopSymbols.broken;
  return inner;
}

function readObject(cursor: ReadCursor): Json | Stop {
  const entries: [string, Json][] = [];
  cursor.at += 1;
  for (;;) {
    skipSpaceAndComments(cursor);
    if (cursor.text[cursor.at] === "}") {
      cursor.at += 1;
      return Object.fromEntries(entries);
    }
    if (cursor.text[cursor.at] === "{" && entries.length === 0) return readTemplateObject(cursor);
    const name = readKey(cursor);
    if (typeof name === "symbol") return name;
    skipSpaceAndComments(cursor);
    const between = matchAt(colonPattern, cursor.text, cursor.at);
    if (between === null) return isAtEnd(cursor) ? stopSymbols.cut : stopSymbols.broken;
    cursor.at += between[0].length;
    skipSpaceAndComments(cursor);
    const value = readValueAtCursor(cursor);
    if (isStop(value)) return value;
    entries.push([name, value]);
    const more = readSeparator(cursor, "}");
    if (typeof more === "symbol") return more;
    if (!more) return Object.fromEntries(entries);
  }
}

/** Reads the value at the cursor and advances the cursor. */
export function readValueAtCursor(cursor: ReadCursor): Json | Stop {
  if (cursor.depth >= depthMax) return stopSymbols.broken;
  const string = readStringValue(cursor);
  if (string !== null) return string;
  if (isAtEnd(cursor)) return stopSymbols.cut;
  const opener = cursor.text[cursor.at] ?? "";
  cursor.depth += 1;
  const value =
    opener === "{"
      ? readObject(cursor)
      : opener === "["
        ? readList(cursor, "]")
        : opener === "("
          ? readList(cursor, ")")
          : /[-+.\d]/.test(opener)
            ? readNumber(cursor)
            : readLiteral(cursor);
  cursor.depth -= 1;
  return value;
}

/**
 * Runs a reader at `at` and charges the characters it examined. Returns broken if the budget of the source is used
 * up.
 */
export function runWithCursor<T>(
  source: BoundedText,
  at: number,
  read: (cursor: ReadCursor) => T | Stop,
): T | "cut" | "broken" {
  if (source.budget <= 0) return "broken";
  const cursor: ReadCursor = { text: source.text, at, addedCloser: false, depth: 0 };
  const result = read(cursor);
  source.budget -= cursor.at - at + 1;
  if (result === stopSymbols.cut) return "cut";
  if (result === stopSymbols.broken) return "broken";
  return typeof result === "symbol" ? "broken" : result;
}

/** Reads the value at `at`. */
export function readValue(source: BoundedText, at: number): LenientValue {
  const result = runWithCursor<LenientValue>(source, at, (cursor) => {
    const value = readValueAtCursor(cursor);
    return isStop(value) ? value : { kind: "value", value, end: cursor.at, whole: !cursor.addedCloser };
  });
  return typeof result === "string" ? { kind: result } : result;
}

export { isStop, type Stop };
