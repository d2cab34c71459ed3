/** Calls written as Python: `read(path="a")`, lists of them, `print(default_api.read(…))`. */
import { isJsonObject, type Json } from "@/lib/events/content";
import {
  type ReadCursor,
  isAtEnd,
  isStop,
  readSeparator,
  skipSpaceAndComments,
  type Stop,
  readValueAtCursor,
  runWithCursor,
} from "@/server/tools/written-json/lenient-json";
import { matchAt } from "@/server/base/match-at";
import { normalizeToolName, type GrammarResult, type ReaderSource, type TextCall } from "../reader-source";

const callHead = /([A-Za-z_][\w.]*)[ \t]*\(/y;
const keywordArgument = /(\w+)\s*=(?!=)\s*/y;

/** Positional arguments are unambiguous only alone: an object of all arguments, or a single text. */
function toCallInput(positional: readonly Json[], named: readonly [string, Json][]): Json | null {
  if (positional.length === 0) return Object.fromEntries(named);
  const [only] = positional;
  if (positional.length > 1 || named.length > 0 || only === undefined) return null;
  return isJsonObject(only) || typeof only === "string" ? only : null;
}

function readPythonCall(cursor: ReadCursor): TextCall | Stop | null {
  const found = matchAt(callHead, cursor.text, cursor.at);
  if (found === null) return null;
  cursor.at += found[0].length;
  const positional: Json[] = [];
  const named: [string, Json][] = [];
  for (;;) {
    skipSpaceAndComments(cursor);
    if (cursor.text[cursor.at] === ")") {
      cursor.at += 1;
      break;
    }
    const name = matchAt(keywordArgument, cursor.text, cursor.at);
    if (name !== null) cursor.at += name[0].length;
    const value = readValueAtCursor(cursor);
    if (isStop(value)) return value;
    if (name?.[1] === undefined) positional.push(value);
    else named.push([name[1], value]);
    const more = readSeparator(cursor, ")");
    if (typeof more === "symbol") return more;
    if (!more) break;
  }
  const input = toCallInput(positional, named);
  return input === null ? null : { name: normalizeToolName(found[1] ?? ""), input, form: "both" };
}

const callSeparator = /\s*[,;]?\s*(?=[A-Za-z_])/y;
const printHead = /(?:[a-z_]+\s*=\s*)?print\s*\(\s*/y;

/** Reads consecutive calls; in a list up to its bracket, which may be missing at the end. */
function readPythonCallsAt(cursor: ReadCursor, list: boolean): { readonly calls: readonly TextCall[] } | Stop | null {
  const calls: TextCall[] = [];
  for (;;) {
    skipSpaceAndComments(cursor);
    const wrapped = list ? null : matchAt(printHead, cursor.text, cursor.at);
    const before = cursor.at;
    if (wrapped !== null) cursor.at += wrapped[0].length;
    const call = readPythonCall(cursor);
    if (typeof call === "symbol") return call;
    if (call === null) {
      cursor.at = before;
      break;
    }
    calls.push(call);
    if (wrapped !== null) {
      skipSpaceAndComments(cursor);
      if (cursor.text[cursor.at] === ")") cursor.at += 1;
      else if (isAtEnd(cursor)) cursor.addedCloser = true;
      else return null;
    }
    const more = matchAt(callSeparator, cursor.text, cursor.at);
    if (more === null || matchAt(callHead, cursor.text, cursor.at + more[0].length) === null) break;
    cursor.at += more[0].length;
  }
  if (calls.length === 0) return null;
  if (!list) return { calls };
  skipSpaceAndComments(cursor);
  if (cursor.text[cursor.at] === ",") cursor.at += 1;
  skipSpaceAndComments(cursor);
  if (cursor.text[cursor.at] === "]") cursor.at += 1;
  else if (isAtEnd(cursor)) cursor.addedCloser = true;
  else return null;
  return { calls };
}

function toReading(source: ReaderSource, at: number, list: boolean): GrammarResult {
  const result = runWithCursor(source, at, (cursor) => {
    if (list) cursor.at += 1;
    const found = readPythonCallsAt(cursor, list);
    return found === null || typeof found === "symbol"
      ? found
      : { ...found, end: cursor.at, whole: !cursor.addedCloser };
  });
  return result === "broken" ? null : result;
}

const listHead = /\[\s*[A-Za-z_][\w.]*\(/y;

/** Reads `[read(path="a"), ls()]` at `at`. */
export const readPythonList = (source: ReaderSource, at: number): GrammarResult =>
  matchAt(listHead, source.text, at) === null ? null : toReading(source, at, true);

/** Reads `read(path="a")`, several of them, or the same in `print(…)`. */
export const readPythonCalls = (source: ReaderSource, at: number): GrammarResult =>
  matchAt(callHead, source.text, at) === null && matchAt(printHead, source.text, at) === null
    ? null
    : toReading(source, at, false);
